"""Pipeline: the graph of nodes, checked before anything runs."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from typing import Any

from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.beam_flags import check_flags
from trainwright.types.names import check_name
from trainwright.types.runtime_parameter import RuntimeParameter, find_runtime_parameters

MAX_PIPELINE_NAME_LENGTH = 63


class ExecutionMode(enum.Enum):
    """SYNC: a node runs once in a run, after the nodes that it depends on."""

    SYNC = 1


class Pipeline:
    """Nodes with a name and a place for their artifacts.

    The order of `components` need not be one in which they can run. A duplicate id, a node that
    another one needs but that is not listed, a cycle or a name that is too long is refused here.

    Args:
        pipeline_name: At most 63 characters, those that a directory can have; what runs and
            cached results belong to.
        pipeline_root: The directory that the artifacts are written below.
        metadata_connection_config: Where the run is remembered, as given by
            `sqlite_metadata_connection_config(path)`; `metadata.db` in the pipeline root if None.
        components: The nodes.
        enable_cache: Whether a node whose inputs, properties and code are unchanged is reused.
        beam_pipeline_args: Flags handed to executors that run on Beam: those of your own. The
            standard components do their work without Beam; a run says which of them would run on
            another runner in TFX.
        platform_config: Must be None.
        execution_mode: Must be SYNC.

    Example: `Pipeline("penguin", "output", components=[example_gen, trainer], enable_cache=True)`
    """

    def __init__(
        self,
        pipeline_name: str,
        pipeline_root: str = "",
        metadata_connection_config: Any = None,
        components: Iterable[BaseNode] = (),
        enable_cache: bool = False,
        beam_pipeline_args: Sequence[str] | None = None,
        platform_config: None = None,
        execution_mode: ExecutionMode = ExecutionMode.SYNC,
    ) -> None:
        if not pipeline_name or not isinstance(pipeline_name, str):
            raise ValueError(f"A pipeline needs a name, got {pipeline_name!r}.")
        if len(pipeline_name) > MAX_PIPELINE_NAME_LENGTH:
            raise ValueError(
                f"pipeline {pipeline_name} exceeds maximum allowed length: "
                f"{MAX_PIPELINE_NAME_LENGTH}."
            )
        check_name("pipeline name", pipeline_name)
        if not isinstance(pipeline_root, (str, RuntimeParameter)):
            raise TypeError(f"pipeline_root must be a string, got {pipeline_root!r}.")
        if execution_mode is not ExecutionMode.SYNC:
            raise ValueError(f"Only ExecutionMode.SYNC pipelines can run, got {execution_mode!r}.")
        if platform_config is not None:
            raise ValueError(f"There are no platforms to configure; got {platform_config!r}.")
        self.pipeline_name = pipeline_name
        self.pipeline_root = pipeline_root
        self.metadata_connection_config = metadata_connection_config
        self.enable_cache = bool(enable_cache)
        self.beam_pipeline_args = check_flags(beam_pipeline_args or [])
        self.components = list(components)

    @property
    def id(self) -> str:
        return self.pipeline_name

    @property
    def components(self) -> list[BaseNode]:
        """The nodes in an order in which they can run."""
        return self._components

    @components.setter
    def components(self, components: Iterable[BaseNode]) -> None:
        given = list(components)
        for node in given:
            if not isinstance(node, BaseNode):
                raise TypeError(
                    f"Pipeline {self.pipeline_name!r}: components must be nodes, got {node!r}."
                )
        nodes = list(dict.fromkeys(given))
        _check_ids(nodes)
        self._components = _sort_topologically(nodes)
        self._listed_components = _sort_as_listed(nodes, self._components)
        for node in nodes:
            for upstream in node.upstream_nodes:
                upstream.note_downstream_node(node)

    @property
    def listed_components(self) -> list[BaseNode]:
        """The nodes in the order of the list, but each after what it depends on."""
        return self._listed_components

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


def _check_ids(nodes: Sequence[BaseNode]) -> None:
    by_id: dict[str, BaseNode] = {}
    for node in nodes:
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
    waiting_for: dict[BaseNode, set[BaseNode]] = {}
    for node in nodes:
        for upstream in node.upstream_nodes:
            if upstream not in listed:
                raise ValueError(
                    f"Node {node.id!r} depends on {upstream.id!r}, which is not among the "
                    "pipeline's components. Add it to the list."
                )
        waiting_for[node] = set(node.upstream_nodes)
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
        places[node] = max([places[node], *(places[other] for other in node.upstream_nodes)])
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
