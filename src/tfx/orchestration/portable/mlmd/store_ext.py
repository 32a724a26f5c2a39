"""`trainwright.compat.mlmd.node_queries` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.mlmd.node_queries import (
        get_live_output_artifacts_of_node as get_live_output_artifacts_of_node,
    )
    from trainwright.compat.mlmd.node_queries import (
        get_live_output_artifacts_of_node_by_output_key as get_live_output_artifacts_of_node_by_output_key,
    )
    from trainwright.compat.mlmd.node_queries import get_node_executions as get_node_executions
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.mlmd.node_queries": (
                "get_live_output_artifacts_of_node",
                "get_live_output_artifacts_of_node_by_output_key",
                "get_node_executions",
            ),
        },
    )
