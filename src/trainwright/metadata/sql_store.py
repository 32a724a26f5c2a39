"""The metadata store in an SQL database."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from trainwright.metadata import queries, run_rows
from trainwright.metadata.backend import Backend
from trainwright.metadata.bulk_load import BulkLoad, count_records
from trainwright.metadata.migrations import not_found, prepare_schema
from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    ContextKey,
    ContextRecord,
    EventRecord,
    EventType,
    ExecutionRecord,
    ExecutionState,
    Lease,
    MadeArtifact,
    Properties,
    RunNode,
    RunRecord,
    RunState,
    TypeRecord,
)
from trainwright.metadata.store import (
    NO_ATTACHMENTS,
    NO_SKIPPED,
    ArtifactIds,
    ArtifactLists,
    Attachments,
    MetadataError,
    MetadataStore,
    OnDamaged,
)
from trainwright.metadata.store_urls import (
    is_postgres,
    is_sqlite,
    sqlite_path,
    unknown_database,
)
from trainwright.metadata.writing import Known, WriteTransaction, stored_id

if TYPE_CHECKING:
    from trainwright.metadata.external_writes import ExternalWrites

_T = TypeVar("_T")


class SqlMetadataStore(MetadataStore):
    """A metadata store at a URL; `open_store` opens one.

    The tables are created or migrated when the store is opened. What this class knows of SQL is
    the same for every database; what is special to one is in its backend.

    Args:
        url: The URL of the database, as in `ConnectionConfig`.
        create: Whether a store is made if there is none; else StoreNotFoundError is raised, and one
            that this user may only read is opened for reading.
    """

    def __init__(self, url: str, *, create: bool = True) -> None:
        if not create and is_sqlite(url) and not os.path.exists(sqlite_path(url)):
            raise not_found(sqlite_path(url))  # opening a file would make it
        self._backend = _backend(url, must_write=create)
        self._known = Known()
        self._process = os.getpid()
        self._closed = False
        try:
            with self._explained_errors():
                prepare_schema(self._backend, create=create)
        except BaseException:
            self._backend.close()
            raise

    @property
    def is_read_only(self) -> bool:
        return self._backend.is_read_only

    @property
    def location(self) -> str:
        return self._backend.location

    # Writing: the life of an execution

    def register_execution(
        self,
        execution_type: TypeRecord,
        *,
        contexts: Iterable[ContextKey],
        inputs: ArtifactIds,
        pending_outputs: Callable[[int], ArtifactLists],
        custom_properties: Properties,
        lease: Lease,
        attachments: Attachments = NO_ATTACHMENTS,
        last_seen: tuple[ContextKey, int] | None = None,
    ) -> tuple[ExecutionRecord, dict[str, list[ArtifactRecord]]]:
        with self._writing(reveals_ids=True) as transaction:
            if last_seen is not None:
                transaction.check_not_overtaken(*last_seen)
            input_ids = _flatten(inputs)
            queries.require_usable_artifacts(transaction.connection, input_ids)
            context_ids = transaction.put_contexts(contexts)
            execution = transaction.insert_execution(
                execution_type, ExecutionState.RUNNING, custom_properties, lease
            )
            outputs = _insert_pending(transaction, pending_outputs(execution.id))
            transaction.insert_events(
                execution.id,
                {EventType.INPUT: inputs, EventType.PENDING_OUTPUT: _ids(outputs)},
            )
            transaction.associate(context_ids, execution.id)
            transaction.attribute(context_ids, input_ids + _flatten(_ids(outputs)))
            transaction.put_attachments(execution.id, attachments)
        return execution, outputs

    def publish_execution(
        self,
        execution_id: int,
        *,
        outputs: ArtifactLists,
        custom_properties: Properties,
        attachments: Attachments = NO_ATTACHMENTS,
    ) -> dict[str, list[ArtifactRecord]]:
        with self._writing() as transaction:
            execution = transaction.running_execution(execution_id)
            pending = _by_id(queries.pending_outputs(transaction.connection, execution_id))
            published = _publish(transaction, outputs, pending)
            ids = set(_flatten(_ids(published)))
            transaction.abandon(pending[id_] for id_ in pending.keys() - ids)
            # An output stands in one event: the pending one makes way.
            transaction.delete_pending_events(execution_id, pending.keys() & ids)
            transaction.insert_events(execution_id, {EventType.OUTPUT: _ids(published)})
            # Pending outputs have belonged to the execution's contexts since it was registered.
            if ids - pending.keys():
                transaction.attribute(transaction.contexts_of(execution_id), ids - pending.keys())
            transaction.end_execution(execution, ExecutionState.COMPLETE, custom_properties)
            transaction.put_attachments(execution_id, attachments)
        return published

    def fail_execution(
        self,
        execution_id: int,
        *,
        state: ExecutionState,
        custom_properties: Properties,
        attachments: Attachments = NO_ATTACHMENTS,
    ) -> list[ArtifactRecord]:
        if state not in (ExecutionState.FAILED, ExecutionState.CANCELED):
            raise ValueError(f"An execution fails as FAILED or CANCELED, not as {state.value}.")
        with self._writing() as transaction:
            execution = transaction.running_execution(execution_id)
            pending = queries.pending_outputs(transaction.connection, execution_id)
            abandoned = transaction.abandon(pending)
            transaction.end_execution(execution, state, custom_properties)
            transaction.put_attachments(execution_id, attachments)
        return abandoned

    def record_finished_execution(
        self,
        execution_type: TypeRecord,
        *,
        state: ExecutionState,
        contexts: Iterable[ContextKey],
        inputs: ArtifactIds,
        outputs: ArtifactIds,
        custom_properties: Properties,
        attachments: Attachments = NO_ATTACHMENTS,
    ) -> ExecutionRecord:
        if not state.is_final:
            raise ValueError(
                f"{state.value} is not a state of a finished execution. register_execution writes "
                "one that runs."
            )
        with self._writing() as transaction:
            artifact_ids = _flatten(inputs) + _flatten(outputs)
            queries.require_usable_artifacts(transaction.connection, artifact_ids)
            context_ids = transaction.put_contexts(contexts)
            execution = transaction.insert_execution(execution_type, state, custom_properties)
            transaction.insert_events(
                execution.id, {EventType.INPUT: inputs, EventType.OUTPUT: outputs}
            )
            transaction.associate(context_ids, execution.id)
            transaction.attribute(context_ids, artifact_ids)
            transaction.put_attachments(execution.id, attachments)
        return execution

    def heartbeat(self, execution_ids: Iterable[int]) -> set[int]:
        with self._writing() as transaction:
            return transaction.heartbeat(execution_ids)

    def put_context(self, key: ContextKey, custom_properties: Properties) -> ContextRecord:
        with self._writing() as transaction:
            return transaction.add_context_properties(key, custom_properties)

    def set_artifact_state(self, artifact_ids: Iterable[int], state: ArtifactState) -> None:
        with self._writing() as transaction:
            ids = set(artifact_ids)
            queries.require_artifacts(transaction.connection, ids)
            transaction.set_artifact_state(ids, state)

    def mark_for_deletion(self, artifact_ids: Iterable[int], *, last_execution_id: int) -> set[int]:
        with self._writing() as transaction:
            return transaction.mark_for_deletion(artifact_ids, last_execution_id)

    # Writing: the life of a run

    def register_run(
        self, run_id: str, *, pipeline: str, root: str, nodes: Sequence[RunNode], lease: Lease
    ) -> RunRecord:
        with self._writing() as transaction:
            return run_rows.register(
                transaction, run_id, pipeline=pipeline, root=root, nodes=nodes, lease=lease
            )

    def update_run(
        self,
        run_id: str,
        *,
        state: RunState | None = None,
        skipped: Mapping[str, str] = NO_SKIPPED,
        is_alive: bool = False,
        cancel: bool = False,
        delete: bool = False,
    ) -> RunRecord:
        with self._writing() as transaction:
            return run_rows.change(
                transaction,
                run_id,
                state=state,
                skipped=skipped,
                is_alive=is_alive,
                cancel=cancel,
                delete=delete,
            )

    # Writing: the records of others

    @contextlib.contextmanager
    def loading(self) -> Iterator[BulkLoad]:
        """One transaction for records that have ids already; what raises in it leaves nothing."""
        self._check_usable()
        with self._explained_errors(), self._backend.writing() as (connection, _):
            yield BulkLoad(connection)
            self._backend.skip_used_ids(connection)

    @contextlib.contextmanager
    def external_writes(self) -> Iterator[ExternalWrites]:
        """One transaction for records of other programs; what raises in it leaves nothing."""
        # Runs have no use for it.
        from trainwright.metadata.external_writes import ExternalWrites

        with self._writing() as transaction:
            yield ExternalWrites(transaction)

    # Reading

    def count_records(self) -> dict[str, int]:
        """How many artifacts, executions, contexts and types there are."""
        with self._reading() as connection:
            return count_records(connection)

    def now(self) -> float:
        with self._reading() as connection:
            return self._backend.now(connection)

    def get_execution(self, execution_id: int) -> ExecutionRecord:
        with self._reading() as connection:
            return queries.execution_by_id(connection, execution_id)

    def get_executions(
        self,
        *,
        context: ContextKey | None = None,
        states: Iterable[ExecutionState] | None = None,
        limit: int | None = None,
    ) -> list[ExecutionRecord]:
        with self._reading() as connection:
            return queries.find_executions(connection, context=context, states=states, limit=limit)

    def get_artifacts(
        self,
        *,
        ids: Iterable[int] | None = None,
        context: ContextKey | None = None,
        type_name: str | None = None,
        uri: str | None = None,
        states: Iterable[ArtifactState] | None = None,
        limit: int | None = None,
        on_damaged: OnDamaged | None = None,
    ) -> list[ArtifactRecord]:
        with self._reading() as connection:
            return queries.find_artifacts(
                connection,
                ids=ids,
                context=context,
                type_name=type_name,
                uri=uri,
                states=states,
                limit=limit,
                on_damaged=on_damaged,
            )

    def get_execution_ids(
        self, context: ContextKey, *, states: Iterable[ExecutionState] | None = None
    ) -> set[int]:
        with self._reading() as connection:
            return queries.execution_ids(connection, context, states)

    def get_made_artifacts(
        self, *, context: ContextKey, states: Iterable[ArtifactState]
    ) -> list[MadeArtifact]:
        with self._reading() as connection:
            return queries.made_artifacts(connection, context, states)

    def get_artifact_uris(self, *, states: Iterable[ArtifactState]) -> dict[int, str]:
        with self._reading() as connection:
            return queries.artifact_uris(connection, states)

    def get_events(
        self,
        *,
        execution_ids: Iterable[int] | None = None,
        artifact_ids: Iterable[int] | None = None,
    ) -> list[EventRecord]:
        with self._reading() as connection:
            return queries.find_events(
                connection, execution_ids=execution_ids, artifact_ids=artifact_ids
            )

    def get_attachments(self, name: str, execution_ids: Iterable[int]) -> dict[int, Any]:
        with self._reading() as connection:
            return queries.find_attachments(connection, name, execution_ids)

    def get_run(self, run_id: str) -> RunRecord | None:
        with self._reading() as connection:
            return run_rows.by_run_id(connection, run_id)

    def get_runs(
        self,
        *,
        pipeline: str | None = None,
        id_prefix: str | None = None,
        with_deleted: bool = False,
        limit: int | None = None,
        on_damaged: OnDamaged | None = None,
    ) -> list[RunRecord]:
        with self._reading() as connection:
            return run_rows.find(
                connection,
                pipeline=pipeline,
                id_prefix=id_prefix,
                with_deleted=with_deleted,
                limit=limit,
                on_damaged=on_damaged,
            )

    def get_context(self, key: ContextKey) -> ContextRecord | None:
        with self._reading() as connection:
            return queries.context_by_key(connection, key)

    def get_contexts(
        self,
        *,
        type_name: str | None = None,
        execution_id: int | None = None,
        within: ContextKey | None = None,
        limit: int | None = None,
        on_damaged: OnDamaged | None = None,
    ) -> list[ContextRecord]:
        with self._reading() as connection:
            return queries.find_contexts(
                connection,
                type_name=type_name,
                execution_id=execution_id,
                within=within,
                limit=limit,
                on_damaged=on_damaged,
            )

    def close(self) -> None:
        # In a forked process the connections are the parent's to close.
        if not self._closed and os.getpid() == self._process:
            self._backend.close()
        self._closed = True

    # Transactions

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Connection]:
        self._check_usable()
        with self._explained_errors(), self._backend.reading() as connection:
            yield connection

    @contextlib.contextmanager
    def _writing(self, *, reveals_ids: bool = False) -> Iterator[WriteTransaction]:
        """A write transaction; one that `reveals_ids` before it is committed never reuses them."""
        self._check_usable()
        with self._explained_errors(), self._backend.writing() as (connection, now):
            transaction = WriteTransaction(connection, self._known, now)
            with (
                self._backend.spending_ids(connection) if reveals_ids else contextlib.nullcontext()
            ):
                yield transaction
        self._known.update(transaction.learned)

    @contextlib.contextmanager
    def _explained_errors(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise self._backend.explain(error) from error

    def _check_usable(self) -> None:
        if self._closed:
            raise MetadataError(
                f"The metadata store {self._backend.location} has been closed. Open it again."
            )
        if os.getpid() != self._process:
            raise MetadataError(
                f"The metadata store {self._backend.location} was opened in process "
                f"{self._process} and carried into process {os.getpid()} by a fork. Open it again "
                "in the new process."
            )


def _backend(url: str, *, must_write: bool) -> Backend:
    """What is special to the database at the URL; the code for the others is not imported."""
    if is_sqlite(url):
        from trainwright.metadata.sqlite_backend import SqliteBackend

        return SqliteBackend(url, must_write=must_write)
    if is_postgres(url):
        from trainwright.metadata.postgres_backend import PostgresBackend

        return PostgresBackend(url)
    raise unknown_database(url)


def _insert_pending(
    transaction: WriteTransaction, outputs: ArtifactLists
) -> dict[str, list[ArtifactRecord]]:
    for record in _flatten(outputs):
        if record.id is not None:
            raise ValueError(
                f"Artifact {record.id} exists already and cannot be a pending output. The outputs "
                "of a new execution are new artifacts, without an id."
            )
    return {
        key: [transaction.insert_artifact(record, ArtifactState.PENDING) for record in records]
        for key, records in outputs.items()
    }


def _publish(
    transaction: WriteTransaction, outputs: ArtifactLists, pending: Mapping[int, ArtifactRecord]
) -> dict[str, list[ArtifactRecord]]:
    given = {record.id for record in _flatten(outputs) if record.id is not None}
    current = dict(pending)
    if given - pending.keys():
        queries.require_usable_artifacts(transaction.connection, given - pending.keys())
        others = queries.find_artifacts(transaction.connection, ids=given - pending.keys())
        current.update(_by_id(others))

    def publish(record: ArtifactRecord) -> ArtifactRecord:
        if record.id is None:
            return transaction.insert_artifact(record, ArtifactState.LIVE)
        return transaction.update_artifact(record, current[record.id], ArtifactState.LIVE)

    return {key: [publish(record) for record in records] for key, records in outputs.items()}


def _flatten(by_key: Mapping[str, Sequence[_T]]) -> list[_T]:
    return [item for items in by_key.values() for item in items]


def _ids(by_key: ArtifactLists) -> dict[str, list[int]]:
    return {key: [stored_id(record) for record in records] for key, records in by_key.items()}


def _by_id(records: Iterable[ArtifactRecord]) -> dict[int, ArtifactRecord]:
    return {stored_id(record): record for record in records}
