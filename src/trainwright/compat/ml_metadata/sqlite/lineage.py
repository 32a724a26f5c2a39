"""Lineage: a walk along events, from some nodes to their sources or to what was made of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from trainwright.compat.ml_metadata import errors
from trainwright.compat.ml_metadata.sqlite.links import events_of, memberships
from trainwright.compat.ml_metadata.sqlite.listing import Listing, listed_ids
from trainwright.compat.ml_metadata.sqlite.node_kinds import (
    ARTIFACT,
    CONTEXT,
    EXECUTION,
    NodeKind,
)
from trainwright.compat.ml_metadata.sqlite.nodes import nodes_by_id
from trainwright.compat.ml_metadata.sqlite.types import types_by_id
from trainwright.proto.mlmd.metadata_store_pb2 import (
    Association,
    Attribution,
    Event,
    LineageGraph,
    LineageSubgraphQueryOptions,
)

_MAX_STARTING_NODES = 100
_MAX_HOPS = 100

_OUTPUTS = {
    Event.OUTPUT,
    Event.DECLARED_OUTPUT,
    Event.INTERNAL_OUTPUT,
    Event.PENDING_OUTPUT,
}


class _Walk:
    """The nodes and events that were seen so far."""

    def __init__(
        self, connection: sqlite3.Connection, options: LineageSubgraphQueryOptions
    ) -> None:
        self._connection = connection
        self._direction = options.direction
        self._ends = {
            kind.table: self._ending_ids(kind, getattr(options, f"ending_{kind.noun}s"))
            for kind in (ARTIFACT, EXECUTION)
        }
        self._keeps_ends = {
            kind.table: getattr(options, f"ending_{kind.noun}s").include_ending_nodes
            for kind in (ARTIFACT, EXECUTION)
        }
        self.ids: dict[str, set[int]] = {ARTIFACT.table: set(), EXECUTION.table: set()}
        self.events: dict[tuple[int, int, int], Event] = {}

    def _ending_ids(self, kind: NodeKind, ending: Any) -> set[int]:
        if not ending.filter_query:
            return set()
        listing = Listing(filter_query=ending.filter_query)
        return set(listed_ids(self._connection, kind, listing))

    def run(self, kind: NodeKind, starting: list[int], hops: int) -> None:
        # Of a starting node that is an end, too, nothing is left unless ends are kept.
        frontier = {one for one in starting if self._enters(kind, one)}
        self.ids[kind.table] |= frontier
        for _ in range(hops):
            going = frontier - self._ends[kind.table]
            if not going:
                return
            kind, frontier = self._step(kind, going)

    def _step(self, kind: NodeKind, going: set[int]) -> tuple[NodeKind, set[int]]:
        other = EXECUTION if kind is ARTIFACT else ARTIFACT
        reached = set()
        for event in events_of(self._connection, kind, going):
            node_id = getattr(event, other.id_column)
            if not self._goes_along(kind, event) or not self._enters(other, node_id):
                continue
            self.events.setdefault((event.artifact_id, event.execution_id, event.type), event)
            if node_id not in self.ids[other.table]:
                reached.add(node_id)
        self.ids[other.table] |= reached
        return other, reached

    def _enters(self, kind: NodeKind, node_id: int) -> bool:
        return node_id not in self._ends[kind.table] or self._keeps_ends[kind.table]

    def _goes_along(self, kind: NodeKind, event: Event) -> bool:
        """Whether the walk leaves a node of this kind by the event."""
        options = LineageSubgraphQueryOptions
        if self._direction not in (options.UPSTREAM, options.DOWNSTREAM):
            return True
        # Upstream: from an artifact to what wrote it, from an execution to what it read.
        upstream = (event.type in _OUTPUTS) == (kind is ARTIFACT)
        return upstream == (self._direction == options.UPSTREAM)


def lineage_subgraph(
    connection: sqlite3.Connection,
    options: LineageSubgraphQueryOptions,
    field_mask_paths: Sequence[str] | None = None,
) -> LineageGraph:
    """What is connected with the starting nodes, as `get_lineage_subgraph` describes it."""
    starting = options.WhichOneof("starting_nodes")
    if starting is None:
        raise errors.InvalidArgumentError("Missing arguments for listing starting nodes.")
    kind = ARTIFACT if starting == "starting_artifacts" else EXECUTION
    query = getattr(options, starting).filter_query
    first = listed_ids(
        connection, kind, Listing(filter_query=query or None, limit=_MAX_STARTING_NODES)
    )
    if options.HasField("max_num_hops") and options.max_num_hops < 0:
        raise errors.InvalidArgumentError("max_num_hops cannot be negative.")
    walk = _Walk(connection, options)
    hops = options.max_num_hops if options.HasField("max_num_hops") else _MAX_HOPS
    walk.run(kind, first, min(hops, _MAX_HOPS))
    graph = _graph(connection, walk)
    _apply_mask(graph, field_mask_paths)
    return graph


def _graph(connection: sqlite3.Connection, walk: _Walk) -> LineageGraph:
    graph = LineageGraph(events=walk.events.values())
    contexts = set()
    for artifact_id, context_id in memberships(connection, ARTIFACT, walk.ids[ARTIFACT.table]):
        graph.attributions.append(Attribution(artifact_id=artifact_id, context_id=context_id))
        contexts.add(context_id)
    for execution_id, context_id in memberships(connection, EXECUTION, walk.ids[EXECUTION.table]):
        graph.associations.append(Association(execution_id=execution_id, context_id=context_id))
        contexts.add(context_id)
    for kind, ids in [
        (ARTIFACT, walk.ids[ARTIFACT.table]),
        (EXECUTION, walk.ids[EXECUTION.table]),
        (CONTEXT, contexts),
    ]:
        nodes = nodes_by_id(connection, kind, ids)
        getattr(graph, f"{kind.noun}s").extend(nodes)
        types = types_by_id(connection, kind, (node.type_id for node in nodes))
        getattr(graph, f"{kind.noun}_types").extend(types)
    return graph


def _apply_mask(graph: LineageGraph, paths: Sequence[str] | None) -> None:
    if not paths:
        return
    for field in LineageGraph.DESCRIPTOR.fields:
        if field.name not in paths:
            graph.ClearField(field.name)
