"""Links between nodes: events, attributions, associations and parent contexts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

from trainwright.compat.ml_metadata import errors
from trainwright.compat.ml_metadata.sqlite.node_kinds import (
    ARTIFACT,
    CONTEXT,
    EXECUTION,
    NodeKind,
)
from trainwright.compat.ml_metadata.sqlite.nodes import (
    existing_ids,
    now_in_milliseconds,
    rows_by_ids,
)
from trainwright.compat.ml_metadata.sqlite.record_writer import MEMBERS, RecordWriter
from trainwright.compat.ml_metadata.sqlite.trainwright_views import GIVEN_EVENT
from trainwright.proto.mlmd.metadata_store_pb2 import Event, ParentContext


def put_event(writer: RecordWriter, event: Event) -> None:
    for kind in (ARTIFACT, EXECUTION):
        node_id = getattr(event, kind.id_column)
        if not event.HasField(kind.id_column):
            raise errors.InvalidArgumentError(f"No {kind.noun} id is specified.")
        if not existing_ids(writer.connection, kind, [node_id]):
            raise errors.InvalidArgumentError(f"No {kind.noun} with the given id {node_id}")
    if event.type == Event.UNKNOWN:
        raise errors.InvalidArgumentError("No event type is specified.")
    at = (
        event.milliseconds_since_epoch
        if event.HasField("milliseconds_since_epoch")
        else now_in_milliseconds()
    )
    writer.insert_event(event, at)


def events_of(
    connection: sqlite3.Connection, kind: NodeKind, node_ids: Iterable[int]
) -> list[Event]:
    """The events of artifacts or executions, in the order in which they were stored."""
    rows = rows_by_ids(
        connection.execute,
        "SELECT id, artifact_id, execution_id, type, milliseconds_since_epoch FROM Event "
        f"WHERE {kind.id_column} IN ({{ids}})",
        node_ids,
    )
    events = {}
    for row in sorted(rows, key=_storage_order):
        event_id, artifact_id, execution_id, event_type, at = row
        event = Event(artifact_id=artifact_id, execution_id=execution_id, type=event_type)
        if at is not None:
            event.milliseconds_since_epoch = at
        events[event_id] = event
    _add_paths(connection, events)
    return list(events.values())


def _storage_order(row: tuple[Any, ...]) -> tuple[Any, ...]:
    event_id, artifact_id, execution_id, event_type, at = row
    # In Trainwright's own store, those of runs have no numbers.
    place = event_id if isinstance(event_id, int) else int(event_id.partition(GIVEN_EVENT)[2] or 0)
    return place, at, execution_id, event_type, artifact_id


def _add_paths(connection: sqlite3.Connection, events: dict[Any, Event]) -> None:
    """Reads the paths of events, given by their ids."""
    column, ids = "event_id", set(events)
    if any(isinstance(event_id, str) for event_id in events):
        # In Trainwright's own store they are found by their executions, which have an index.
        column, ids = "execution_id", {event.execution_id for event in events.values()}
    steps = rows_by_ids(
        connection.execute,
        "SELECT event_id, is_index_step, step_index, step_key FROM EventPath "
        f"WHERE {column} IN ({{ids}}) ORDER BY rowid",
        ids,
    )
    for event_id, is_index, index, key in steps:
        if event_id in events:
            path = events[event_id].path
            path.steps.add(index=index) if is_index else path.steps.add(key=key)


def put_member(writer: RecordWriter, kind: NodeKind, node_id: int, context_id: int) -> None:
    """Puts an artifact or an execution into a context; nothing happens if it is in it."""
    if not existing_ids(writer.connection, CONTEXT, [context_id]):
        raise errors.InvalidArgumentError("Context id not found.")
    if not existing_ids(writer.connection, kind, [node_id]):
        raise errors.InvalidArgumentError(f"{kind.table} id not found.")
    writer.insert_member(kind, node_id, context_id)


def memberships(
    connection: sqlite3.Connection, kind: NodeKind, node_ids: Iterable[int]
) -> list[tuple[int, int]]:
    """Each of the nodes with each of its contexts: pairs of ids."""
    query = (
        f"SELECT {kind.id_column}, context_id FROM {MEMBERS[kind.table]} "
        f"WHERE {kind.id_column} IN ({{ids}}) ORDER BY {kind.id_column}, context_id"
    )
    return [
        (node_id, context_id)
        for node_id, context_id in rows_by_ids(connection.execute, query, node_ids)
    ]


def put_parent_context(writer: RecordWriter, link: ParentContext) -> None:
    if not (link.HasField("child_id") and link.HasField("parent_id")):
        raise errors.InvalidArgumentError(
            f"Missing parent / child id in the parent_context: {link}"
        )
    ids = {link.child_id, link.parent_id}
    if len(existing_ids(writer.connection, CONTEXT, ids)) < 2:
        raise errors.InvalidArgumentError(
            f"Given parent / child id in the parent_context cannot be found: {link}"
        )
    writer.insert_parent_context(link)


def related_contexts(
    connection: sqlite3.Connection, context_id: int, *, parents: bool
) -> list[int]:
    """The ids of a context's parents, or of its children."""
    found, given = (
        ("parent_context_id", "context_id")
        if parents
        else (
            "context_id",
            "parent_context_id",
        )
    )
    rows = connection.execute(
        f"SELECT {found} FROM ParentContext WHERE {given} = ? ORDER BY {found}", [context_id]
    )
    return [row[0] for row in rows]
