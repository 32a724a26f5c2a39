"""Resolution of the inputs of nodes in compiled pipelines."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration.portable.input_resolution import channel_resolver as channel_resolver
    from tfx.orchestration.portable.input_resolution import exceptions as exceptions
    from tfx.orchestration.portable.input_resolution import (
        input_graph_resolver as input_graph_resolver,
    )
    from tfx.orchestration.portable.input_resolution import (
        node_inputs_resolver as node_inputs_resolver,
    )
    from tfx.orchestration.portable.input_resolution import partition_utils as partition_utils
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "channel_resolver",
            "exceptions",
            "input_graph_resolver",
            "node_inputs_resolver",
            "partition_utils",
        ),
    )
