"""Reading the metadata store: each function is one question, asked on an open transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Column, Connection, ScalarSelect, Select, bindparam, select

from trainwright.metadata.prepared import Prepared
from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    ContextKey,
    ContextRecord,
    EventRecord,
    EventType,
    ExecutionRecord,
    ExecutionState,
)
from trainwright.metadata.rows import (
    artifact_from_row,
    context_from_row,
    event_from_row,
    execution_from_row,
)
from trainwright.metadata.tables import (
    artifacts,
    associations,
    attributions,
    contexts,
    events,
    executions,
    types,
)

# A statement takes some ten thousand parameters; longer lists of ids are asked for in pieces.
_CHUNK = 5000

_TYPE_COLUMNS = (
    types.c.name.label("type_name"),
    types.c.base_type,
    types.c.properties.label("type_properties"),
)
_ARTIFACTS = select(artifacts, *_TYPE_COLUMNS).join(types)
_EXECUTIONS = select(executions, *_TYPE_COLUMNS).join(types)
_CONTEXTS = select(contexts, types.c.name.label("type_name")).join(types)
_EVENTS = select(events)

_BY_ID = _EXECUTIONS.where(executions.c.id == bindparam("id"))
_EXECUTION_BY_ID = Prepared(_BY_ID)
_LOCKED_EXECUTION_BY_ID = Prepared(_BY_ID.with_for_update(of=executions))
_EXECUTION_EXISTS = Prepared(select(executions.c.id).where(executions.c.id == bindparam("id")))
_ARTIFACT_EXISTS = Prepared(select(artifacts.c.id).where(artifacts.c.id == bindparam("id")))
_CONTEXT_BY_KEY = Prepared(
    _CONTEXTS.where(
        types.c.kind == "context",
        types.c.name == bindparam("type_name"),
        contexts.c.name == bindparam("name"),
    )
)
_PENDING_OUTPUTS = Prepared(
    _ARTIFACTS.join(events, events.c.artifact_id == artifacts.c.id)
    .where(
        events.c.execution_id == bindparam("execution_id"),
        events.c.type == EventType.PENDING_OUTPUT.value,
    )
    .order_by(artifacts.c.id)
)
_EVENT_ORDER = {event_type: position for position, event_type in enumerate(EventType)}


def execution_by_id(
    connection: Connection, execution_id: int, *, for_update: bool = False
) -> ExecutionRecord:
    query = _LOCKED_EXECUTION_BY_ID if for_update else _EXECUTION_BY_ID
    row = query.run(connection, {"id": execution_id}).one_or_none()
    if row is None:
        raise KeyError(execution_id)
    return execution_from_row(row)


def find_executions(
    connection: Connection,
    *,
    context: ContextKey | None,
    states: Iterable[ExecutionState] | None,
    limit: int | None,
) -> list[ExecutionRecord]:
    query = _EXECUTIONS.limit(_checked(limit))
    if context is None:
        query = query.order_by(executions.c.id.desc())
    else:
        # Ordered by the column whose index is read, which spares the database a sort.
        query = query.join(associations, associations.c.execution_id == executions.c.id)
        query = query.where(associations.c.context_id == _context_id(context))
        query = query.order_by(associations.c.execution_id.desc())
    if states is not None:
        query = query.where(executions.c.state.in_([state.value for state in states]))
    return [execution_from_row(row) for row in connection.execute(query)]


def find_artifacts(
    connection: Connection,
    *,
    ids: Iterable[int] | None = None,
    context: ContextKey | None = None,
    type_name: str | None = None,
    uri: str | None = None,
    states: Iterable[ArtifactState] | None = None,
    limit: int | None = None,
) -> list[ArtifactRecord]:
    query = _ARTIFACTS.limit(_checked(limit))
    if context is None:
        query = query.order_by(artifacts.c.id.desc())
    else:
        query = query.join(attributions, attributions.c.artifact_id == artifacts.c.id)
        query = query.where(attributions.c.context_id == _context_id(context))
        query = query.order_by(attributions.c.artifact_id.desc())
    if type_name is not None:
        query = query.where(types.c.kind == "artifact", types.c.name == type_name)
    if uri is not None:
        query = query.where(artifacts.c.uri == uri)
    if states is not None:
        query = query.where(artifacts.c.state.in_([state.value for state in states]))
    if ids is None:
        return [artifact_from_row(row) for row in connection.execute(query)]
    # The pieces are newest first as well, and so is what they give together.
    wanted = sorted(set(ids), reverse=True)
    found = [
        artifact_from_row(row) for row in _in_chunks(connection, query, artifacts.c.id, wanted)
    ]
    _require(connection, _ARTIFACT_EXISTS, set(wanted) - {artifact.id for artifact in found})
    return found[:limit]


def pending_outputs(connection: Connection, execution_id: int) -> list[ArtifactRecord]:
    rows = _PENDING_OUTPUTS.run(connection, {"execution_id": execution_id})
    return [artifact_from_row(row) for row in rows]


def find_events(
    connection: Connection,
    *,
    execution_ids: Iterable[int] | None,
    artifact_ids: Iterable[int] | None,
) -> list[EventRecord]:
    executions_wanted = None if execution_ids is None else set(execution_ids)
    artifacts_wanted = None if artifact_ids is None else set(artifact_ids)
    if executions_wanted is not None:
        rows = _in_chunks(connection, _EVENTS, events.c.execution_id, sorted(executions_wanted))
    elif artifacts_wanted is not None:
        rows = _in_chunks(connection, _EVENTS, events.c.artifact_id, sorted(artifacts_wanted))
    else:
        rows = iter(connection.execute(_EVENTS))
    found = [event_from_row(row) for row in rows]
    # Only what has no events has to be looked up: the others plainly exist.
    if executions_wanted is not None:
        _require(
            connection,
            _EXECUTION_EXISTS,
            executions_wanted - {event.execution_id for event in found},
        )
    if artifacts_wanted is not None:
        _require(
            connection, _ARTIFACT_EXISTS, artifacts_wanted - {event.artifact_id for event in found}
        )
        found = [event for event in found if event.artifact_id in artifacts_wanted]
    # Sorted here: databases differ in how they order text.
    return sorted(
        found,
        key=lambda event: (event.execution_id, _EVENT_ORDER[event.type], event.key, event.index),
    )


def context_by_key(connection: Connection, key: ContextKey) -> ContextRecord | None:
    parameters = {"type_name": key.type_name, "name": key.name}
    row = _CONTEXT_BY_KEY.run(connection, parameters).one_or_none()
    return None if row is None else context_from_row(row)


def find_contexts(
    connection: Connection,
    *,
    type_name: str | None,
    execution_id: int | None,
    within: ContextKey | None,
    limit: int | None,
) -> list[ContextRecord]:
    query = _CONTEXTS.order_by(contexts.c.id.desc()).limit(_checked(limit))
    if type_name is not None:
        query = query.where(types.c.kind == "context", types.c.name == type_name)
    if execution_id is not None:
        query = query.join(associations, associations.c.context_id == contexts.c.id)
        query = query.where(associations.c.execution_id == execution_id)
    if within is not None:
        # Asked of one context after the other, so that a limit ends the search early.
        own, other = associations.alias(), associations.alias()
        query = query.where(
            select(own.c.execution_id)
            .join(other, other.c.execution_id == own.c.execution_id)
            .where(own.c.context_id == contexts.c.id, other.c.context_id == _context_id(within))
            .exists()
        )
    found = [context_from_row(row) for row in connection.execute(query)]
    if execution_id is not None and not found:
        _require(connection, _EXECUTION_EXISTS, {execution_id})
    return found


def require_artifacts(connection: Connection, ids: Iterable[int]) -> None:
    """Raises KeyError with the first of the ids that is no artifact's."""
    _require(connection, _ARTIFACT_EXISTS, ids)


def _require(connection: Connection, exists: Prepared, ids: Iterable[int]) -> None:
    for wanted in sorted(set(ids)):
        if exists.run(connection, {"id": wanted}).scalar() is None:
            raise KeyError(wanted)


def _in_chunks(
    connection: Connection, query: Select[Any], column: Column[int], ids: Sequence[int]
) -> Iterator[Any]:
    """The rows of the query whose column has one of the ids, in the order of the ids' pieces."""
    for start in range(0, len(ids), _CHUNK):
        yield from connection.execute(query.where(column.in_(ids[start : start + _CHUNK])))


def _context_id(key: ContextKey) -> ScalarSelect[int]:
    return (
        select(contexts.c.id)
        .join(types)
        .where(
            types.c.kind == "context", types.c.name == key.type_name, contexts.c.name == key.name
        )
        .scalar_subquery()
    )


def _checked(limit: int | None) -> int | None:
    if limit is not None and limit < 0:
        raise ValueError(f"limit must be None or at least 0, got {limit}.")
    return limit
