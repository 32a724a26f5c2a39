"""Reading the metadata store: each function is one question, asked on an open transaction."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Integer,
    ScalarSelect,
    Select,
    bindparam,
    false,
    func,
    literal,
    select,
)

from trainwright._checks import check_integer
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
    MadeArtifact,
)
from trainwright.metadata.rows import (
    artifact_from_row,
    context_from_row,
    decode_attachment,
    decode_properties,
    event_from_row,
    execution_from_row,
    records_from,
    state_from_row,
)
from trainwright.metadata.store import ArtifactDeletedError, OnDamaged
from trainwright.metadata.tables import (
    artifacts,
    associations,
    attachments,
    attributions,
    contexts,
    events,
    executions,
    types,
)

# A statement takes some ten thousand parameters; longer lists of ids are asked for in pieces.
_CHUNK = 5000
# Up to this many ids are quicker asked for one by one, by a statement that is compiled already.
_FEW = 4

_TYPE_COLUMNS = (
    types.c.name.label("type_name"),
    types.c.base_type,
    types.c.properties.label("type_properties"),
)
_ARTIFACTS = select(artifacts, *_TYPE_COLUMNS).join(types)
_EXECUTIONS = select(executions, *_TYPE_COLUMNS).join(types)
_CONTEXTS = select(contexts, types.c.name.label("type_name")).join(types)
_EVENTS = select(
    events.c.execution_id,
    events.c.artifact_id,
    events.c.type,
    events.c.key,
    events.c.index.label("position"),
    events.c.at,
)
_ATTACHMENTS = select(attachments)

_EXECUTION_BY_ID = Prepared(_EXECUTIONS.where(executions.c.id == bindparam("id")))
_EXECUTION_EXISTS = Prepared(select(executions.c.id).where(executions.c.id == bindparam("id")))
_ARTIFACT_EXISTS = Prepared(select(artifacts.c.id).where(artifacts.c.id == bindparam("id")))
_ARTIFACT_STATE = Prepared(
    select(artifacts.c.id, artifacts.c.state).where(artifacts.c.id == bindparam("id"))
)
_LATEST_WORK = Prepared(
    select(func.max(associations.c.execution_id))
    .join(executions, executions.c.id == associations.c.execution_id)
    .where(
        associations.c.context_id == bindparam("context_id"),
        executions.c.state.in_(
            [literal(ExecutionState.RUNNING.value), literal(ExecutionState.COMPLETE.value)]
        ),
    )
)
_EVENTS_OF_EXECUTION = Prepared(_EVENTS.where(events.c.execution_id == bindparam("id")))
_EVENTS_OF_ARTIFACT = Prepared(_EVENTS.where(events.c.artifact_id == bindparam("id")))
_ARTIFACT_BY_ID = Prepared(_ARTIFACTS.where(artifacts.c.id == bindparam("id")))
_ATTACHMENT = Prepared(
    _ATTACHMENTS.where(
        attachments.c.execution_id == bindparam("id"), attachments.c.name == bindparam("name")
    )
)
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
# The context whose type and name are parameters of the statement.
_NAMED_CONTEXT = (
    select(contexts.c.id)
    .join(types)
    .where(
        types.c.kind == "context",
        types.c.name == bindparam("type_name"),
        contexts.c.name == bindparam("name"),
    )
    .scalar_subquery()
)
_EVENT_ORDER = {event_type: position for position, event_type in enumerate(EventType)}


def execution_by_id(connection: Connection, execution_id: int) -> ExecutionRecord:
    row = _EXECUTION_BY_ID.run(connection, {"id": execution_id}).one_or_none()
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
    wanted = None if states is None else frozenset(states)
    query = _executions_query(context is not None, wanted, checked_limit(limit) is not None)
    parameters: dict[str, Any] = {} if limit is None else {"limit": limit}
    if context is not None:
        parameters.update(type_name=context.type_name, name=context.name)
    return [execution_from_row(row) for row in query.run(connection, parameters)]


@functools.cache
def _executions_query(
    is_in_context: bool, states: frozenset[ExecutionState] | None, is_limited: bool
) -> Prepared:
    """The question for executions that has these conditions."""
    query = _EXECUTIONS
    if states is not None:
        values = [literal(value) for value in sorted(state.value for state in states)]
        query = query.where(executions.c.state.in_(values) if values else false())
    if not is_in_context:
        query = query.order_by(executions.c.id.desc())
    elif states is not None and not any(state.is_final for state in states):
        # A store may hold many executions in a context, but few that are not over: these are found
        # by their state.
        query = query.where(_is_in(_NAMED_CONTEXT)).order_by(executions.c.id.desc())
    else:
        # Ordered by the column whose index is read, which spares the database a sort.
        query = query.join(associations, associations.c.execution_id == executions.c.id)
        query = query.where(associations.c.context_id == _NAMED_CONTEXT)
        query = query.order_by(associations.c.execution_id.desc())
    return Prepared(query.limit(bindparam("limit", type_=Integer)) if is_limited else query)


def _is_in(context_id: ScalarSelect[int]) -> ColumnElement[bool]:
    return (
        select(associations.c.execution_id)
        .where(
            associations.c.execution_id == executions.c.id,
            associations.c.context_id == context_id,
        )
        .exists()
    )


def find_artifacts(
    connection: Connection,
    *,
    ids: Iterable[int] | None = None,
    context: ContextKey | None = None,
    type_name: str | None = None,
    uri: str | None = None,
    states: Iterable[ArtifactState] | None = None,
    limit: int | None = None,
    on_damaged: OnDamaged | None = None,
) -> list[ArtifactRecord]:
    conditions = (context, type_name, uri, states, limit, on_damaged)
    if ids is not None and all(condition is None for condition in conditions):
        return _artifacts_by_id(connection, ids)
    query = _ARTIFACTS.limit(checked_limit(limit))
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
        return records_from(connection.execute(query), artifact_from_row, on_damaged)
    # The pieces are newest first as well, and so is what they give together.
    wanted = sorted(set(ids), reverse=True)
    rows = _in_chunks(connection, query, artifacts.c.id, wanted)
    found = records_from(rows, artifact_from_row, on_damaged)
    _require(connection, _ARTIFACT_EXISTS, set(wanted) - {artifact.id for artifact in found})
    return found[:limit]


def _artifacts_by_id(connection: Connection, ids: Iterable[int]) -> list[ArtifactRecord]:
    wanted = sorted(set(ids), reverse=True)
    query = _ARTIFACTS.order_by(artifacts.c.id.desc())
    rows = _by_ids(connection, _ARTIFACT_BY_ID, query, artifacts.c.id, wanted)
    found = [artifact_from_row(row) for row in rows]
    _require(connection, _ARTIFACT_EXISTS, set(wanted) - {artifact.id for artifact in found})
    return found


def pending_outputs(connection: Connection, execution_id: int) -> list[ArtifactRecord]:
    rows = _PENDING_OUTPUTS.run(connection, {"execution_id": execution_id})
    return [artifact_from_row(row) for row in rows]


def execution_ids(
    connection: Connection, context: ContextKey, states: Iterable[ExecutionState] | None
) -> set[int]:
    query = select(associations.c.execution_id.label("id")).where(
        associations.c.context_id == _context_id(context)
    )
    if states is None:
        return {row.id for row in connection.execute(query)}
    wanted = {state.value for state in states}
    # Whatever is none of the others: also a state that nobody knows.
    others = [state.value for state in ExecutionState if state.value not in wanted]
    query = query.join(executions, executions.c.id == associations.c.execution_id)
    query = query.add_columns(executions.c.state).where(executions.c.state.not_in(others))
    found = connection.execute(query).all()
    for row in found:
        state_from_row(row, "execution", ExecutionState)
    return {row.id for row in found}


def made_artifacts(
    connection: Connection, context: ContextKey, states: Iterable[ArtifactState]
) -> list[MadeArtifact]:
    made = (EventType.OUTPUT.value, EventType.PENDING_OUTPUT.value)
    query = (
        select(
            artifacts.c.id,
            types.c.name,
            artifacts.c.uri,
            artifacts.c.custom_properties,
            events.c.execution_id,
            events.c.key,
        )
        .join(types)
        .join(attributions, attributions.c.artifact_id == artifacts.c.id)
        .join(events, events.c.artifact_id == artifacts.c.id)
        .where(attributions.c.context_id == _context_id(context), events.c.type.in_(made))
        .where(artifacts.c.state.in_([state.value for state in states]))
        .order_by(attributions.c.artifact_id.desc(), events.c.execution_id)
    )
    found: dict[int, MadeArtifact] = {}
    for artifact_id, type_name, uri, properties, execution_id, key in connection.execute(query):
        if artifact_id not in found:  # the first execution made it, later ones reused it
            decoded = decode_properties(properties, f"artifact {artifact_id}")
            found[artifact_id] = MadeArtifact(
                artifact_id, type_name, uri, decoded, execution_id, key
            )
    return list(found.values())


def artifact_uris(connection: Connection, states: Iterable[ArtifactState]) -> dict[int, str]:
    query = select(artifacts.c.id, artifacts.c.uri).where(
        artifacts.c.state.in_([state.value for state in states])
    )
    return {row.id: row.uri for row in connection.execute(query)}


def find_events(
    connection: Connection,
    *,
    execution_ids: Iterable[int] | None,
    artifact_ids: Iterable[int] | None,
) -> list[EventRecord]:
    executions_wanted = None if execution_ids is None else set(execution_ids)
    artifacts_wanted = None if artifact_ids is None else set(artifact_ids)
    if executions_wanted is not None:
        ids, column = sorted(executions_wanted), events.c.execution_id
        rows = _by_ids(connection, _EVENTS_OF_EXECUTION, _EVENTS, column, ids)
    elif artifacts_wanted is not None:
        ids, column = sorted(artifacts_wanted), events.c.artifact_id
        rows = _by_ids(connection, _EVENTS_OF_ARTIFACT, _EVENTS, column, ids)
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
    on_damaged: OnDamaged | None,
) -> list[ContextRecord]:
    query = _CONTEXTS.order_by(contexts.c.id.desc()).limit(checked_limit(limit))
    if type_name is not None:
        query = query.where(types.c.kind == "context", types.c.name == type_name)
    if execution_id is not None:
        query = query.join(associations, associations.c.context_id == contexts.c.id)
        query = query.where(associations.c.execution_id == execution_id)
    if within is not None:
        query = query.where(_shares_an_execution(within))
    found = records_from(connection.execute(query), context_from_row, on_damaged)
    if execution_id is not None and not found:
        _require(connection, _EXECUTION_EXISTS, {execution_id})
    return found


def _shares_an_execution(within: ContextKey) -> ColumnElement[bool]:
    # Asked of one context after the other, so that a limit ends the search early.
    own, other = associations.alias(), associations.alias()
    return (
        select(own.c.execution_id)
        .join(other, other.c.execution_id == own.c.execution_id)
        .where(own.c.context_id == contexts.c.id, other.c.context_id == _context_id(within))
        .exists()
    )


def find_attachments(
    connection: Connection, name: str, execution_ids: Iterable[int]
) -> dict[int, Any]:
    wanted = sorted(set(execution_ids))
    query = _ATTACHMENTS.where(attachments.c.name == name)
    column = attachments.c.execution_id
    rows = _by_ids(connection, _ATTACHMENT, query, column, wanted, {"name": name})
    found = {row.execution_id: decode_attachment(row) for row in rows}
    missing = [execution_id for execution_id in wanted if execution_id not in found]
    known = _in_chunks(connection, select(executions.c.id), executions.c.id, missing)
    unknown = set(missing) - {row.id for row in known}
    if unknown:
        raise KeyError(min(unknown))
    return found


def latest_work(connection: Connection, context: ContextKey) -> int:
    """The highest id of the executions in a context that run or are complete; 0 if none does."""
    record = context_by_key(connection, context)
    if record is None:
        return 0
    return _LATEST_WORK.run(connection, {"context_id": record.id}).scalar() or 0


def artifact_states(connection: Connection, ids: Iterable[int]) -> dict[int, ArtifactState]:
    """The states of artifacts; raises KeyError with the first id that is not an artifact's."""
    wanted = sorted(set(ids))
    query = select(artifacts.c.id, artifacts.c.state)
    rows = _in_chunks(connection, query, artifacts.c.id, wanted)
    states = {row.id: state_from_row(row, "artifact", ArtifactState) for row in rows}
    for artifact_id in wanted:
        if artifact_id not in states:
            raise KeyError(artifact_id)
    return states


def used_after(connection: Connection, ids: Iterable[int], last_execution_id: int) -> set[int]:
    """Those of the artifacts that an execution with a greater id has an event with."""
    query = select(events.c.artifact_id).where(events.c.execution_id > last_execution_id)
    rows = _in_chunks(connection, query, events.c.artifact_id, sorted(set(ids)))
    return {row.artifact_id for row in rows}


def require_usable_artifacts(connection: Connection, ids: Iterable[int]) -> None:
    """Raises KeyError if one does not exist and ArtifactDeletedError if one is on its way out."""
    for artifact_id in sorted(set(ids)):
        row = _ARTIFACT_STATE.run(connection, {"id": artifact_id}).one_or_none()
        if row is None:
            raise KeyError(artifact_id)
        state = state_from_row(row, "artifact", ArtifactState)
        if state in (ArtifactState.MARKED_FOR_DELETION, ArtifactState.DELETED):
            raise ArtifactDeletedError(
                artifact_id,
                f"Artifact {artifact_id} is {state.value} and cannot be used any more. Make it "
                "anew: run the pipeline again.",
            )


def require_artifacts(connection: Connection, ids: Iterable[int]) -> None:
    """Raises KeyError with the first of the ids that is not an artifact's."""
    _require(connection, _ARTIFACT_EXISTS, ids)


def _require(connection: Connection, exists: Prepared, ids: Iterable[int]) -> None:
    for wanted in sorted(set(ids)):
        if exists.run(connection, {"id": wanted}).scalar() is None:
            raise KeyError(wanted)


def _by_ids(
    connection: Connection,
    one: Prepared,
    many: Select[Any],
    column: Column[int],
    ids: Sequence[int],
    parameters: Mapping[str, Any] = MappingProxyType({}),
) -> Iterator[Any]:
    """The rows of `many` whose column has one of the ids; for a few ids, the rows of `one`."""
    if len(ids) > _FEW:
        yield from _in_chunks(connection, many, column, ids)
        return
    for wanted in ids:
        yield from one.run(connection, {**parameters, "id": wanted})


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


def checked_limit(limit: int | None) -> int | None:
    return None if limit is None else check_integer("limit", limit, least=0)
