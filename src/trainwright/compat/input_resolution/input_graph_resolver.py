"""Evaluates the graphs of operators that compiled pipelines hold.

A graph becomes a function of its inputs, because within a `ForEach` it is evaluated once for each
turn of the loop.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from trainwright.compat.input_resolution.channel_resolver import store_of
from trainwright.compat.input_resolution.ops import registry
from trainwright.compat.mlmd.property_values import get_parsed_value
from trainwright.compat.utils.topsort import InvalidDAGError, topsorted_layers
from trainwright.dsl.input_resolution import exceptions
from trainwright.dsl.input_resolution.evaluation import call_operator
from trainwright.dsl.input_resolution.resolver_op import Context
from trainwright.proto.orchestration import pipeline_pb2

InputGraph = pipeline_pb2.InputGraph


def build_graph_fn(
    mlmd_handle: Any, input_graph: InputGraph
) -> tuple[Callable[[Mapping[str, Any]], Any], list[str]]:
    """The graph as a function, and the keys that its argument must have.

    Args:
        mlmd_handle: A `Metadata`, whose store operators may ask.
        input_graph: The graph.
    """
    if input_graph.result_node not in input_graph.nodes:
        raise exceptions.FailedPreconditionError(
            f"result_node {input_graph.result_node} does not exist in input_graph. Valid node "
            f"ids: {list(input_graph.nodes)}"
        )
    order = _sorted_node_ids(input_graph)
    input_keys = {
        node.input_node.input_key: node_id
        for node_id, node in input_graph.nodes.items()
        if node.WhichOneof("kind") == "input_node"
    }

    def evaluate(inputs: Mapping[str, Any]) -> Any:
        data = {node_id: inputs[key] for key, node_id in input_keys.items()}
        for node_id in order:
            if node_id not in data:
                data[node_id] = _evaluate(mlmd_handle, input_graph, node_id, data)
        return data[input_graph.result_node]

    return evaluate, list(input_keys)


def _sorted_node_ids(input_graph: InputGraph) -> list[str]:
    parents: defaultdict[str, list[str]] = defaultdict(list)
    children: defaultdict[str, list[str]] = defaultdict(list)
    for node_id, node in input_graph.nodes.items():
        kind = node.WhichOneof("kind")
        if kind == "op_node":
            args = [*node.op_node.args, *node.op_node.kwargs.values()]
            parents[node_id] = [arg.node_id for arg in args if arg.WhichOneof("kind") == "node_id"]
        elif kind == "dict_node":
            parents[node_id] = list(node.dict_node.node_ids.values())
        elif kind != "input_node":
            raise exceptions.UnimplementedError(
                f"InputGraph node {node_id} has unknown kind {kind}."
            )
    for child, above in parents.items():
        for parent in above:
            children[parent].append(child)
    try:
        layers = topsorted_layers(
            list(input_graph.nodes),
            get_node_id_fn=lambda node_id: node_id,
            get_parent_nodes=lambda node_id: list(dict.fromkeys(parents[node_id])),
            get_child_nodes=lambda node_id: list(dict.fromkeys(children[node_id])),
        )
    except InvalidDAGError as error:
        raise exceptions.FailedPreconditionError(
            f"InputGraph has a cycle. parents = {dict(parents)}."
        ) from error
    return [node_id for layer in layers for node_id in layer]


def _evaluate(
    mlmd_handle: Any, input_graph: InputGraph, node_id: str, data: Mapping[str, Any]
) -> Any:
    node = input_graph.nodes[node_id]
    try:
        if node.WhichOneof("kind") == "dict_node":
            return {key: data[one] for key, one in node.dict_node.node_ids.items()}
        return _call_operator(store_of(mlmd_handle), node_id, node.op_node, data)
    except (exceptions.InputResolutionError, exceptions.InputResolutionSignal):
        raise
    except Exception as error:
        raise exceptions.InternalError(
            f"Internal error occurred during evaluating input_graph.nodes[{node_id}]: {error}"
        ) from error


def _call_operator(
    store: Any, node_id: str, op_node: InputGraph.OpNode, data: Mapping[str, Any]
) -> Any:
    args = [_argument(arg, data) for arg in op_node.args]
    kwargs = {name: _argument(arg, data) for name, arg in op_node.kwargs.items()}
    op_type = _operator_type(node_id, op_node.op_type)
    return call_operator(op_type, args, kwargs, Context(store=store))


def _operator_type(node_id: str, name: str) -> Any:
    try:
        return registry.get_by_name(name)
    except KeyError:
        pass
    try:
        return registry.get_by_class_path(name)  # strategies have no other name
    except ValueError as error:
        raise exceptions.InternalError(f"nodes[{node_id}] has unknown op_type {name}.") from error


def _argument(arg: InputGraph.OpNode.Arg, data: Mapping[str, Any]) -> Any:
    kind = arg.WhichOneof("kind")
    if kind == "node_id":
        return data[arg.node_id]
    if kind != "value":
        raise exceptions.InternalError("OpNode.Arg not set.")
    if not arg.value.HasField("field_value"):
        raise exceptions.UnimplementedError(
            f"OpNode.Arg should be a static value but got {arg.value}"
        )
    return get_parsed_value(
        arg.value.field_value, arg.value.schema if arg.value.HasField("schema") else None
    )
