"""Records that other programs write beside those of runs: what they may change, and what not.

A script, or a component while it runs, may add records of every kind and change those that are
there. What runs rely on stays theirs: the state of an execution that a run registered, its place in
the history and in the cache, the outputs that are being made or removed. A change of these raises
ProtectedRecordError, and nothing of the transaction is stored.

What is added here is never made by a run, and never removed by one: an execution has WRITTEN_MARK
in the place of a token (see `orchestration/publishing/claims.py`), and an artifact is external.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from sqlalchemy import Connection, bindparam, literal, select, update

from trainwright.metadata import contexts as context_types
from trainwright.metadata import queries, run_rows
from trainwright.metadata.internal_properties import (
    EXECUTION_NOTES,
    FOREIGN_MARKS,
    HEARTBEAT_AT,
    IS_EXTERNAL,
    MARK,
    RUN_NOTES,
    WRITTEN_MARK,
)
from trainwright.metadata.prepared import Prepared
from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    ContextRecord,
    EventType,
    ExecutionState,
    Properties,
    TypeRecord,
)
from trainwright.metadata.rows import context_from_row, encode_properties, type_from_columns
from trainwright.metadata.store import MetadataError
from trainwright.metadata.tables import (
    associations,
    contexts,
    events,
    executions,
    types,
)
from trainwright.metadata.writing import INSERT_CONTEXT, INSERT_EVENTS, WriteTransaction

_TYPE_BY_ID = Prepared(
    select(types.c.kind, types.c.name, types.c.base_type, types.c.properties).where(
        types.c.id == bindparam("id")
    )
)
_CONTEXT_BY_ID = Prepared(
    select(
        contexts.c.id,
        types.c.name.label("type_name"),
        contexts.c.name,
        contexts.c.custom_properties,
        contexts.c.created_at,
    )
    .join(types)
    .where(contexts.c.id == bindparam("id"))
)
_UPDATE_CONTEXT = Prepared(
    update(contexts).where(contexts.c.id == bindparam("context_id")),
    columns=("name", "custom_properties"),
)
_UPDATE_EXECUTION = Prepared(
    update(executions).where(executions.c.id == bindparam("execution_id")),
    columns=("state", "custom_properties", "updated_at"),
)
_MAKERS = Prepared(
    select(events.c.execution_id)
    .where(
        events.c.artifact_id == bindparam("artifact_id"),
        events.c.type.in_(
            [literal(EventType.OUTPUT.value), literal(EventType.PENDING_OUTPUT.value)]
        ),
    )
    .distinct()
)
_INDEXES = Prepared(
    select(events.c.index.label("position")).where(
        events.c.execution_id == bindparam("execution_id"),
        events.c.type == bindparam("type"),
        events.c.key == bindparam("key"),
    )
)
_ASSOCIATION = Prepared(
    select(associations.c.execution_id).where(
        associations.c.context_id == bindparam("context_id"),
        associations.c.execution_id == bindparam("execution_id"),
    )
)
_ASSOCIATED = Prepared(
    select(associations.c.execution_id).where(associations.c.context_id == bindparam("context_id"))
)

# Contexts by which runs find their history and what can be reused.
_OF_RUNS = {
    context_types.PIPELINE,
    context_types.PIPELINE_RUN,
    context_types.NODE,
    context_types.EXECUTION_CACHE,
}
# An artifact of a run in one of these states is in the hands of a run, of recovery or of `gc`.
_IN_WORK = (ArtifactState.PENDING, ArtifactState.ABANDONED, ArtifactState.MARKED_FOR_DELETION)
_MOST_INDEX = 2**31 - 1


class ProtectedRecordError(MetadataError):
    """Another program was about to change what runs rely on; the message says what to do."""


class ExternalWrites:
    """One transaction of another program's writes. Ids that are given must be those of records.

    Args:
        transaction: The transaction, in which nobody else writes.
    """

    def __init__(self, transaction: WriteTransaction) -> None:
        self._transaction = transaction
        self._own: dict[int, bool] = {}

    @property
    def connection(self) -> Connection:
        return self._transaction.connection

    @property
    def now(self) -> float:
        return self._transaction.now

    def put_type(self, kind: str, record: TypeRecord) -> int:
        """Creates the type, or adds to the stored one of its name; returns its id."""
        if kind == "context" and record.name == context_types.IMPORT:
            raise ProtectedRecordError(
                f"Contexts of type {record.name} note imports of ml-metadata files, which "
                "`trainwright import-mlmd` writes. Give the type another name."
            )
        return self._transaction.put_type(kind, record).id

    # Artifacts

    def insert_artifact(
        self,
        type_id: int,
        *,
        uri: str,
        name: str | None,
        state: ArtifactState,
        properties: Properties,
        custom_properties: Properties,
    ) -> int:
        """Stores an artifact, which is external from now on; returns its id."""
        record = ArtifactRecord(
            type=self._type("artifact", type_id),
            uri=uri,
            name=name,
            properties=properties,
            custom_properties={**custom_properties, IS_EXTERNAL: 1},
        )
        stored = self._transaction.insert_artifact(record, state)
        assert stored.id is not None
        return stored.id

    def update_artifact(
        self,
        artifact_id: int,
        *,
        uri: str,
        state: ArtifactState,
        properties: Properties,
        custom_properties: Properties,
    ) -> Properties:
        """Replaces what is stored of an artifact, except that an external one stays external.

        Returns the custom properties that are stored now.
        """
        (current,) = queries.find_artifacts(self.connection, ids=[artifact_id])
        is_external = bool(current.custom_properties.get(IS_EXTERNAL))
        if (
            (uri, state) != (current.uri, current.state)
            and current.state in _IN_WORK
            and not is_external
            and self._is_of_a_run(artifact_id)
        ):
            raise ProtectedRecordError(
                f"Artifact {artifact_id} is an output of a run and {current.state.value}: its "
                "state and its uri are changed by the run, or by what clears up after it. Its "
                "properties can be changed: give it with its stored state and uri, or with "
                "field_mask_paths."
            )
        kept = {**custom_properties, IS_EXTERNAL: 1} if is_external else custom_properties
        record = ArtifactRecord(
            type=current.type,
            uri=uri,
            name=current.name,
            properties=properties,
            custom_properties=kept,
        )
        self._transaction.update_artifact(record, current, state)
        return kept

    def _is_of_a_run(self, artifact_id: int) -> bool:
        makers = _MAKERS.run(self.connection, {"artifact_id": artifact_id}).scalars()
        return any(self.is_of_a_run(execution_id) for execution_id in makers)

    # Executions

    def insert_execution(
        self, type_id: int, *, state: ExecutionState, custom_properties: Properties
    ) -> int:
        """Stores an execution, which no run will end or take for its own; returns its id."""
        _check_own_notes({}, custom_properties, EXECUTION_NOTES, "a new execution")
        execution_type = self._type("execution", type_id)
        execution = self._transaction.insert_execution(execution_type, state, custom_properties)
        self._transaction.put_attachments(execution.id, {MARK: WRITTEN_MARK})
        return execution.id

    def update_execution(
        self, execution_id: int, *, state: ExecutionState | None, custom_properties: Properties
    ) -> Properties:
        """Replaces what is stored of an execution, except for what a run notes of it.

        A state of None is one that runs do not know, and counts as COMPLETE. Returns the custom
        properties that are stored now.
        """
        current = queries.execution_by_id(self.connection, execution_id)
        if state is not current.state and self.is_of_a_run(execution_id):
            raise ProtectedRecordError(
                f"Execution {execution_id} was registered by a run of a pipeline, which alone "
                f"says what became of it: {current.state.value}, not "
                f"{state.value if state else 'an execution without a state'}. Its properties can "
                "be changed: give it with its stored state, or with field_mask_paths. To stop a "
                "run: trainwright cancel."
            )
        notes = _check_own_notes(
            current.custom_properties,
            custom_properties,
            EXECUTION_NOTES,
            f"execution {execution_id}",
        )
        kept = {**custom_properties, **notes}
        change = {
            "execution_id": execution_id,
            "state": (state or ExecutionState.COMPLETE).value,
            "custom_properties": encode_properties(kept),
            "updated_at": self.now,
        }
        _UPDATE_EXECUTION.run(self.connection, change)
        return kept

    def is_of_a_run(self, execution_id: int) -> bool:
        """Whether a run of this store registered the execution."""
        if execution_id not in self._own:
            marks = queries.find_attachments(self.connection, MARK, [execution_id])
            self._own[execution_id] = marks.get(execution_id) not in FOREIGN_MARKS
        return self._own[execution_id]

    # Contexts

    def insert_context(self, type_id: int, *, name: str, custom_properties: Properties) -> int:
        """Stores a context, whose name no other of its type has; returns its id."""
        context_type = self._type("context", type_id)
        self._check_run_notes(context_type.name, {}, custom_properties, f"context {name!r}")
        new = {
            "type_id": type_id,
            "name": name,
            "custom_properties": encode_properties(custom_properties),
            "created_at": self.now,
        }
        context_id = int(INSERT_CONTEXT.run(self.connection, new).scalar())
        if context_type.name == context_types.PIPELINE_RUN:
            run_rows.insert_unknown(self.connection, context_id, name, self.now)
        return context_id

    def update_context(
        self, context_id: int, *, name: str, custom_properties: Properties
    ) -> Properties:
        """Replaces what is stored of a context, except for what a run notes of itself.

        Returns the custom properties that are stored now.
        """
        current = self._context(context_id)
        named = f"context {context_id} ({current.type_name} {current.name!r})"
        is_of_runs = current.type_name in {*_OF_RUNS, context_types.IMPORT}
        if name != current.name and is_of_runs:
            raise ProtectedRecordError(
                f"The name of {named} cannot become {name!r}: runs find their history by it. Add "
                "a context of another type instead."
            )
        # Of a run that goes on this changes all the time.
        given = {name: one for name, one in custom_properties.items() if name != HEARTBEAT_AT}
        notes = self._check_run_notes(current.type_name, current.custom_properties, given, named)
        kept = {**custom_properties, **notes}
        change = {
            "context_id": context_id,
            "name": name,
            "custom_properties": encode_properties(kept),
        }
        _UPDATE_CONTEXT.run(self.connection, change)
        return kept

    def _check_run_notes(
        self, type_name: str, current: Properties, given: Properties, named: str
    ) -> Properties:
        if type_name == context_types.IMPORT:
            notes: Set[str] = {*current, *given}
        else:
            notes = RUN_NOTES if type_name == context_types.PIPELINE_RUN else set()
        return _check_own_notes(current, given, notes, named)

    # What connects them

    def add_event(
        self,
        *,
        execution_id: int,
        artifact_id: int,
        type: EventType,
        key: str,
        index: int | None,
        at: float,
    ) -> tuple[EventType, str, int]:
        """Stores an event at a place of the execution, or at the next that is free.

        What is added to an execution of a run is an internal output: the outputs of a node are what
        it declares, and made by it. Returns the type and the place that are stored.
        """
        if type is not EventType.INPUT and self.is_of_a_run(execution_id):
            type = EventType.INTERNAL_OUTPUT
        place = {"execution_id": execution_id, "type": type.value, "key": key}
        taken = set(_INDEXES.run(self.connection, place).scalars())
        if index is None or index in taken or not 0 <= index <= _MOST_INDEX:
            index = next(free for free in range(len(taken) + 1) if free not in taken)
        row = {**place, "index": index, "artifact_id": artifact_id, "at": at}
        INSERT_EVENTS.run(self.connection, row)
        return type, key, index

    def attribute(self, artifact_id: int, context_id: int) -> None:
        """Puts an artifact into a context; nothing happens if it is in it."""
        self._transaction.attribute([context_id], [artifact_id])

    def associate(self, execution_id: int, context_id: int) -> None:
        """Puts an execution into a context; nothing happens if it is in it."""
        link = {"context_id": context_id, "execution_id": execution_id}
        if _ASSOCIATION.run(self.connection, link).scalar() is not None:
            return
        context = self._context(context_id)
        if self.is_of_a_run(execution_id):
            if context.type_name in _OF_RUNS:
                raise ProtectedRecordError(
                    f"Execution {execution_id} was registered by a run of a pipeline and cannot be "
                    f"put into the {context.type_name} {context.name!r}: runs find their history "
                    "by such contexts. Put it into a context of another type."
                )
        elif context.type_name == context_types.EXECUTION_CACHE and any(
            self.is_of_a_run(other)
            for other in _ASSOCIATED.run(self.connection, {"context_id": context_id}).scalars()
        ):
            raise ProtectedRecordError(
                f"Execution {execution_id} was not registered by a run and cannot be put into the "
                f"execution_cache {context.name!r}, by which runs find what they can reuse."
            )
        self._transaction.associate([context_id], execution_id)

    def _type(self, kind: str, type_id: int) -> TypeRecord:
        row = _TYPE_BY_ID.run(self.connection, {"id": type_id}).one_or_none()
        if row is None or row.kind != kind:
            raise KeyError(type_id)
        return type_from_columns(row.name, row.base_type, row.properties)

    def _context(self, context_id: int) -> ContextRecord:
        row = _CONTEXT_BY_ID.run(self.connection, {"id": context_id}).one_or_none()
        if row is None:
            raise KeyError(context_id)
        return context_from_row(row)


def _check_own_notes(
    current: Mapping[str, Any], given: Mapping[str, Any], names: Set[str], what: str
) -> Properties:
    """What runs have noted under these names, which is kept; raises if other values are given."""
    for name in sorted(names & given.keys()):
        if name not in current or given[name] != current[name]:
            raise ProtectedRecordError(
                f"Property {name!r} of {what} cannot become {given[name]!r}: under this name runs "
                "note what they need themselves. Leave it out, or use another name."
            )
    return {name: current[name] for name in names & current.keys()}
