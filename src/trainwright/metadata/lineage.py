"""Lineage: what an artifact was made of, and what was made of it.

A reused result has many executions in the store: the one that made it and a CACHED one for each run
that found it made already. Lineage speaks of the makers alone, so that nothing appears twice.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass

from trainwright.metadata.records import (
    ArtifactRecord,
    EventRecord,
    EventType,
    ExecutionRecord,
    ExecutionState,
)
from trainwright.metadata.store import MetadataStore

_OUTPUTS = (EventType.OUTPUT, EventType.PENDING_OUTPUT, EventType.INTERNAL_OUTPUT)


@dataclass(frozen=True, order=True)
class LineageEdge:
    """An artifact that an execution read or made, and the key under which it did."""

    execution_id: int
    artifact_id: int
    is_output: bool
    key: str


@dataclass(kw_only=True)
class Lineage:
    """The part of the store that a walk has seen: a graph of executions and artifacts.

    Args:
        artifacts: By id.
        executions: By id.
        edges: In the order in which the walk met them.
    """

    artifacts: dict[int, ArtifactRecord]
    executions: dict[int, ExecutionRecord]
    edges: list[LineageEdge]

    def inputs(self, execution_id: int) -> list[LineageEdge]:
        """What an execution read."""
        return self._by_execution.get((execution_id, False), [])

    def outputs(self, execution_id: int) -> list[LineageEdge]:
        """What an execution made."""
        return self._by_execution.get((execution_id, True), [])

    def makers(self, artifact_id: int) -> list[LineageEdge]:
        """Who made an artifact: one execution, or none."""
        return self._by_artifact.get((artifact_id, True), [])

    def readers(self, artifact_id: int) -> list[LineageEdge]:
        """Who read an artifact."""
        return self._by_artifact.get((artifact_id, False), [])

    @functools.cached_property
    def _by_execution(self) -> dict[tuple[int, bool], list[LineageEdge]]:
        found: dict[tuple[int, bool], list[LineageEdge]] = {}
        for edge in self.edges:
            found.setdefault((edge.execution_id, edge.is_output), []).append(edge)
        return found

    @functools.cached_property
    def _by_artifact(self) -> dict[tuple[int, bool], list[LineageEdge]]:
        found: dict[tuple[int, bool], list[LineageEdge]] = {}
        for edge in self.edges:
            found.setdefault((edge.artifact_id, edge.is_output), []).append(edge)
        return found


def trace_upstream(
    store: MetadataStore,
    *,
    artifact_ids: Iterable[int] = (),
    execution_ids: Iterable[int] = (),
    depth: int | None = None,
) -> Lineage:
    """What the given artifacts and executions were made of.

    The walk asks the store a few times per level, whatever else the store holds. `depth` is how
    many executions a path may lead through; None is all the way. Raises KeyError for an unknown id.

    Example: `trace_upstream(store, artifact_ids=[12]).executions`
    """
    walk = _Walk(store, artifact_ids, execution_ids)
    while walk.goes_on(depth):
        events = store.get_events(artifact_ids=walk.new_artifacts) if walk.new_artifacts else []
        made = _makers(events)
        walk.add_executions({maker.execution_id for maker in made.values()})
        walk.add_edges(made.values())
        executions = walk.new_executions
        events = store.get_events(execution_ids=executions) if executions else []
        read = [event for event in events if event.type is EventType.INPUT]
        walk.add_artifacts({event.artifact_id for event in read})
        walk.add_edges(read)
    return walk.finish()


def trace_downstream(
    store: MetadataStore,
    *,
    artifact_ids: Iterable[int] = (),
    execution_ids: Iterable[int] = (),
    depth: int | None = None,
) -> Lineage:
    """What was made of the given artifacts, or of what the given executions made.

    `depth` is how many executions a path may lead through. Raises KeyError for an unknown id.

    Example: `trace_downstream(store, artifact_ids=[1]).artifacts`
    """
    walk = _Walk(store, artifact_ids, execution_ids)
    while walk.goes_on(depth):
        events = store.get_events(artifact_ids=walk.new_artifacts) if walk.new_artifacts else []
        read = [event for event in events if event.type is EventType.INPUT]
        kept = _without_reuses(store, {event.execution_id for event in read})
        walk.add_executions(kept)
        walk.add_edges(event for event in read if event.execution_id in kept)
        executions = walk.new_executions
        events = store.get_events(execution_ids=executions) if executions else []
        made = [
            event for event in events if event.type in (EventType.OUTPUT, EventType.INTERNAL_OUTPUT)
        ]
        walk.add_artifacts({event.artifact_id for event in made})
        walk.add_edges(made)
    return walk.finish()


def find_makers(store: MetadataStore, artifact_ids: Iterable[int]) -> dict[int, int]:
    """The execution that made each artifact, by the artifact's id; an imported one has none.

    Example: `find_makers(store, [12])` is `{12: 3}` if execution 3 made artifact 12.
    """
    wanted = set(artifact_ids)
    makers = _makers(store.get_events(artifact_ids=wanted)) if wanted else {}
    return {artifact_id: event.execution_id for artifact_id, event in makers.items()}


class _Walk:
    """What has been seen, and what of it has not been followed yet."""

    def __init__(
        self, store: MetadataStore, artifact_ids: Iterable[int], execution_ids: Iterable[int]
    ) -> None:
        self._store = store
        self._executions: dict[int, ExecutionRecord] = {}
        self._edges: dict[LineageEdge, None] = {}  # a set that keeps its order
        self._seen_artifacts = set(artifact_ids)
        self._level = 0
        self.new_artifacts = set(self._seen_artifacts)
        self.new_executions: set[int] = set()
        self._waiting_executions = set(execution_ids)

    def goes_on(self, depth: int | None) -> bool:
        """Begins the next level, if there is one."""
        if depth is not None and self._level >= depth:
            # Executions to start at belong to the walk however short it is.
            self.add_executions(set())
            return False
        self._level += 1
        return bool(self.new_artifacts or self._waiting_executions)

    def add_executions(self, execution_ids: set[int]) -> None:
        found = (execution_ids | self._waiting_executions) - self._executions.keys()
        self._waiting_executions = set()
        self.new_executions = found
        for execution_id in sorted(found):
            self._executions[execution_id] = self._store.get_execution(execution_id)

    def add_artifacts(self, artifact_ids: set[int]) -> None:
        self.new_artifacts = artifact_ids - self._seen_artifacts
        self._seen_artifacts |= artifact_ids

    def add_edges(self, events: Iterable[EventRecord]) -> None:
        for event in events:
            is_output = event.type in _OUTPUTS
            edge = LineageEdge(event.execution_id, event.artifact_id, is_output, event.key)
            self._edges[edge] = None

    def finish(self) -> Lineage:
        """Reads all artifacts at once."""
        records = self._store.get_artifacts(ids=self._seen_artifacts)
        artifacts = {record.id: record for record in reversed(records) if record.id is not None}
        return Lineage(artifacts=artifacts, executions=self._executions, edges=list(self._edges))


def _makers(events: Iterable[EventRecord]) -> dict[int, EventRecord]:
    """The event by which each artifact came to be: the first, since others can only reuse it."""
    makers: dict[int, EventRecord] = {}
    for event in events:
        if event.type in _OUTPUTS:
            known = makers.get(event.artifact_id)
            if known is None or event.execution_id < known.execution_id:
                makers[event.artifact_id] = event
    return makers


def _without_reuses(store: MetadataStore, execution_ids: set[int]) -> set[int]:
    """The executions without those that only reused what another of them had made."""
    if not execution_ids:
        return set()
    made: dict[int, set[int]] = {execution_id: set() for execution_id in execution_ids}
    for event in store.get_events(execution_ids=execution_ids):
        if event.type is EventType.OUTPUT:
            made[event.execution_id].add(event.artifact_id)
    makers = find_makers(store, {artifact_id for ids in made.values() for artifact_id in ids})
    kept = set()
    for execution_id, artifact_ids in made.items():
        if artifact_ids:
            first = {makers[artifact_id] for artifact_id in artifact_ids}
            is_reuse = execution_id not in first and first <= execution_ids
        else:
            # Without outputs only the record tells.
            is_reuse = store.get_execution(execution_id).state is ExecutionState.CACHED
        if not is_reuse:
            kept.add(execution_id)
    return kept
