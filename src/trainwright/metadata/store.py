"""The contract of a metadata store. `trainwright.testing.store_contract` holds it as tests."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from trainwright._errors import TrainwrightError
from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    ContextKey,
    ContextRecord,
    EventRecord,
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

ArtifactIds = Mapping[str, Sequence[int]]
ArtifactLists = Mapping[str, Sequence[ArtifactRecord]]

# Bulky facts about an execution by name, each of them anything that JSON can hold.
Attachments = Mapping[str, Any]
NO_ATTACHMENTS: Attachments = MappingProxyType({})

NO_SKIPPED: Mapping[str, str] = MappingProxyType({})

# How much of a damaged value an error shows.
_LONGEST_SHOWN = 80


class MetadataError(TrainwrightError, RuntimeError):
    """The store cannot do what was asked of it; the message says what to do."""


class StoreUnavailableError(MetadataError):
    """The database cannot be reached, or the connection to it was lost.

    A later call of the same object connects again and may succeed. Whether the call that raised it
    has changed anything is not known if the connection was lost in its last moment.
    """


class StoreNotFoundError(MetadataError):
    """There is no store at this address, and none was to be made."""


class ExecutionNotRunningError(MetadataError):
    """An execution that is no longer RUNNING was to be published or failed."""


class OvertakenError(MetadataError):
    """Another process has registered an execution that the caller had not seen."""


class ArtifactDeletedError(MetadataError):
    """An artifact that is deleted, or is about to be, was to be used."""

    def __init__(self, artifact_id: int, message: str) -> None:
        super().__init__(message)
        self.artifact_id = artifact_id


class DamagedRecordError(MetadataError):
    """A row of the store holds what nobody could have written through this interface."""

    def __init__(self, row: str, column: str, found: object, expected: str) -> None:
        shown = repr(found)
        shown = shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}..."
        super().__init__(
            f"The metadata store is damaged: {row} has {column} {shown}, expected {expected}. "
            "Restore the store from a backup, or mend the row with a tool of the database."
        )


OnDamaged = Callable[[DamagedRecordError], None]


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
    - A row that was damaged by other means than this interface raises DamagedRecordError that names
      it. A method that takes `on_damaged` tells that instead, and goes on with the others.
    - What does not exist raises KeyError with its id or key, except where a method says otherwise.
    - All times are seconds since the epoch by the store's clock, which `now` tells: one clock for
      all hosts that share the store. The store sets `created_at`, `updated_at`, the times of a
      run, the time of an event and the heartbeat of a lease.
    - An execution may have attachments: bulky facts that are read only when they are asked for by
      name. A method that takes `attachments` adds them to the execution's; a name given again
      replaces its content. One that JSON cannot hold raises TypeError that names it.
    """

    @property
    def is_read_only(self) -> bool:
        """Whether it was opened without write access; then what writes raises MetadataError."""
        return False

    @property
    @abc.abstractmethod
    def location(self) -> str:
        """Where it is: the absolute path of its file, or its URL without secrets."""

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
        attachments: Attachments = NO_ATTACHMENTS,
        last_seen: tuple[ContextKey, int] | None = None,
    ) -> tuple[ExecutionRecord, dict[str, list[ArtifactRecord]]]:
        """Writes a RUNNING execution with its INPUT events and its outputs as PENDING artifacts.

        `pending_outputs` gets the new execution's id (URIs contain it) and returns the outputs by
        key; they come back with their ids. It must not touch the store. Every output gets a
        PENDING_OUTPUT event. The execution and its inputs and outputs belong to all `contexts`.
        The lease's heartbeat is set to the store's time.

        `last_seen` is a context and the highest id (0 for none) of the executions that the caller
        has seen in it: if the context holds a later one that runs or is complete, OvertakenError is
        raised and nothing is written. Of several processes that register with the same `last_seen`,
        one wins.

        Raises KeyError if an input does not exist, ArtifactDeletedError if one is deleted or marked
        for deletion, ValueError if an output has an id already.
        """

    @abc.abstractmethod
    def publish_execution(
        self,
        execution_id: int,
        *,
        outputs: ArtifactLists,
        custom_properties: Properties,
        attachments: Attachments = NO_ATTACHMENTS,
    ) -> dict[str, list[ArtifactRecord]]:
        """Makes a RUNNING execution COMPLETE and its outputs LIVE, with OUTPUT events.

        Outputs that have an id are updated (uri, name, properties, custom properties), those
        without are new; both come back with their ids and belong to the execution's contexts.
        The OUTPUT event of a pending output takes the place of its PENDING_OUTPUT event. Pending
        outputs that are not among `outputs` become ABANDONED and keep theirs. `custom_properties`
        are added to the execution's. The lease is dropped. Raises ExecutionNotRunningError if the
        execution is not RUNNING, ValueError if an output is of another type than the stored one,
        ArtifactDeletedError if an artifact of another execution is deleted or marked for deletion.
        """

    @abc.abstractmethod
    def fail_execution(
        self,
        execution_id: int,
        *,
        state: ExecutionState,
        custom_properties: Properties,
        attachments: Attachments = NO_ATTACHMENTS,
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
        attachments: Attachments = NO_ATTACHMENTS,
    ) -> ExecutionRecord:
        """Writes an execution that is over at once: a CACHED one, or one that never started.

        `outputs` are existing artifacts; they get OUTPUT events. The execution and its inputs and
        outputs belong to all `contexts`. Raises ValueError if `state` is not final, KeyError if an
        artifact does not exist, ArtifactDeletedError if one is deleted or marked for deletion.
        """

    @abc.abstractmethod
    def heartbeat(self, execution_ids: Iterable[int]) -> set[int]:
        """Says that those executions which are RUNNING are alive now; returns their ids."""

    @abc.abstractmethod
    def put_context(self, key: ContextKey, custom_properties: Properties) -> ContextRecord:
        """Creates the context or adds to its custom properties."""

    @abc.abstractmethod
    def set_artifact_state(self, artifact_ids: Iterable[int], state: ArtifactState) -> None:
        """Sets the state of existing artifacts, all or none."""

    @abc.abstractmethod
    def mark_for_deletion(self, artifact_ids: Iterable[int], *, last_execution_id: int) -> set[int]:
        """Marks those artifacts that nothing has begun to use since the caller looked.

        These are the LIVE and ABANDONED ones that no execution with an id greater than
        `last_execution_id` touches by an event. Returns the ids of those that are
        MARKED_FOR_DELETION now, the ones that were before included. From then on no execution can
        begin to use them, so that their files can be removed.
        """

    # Writing: the life of a run

    @abc.abstractmethod
    def register_run(
        self, run_id: str, *, pipeline: str, root: str, nodes: Sequence[RunNode], lease: Lease
    ) -> RunRecord:
        """Writes a RUNNING run, whose context of type "pipeline_run" is created with it.

        The lease's heartbeat is set to the store's time. The custom properties of the context
        repeat what the run says of itself, now and after every `update_run`, for readers of ML
        Metadata. Raises ValueError if a run of this id was registered before, or a node is given
        twice.

        A context of that type that another method creates is a run, too: one in state UNKNOWN,
        without a pipeline, which may be registered later.
        """

    @abc.abstractmethod
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
        """Adds to what is known of a run, and returns it; what is not given stays as it is.

        Args:
            run_id: The run.
            state: What became of it. A state other than RUNNING sets `ended_at`.
            skipped: Nodes that conditions keep from running, with the reason of each.
            is_alive: Sets the heartbeat of its lease.
            cancel: Asks it to stop; `cancel_requested_at` stays what the first request has set.
            delete: Leaves it out of the history. Its context and its executions stay.

        Raises KeyError if there is no such run, or no such node in it.
        """

    # Reading

    @abc.abstractmethod
    def now(self) -> float:
        """The store's clock, in seconds since the epoch: one for all hosts that share the store."""

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
        on_damaged: OnDamaged | None = None,
    ) -> list[ArtifactRecord]:
        """Artifacts for which every given condition holds, newest first.

        An unknown context, type or uri has none. Raises KeyError if `ids` names one that does not
        exist.
        """

    @abc.abstractmethod
    def get_execution_ids(
        self, context: ContextKey, *, states: Iterable[ExecutionState] | None = None
    ) -> set[int]:
        """The ids of the executions in a context, of those in some states; an unknown one has
        none. If states are asked for, an execution without a known one is a damaged row."""

    @abc.abstractmethod
    def get_made_artifacts(
        self, *, context: ContextKey, states: Iterable[ArtifactState]
    ) -> list[MadeArtifact]:
        """The artifacts of a context in these states that an execution made or is making, each
        with the first one that did, newest artifact first. An unknown context has none."""

    @abc.abstractmethod
    def get_artifact_uris(self, *, states: Iterable[ArtifactState]) -> dict[int, str]:
        """The uris of all artifacts in these states, by artifact id."""

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
    def get_attachments(self, name: str, execution_ids: Iterable[int]) -> dict[int, Any]:
        """The attachment of that name of each of the executions that has one, by execution id."""

    @abc.abstractmethod
    def get_run(self, run_id: str) -> RunRecord | None:
        """The run, also one that was deleted from the history; None if there is none."""

    @abc.abstractmethod
    def get_runs(
        self,
        *,
        pipeline: str | None = None,
        id_prefix: str | None = None,
        with_deleted: bool = False,
        limit: int | None = None,
        on_damaged: OnDamaged | None = None,
    ) -> list[RunRecord]:
        """Runs for which every given condition holds, newest first.

        The newest run is the one whose context was created last. What `limit` runs cost does not
        depend on how many there are, unless most of them were deleted or `id_prefix` is given.
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
        on_damaged: OnDamaged | None = None,
    ) -> list[ContextRecord]:
        """Contexts for which every given condition holds, newest first.

        `within` keeps those that share an execution with the given context, itself included; with
        an unknown context none does.
        """

    @abc.abstractmethod
    def close(self) -> None:
        """Frees connections; may be called twice. The object cannot be used afterwards."""

    def __enter__(self) -> MetadataStore:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()
