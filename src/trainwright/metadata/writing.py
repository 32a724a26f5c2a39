"""Writing to the metadata store: the steps that its methods are made of."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from trainwright.metadata import contexts as context_types
from trainwright.metadata import queries, run_rows
from trainwright.metadata.prepared import Prepared
from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    ContextKey,
    ContextRecord,
    EventType,
    ExecutionRecord,
    ExecutionState,
    Lease,
    Properties,
    TypeRecord,
)
from trainwright.metadata.rows import (
    LEASE_COLUMNS,
    decode_properties,
    encode_attachment,
    encode_properties,
    lease_columns,
)
from trainwright.metadata.store import (
    ArtifactIds,
    Attachments,
    ExecutionNotRunningError,
    OvertakenError,
)
from trainwright.metadata.stored_types import StoredType, StoredTypes, covers, write_type
from trainwright.metadata.tables import (
    IF_ABSENT,
    artifacts,
    associations,
    attachments,
    attributions,
    contexts,
    events,
    executions,
)

_CONTEXT_BY_NAME = Prepared(
    select(contexts.c.id).where(
        contexts.c.type_id == bindparam("type_id"), contexts.c.name == bindparam("name")
    )
)
_CONTEXT_BY_ID = Prepared(
    select(contexts.c.custom_properties, contexts.c.created_at).where(
        contexts.c.id == bindparam("context_id")
    )
)
_CONTEXTS_OF_EXECUTION = Prepared(
    select(associations.c.context_id).where(
        associations.c.execution_id == bindparam("execution_id")
    )
)
INSERT_CONTEXT = Prepared(
    insert(contexts).returning(contexts.c.id),
    columns=("type_id", "name", "custom_properties", "created_at"),
)
_UPDATE_CONTEXT = Prepared(
    update(contexts).where(contexts.c.id == bindparam("context_id")),
    columns=("custom_properties",),
)

_INSERT_EXECUTION = Prepared(
    insert(executions).returning(executions.c.id),
    columns=("type_id", "state", "custom_properties", *LEASE_COLUMNS, "created_at", "updated_at"),
)
_THIS_EXECUTION = executions.c.id == bindparam("execution_id")
_END_EXECUTION = Prepared(
    update(executions).where(_THIS_EXECUTION),
    columns=("state", "custom_properties", *LEASE_COLUMNS, "updated_at"),
)
_HEARTBEAT = Prepared(
    update(executions)
    .where(_THIS_EXECUTION, executions.c.state == ExecutionState.RUNNING.value)
    .returning(executions.c.id),
    columns=("lease_heartbeat_at",),
)

_CONTENT = ("uri", "name", "state", "properties", "custom_properties", "updated_at")
_INSERT_ARTIFACT = Prepared(
    insert(artifacts).returning(artifacts.c.id), columns=("type_id", *_CONTENT, "created_at")
)
_THIS_ARTIFACT = artifacts.c.id == bindparam("artifact_id")
_UPDATE_ARTIFACT = Prepared(update(artifacts).where(_THIS_ARTIFACT), columns=_CONTENT)
_SET_ARTIFACT_STATE = Prepared(
    update(artifacts).where(_THIS_ARTIFACT), columns=("state", "updated_at")
)

INSERT_EVENTS = Prepared(
    insert(events), columns=("execution_id", "type", "key", "index", "artifact_id", "at")
)
_DELETE_PENDING_EVENTS = Prepared(
    delete(events).where(
        events.c.execution_id == bindparam("execution_id"),
        events.c.artifact_id == bindparam("artifact_id"),
        events.c.type == EventType.PENDING_OUTPUT.value,
    )
)
_PUT_ATTACHMENTS = Prepared(
    insert(attachments),
    columns=("execution_id", "name", "content"),
    suffix="ON CONFLICT (execution_id, name) DO UPDATE SET content = excluded.content",
)
_INSERT_ASSOCIATIONS = Prepared(insert(associations), columns=("context_id", "execution_id"))
_INSERT_ATTRIBUTIONS = Prepared(
    insert(attributions), columns=("context_id", "artifact_id"), suffix=IF_ABSENT
)


@dataclasses.dataclass(frozen=True)
class Known:
    """Types and contexts that need not be read from the store again.

    Every write mentions some. They are never deleted and types only grow, so what was true once it
    was committed stays true, whatever other processes do.
    """

    types: StoredTypes = dataclasses.field(default_factory=dict)
    contexts: dict[ContextKey, int] = dataclasses.field(default_factory=dict)

    def update(self, other: Known) -> None:
        self.types.update(other.types)
        self.contexts.update(other.contexts)


class WriteTransaction:
    """One write transaction. No other one writes while it lasts.

    `learned` becomes known when the transaction has been committed, not before.

    Args:
        connection: A connection in a transaction that the backend has begun for writing.
        known: What earlier transactions have learned.
        now: The store's time, taken since the transaction began, so that times rise with ids.
    """

    def __init__(self, connection: Connection, known: Known, now: float) -> None:
        self.connection = connection
        self.learned = Known()
        self._known = known
        self._now = now

    @property
    def now(self) -> float:
        return self._now

    def put_type(self, kind: str, record: TypeRecord) -> StoredType:
        """The type, created or given the properties that it has not had yet."""
        key = (kind, record.name)
        stored = self.learned.types.get(key) or self._known.types.get(key)
        if stored is None or not covers(stored.record, record):
            stored = self.learned.types[key] = write_type(self.connection, kind, record)
        return stored

    def put_contexts(self, keys: Iterable[ContextKey]) -> list[int]:
        """The ids of the contexts, created where they are new."""
        return [self._put_context(key) for key in dict.fromkeys(keys)]

    def _put_context(self, key: ContextKey) -> int:
        if key in self._known.contexts:
            return self._known.contexts[key]
        context_type = self.put_type("context", TypeRecord(name=key.type_name))
        name = {"type_id": context_type.id, "name": key.name}
        found = _CONTEXT_BY_NAME.run(self.connection, name).scalar()
        if found is None:
            new = {**name, "custom_properties": "{}", "created_at": self._now}
            found = INSERT_CONTEXT.run(self.connection, new).scalar()
            if key.type_name == context_types.PIPELINE_RUN:
                run_rows.insert_unknown(self.connection, found, key.name, self._now)
        self.learned.contexts[key] = found
        return int(found)

    def add_context_properties(self, key: ContextKey, properties: Properties) -> ContextRecord:
        """The context, created if it is new, with the properties added to its own."""
        context_id = self._put_context(key)
        row = _CONTEXT_BY_ID.run(self.connection, {"context_id": context_id}).one_or_none()
        named = f"context {context_id} ({key.type_name} {key.name!r})"
        current = decode_properties(row.custom_properties, named)
        merged = encode_properties({**current, **properties})
        change = {"context_id": context_id, "custom_properties": merged}
        _UPDATE_CONTEXT.run(self.connection, change)
        return ContextRecord(
            id=context_id,
            type_name=key.type_name,
            name=key.name,
            custom_properties=decode_properties(merged, named),
            created_at=row.created_at,
        )

    def insert_execution(
        self,
        execution_type: TypeRecord,
        state: ExecutionState,
        custom_properties: Properties,
        lease: Lease | None = None,
    ) -> ExecutionRecord:
        stored_type = self.put_type("execution", execution_type)
        if lease is not None:
            lease = dataclasses.replace(lease, heartbeat_at=self._now)
        properties = encode_properties(custom_properties)
        values = {
            "type_id": stored_type.id,
            "state": state.value,
            "custom_properties": properties,
            "created_at": self._now,
            "updated_at": self._now,
        }
        inserted = _INSERT_EXECUTION.run(self.connection, {**values, **lease_columns(lease)})
        return ExecutionRecord(
            id=inserted.scalar(),
            type=_copy(stored_type.record),
            state=state,
            custom_properties=decode_properties(properties, "the new execution"),
            lease=lease,
            created_at=self._now,
            updated_at=self._now,
        )

    def put_attachments(self, execution_id: int, attachments: Attachments) -> None:
        rows = [
            {
                "execution_id": execution_id,
                "name": name,
                "content": encode_attachment(name, content),
            }
            for name, content in attachments.items()
        ]
        _PUT_ATTACHMENTS.run_many(self.connection, rows)

    def check_not_overtaken(self, context: ContextKey, last_seen: int) -> None:
        latest = queries.latest_work(self.connection, context)
        if latest > last_seen:
            raise OvertakenError(
                f"Execution {latest} was registered in {context.type_name} {context.name!r} after "
                f"execution {last_seen}, the last one that the caller had seen there. Look at it "
                "first, then register again if need be."
            )

    def heartbeat(self, execution_ids: Iterable[int]) -> set[int]:
        """Sets the heartbeat of those executions that are RUNNING; returns their ids."""
        running: set[int] = set()
        for execution_id in sorted(set(execution_ids)):
            beat = {"execution_id": execution_id, "lease_heartbeat_at": self._now}
            running.update(_HEARTBEAT.run(self.connection, beat).scalars())
        return running

    def running_execution(self, execution_id: int) -> ExecutionRecord:
        execution = queries.execution_by_id(self.connection, execution_id)
        if execution.state is not ExecutionState.RUNNING:
            raise ExecutionNotRunningError(
                f"Execution {execution_id} is {execution.state.value} and cannot be ended again: "
                "only a RUNNING execution can. Perhaps another process took the one that ran it "
                "for dead."
            )
        return execution

    def end_execution(
        self, execution: ExecutionRecord, state: ExecutionState, custom_properties: Properties
    ) -> None:
        merged = {**execution.custom_properties, **custom_properties}
        values = {
            "execution_id": execution.id,
            "state": state.value,
            "custom_properties": encode_properties(merged),
            "updated_at": self._now,
        }
        _END_EXECUTION.run(self.connection, {**values, **lease_columns(None)})

    def insert_artifact(self, record: ArtifactRecord, state: ArtifactState) -> ArtifactRecord:
        """Writes a new artifact; returns it with its id."""
        stored_type = self.put_type("artifact", record.type)
        values = self._content(record, state)
        new = {**values, "type_id": stored_type.id, "created_at": self._now}
        artifact_id = _INSERT_ARTIFACT.run(self.connection, new).scalar()
        return _stored_artifact(artifact_id, stored_type, values, created_at=self._now)

    def update_artifact(
        self, record: ArtifactRecord, current: ArtifactRecord, state: ArtifactState
    ) -> ArtifactRecord:
        """Writes the record over the current one of the same id; returns what is stored."""
        if record.type.name != current.type.name:
            raise ValueError(
                f"Artifact {current.id} is of type {current.type.name} and cannot become one of "
                f"type {record.type.name}. Publish a new artifact, without an id, instead."
            )
        stored_type = self.put_type("artifact", record.type)
        values = self._content(record, state)
        _UPDATE_ARTIFACT.run(self.connection, {**values, "artifact_id": current.id})
        return _stored_artifact(stored_id(current), stored_type, values, current.created_at)

    def _content(self, record: ArtifactRecord, state: ArtifactState) -> dict[str, Any]:
        return {
            "uri": record.uri,
            "name": record.name,
            "state": state.value,
            "properties": encode_properties(record.properties),
            "custom_properties": encode_properties(record.custom_properties),
            "updated_at": self._now,
        }

    def set_artifact_state(self, ids: Iterable[int], state: ArtifactState) -> None:
        change = {"state": state.value, "updated_at": self._now}
        _SET_ARTIFACT_STATE.run_many(
            self.connection, [{"artifact_id": artifact_id, **change} for artifact_id in ids]
        )

    def mark_for_deletion(self, ids: Iterable[int], last_execution_id: int) -> set[int]:
        """Marks what nothing uses since that execution; returns the ids of what is marked now."""
        by_state: dict[ArtifactState, set[int]] = defaultdict(set)
        for artifact_id, state in queries.artifact_states(self.connection, ids).items():
            by_state[state].add(artifact_id)
        unused = by_state[ArtifactState.LIVE] | by_state[ArtifactState.ABANDONED]
        unused -= queries.used_after(self.connection, unused, last_execution_id)
        self.set_artifact_state(sorted(unused), ArtifactState.MARKED_FOR_DELETION)
        return unused | by_state[ArtifactState.MARKED_FOR_DELETION]

    def abandon(self, pending: Iterable[ArtifactRecord]) -> list[ArtifactRecord]:
        abandoned = [
            dataclasses.replace(record, state=ArtifactState.ABANDONED, updated_at=self._now)
            for record in pending
        ]
        self.set_artifact_state(map(stored_id, abandoned), ArtifactState.ABANDONED)
        return abandoned

    def insert_events(
        self, execution_id: int, artifact_ids: Mapping[EventType, ArtifactIds]
    ) -> None:
        rows = [
            {
                "execution_id": execution_id,
                "type": event_type.value,
                "key": key,
                "index": index,
                "artifact_id": artifact_id,
                "at": self._now,
            }
            for event_type, ids_by_key in artifact_ids.items()
            for key, ids in ids_by_key.items()
            for index, artifact_id in enumerate(ids)
        ]
        INSERT_EVENTS.run_many(self.connection, rows)

    def delete_pending_events(self, execution_id: int, artifact_ids: Iterable[int]) -> None:
        rows = [
            {"execution_id": execution_id, "artifact_id": artifact_id}
            for artifact_id in artifact_ids
        ]
        _DELETE_PENDING_EVENTS.run_many(self.connection, rows)

    def associate(self, context_ids: Iterable[int], execution_id: int) -> None:
        rows = [
            {"context_id": context_id, "execution_id": execution_id} for context_id in context_ids
        ]
        _INSERT_ASSOCIATIONS.run_many(self.connection, rows)

    def attribute(self, context_ids: Iterable[int], artifact_ids: Iterable[int]) -> None:
        ids = list(dict.fromkeys(artifact_ids))
        rows = [
            {"context_id": context_id, "artifact_id": artifact_id}
            for context_id in context_ids
            for artifact_id in ids
        ]
        _INSERT_ATTRIBUTIONS.run_many(self.connection, rows)

    def contexts_of(self, execution_id: int) -> list[int]:
        rows = _CONTEXTS_OF_EXECUTION.run(self.connection, {"execution_id": execution_id})
        return list(rows.scalars())


def stored_id(record: ArtifactRecord) -> int:
    assert record.id is not None, "a stored artifact has an id"
    return record.id


def _stored_artifact(
    artifact_id: int, stored_type: StoredType, values: Mapping[str, Any], created_at: float
) -> ArtifactRecord:
    """The artifact as it would be read: a copy that shares nothing with what was given."""
    named = f"artifact {artifact_id}"
    return ArtifactRecord(
        id=artifact_id,
        type=_copy(stored_type.record),
        uri=values["uri"],
        name=values["name"],
        state=ArtifactState(values["state"]),
        properties=decode_properties(values["properties"], named, "properties"),
        custom_properties=decode_properties(values["custom_properties"], named),
        created_at=created_at,
        updated_at=values["updated_at"],
    )


def _copy(record: TypeRecord) -> TypeRecord:
    return dataclasses.replace(record, properties=dict(record.properties))
