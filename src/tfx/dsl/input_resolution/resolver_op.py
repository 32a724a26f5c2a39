"""`trainwright.dsl.input_resolution.resolver_op` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.input_resolution.resolver_op import Context as Context
    from trainwright.dsl.input_resolution.resolver_op import DictNode as DictNode
    from trainwright.dsl.input_resolution.resolver_op import InputNode as InputNode
    from trainwright.dsl.input_resolution.resolver_op import Node as Node
    from trainwright.dsl.input_resolution.resolver_op import OpNode as OpNode
    from trainwright.dsl.input_resolution.resolver_op import Property as Property
    from trainwright.dsl.input_resolution.resolver_op import ResolverOp as ResolverOp
    from trainwright.dsl.input_resolution.resolver_op import get_input_nodes as get_input_nodes
    from trainwright.proto.orchestration.pipeline_pb2 import InputGraph as _DataType_

    DataType = _DataType_.DataType
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.proto.orchestration.pipeline_pb2": ("InputGraph.DataType as DataType",),
            "trainwright.dsl.input_resolution.resolver_op": (
                "Context",
                "DictNode",
                "InputNode",
                "Node",
                "OpNode",
                "Property",
                "ResolverOp",
                "get_input_nodes",
            ),
        },
    )
