"""Pipeline: the graph of nodes, checked before anything runs."""

from __future__ import annotations

import copy
import enum
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from google.protobuf.message import Message

from trainwright._checks import mismatch
from trainwright.dsl import contexts
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.beam_flags import check_flags
from trainwright.dsl.contexts import DslContextRegistry
from trainwright.dsl.executor_spec import BeamExecutorSpec
from trainwright.dsl.pipeline_info import PipelineInfo
from trainwright.types.channel import BaseChannel, OutputChannel
from trainwright.types.names import check_name
from trainwright.types.pipeline_channels import PipelineInputChannel, PipelineOutputChannel
from trainwright.types.placeholders.placeholder import Placeholder
from trainwright.types.runtime_parameter import RuntimeParameter, find_runtime_parameters

MAX_PIPELINE_NAME_LENGTH = 63

# Stands for the pipeline's root in its own definition: `f"{ROOT_PARAMETER}/serving"`.
ROOT_PARAMETER = RuntimeParameter("pipeline-root", ptype=str)


class ExecutionMode(enum.Enum):
    """SYNC: a node runs once in a run, after the nodes that it depends on.

    ASYNC, in which nodes run whenever there is something new, can be declared and compiled; it
    cannot run here.
    """

    SYNC = 1
    ASYNC = 2


class PipelineInputs:
    """The channels that a pipeline within another one gets from it, by name.

    Example: `inputs = PipelineInputs({"examples": example_gen.outputs["examples"]})`; nodes of the
    inner pipeline read `inputs["examples"]`, and it is made with `Pipeline(..., inputs=inputs)`.
    """

    def __init__(self, inputs: Mapping[str, BaseChannel] | None = None) -> None:
        self._raw = dict(inputs or {})
        self._wrapped = {
            key: PipelineInputChannel(channel, output_key=key) for key, channel in self._raw.items()
        }
        self._pipeline: Pipeline | None = None

    @property
    def raw_inputs(self) -> dict[str, BaseChannel]:
        """The channels of the outer pipeline."""
        return self._raw

    @property
    def inputs(self) -> dict[str, PipelineInputChannel]:
        """The channels for nodes of the inner pipeline."""
        return self._wrapped

    def __getitem__(self, key: str) -> PipelineInputChannel:
        return self._wrapped[key]

    @property
    def pipeline(self) -> Pipeline | None:
        """The inner pipeline, once it is made."""
        return self._pipeline

    @pipeline.setter
    def pipeline(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        for channel in self._wrapped.values():
            channel.pipeline = pipeline


class Pipeline(BaseNode):
    """Nodes with a name and a place for their artifacts.

    The order of `components` need not be one in which they can run, and nodes that others read
    from need not be listed: `components=[pusher]` is all that a push needs. A duplicate id, a
    cycle or a name that is too long is refused here.

    A pipeline can be a component of another one: it is declared and compiled so, as in TFX, whose
    local runner does not run it either.

    Args:
        pipeline_name: At most 63 characters, those that a directory can have; what runs and
            cached results belong to.
        pipeline_root: The directory that the artifacts are written below.
        metadata_connection_config: Where the run is remembered, as given by
            `sqlite_metadata_connection_config(path)`; `metadata.db` in the pipeline root if None.
        components: The nodes; those upstream of them are found.
        enable_cache: Whether a node whose inputs, properties and code are unchanged is reused.
        beam_pipeline_args: Flags handed to executors that run on Beam: those of your own. The
            standard components do their work without Beam; a run says which of them would run on
            another runner in TFX.
        platform_config: A message for another platform, which a compiled pipeline carries there.
        execution_mode: SYNC for a pipeline that runs here.
        inputs: What a pipeline within another one gets from it.
        outputs: What it gives: outputs of its nodes, by name.
        dsl_context_registry: The blocks of its definition, where they are not those around it.
        engine: What runs passes over data, by name or URL: "local", "local://?processes=2", or
            what an installed package offers, such as "ray://host:port". Results do not depend on
            it. `trainwright run --engine` goes first; "local" if nobody names one.

    Example: `Pipeline("penguin", "output", components=[pusher], enable_cache=True)`
    """

    STORED_TYPE_NAME: ClassVar[str] = "tfx.orchestration.pipeline.Pipeline"

    def __init__(
        self,
        pipeline_name: str,
        pipeline_root: Any = "",
        metadata_connection_config: Any = None,
        components: Iterable[BaseNode] = (),
        enable_cache: bool = False,
        beam_pipeline_args: Sequence[Any] | None = None,
        platform_config: Message | None = None,
        execution_mode: ExecutionMode = ExecutionMode.SYNC,
        inputs: PipelineInputs | None = None,
        outputs: Mapping[str, BaseChannel] | None = None,
        dsl_context_registry: DslContextRegistry | None = None,
        *,
        engine: str | None = None,
    ) -> None:
        check_pipeline_name(pipeline_name)
        check_engine_name(engine)
        if not isinstance(pipeline_root, (str, RuntimeParameter, Placeholder)):
            raise TypeError(mismatch("pipeline_root", pipeline_root, "a string"))
        if not isinstance(execution_mode, ExecutionMode):
            raise ValueError(f"Only ExecutionMode.SYNC pipelines can run, got {execution_mode!r}.")
        self._inputs = inputs
        given = self._with_upstream(_check_nodes(components or (), pipeline_name))
        # Its nodes leave the registry around it before it becomes a node there itself.
        if dsl_context_registry is None:
            dsl_context_registry = contexts.get().extract_for_pipeline(given)
        self._registry = dsl_context_registry
        super().__init__()
        self.pipeline_name = pipeline_name
        self.pipeline_info = PipelineInfo(pipeline_name, pipeline_root)
        self.metadata_connection_config = metadata_connection_config
        self.enable_cache = bool(enable_cache)
        self.platform_config = platform_config
        self.engine = engine
        self.execution_mode = execution_mode
        self.additional_pipeline_args: dict[str, Any] = {}
        if inputs is not None:
            inputs.pipeline = self
        self._outputs: dict[str, OutputChannel] = {
            key: PipelineOutputChannel(channel, pipeline=self, output_key=key)
            for key, channel in (outputs or {}).items()
        }
        self._beam_pipeline_args = check_flags(beam_pipeline_args or [])
        self._is_finalized = False
        self.components = given

    @property
    def id(self) -> str:
        return self.pipeline_name

    @id.setter
    def id(self, id: str) -> None:
        self.pipeline_name = check_name("node id", id)

    @property
    def pipeline_root(self) -> Any:
        """The directory that the artifacts are written below."""
        return self.pipeline_info.pipeline_root

    @pipeline_root.setter
    def pipeline_root(self, pipeline_root: Any) -> None:
        self.pipeline_info.pipeline_root = pipeline_root

    @property
    def beam_pipeline_args(self) -> list[Any]:
        """The Beam flags of all nodes."""
        return self._beam_pipeline_args

    @property
    def components(self) -> list[BaseNode]:
        """The nodes in an order in which they can run."""
        return self._components

    @components.setter
    def components(self, components: Iterable[BaseNode]) -> None:
        if self._is_finalized:
            raise RuntimeError("Cannot mutate Pipeline after finalize.")
        nodes = self._with_upstream(_check_nodes(components, self.pipeline_name))
        _check_ids(nodes, self.pipeline_name)
        self._components = _sort_topologically(nodes)
        self._listed_components = _sort_as_listed(nodes, self._components)
        for node in nodes:
            for upstream_node in node.upstream_nodes:
                upstream_node.note_downstream_node(node)
            self._give_flags(node)

    def _with_upstream(self, nodes: Iterable[BaseNode]) -> list[BaseNode]:
        """The nodes, and behind them those that they depend on and that are not listed."""
        outer = self._inputs.raw_inputs.values() if self._inputs is not None else ()
        # What comes through the pipeline's own inputs is made outside of it.
        outside = {output.producer for channel in outer for output in channel.producers()}
        found = dict.fromkeys(nodes)
        waiting = list(found)
        while waiting:
            upstream = [node for node in waiting.pop(0).upstream_nodes if node not in outside]
            waiting += [node for node in upstream if node not in found]
            found.update(dict.fromkeys(upstream))
        return list(found)

    def _give_flags(self, node: BaseNode) -> None:
        """Puts the pipeline's Beam flags before those of a node that runs on Beam, once."""
        spec = node.executor_spec
        flags = self._beam_pipeline_args
        if isinstance(spec, BeamExecutorSpec) and spec.beam_pipeline_args[: len(flags)] != flags:
            add_beam_pipeline_args_to_component(node, flags)

    @property
    def listed_components(self) -> list[BaseNode]:
        """The nodes in the order of the list, but each after what it depends on."""
        return self._listed_components

    @property
    def dsl_context_registry(self) -> DslContextRegistry:
        """The blocks of the pipeline's definition, and the nodes that were made in them."""
        return self._registry

    def finalize(self) -> None:
        """Nothing of the pipeline can be changed from here on."""
        self._registry = copy.copy(self._registry)
        self._registry.finalize()
        self._is_finalized = True

    @property
    def pipeline_inputs(self) -> PipelineInputs | None:
        """What the pipeline was made with, for its nodes to read."""
        return self._inputs

    @property
    def inputs(self) -> Mapping[str, BaseChannel]:
        """What the pipeline, as a node of another one, reads there."""
        return {} if self._inputs is None else self._inputs.raw_inputs

    @property
    def outputs(self) -> dict[str, OutputChannel]:
        """What the pipeline, as a node of another one, makes for it."""
        return self._outputs

    @property
    def exec_properties(self) -> dict[str, Any]:
        return {}

    def runtime_parameters(self) -> dict[str, RuntimeParameter]:
        """The runtime parameters used anywhere in the pipeline, by name."""
        of_nodes = [value for node in self.components for value in node.exec_properties.values()]
        values = [self.pipeline_root, *of_nodes]
        found: dict[str, RuntimeParameter] = {}
        for value in values:
            for parameter in find_runtime_parameters(value):
                found.setdefault(parameter.name, parameter)
        return found

    def __repr__(self) -> str:
        return f"Pipeline({self.pipeline_name!r}, {[node.id for node in self.components]})"


def add_beam_pipeline_args_to_component(component: Any, beam_pipeline_args: list[Any]) -> None:
    """Puts Beam flags before those of a component that runs on Beam, so that its own count more."""
    if isinstance(component.executor_spec, BeamExecutorSpec):
        component.executor_spec.beam_pipeline_args[:0] = beam_pipeline_args


def enumerate_implicit_dependencies(
    components: Collection[BaseNode],
    registry: DslContextRegistry,
    pipeline: Pipeline | None = None,
) -> Iterator[tuple[BaseNode, BaseNode]]:
    """Each pair of a node and one that reads from it, or asks about it, among these nodes."""
    nodes = list(components)
    _check_ids(nodes, pipeline.pipeline_name if pipeline is not None else "")
    for node in nodes:
        for upstream in node.upstream_nodes:
            if upstream in nodes:
                yield upstream, node


def check_pipeline_name(name: Any) -> None:
    """Refuses what cannot be the name of a pipeline with a ValueError."""
    if not name or not isinstance(name, str):
        raise ValueError(f"A pipeline needs a name, got {name!r}.")
    if len(name) > MAX_PIPELINE_NAME_LENGTH:
        raise ValueError(
            f"pipeline {name} exceeds maximum allowed length: {MAX_PIPELINE_NAME_LENGTH}."
        )
    check_name("pipeline name", name)


def check_engine_name(engine: Any) -> None:
    """Refuses what cannot be the name or URL of an engine; whether there is one, a run says."""
    if engine is not None and (not isinstance(engine, str) or not engine):
        raise TypeError(
            'engine must be the name or URL of an engine, such as "local" or "ray://host:port", '
            f"got {engine!r}. Each node opens it in a process of its own, which an object of this "
            "process cannot reach."
        )


def _check_nodes(components: Iterable[Any], pipeline_name: str) -> list[BaseNode]:
    given = list(components)
    for node in given:
        if not isinstance(node, BaseNode):
            raise TypeError(f"Pipeline {pipeline_name!r}: components must be nodes, got {node!r}.")
    return given


def _check_ids(nodes: Sequence[BaseNode], pipeline_name: str) -> None:
    by_id: dict[str, BaseNode] = {}
    for node in nodes:
        if node.id == pipeline_name and isinstance(node, Pipeline):
            raise RuntimeError(
                f"node id {node.id} is the same as its enclosing pipeline id. Try setting a "
                "different node_id using `.with_id()`."
            )
        check_name("node id", node.id)  # which may be the name of a class
        if node.id in by_id:
            raise RuntimeError(
                f"Duplicated component_id {node.id} for component type {node.type_name}. "
                f"Give one of them another id with .with_id('{node.id}_2')."
            )
        by_id[node.id] = node


def _sort_topologically(nodes: Sequence[BaseNode]) -> list[BaseNode]:
    """Orders nodes after what they depend on, keeping the given order where it is free."""
    listed = set(nodes)
    waiting_for = {node: set(node.upstream_nodes) & listed for node in nodes}
    ordered: list[BaseNode] = []
    while waiting_for:
        ready = [node for node, upstream in waiting_for.items() if not upstream]
        if not ready:
            raise ValueError(f"There is a cycle in the pipeline: {_find_cycle(waiting_for)}.")
        for node in ready:
            del waiting_for[node]
        for still_missing in waiting_for.values():
            still_missing.difference_update(ready)
        ordered.extend(ready)
    return ordered


def _sort_as_listed(nodes: Sequence[BaseNode], ordered: Sequence[BaseNode]) -> list[BaseNode]:
    """The nodes as listed, but each after what it depends on; `ordered` is any such order."""
    places = {node: place for place, node in enumerate(nodes)}
    for node in ordered:
        places[node] = max([places[node], *(places.get(other, 0) for other in node.upstream_nodes)])
    return sorted(ordered, key=places.__getitem__)  # which is stable


def _find_cycle(waiting_for: dict[BaseNode, set[BaseNode]]) -> str:
    """Follows the arrows among nodes that wait for each other until one comes again."""
    node = next(iter(waiting_for))
    path: list[BaseNode] = []
    while node not in path:
        path.append(node)
        node = next(upstream for upstream in waiting_for[node] if upstream in waiting_for)
    cycle = [*path[path.index(node) :], node]
    return " -> ".join(step.id for step in reversed(cycle))
