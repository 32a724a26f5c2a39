"""Graphs of resolver operators, as a node's inputs hold them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trainwright.compat.compiler.compiler_context import NodeContext
from trainwright.compat.mlmd import property_values
from trainwright.compat.utils import name_utils
from trainwright.dsl.input_resolution import resolver_op
from trainwright.dsl.input_resolution.resolved_channel import ResolvedChannel
from trainwright.proto.orchestration import pipeline_pb2
from trainwright.types.channel import BaseChannel


def compile_input_graph(
    result: pipeline_pb2.NodeInputs,
    channel: ResolvedChannel,
    keys: NodeContext,
    add_input: Callable[[BaseChannel], str],
) -> str:
    """Adds the graph that a channel comes from, unless it is there, and returns its id.

    Args:
        result: The inputs of the node.
        channel: What a resolver function gave.
        keys: The keys of what the node reads.
        add_input: Adds a channel that the graph reads to the inputs and returns its key.
    """
    graph_id = keys.get_input_graph_key(channel.output_node, channel.for_each_context)
    if graph_id not in result.input_graphs:
        graph = result.input_graphs[graph_id]
        graph.result_node = _GraphCompilation(graph, add_input).node_id(channel.output_node)
    return graph_id


class _GraphCompilation:
    """Adds nodes to a graph, each once."""

    def __init__(
        self, graph: pipeline_pb2.InputGraph, add_input: Callable[[BaseChannel], str]
    ) -> None:
        self._graph = graph
        self._add_input = add_input
        self._ids: dict[Any, str] = {}

    def node_id(self, node: Any) -> str:
        if node in self._ids:
            return self._ids[node]
        if isinstance(node, resolver_op.InputNode):
            return self._compile_input(node)
        if isinstance(node, resolver_op.DictNode):
            return self._compile_dict(node)
        if isinstance(node, resolver_op.OpNode):
            return self._compile_op(node)
        raise NotImplementedError(
            "Expected `node` to be one of InputNode, DictNode, or OpNode but got "
            f"`{type(node).__name__}` type."
        )

    def _new_id(self, prefix: str, node: Any) -> str:
        self._ids[node] = f"{prefix}_{len(self._ids) + 1}"
        return self._ids[node]

    def _compile_input(self, node: Any) -> str:
        node_id = self._new_id("input", node)
        key = self._add_input(node.wrapped)
        message: Any = self._graph.nodes[node_id]
        message.input_node.input_key = key
        message.output_data_type = int(node.output_data_type)
        return node_id

    def _compile_dict(self, node: Any) -> str:
        node_id = self._new_id("dict", node)
        children = {key: self.node_id(child) for key, child in node.nodes.items()}
        message: Any = self._graph.nodes[node_id]
        message.dict_node.node_ids.update(children)
        message.output_data_type = pipeline_pb2.InputGraph.ARTIFACT_MULTIMAP
        return node_id

    def _compile_op(self, node: Any) -> str:
        node_id = self._new_id("op", node)
        arguments = [self.node_id(argument) for argument in node.args]
        message: Any = self._graph.nodes[node_id]
        is_op = issubclass(node.op_type, resolver_op.ResolverOp)
        message.op_node.op_type = (
            node.op_type.canonical_name if is_op else name_utils.get_full_name(node.op_type)
        )
        for argument in arguments:
            message.op_node.args.add().node_id = argument
        for name, value in node.kwargs.items():
            property_values.set_parameter_value(message.op_node.kwargs[name].value, value)
        message.output_data_type = int(node.output_data_type)
        return node_id
