"""`trainwright.compat.runners.deployment_configs` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.runners.deployment_configs import (
        extract_custom_driver_spec as extract_custom_driver_spec,
    )
    from trainwright.compat.runners.deployment_configs import (
        extract_executor_spec as extract_executor_spec,
    )
    from trainwright.compat.runners.deployment_configs import (
        extract_local_deployment_config as extract_local_deployment_config,
    )
    from trainwright.compat.runners.deployment_configs import (
        extract_mlmd_connection as extract_mlmd_connection,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.runners.deployment_configs": (
                "extract_custom_driver_spec",
                "extract_executor_spec",
                "extract_local_deployment_config",
                "extract_mlmd_connection",
            ),
        },
    )
