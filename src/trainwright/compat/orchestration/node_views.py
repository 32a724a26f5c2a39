"""Nodes of a compiled pipeline and pipelines within it, read in the same way."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Any

from google.protobuf.message import Message

from trainwright.compat.compiler import constants
from trainwright.proto.orchestration import pipeline_pb2


class NodeProtoView(abc.ABC):
    """What a node's message has, for a node or for an inner pipeline."""

    @property
    @abc.abstractmethod
    def node_info(self) -> pipeline_pb2.NodeInfo: ...

    @property
    @abc.abstractmethod
    def contexts(self) -> pipeline_pb2.NodeContexts: ...

    @property
    @abc.abstractmethod
    def inputs(self) -> pipeline_pb2.NodeInputs: ...

    @property
    @abc.abstractmethod
    def outputs(self) -> pipeline_pb2.NodeOutputs: ...

    @property
    @abc.abstractmethod
    def parameters(self) -> pipeline_pb2.NodeParameters: ...

    @property
    @abc.abstractmethod
    def upstream_nodes(self) -> Sequence[str]: ...

    @property
    @abc.abstractmethod
    def downstream_nodes(self) -> Sequence[str]: ...

    @property
    @abc.abstractmethod
    def execution_options(self) -> pipeline_pb2.NodeExecutionOptions: ...

    @abc.abstractmethod
    def HasField(self, field_name: str) -> bool:
        """Whether a field is set."""

    @abc.abstractmethod
    def raw_proto(self) -> Any:
        """The message itself."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NodeProtoView) and bool(self.raw_proto() == other.raw_proto())

    __hash__ = None  # type: ignore[assignment]  # messages can change


class PipelineNodeProtoView(NodeProtoView):
    """A node."""

    def __init__(self, node: pipeline_pb2.PipelineNode) -> None:
        self._node = node

    @property
    def node_info(self) -> pipeline_pb2.NodeInfo:
        return self._node.node_info

    @property
    def contexts(self) -> pipeline_pb2.NodeContexts:
        return self._node.contexts

    @property
    def inputs(self) -> pipeline_pb2.NodeInputs:
        return self._node.inputs

    @property
    def outputs(self) -> pipeline_pb2.NodeOutputs:
        return self._node.outputs

    @property
    def parameters(self) -> pipeline_pb2.NodeParameters:
        return self._node.parameters

    @property
    def upstream_nodes(self) -> Sequence[str]:
        return self._node.upstream_nodes

    @property
    def downstream_nodes(self) -> Sequence[str]:
        return self._node.downstream_nodes

    @property
    def execution_options(self) -> pipeline_pb2.NodeExecutionOptions:
        return self._node.execution_options

    def HasField(self, field_name: str) -> bool:
        return bool(self._node.HasField(field_name))

    def raw_proto(self) -> pipeline_pb2.PipelineNode:
        return self._node


class ComposablePipelineProtoView(NodeProtoView):
    """An inner pipeline: what goes in is that of its first node, what follows that of its last."""

    def __init__(self, pipeline: pipeline_pb2.Pipeline) -> None:
        malformed = "Got malformed composable pipeline proto."
        assert len(pipeline.nodes) >= 2, (
            f"{malformed} Expecting at least two nodes (PipelineBegin node and PipelineEnd node) "
            "in the composable pipeline."
        )
        self._pipeline = pipeline
        self._begin = pipeline.nodes[0].pipeline_node
        self._end = pipeline.nodes[-1].pipeline_node
        assert self._begin.node_info.type.name.endswith(constants.PIPELINE_BEGIN_NODE_SUFFIX), (
            f"{malformed} Expecting the first node in composable pipeline to be a PipelineBegin "
            "node."
        )
        assert self._end.node_info.type.name.endswith(constants.PIPELINE_END_NODE_SUFFIX), (
            f"{malformed} Expecting the last node in composable pipeline to be a PipelineEnd node."
        )

    @property
    def node_info(self) -> pipeline_pb2.NodeInfo:
        info = pipeline_pb2.NodeInfo(id=_without_suffix(self._begin.node_info.id))
        info.type.name = _without_suffix(self._begin.node_info.type.name)
        return info

    @property
    def contexts(self) -> pipeline_pb2.NodeContexts:
        contexts = pipeline_pb2.NodeContexts()
        contexts.CopyFrom(self._begin.contexts)
        for context in contexts.contexts:
            if context.type.name == constants.NODE_CONTEXT_TYPE_NAME:
                name = context.name.field_value
                name.string_value = _without_suffix(name.string_value)
        return contexts

    @property
    def inputs(self) -> pipeline_pb2.NodeInputs:
        return self._begin.inputs

    @property
    def outputs(self) -> pipeline_pb2.NodeOutputs:
        # The last node has them, and who reads them reads from it.
        return pipeline_pb2.NodeOutputs()

    @property
    def parameters(self) -> pipeline_pb2.NodeParameters:
        return self._begin.parameters

    @property
    def upstream_nodes(self) -> Sequence[str]:
        return self._begin.upstream_nodes

    @property
    def downstream_nodes(self) -> Sequence[str]:
        return self._end.downstream_nodes

    @property
    def execution_options(self) -> pipeline_pb2.NodeExecutionOptions:
        return self._begin.execution_options

    def HasField(self, field_name: str) -> bool:
        value = getattr(self, field_name)
        return value.ByteSize() > 0 if isinstance(value, Message) else bool(value)

    def raw_proto(self) -> pipeline_pb2.Pipeline:
        return self._pipeline


def _without_suffix(text: str) -> str:
    return text.removesuffix(constants.PIPELINE_BEGIN_NODE_SUFFIX)


def get_view(pipeline_or_node: Any) -> NodeProtoView:
    """A view of a node's message, of a pipeline's, or of the one that holds either."""
    if isinstance(pipeline_or_node, pipeline_pb2.Pipeline.PipelineOrNode):
        kind = pipeline_or_node.WhichOneof("node")
        if kind is None:
            raise ValueError("Got unknown pipeline or node type.")
        return get_view(getattr(pipeline_or_node, kind))
    if isinstance(pipeline_or_node, pipeline_pb2.PipelineNode):
        return PipelineNodeProtoView(pipeline_or_node)
    if isinstance(pipeline_or_node, pipeline_pb2.Pipeline):
        return ComposablePipelineProtoView(pipeline_or_node)
    raise ValueError(f"Got unknown pipeline or node type: {pipeline_or_node}.")


def get_view_for_all_in(pipeline: pipeline_pb2.Pipeline) -> Sequence[NodeProtoView]:
    """Views of a pipeline's nodes and inner pipelines."""
    return [get_view(pipeline_or_node) for pipeline_or_node in pipeline.nodes]
