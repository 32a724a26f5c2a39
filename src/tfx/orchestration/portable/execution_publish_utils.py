"""`trainwright.compat.orchestration.execution_publishing` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.orchestration.execution_publishing import (
        publish_cached_executions as publish_cached_executions,
    )
    from trainwright.compat.orchestration.execution_publishing import (
        publish_failed_execution as publish_failed_execution,
    )
    from trainwright.compat.orchestration.execution_publishing import (
        publish_internal_execution as publish_internal_execution,
    )
    from trainwright.compat.orchestration.execution_publishing import (
        publish_succeeded_execution as publish_succeeded_execution,
    )
    from trainwright.compat.orchestration.execution_publishing import (
        register_execution as register_execution,
    )
    from trainwright.compat.orchestration.execution_publishing import (
        set_execution_result_if_not_empty as set_execution_result_if_not_empty,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.orchestration.execution_publishing": (
                "publish_cached_executions",
                "publish_failed_execution",
                "publish_internal_execution",
                "publish_succeeded_execution",
                "register_execution",
                "set_execution_result_if_not_empty",
            ),
        },
    )
