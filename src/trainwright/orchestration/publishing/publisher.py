"""The publisher: makes a finished node's outputs visible, and clears up after a failed one."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trainwright.metadata import contexts
from trainwright.metadata.internal_properties import ERROR, KEPT_OUTPUTS, NODE_ID, PROGRESS, RESULT
from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    EventRecord,
    EventType,
    ExecutionRecord,
    ExecutionState,
    TypeRecord,
)
from trainwright.metadata.store import (
    NO_ATTACHMENTS,
    ExecutionNotRunningError,
    MetadataStore,
)
from trainwright.orchestration.publishing import layout, places
from trainwright.orchestration.publishing.claims import Claims
from trainwright.orchestration.publishing.published_outputs import Records, outputs_of
from trainwright.orchestration.publishing.reserved_directories import (
    OccupiedPaths,
    ReservedDirectories,
    remove_directory,
)
from trainwright.orchestration.publishing.result_file import discard_unfinished
from trainwright.storage.errors import StorageError
from trainwright.types import standard_artifacts

# Executions in these states have not done the work.
_UNDONE = (ExecutionState.RUNNING, ExecutionState.FAILED, ExecutionState.CANCELED)

# How many failed attempts at the same work are looked at for what they have left.
_ATTEMPTS = 10

# Executions of older versions do not say which of their outputs are worth keeping.
_KEPT_TYPES = {
    artifact_type.TYPE_NAME
    for artifact_type in standard_artifacts.STANDARD_ARTIFACTS
    if artifact_type.KEPT_ON_FAILURE
}


@dataclass(frozen=True, kw_only=True)
class EarlierAttempts:
    """What failed attempts at a piece of work have left for the next one.

    Args:
        outputs: The directories of outputs that are kept on failure, by key, the latest first.
        state: The directory with the state of the latest attempt that has any; empty if none has.
    """

    outputs: dict[str, list[str]]
    state: str


class UnpublishableResultError(ValueError):
    """A result that the node's own worker would not have sent or written."""


class Publisher:
    """Ends executions, in the store and on disk.

    A process can die between any two of its steps: what the store says comes before what is done
    to files that others may see, and each step can be taken again.
    """

    def __init__(self, store: MetadataStore, pipeline_root: str) -> None:
        self.store = store
        self.root = pipeline_root

    def publish(
        self, execution_id: int, output_types: Mapping[str, TypeRecord], result: Mapping[str, Any]
    ) -> Records:
        """COMPLETE with LIVE outputs, in one transaction; before it nobody sees them.

        Raises UnpublishableResultError if the result is not one of this execution.
        """
        if result["outputs"].keys() != output_types.keys():
            raise UnpublishableResultError(
                f"the node's result has the outputs {sorted(result['outputs'])}; expected "
                f"{sorted(output_types)}. User code wrote into the way to the runner, or changed "
                "the result's file."
            )
        outputs = {
            key: [_output_record(encoded, output_types[key]) for encoded in encoded_artifacts]
            for key, encoded_artifacts in result["outputs"].items()
        }
        self._check_ids(execution_id, outputs)
        try:
            return self.store.publish_execution(
                execution_id,
                outputs=outputs,
                custom_properties={},
                attachments={RESULT: _attached(result), PROGRESS: result.get("progress", {})},
            )
        except ExecutionNotRunningError:
            if self._is_published(execution_id, result):
                return outputs_of(self.store, execution_id)
            raise

    def _check_ids(self, execution_id: int, outputs: Records) -> None:
        """Publishing an artifact that has an id writes over it: it must be this execution's own,
        or an input that is passed on as it is."""
        given = {
            record.id: record.uri for group in outputs.values() for record in group if record.id
        }
        events = self.store.get_events(execution_ids=[execution_id]) if given else []
        made = (EventType.OUTPUT, EventType.PENDING_OUTPUT)
        own = {event.artifact_id for event in events if event.type in made}
        foreign = given.keys() - own
        inputs = {event.artifact_id for event in events if event.type is EventType.INPUT}
        known = self.store.get_artifacts(ids=foreign & inputs) if foreign & inputs else []
        passed_on = {record.id for record in known if (record.id, record.uri) in given.items()}
        for artifact_id in sorted(foreign - passed_on):
            raise UnpublishableResultError(
                f"the node's result has artifact {artifact_id} at {given[artifact_id]} among "
                "its outputs, which is another node's. An executor may change the uri and the "
                "properties of an output, but not its id."
            )

    def directory_of(self, node_id: str, execution_id: int) -> str | None:
        """Where the result and the temporary files of an execution are; None if nothing of it was
        made, or what has its number is another store's."""
        claims = Claims(self.store, ReservedDirectories())
        return claims.directory_of(self.root, node_id, execution_id)

    def find_stray_output(
        self, execution: ExecutionRecord, result: Mapping[str, Any]
    ) -> str | None:
        """A uri in a result that is not in a directory reserved for that very output; or None."""
        reserved = ReservedDirectories()

        def directory(uri: str, key: str) -> str | None:
            node_id = execution.custom_properties.get(NODE_ID, "")
            return reserved.find(
                uri, root=self.root, node_id=node_id, key=key, execution_id=execution.id
            )

        own = {
            directory(record.uri, event.key)
            for record, event, _ in self._with_makers(self._pending_outputs(execution.id))
        }
        for key, encoded_artifacts in result["outputs"].items():
            for encoded in encoded_artifacts:
                place = directory(encoded["uri"], key)
                if place is None or place not in own:
                    return str(encoded["uri"])
        return None

    def _is_published(self, execution_id: int, result: Mapping[str, Any]) -> bool:
        """Whether this very result is there: the answer to the first attempt was lost, or a run
        that took this one for dead has published what it had finished."""
        state = self.store.get_execution(execution_id).state
        attached = self.store.get_attachments(RESULT, [execution_id])
        return state is ExecutionState.COMPLETE and attached.get(execution_id) == _attached(result)

    def fail(
        self,
        node_id: str,
        execution_id: int,
        error: str,
        state: ExecutionState,
        progress: Mapping[str, Any] = NO_ATTACHMENTS,
    ) -> list[str]:
        """FAILED or CANCELED; removes what was being made, except what is worth keeping.

        The files go first, so that a disk which they filled takes the news. So the caller must be
        sure that nobody is at work on them, or can publish them, any more. Returns the directories
        that were kept. If they are in an object store that is away, the next run removes them.
        """
        kept: list[str] = []
        try:
            kept, _ = self._remove_files(self._pending_outputs(execution_id))
        except StorageError:
            self.fail_lost(execution_id, error, state, progress)
        else:
            self.fail_dead(node_id, execution_id, error, state, progress)
        return kept

    def fail_dead(
        self,
        node_id: str,
        execution_id: int,
        error: str,
        state: ExecutionState,
        progress: Mapping[str, Any] = NO_ATTACHMENTS,
    ) -> None:
        """Like `fail`, for an execution of another run that may not be dead after all: nothing
        that it could publish is removed before the store says that it cannot."""
        # Before the store says so: afterwards only what has outputs would be looked at again.
        with contextlib.suppress(StorageError):
            self._discard_temporary(node_id, execution_id)
        abandoned = self.fail_lost(execution_id, error, state, progress)
        with contextlib.suppress(StorageError):
            self.sweep(abandoned)

    def fail_lost(
        self,
        execution_id: int,
        error: str,
        state: ExecutionState = ExecutionState.FAILED,
        progress: Mapping[str, Any] = NO_ATTACHMENTS,
    ) -> list[ArtifactRecord]:
        """Like `fail`, for an execution whose process may wake up on a machine that is not heard
        of: what it has made cannot be published any more, and is removed by the next run."""
        try:
            return self.store.fail_execution(
                execution_id,
                state=state,
                custom_properties={ERROR: error},
                attachments={PROGRESS: dict(progress)} if progress else {},
            )
        except ExecutionNotRunningError:
            execution = self.store.get_execution(execution_id)
            if (execution.state, execution.custom_properties.get(ERROR)) != (state, error):
                raise
            # The answer to the first attempt was lost; the next run sweeps what it left.
            return []

    def sweep_lost(self, abandoned: Iterable[ArtifactRecord]) -> None:
        """Like `sweep`, of executions of earlier runs: also what `fail_lost` has left of them."""
        records = list(abandoned)
        for execution in {maker.id: maker for _, _, maker in self._with_makers(records)}.values():
            node_id = execution.custom_properties.get(NODE_ID, "")
            self._discard_temporary(node_id, execution.id)
        self.sweep(records)

    def _discard_temporary(self, node_id: str, execution_id: int) -> None:
        directory = self.directory_of(node_id, execution_id)
        if directory is not None:
            remove_directory(layout.temporary_directory(directory))
            discard_unfinished(layout.result_path(directory))

    def sweep(self, abandoned: Iterable[ArtifactRecord]) -> None:
        """Removes the files of outputs that were never published, except those worth keeping."""
        _, removed = self._remove_files(abandoned)
        if removed:
            self.store.set_artifact_state(removed, ArtifactState.DELETED)

    def _remove_files(self, records: Iterable[ArtifactRecord]) -> tuple[list[str], list[int]]:
        """Removes the directories that were reserved for these outputs, and made for them.

        Returns the uris of those that are worth keeping, and the ids of those that are gone.
        """
        kept: list[str] = []
        directories: dict[int, str] = {}
        for record, event, execution, directory in self._own_directories(records):
            if _is_worth_keeping(record, event, execution) and places.has_files(directory):
                kept.append(record.uri)
            else:
                directories[event.artifact_id] = directory
        occupied = self._living_paths(directories)
        removed = [
            artifact_id
            for artifact_id, directory in directories.items()
            if not occupied.touch(directory) and remove_directory(directory)
        ]
        return kept, removed

    def earlier_attempts(self, cache_key: str) -> EarlierAttempts:
        """What failed attempts at the same work have left; those from before it was last done have
        no use."""
        attempts = self.store.get_executions(
            context=contexts.cache_context(cache_key), limit=_ATTEMPTS
        )
        outputs: dict[str, list[str]] = {}
        state = ""
        for attempt in itertools.takewhile(lambda one: one.state in _UNDONE, attempts):
            records = self._unpublished_outputs(attempt.id, ArtifactState.ABANDONED)
            for record, event, execution, directory in self._own_directories(records):
                if _is_worth_keeping(record, event, execution) and places.has_files(directory):
                    outputs.setdefault(event.key, []).append(record.uri)
            state = state or self._state_of(attempt)
        return EarlierAttempts(outputs=outputs, state=state)

    def kept_places(self, execution: ExecutionRecord) -> dict[str, list[str]]:
        """Where the outputs of an unfinished execution belong that are worth keeping, by key."""
        places_by_key: dict[str, list[str]] = {}
        pending = self._pending_outputs(execution.id)
        for record, event, maker in self._with_makers(pending):
            if _is_worth_keeping(record, event, maker):
                place = layout.output_directory(record.uri)
                places_by_key.setdefault(event.key, []).append(place)
        return places_by_key

    def _state_of(self, attempt: ExecutionRecord) -> str:
        """The state that an attempt has left; none is taken from one that may be at work."""
        if attempt.state is ExecutionState.RUNNING:
            return ""
        directory = self.directory_of(attempt.custom_properties.get(NODE_ID, ""), attempt.id)
        state = layout.state_directory(directory) if directory is not None else ""
        return state if places.has_files(state) else ""

    def _own_directories(
        self, records: Iterable[ArtifactRecord]
    ) -> Iterator[tuple[ArtifactRecord, EventRecord, ExecutionRecord, str]]:
        """The outputs that lie in directories which were reserved and made for them, with these."""
        reserved = ReservedDirectories()
        claims = Claims(self.store, reserved)
        for record, event, execution in self._with_makers(records):
            node_id = execution.custom_properties.get(NODE_ID, "")
            directory = reserved.find(
                record.uri,
                root=self.root,
                node_id=node_id,
                key=event.key,
                execution_id=execution.id,
            )
            if directory is None:
                continue  # it lies in another root, or where we have put nothing
            leaf = os.path.basename(directory)
            if places.exists(directory) and claims.why_not_ours(
                self.root, node_id, leaf, execution.id
            ):
                continue  # another store has put something there
            yield record, event, execution, directory

    def _with_makers(
        self, records: Iterable[ArtifactRecord]
    ) -> Iterator[tuple[ArtifactRecord, EventRecord, ExecutionRecord]]:
        """The artifacts with the executions that were making them, and as what."""
        by_id = {record.id: record for record in records if record.id is not None}
        executions: dict[int, ExecutionRecord] = {}
        for event in self.store.get_events(artifact_ids=by_id) if by_id else ():
            if event.type is EventType.PENDING_OUTPUT:
                if event.execution_id not in executions:
                    executions[event.execution_id] = self.store.get_execution(event.execution_id)
                yield by_id[event.artifact_id], event, executions[event.execution_id]

    def _living_paths(self, directories: Mapping[int, str]) -> OccupiedPaths:
        """What others need; not asked for if there is nothing to remove, as in most runs."""
        if not any(map(places.exists, directories.values())):
            return OccupiedPaths([])
        uris = self.store.get_artifact_uris(states=[ArtifactState.LIVE, ArtifactState.PENDING])
        return OccupiedPaths(uri for id_, uri in uris.items() if id_ not in directories)

    def _pending_outputs(self, execution_id: int) -> list[ArtifactRecord]:
        return self._unpublished_outputs(execution_id, ArtifactState.PENDING)

    def _unpublished_outputs(self, execution_id: int, state: ArtifactState) -> list[ArtifactRecord]:
        unpublished = {
            event.artifact_id
            for event in self.store.get_events(execution_ids=[execution_id])
            if event.type is EventType.PENDING_OUTPUT
        }
        return self.store.get_artifacts(ids=unpublished, states=[state])


def discard_state(directory: str) -> None:
    """Removes the state of an execution whose result is published; nobody goes on from there."""
    # By the real path of what is around it: a link that user code has put there stays.
    remove_directory(layout.state_directory(places.real_path(directory)))


def describe_stray(result_path: str, uri: str) -> str:
    """Why a result that was found in its file is not published."""
    return (
        f"Its result in {result_path} names {uri}, which was not made for it, and is not "
        "published: anybody could have written that."
    )


def _is_worth_keeping(
    record: ArtifactRecord, event: EventRecord, execution: ExecutionRecord
) -> bool:
    kept = execution.custom_properties.get(KEPT_OUTPUTS, ())
    return event.key in kept or record.type.name in _KEPT_TYPES


def _attached(result: Mapping[str, Any]) -> dict[str, Any]:
    return {name: result[name] for name in ("manifests", "first_party_files")}


def _output_record(encoded: Mapping[str, Any], artifact_type: TypeRecord) -> ArtifactRecord:
    return ArtifactRecord(
        type=artifact_type,
        uri=encoded["uri"],
        id=encoded["id"] or None,
        name=encoded["name"] or None,
        properties=dict(encoded["properties"]),
        custom_properties=dict(encoded["custom_properties"]),
    )
