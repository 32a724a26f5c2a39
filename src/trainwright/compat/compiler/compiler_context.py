"""The compiler's context: the pipeline, and the node that is being compiled."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from trainwright.compat.compiler import compiler_utils
from trainwright.dsl import conditional
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.contexts import DslContextRegistry
from trainwright.dsl.pipeline import Pipeline
from trainwright.proto.orchestration import pipeline_pb2
from trainwright.types import channel_utils
from trainwright.types.channel import BaseChannel, OutputChannel


class PipelineContext:
    """A pipeline that is being compiled; an inner one has a context of its own.

    Args:
        tfx_pipeline: The pipeline.
        parent: The context of the pipeline around it.
    """

    def __init__(self, tfx_pipeline: Pipeline, parent: PipelineContext | None = None) -> None:
        self.pipeline: Any = tfx_pipeline
        self.pipeline_info: Any = tfx_pipeline.pipeline_info
        self.execution_mode = compiler_utils.resolve_execution_mode(tfx_pipeline)
        self.dsl_context_registry = tfx_pipeline.dsl_context_registry
        self.parent: Any = parent or NullPipelineContext(child=self)
        # The message of each channel that nodes of this pipeline can read.
        self.channels: dict[BaseChannel, pipeline_pb2.InputSpec.Channel] = {}
        self.node_context_protos_cache: dict[str, pipeline_pb2.NodeContexts] = {}
        self._node_contexts: dict[str, NodeContext] = {}
        self._conditional_ids: dict[conditional.CondContext, str] = {}
        self._nodes = {node.id: node for node in tfx_pipeline.components}
        self._places = {node_id: place for place, node_id in enumerate(self._nodes)}
        # Nodes that wait for others only because of conditions.
        self._implicit_upstream: dict[str, set[str]] = defaultdict(set)
        self._implicit_downstream: dict[str, set[str]] = defaultdict(set)
        for node in tfx_pipeline.components:
            self._collect_conditions(node)

    @property
    def is_root(self) -> bool:
        return isinstance(self.parent, NullPipelineContext)

    @property
    def is_subpipeline(self) -> bool:
        return bool(self.parent) and self.parent.pipeline is not None

    @property
    def parent_pipelines(self) -> list[Pipeline]:
        """The pipelines around this one, the outermost first."""
        around = []
        context = self.parent
        while context and context.pipeline:
            around.append(context.pipeline)
            context = context.parent
        return around[::-1]

    @property
    def is_sync_mode(self) -> bool:
        return bool(self.execution_mode == pipeline_pb2.Pipeline.SYNC)

    @property
    def is_async_mode(self) -> bool:
        return bool(self.execution_mode == pipeline_pb2.Pipeline.ASYNC)

    @property
    def pipeline_node_ids(self) -> set[str]:
        return set(self._nodes)

    def topologically_sorted(self, tfx_nodes: Iterable[BaseNode]) -> list[BaseNode]:
        """Nodes in the order of the pipeline."""
        return sorted(tfx_nodes, key=lambda node: self._places[node.id])

    def implicit_upstream_nodes(self, here: BaseNode) -> list[BaseNode]:
        """The nodes that a node's conditions ask about."""
        return [self._nodes[node_id] for node_id in self._implicit_upstream[here.id]]

    def implicit_downstream_nodes(self, here: BaseNode) -> list[BaseNode]:
        """The nodes whose conditions ask about a node."""
        return [self._nodes[node_id] for node_id in self._implicit_downstream[here.id]]

    def get_node_context(self, tfx_node: BaseNode) -> NodeContext:
        return self._node_contexts.setdefault(tfx_node.id, NodeContext(tfx_node))

    def get_conditional_id(self, cond_context: conditional.CondContext) -> str:
        """The id of a condition in the compiled pipeline."""
        new_id = f"cond_{len(self._conditional_ids) + 1}"
        return self._conditional_ids.setdefault(cond_context, new_id)

    def _collect_conditions(self, here: BaseNode) -> None:
        if here not in self.dsl_context_registry.all_nodes:
            return  # made for another pipeline
        for predicate in conditional.get_predicates(here, self.dsl_context_registry):
            for channel in channel_utils.get_dependent_channels(predicate):
                if isinstance(channel, OutputChannel):
                    producer = channel.producer_component_id
                    self._implicit_upstream[here.id].add(producer)
                    self._implicit_downstream[producer].add(here.id)


class NullPipelineContext(PipelineContext):
    """What is around the outermost pipeline: nothing."""

    def __init__(self, *, child: PipelineContext) -> None:
        self.pipeline = None
        self.pipeline_info = None
        self.dsl_context_registry = DslContextRegistry()
        self.dsl_context_registry.put_node(child.pipeline)
        self.parent = None
        self.channels = {}
        self.node_context_protos_cache = {}
        self._nodes = {}
        self._places = {}
        self._implicit_upstream = defaultdict(set)
        self._implicit_downstream = defaultdict(set)
        self._node_contexts = {}
        self._conditional_ids = {}


class NodeContext:
    """A node that is being compiled: the keys of what it reads."""

    def __init__(self, tfx_node: BaseNode) -> None:
        self._input_keys = {channel: key for key, channel in tfx_node.inputs.items()}
        self._graph_keys: dict[Any, str] = {}

    def get_input_key(self, channel: BaseChannel) -> str:
        """The key of a channel: that of an input, or a new one, the same for the same channel."""
        if channel not in self._input_keys:
            try:
                key = compiler_utils.implicit_channel_key(channel)
            except ValueError:
                number = len(self._input_keys) + 1
                key = f"_generated_{channel.type_name.lower()}_{number}"
            self._input_keys[channel] = key
        return self._input_keys[channel]

    def get_input_graph_key(self, traced_output: Any, for_each_context: Any) -> str:
        """The key of a graph of resolver operators."""
        new_key = f"graph_{len(self._graph_keys) + 1}"
        return self._graph_keys.setdefault((traced_output, for_each_context), new_key)
