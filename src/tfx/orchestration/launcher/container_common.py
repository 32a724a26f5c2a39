"""`trainwright.compat.runners.container_commands` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.runners.component_configs import to_swagger_dict as to_swagger_dict
    from trainwright.compat.runners.container_commands import (
        resolve_container_template as resolve_container_template,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.runners.component_configs": ("to_swagger_dict",),
            "trainwright.compat.runners.container_commands": ("resolve_container_template",),
        },
    )
