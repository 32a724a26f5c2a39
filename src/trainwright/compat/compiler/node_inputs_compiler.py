"""The inputs of a node: where each comes from, graphs of resolver operators, and conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trainwright.compat.compiler import compiler_utils, constants, node_contexts_compiler
from trainwright.compat.compiler.compiler_context import NodeContext, PipelineContext
from trainwright.compat.mlmd import property_values
from trainwright.compat.utils import name_utils
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.conditional import CondContext
from trainwright.dsl.input_resolution import resolver_op
from trainwright.dsl.input_resolution.resolved_channel import ResolvedChannel
from trainwright.dsl.node_options import TriggerStrategy
from trainwright.dsl.pipeline import Pipeline
from trainwright.proto.orchestration import metadata_pb2, pipeline_pb2
from trainwright.types import channel_utils
from trainwright.types.channel import BaseChannel, Channel, OutputChannel, UnionChannel
from trainwright.types.pipeline_channels import ExternalPipelineChannel, PipelineOutputChannel
from trainwright.types.placeholders.artifact_placeholder import ArtifactValue
from trainwright.types.value_artifact import ValueArtifact


def compile_node_inputs(
    context: PipelineContext, tfx_node: BaseNode, result: pipeline_pb2.NodeInputs
) -> None:
    """Writes down what a node reads: its inputs, and what conditions and placeholders look at."""
    compilation = _Compilation(context, tfx_node, result)
    for key, channel in tfx_node.inputs.items():
        min_count = _min_count(tfx_node, key, channel)
        if isinstance(channel, OutputChannel) and min_count > 0:
            _check_producer_succeeds(key, channel, tfx_node)
        compilation.add_input(key, channel, hidden=False, min_count=min_count)
    compilation.add_conditions()
    compilation.add_placeholders()


def _min_count(node: BaseNode, key: str, channel: BaseChannel) -> int:
    """The number of artifacts without which a node does not run: 0 or 1."""
    if compiler_utils.is_resolver(node):
        return 0
    if isinstance(node, Pipeline):
        return 0 if channel.is_optional else 1
    if not isinstance(node, BaseComponent):
        return 1
    parameter = type(node.spec).INPUTS[key]
    is_contradicted = channel.is_optional is not None and (
        parameter.allow_empty != channel.is_optional
    )
    if parameter.allow_empty_explicitly_set and is_contradicted:
        raise ValueError(
            f"Node {node.id} input channel {key} allow_empty is set to {parameter.allow_empty} but "
            f"the provided channel is {channel.is_optional}. If the component spec explicitly sets "
            "allow_empty, then the channel must match."
        )
    return 0 if parameter.allow_empty or channel.is_optional else 1


def _check_producer_succeeds(key: str, channel: OutputChannel, consumer: BaseNode) -> None:
    """Refuses a needed input whose producer may fail without stopping the consumer."""
    producer_options = getattr(channel.producer_component, "node_execution_options", None)
    if producer_options and producer_options.success_optional:
        raise ValueError(
            f"Node({channel.producer_component_id}) is set to success_optional = True but its "
            f"consumer Node({consumer.id}).inputs[{key}] has min_count > 0. The consumer's input "
            "may need to be optional"
        )
    options = consumer.node_execution_options
    if options and options.trigger_strategy in (
        TriggerStrategy.ALL_UPSTREAM_NODES_COMPLETED,
        TriggerStrategy.LAZILY_ALL_UPSTREAM_NODES_COMPLETED,
    ):
        raise ValueError(
            f"Node({consumer.id}) has trigger_strategy = "
            f"{TriggerStrategy(options.trigger_strategy).name} but its inputs[{key}] has "
            "min_count > 0. The consumer's input may need to be optional"
        )


class _Compilation:
    """Fills the NodeInputs of one node."""

    def __init__(
        self, context: PipelineContext, node: BaseNode, result: pipeline_pb2.NodeInputs
    ) -> None:
        self._context = context
        self._node = node
        self._result = result
        self._keys = context.get_node_context(node)

    def add_input(self, key: str, channel: BaseChannel, *, hidden: bool, min_count: int) -> None:
        """Adds an input. One that is used openly is not hidden, wherever else it is used."""
        if key in self._result.inputs:
            if not hidden:
                self._result.inputs[key].hidden = False
            return
        self._fill(self._result.inputs[key], key, channel)
        self._result.inputs[key].hidden = hidden
        self._result.inputs[key].min_count = min_count

    def add_conditions(self) -> None:
        """Adds the conditions of the blocks that the node was made in."""
        registry = self._context.dsl_context_registry
        if self._node not in registry.all_nodes:
            return
        for block in registry.get_contexts(self._node):
            if not isinstance(block, CondContext):
                continue
            self._add_asked(block.predicate)
            encoded = channel_utils.encode_placeholder_with_channels(
                block.predicate, self._keys.get_input_key
            )
            condition_id = self._context.get_conditional_id(block)
            self._result.conditionals[condition_id].placeholder_expression.CopyFrom(encoded)

    def add_placeholders(self) -> None:
        """Adds what placeholders among the node's properties look at."""
        for name, placeholder in self._node.placeholders.items():
            for part in placeholder.traverse():
                if isinstance(part, ArtifactValue):
                    self._check_has_values(name, part)
            self._add_asked(placeholder)

    def _add_asked(self, placeholder: Any) -> None:
        for channel in channel_utils.get_dependent_channels(placeholder):
            key = self._keys.get_input_key(channel)
            self.add_input(key, channel, hidden=False, min_count=1)

    def _check_has_values(self, name: str, value: ArtifactValue) -> None:
        for channel in channel_utils.get_dependent_channels(value):
            if not issubclass(channel.type, ValueArtifact):
                raise ValueError(
                    "When you pass <channel>.future().value to an execution property, the channel "
                    "must be of a value artifact type (String, Float, ...). Got "
                    f"{channel.type_name} in exec property {name!r} of node {self._node.id!r}."
                )

    def _fill(self, spec: pipeline_pb2.InputSpec, key: str, channel: BaseChannel) -> None:
        compiled = self._context.channels.get(channel)
        if compiled is not None:  # an output of the same pipeline, or an input of it
            spec.channels.append(compiled)
        elif isinstance(channel, PipelineOutputChannel):
            wrapped: Any = channel.wrapped
            _describe(
                spec.channels.add(),
                channel,
                channel.pipeline.id,
                wrapped.producer_component_id,
                channel.output_key,
            )
        elif isinstance(channel, ExternalPipelineChannel):
            self._fill_external(spec.channels.add(), channel)
        elif isinstance(channel, Channel):
            self._fill_plain(spec.channels.add(), channel)
        elif isinstance(channel, UnionChannel):
            self._fill_union(spec, channel)
        elif isinstance(channel, ResolvedChannel):
            spec.input_graph_ref.graph_id = _compile_input_graph(
                self._result, channel, self._keys, self._add_graph_input
            )
            spec.input_graph_ref.key = channel.output_key or ""
        elif isinstance(channel, channel_utils.ChannelForTesting):
            if channel.artifact_ids:
                spec.static_inputs.artifact_ids.extend(channel.artifact_ids)
        else:
            raise NotImplementedError(
                f"Node {self._node.id} got unsupported channel type {channel!r} for "
                f"inputs[{key!r}]."
            )

    def _add_graph_input(self, channel: BaseChannel) -> str:
        key = self._keys.get_input_key(channel)
        self.add_input(key, channel, hidden=True, min_count=0)
        return key

    def _fill_plain(self, query: pipeline_pb2.InputSpec.Channel, channel: Channel) -> None:
        """A channel that is not an output of this pipeline as it stands: a copy, or a query."""
        name = self._context.pipeline_info.pipeline_name
        _describe(query, channel, name, channel.producer_component_id, channel.output_key)
        if not isinstance(channel, OutputChannel):
            return
        contexts = node_contexts_compiler.compile_node_contexts(self._context, self._node.id)
        for context in contexts.contexts:
            if context.type.name == constants.PIPELINE_RUN_CONTEXT_TYPE_NAME:
                asked = query.context_queries.add()
                asked.type.name = context.type.name
                asked.name.CopyFrom(context.name)

    def _fill_external(
        self, query: pipeline_pb2.InputSpec.Channel, channel: ExternalPipelineChannel
    ) -> None:
        """A channel of another pipeline, which may be in another store."""
        _describe(
            query,
            channel,
            channel.pipeline_name,
            channel.producer_component_id,
            channel.output_key,
        )
        if channel.pipeline_run_id:
            _add_context(query, constants.PIPELINE_RUN_CONTEXT_TYPE_NAME, channel.pipeline_run_id)
        platform = self._context.pipeline.platform_config
        if platform:
            own = platform.project_platform_config
            if (channel.owner, channel.pipeline_name) == (own.owner, own.project_name):
                return
        query.metadata_connection_config.Pack(
            metadata_pb2.MLMDServiceConfig(owner=channel.owner, name=channel.pipeline_name)
        )

    def _fill_union(self, spec: pipeline_pb2.InputSpec, channel: UnionChannel) -> None:
        spec.mixed_inputs.method = pipeline_pb2.InputSpec.Mixed.UNION
        for part in channel.channels:
            spec.mixed_inputs.input_keys.append(self._add_graph_input(part))


def _describe(
    query: pipeline_pb2.InputSpec.Channel,
    channel: BaseChannel,
    pipeline_name: str,
    node_id: str | None,
    output_key: str | None,
) -> None:
    """Fills a query for artifacts of a type that a node of a pipeline has made."""
    query.artifact_query.type.CopyFrom(channel.type._get_artifact_type())
    query.artifact_query.type.ClearField("properties")
    _add_context(query, constants.PIPELINE_CONTEXT_TYPE_NAME, pipeline_name)
    if node_id:
        name = compiler_utils.node_context_name(pipeline_name, node_id)
        _add_context(query, constants.NODE_CONTEXT_TYPE_NAME, name)
    if output_key:
        query.output_key = output_key


def _add_context(query: pipeline_pb2.InputSpec.Channel, type_name: str, name: str) -> None:
    context = query.context_queries.add()
    context.type.name = type_name
    context.name.field_value.string_value = name


def _compile_input_graph(
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
