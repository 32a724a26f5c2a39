"""`trainwright.compat.orchestration.node_views` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.orchestration.node_views import (
        ComposablePipelineProtoView as ComposablePipelineProtoView,
    )
    from trainwright.compat.orchestration.node_views import NodeProtoView as NodeProtoView
    from trainwright.compat.orchestration.node_views import (
        PipelineNodeProtoView as PipelineNodeProtoView,
    )
    from trainwright.compat.orchestration.node_views import get_view as get_view
    from trainwright.compat.orchestration.node_views import (
        get_view_for_all_in as get_view_for_all_in,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.orchestration.node_views": (
                "ComposablePipelineProtoView",
                "NodeProtoView",
                "PipelineNodeProtoView",
                "get_view",
                "get_view_for_all_in",
            ),
        },
    )
