"""`trainwright.compat.orchestration.core_constants` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.orchestration.core_constants import (
        BACKFILL_TOKEN_CUSTOM_PROPERTY_KEY as BACKFILL_TOKEN_CUSTOM_PROPERTY_KEY,
    )
    from trainwright.compat.orchestration.core_constants import (
        COMPONENT_GENERATED_ALERTS_KEY as COMPONENT_GENERATED_ALERTS_KEY,
    )
    from trainwright.compat.orchestration.core_constants import (
        EXECUTION_ERROR_CODE_KEY as EXECUTION_ERROR_CODE_KEY,
    )
    from trainwright.compat.orchestration.core_constants import (
        EXECUTION_ERROR_MSG_KEY as EXECUTION_ERROR_MSG_KEY,
    )
    from trainwright.compat.orchestration.core_constants import (
        EXECUTION_START_TIME_CUSTOM_PROPERTY_KEY as EXECUTION_START_TIME_CUSTOM_PROPERTY_KEY,
    )
    from trainwright.compat.orchestration.core_constants import (
        IMPORTER_NODE_TYPE as IMPORTER_NODE_TYPE,
    )
    from trainwright.compat.orchestration.core_constants import MANUAL_NODE_TYPE as MANUAL_NODE_TYPE
    from trainwright.compat.orchestration.core_constants import PREFIX as PREFIX
    from trainwright.compat.orchestration.core_constants import (
        RESOLVER_NODE_TYPE as RESOLVER_NODE_TYPE,
    )
    from trainwright.compat.orchestration.core_constants import (
        STATEFUL_WORKING_DIR_INDEX as STATEFUL_WORKING_DIR_INDEX,
    )
    from trainwright.compat.orchestration.core_constants import (
        SUBPIPELINE_BEGIN_NODE_TYPE as SUBPIPELINE_BEGIN_NODE_TYPE,
    )
    from trainwright.compat.orchestration.core_constants import (
        SUBPIPELINE_END_NODE_TYPE as SUBPIPELINE_END_NODE_TYPE,
    )
    from trainwright.compat.orchestration.core_constants import (
        SUBPIPELINE_NODE_TYPE as SUBPIPELINE_NODE_TYPE,
    )
    from trainwright.compat.orchestration.core_constants import TIME_SKEW_DATE as TIME_SKEW_DATE
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.orchestration.core_constants": (
                "BACKFILL_TOKEN_CUSTOM_PROPERTY_KEY",
                "COMPONENT_GENERATED_ALERTS_KEY",
                "EXECUTION_ERROR_CODE_KEY",
                "EXECUTION_ERROR_MSG_KEY",
                "EXECUTION_START_TIME_CUSTOM_PROPERTY_KEY",
                "IMPORTER_NODE_TYPE",
                "MANUAL_NODE_TYPE",
                "PREFIX",
                "RESOLVER_NODE_TYPE",
                "STATEFUL_WORKING_DIR_INDEX",
                "SUBPIPELINE_BEGIN_NODE_TYPE",
                "SUBPIPELINE_END_NODE_TYPE",
                "SUBPIPELINE_NODE_TYPE",
                "TIME_SKEW_DATE",
            ),
        },
    )
