"""The contract of a metadata store. `trainwright.testing.store_contract` holds it as tests."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable, Mapping, Sequence

from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    ContextKey,
    ContextRecord,
    EventRecord,
    ExecutionRecord,
    ExecutionState,
    Lease,
    Properties,
    TypeRecord,
)

ArtifactIds = Mapping[str, Sequence[int]]
ArtifactLists = Mapping[str, Sequence[ArtifactRecord]]


class MetadataError(RuntimeError):
    """The store cannot do what was asked of it; the message says what to do."""


class ExecutionNotRunningError(MetadataError):
    """An execution that is no longer RUNNING was to be published or failed."""


class MetadataStore(abc.ABC):
    """What was made, by what, from what. Every backend keeps these promises:

    - Atomic: each method is one transaction. After a crash at any point either all of it is there
      or nothing. No reader sees half of it.
    - Concurrent: any number of processes may use the same store at once; each opens its own object
      (an object must not be carried across a fork). A method waits for its turn instead of failing
      with a lock error. One object may be used by several threads.
    - Durable: a change is on disk, as far as the operating system tells the truth, when the method
      that made it returns.
    - Ids are positive, unique per kind of record, increasing in the order of creation and never
      used twice, also after a failed transaction or a deletion.
    - Types and contexts are created by their first mention. A type mentioned again with another
      set of properties gains the new ones; a property that changes its kind raises MetadataError.
      So it is with the base type: a type may gain one, but not change it.
    - Records are copies: changing one changes nothing in the store.
    - Properties come back as they were given, NaN and infinities included; one that JSON cannot
      hold raises TypeError that names it.
    - What does not exist raises KeyError with its id or key, except where a method says otherwise.
    - `created_at` and `updated_at` are seconds since the epoch, set by the store.
    """

    # Writing: the life of an execution

    @abc.abstractmethod
    def register_execution(
        self,
        execution_type: TypeRecord,
        *,
        contexts: Iterable[ContextKey],
        inputs: ArtifactIds,
        pending_outputs: Callable[[int], ArtifactLists],
        custom_properties: Properties,
        lease: Lease,
    ) -> tuple[ExecutionRecord, dict[str, list[ArtifactRecord]]]:
        """Writes a RUNNING execution with its INPUT events and its outputs as PENDING artifacts.

        `pending_outputs` gets the new execution's id (URIs contain it) and returns the outputs by
        key; they come back with their ids. It must not touch the store. Every output gets a
        PENDING_OUTPUT event. The execution and its inputs and outputs belong to all `contexts`.
        Raises KeyError if an input does not exist, ValueError if an output has an id already.
        """

    @abc.abstractmethod
    def publish_execution(
        self, execution_id: int, *, outputs: ArtifactLists, custom_properties: Properties
    ) -> dict[str, list[ArtifactRecord]]:
        """Makes a RUNNING execution COMPLETE and its outputs LIVE, with OUTPUT events.

        Outputs that have an id are updated (uri, name, properties, custom properties), those
        without are new; both come back with their ids and belong to the execution's contexts.
        The OUTPUT event of a pending output takes the place of its PENDING_OUTPUT event. Pending
        outputs that are not among `outputs` become ABANDONED and keep theirs. `custom_properties`
        are added to the execution's. The lease is dropped. Raises ExecutionNotRunningError if the
        execution is not RUNNING, ValueError if an output is of another type than the stored one.
        """

    @abc.abstractmethod
    def fail_execution(
        self, execution_id: int, *, state: ExecutionState, custom_properties: Properties
    ) -> list[ArtifactRecord]:
        """Ends a RUNNING execution as FAILED or CANCELED; its pending outputs become ABANDONED.

        Returns those outputs, so that the caller can sweep their files. `custom_properties` are
        added to the execution's. The lease is dropped. Raises ExecutionNotRunningError if the
        execution is not RUNNING, ValueError for any other state.
        """

    @abc.abstractmethod
    def record_finished_execution(
        self,
        execution_type: TypeRecord,
        *,
        state: ExecutionState,
        contexts: Iterable[ContextKey],
        inputs: ArtifactIds,
        outputs: ArtifactIds,
        custom_properties: Properties,
    ) -> ExecutionRecord:
        """Writes an execution that is over at once: a CACHED one, or one that never started.

        `outputs` are existing artifacts; they get OUTPUT events. The execution and its inputs and
        outputs belong to all `contexts`. Raises ValueError if `state` is not final, KeyError if an
        artifact does not exist.
        """

    @abc.abstractmethod
    def heartbeat(self, execution_ids: Iterable[int], at: float) -> set[int]:
        """Sets the lease's heartbeat of those executions that are RUNNING; returns their ids."""

    @abc.abstractmethod
    def put_context(self, key: ContextKey, custom_properties: Properties) -> ContextRecord:
        """Creates the context or adds to its custom properties."""

    @abc.abstractmethod
    def set_artifact_state(self, artifact_ids: Iterable[int], state: ArtifactState) -> None:
        """Sets the state of existing artifacts, all or none."""

    # Reading

    @abc.abstractmethod
    def get_execution(self, execution_id: int) -> ExecutionRecord: ...

    @abc.abstractmethod
    def get_executions(
        self,
        *,
        context: ContextKey | None = None,
        states: Iterable[ExecutionState] | None = None,
        limit: int | None = None,
    ) -> list[ExecutionRecord]:
        """Executions, newest first. An unknown context has none."""

    @abc.abstractmethod
    def get_artifacts(
        self,
        *,
        ids: Iterable[int] | None = None,
        context: ContextKey | None = None,
        type_name: str | None = None,
        uri: str | None = None,
        states: Iterable[ArtifactState] | None = None,
        limit: int | None = None,
    ) -> list[ArtifactRecord]:
        """Artifacts for which every given condition holds, newest first.

        An unknown context, type or uri has none. Raises KeyError if `ids` names one that does not
        exist.
        """

    @abc.abstractmethod
    def get_events(
        self,
        *,
        execution_ids: Iterable[int] | None = None,
        artifact_ids: Iterable[int] | None = None,
    ) -> list[EventRecord]:
        """Events of those executions or artifacts, ordered by execution, type, key and index.

        Given both, the events between those executions and those artifacts; given neither, all.
        Types are in the order of `EventType`.
        """

    @abc.abstractmethod
    def get_context(self, key: ContextKey) -> ContextRecord | None:
        """The context, or None."""

    @abc.abstractmethod
    def get_contexts(
        self,
        *,
        type_name: str | None = None,
        execution_id: int | None = None,
        within: ContextKey | None = None,
        limit: int | None = None,
    ) -> list[ContextRecord]:
        """Contexts for which every given condition holds, newest first.

        `within` keeps the contexts that share an execution with the given one, itself included;
        with an unknown context none does.
        """

    @abc.abstractmethod
    def close(self) -> None:
        """Frees connections; may be called twice. The object cannot be used afterwards."""

    def __enter__(self) -> MetadataStore:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()
