"""`trainwright.compat.compiler.constants` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.compiler.constants import (
        CONDITIONAL_RESOLVER_CLASS_PATH as CONDITIONAL_RESOLVER_CLASS_PATH,
    )
    from trainwright.compat.compiler.constants import (
        JOB_CLEANUP_LAUNCHER_EXEC_PROP as JOB_CLEANUP_LAUNCHER_EXEC_PROP,
    )
    from trainwright.compat.compiler.constants import (
        LAUNCH_ONLY_CHANNEL_NAME as LAUNCH_ONLY_CHANNEL_NAME,
    )
    from trainwright.compat.compiler.constants import (
        NODE_CONTEXT_TYPE_NAME as NODE_CONTEXT_TYPE_NAME,
    )
    from trainwright.compat.compiler.constants import (
        PIPELINE_BEGIN_NODE_SUFFIX as PIPELINE_BEGIN_NODE_SUFFIX,
    )
    from trainwright.compat.compiler.constants import (
        PIPELINE_CONTEXT_TYPE_NAME as PIPELINE_CONTEXT_TYPE_NAME,
    )
    from trainwright.compat.compiler.constants import (
        PIPELINE_END_NODE_SUFFIX as PIPELINE_END_NODE_SUFFIX,
    )
    from trainwright.compat.compiler.constants import (
        PIPELINE_ROOT_PARAMETER_NAME as PIPELINE_ROOT_PARAMETER_NAME,
    )
    from trainwright.compat.compiler.constants import (
        PIPELINE_RUN_CONTEXT_TYPE_NAME as PIPELINE_RUN_CONTEXT_TYPE_NAME,
    )
    from trainwright.compat.compiler.constants import (
        PIPELINE_RUN_ID_PARAMETER_NAME as PIPELINE_RUN_ID_PARAMETER_NAME,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.compiler.constants": (
                "CONDITIONAL_RESOLVER_CLASS_PATH",
                "JOB_CLEANUP_LAUNCHER_EXEC_PROP",
                "LAUNCH_ONLY_CHANNEL_NAME",
                "NODE_CONTEXT_TYPE_NAME",
                "PIPELINE_BEGIN_NODE_SUFFIX",
                "PIPELINE_CONTEXT_TYPE_NAME",
                "PIPELINE_END_NODE_SUFFIX",
                "PIPELINE_ROOT_PARAMETER_NAME",
                "PIPELINE_RUN_CONTEXT_TYPE_NAME",
                "PIPELINE_RUN_ID_PARAMETER_NAME",
            ),
        },
    )
