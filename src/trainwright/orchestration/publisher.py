"""The publisher: makes a finished node's outputs visible, and clears up after a failed one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from typing import Any

from trainwright.metadata.internal_properties import ERROR, RESULT
from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    EventType,
    ExecutionState,
    TypeRecord,
)
from trainwright.metadata.store import ExecutionNotRunningError, MetadataStore
from trainwright.orchestration import layout
from trainwright.orchestration.published_outputs import Records, outputs_of
from trainwright.orchestration.result_file import discard_unfinished
from trainwright.types import standard_artifacts

# The files of a training run are worth keeping when the training fails.
_KEPT_TYPES = {
    artifact_type.TYPE_NAME
    for artifact_type in standard_artifacts.STANDARD_ARTIFACTS
    if artifact_type.KEPT_ON_FAILURE
}


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
        try:
            return self.store.publish_execution(
                execution_id,
                outputs=outputs,
                custom_properties={},
                attachments={RESULT: _attached(result)},
            )
        except ExecutionNotRunningError:
            if self._is_published(execution_id, result):
                return outputs_of(self.store, execution_id)
            raise

    def _is_published(self, execution_id: int, result: Mapping[str, Any]) -> bool:
        """Whether this very result is there: the answer to the first attempt was lost, or a run
        that took this one for dead has published what it had finished."""
        state = self.store.get_execution(execution_id).state
        attached = self.store.get_attachments(RESULT, [execution_id])
        return state is ExecutionState.COMPLETE and attached.get(execution_id) == _attached(result)

    def fail(self, node_id: str, execution_id: int, error: str, state: ExecutionState) -> list[str]:
        """FAILED or CANCELED; removes what was being made, except what is worth keeping.

        The files go first, so that a disk which they filled takes the news. So the caller must be
        sure that nobody is at work on them, or can publish them, any more. Returns the directories
        that were kept.
        """
        kept = _remove_files(self._pending_outputs(execution_id))
        self.fail_dead(node_id, execution_id, error, state)
        return kept

    def fail_dead(self, node_id: str, execution_id: int, error: str, state: ExecutionState) -> None:
        """Like `fail`, for an execution of another run that may not be dead after all: nothing
        that it could publish is removed before the store says that it cannot."""
        # Before the store says so: afterwards nobody would look for them again.
        shutil.rmtree(
            layout.temporary_directory(self.root, node_id, execution_id), ignore_errors=True
        )
        discard_unfinished(layout.result_path(self.root, node_id, execution_id))
        try:
            abandoned = self.store.fail_execution(
                execution_id, state=state, custom_properties={ERROR: error}
            )
        except ExecutionNotRunningError:
            execution = self.store.get_execution(execution_id)
            if (execution.state, execution.custom_properties.get(ERROR)) != (state, error):
                raise
            # The answer to the first attempt was lost; the next run sweeps what it left.
            return
        self.sweep(abandoned)

    def sweep(self, abandoned: Iterable[ArtifactRecord]) -> None:
        """Removes the files of outputs that were never published, except those worth keeping."""
        records = list(abandoned)
        kept = _remove_files(records)
        removed = [
            record.id
            for record in records
            if record.id is not None
            and record.uri not in kept
            and not os.path.lexists(layout.output_directory(record.uri))
        ]
        if removed:
            self.store.set_artifact_state(removed, ArtifactState.DELETED)

    def _pending_outputs(self, execution_id: int) -> list[ArtifactRecord]:
        pending = {
            event.artifact_id
            for event in self.store.get_events(execution_ids=[execution_id])
            if event.type is EventType.PENDING_OUTPUT
        }
        return self.store.get_artifacts(ids=pending, states=[ArtifactState.PENDING])


def _remove_files(records: Iterable[ArtifactRecord]) -> list[str]:
    """Removes the files of these outputs; returns the directories that are worth keeping."""
    kept = []
    for record in records:
        if record.type.name in _KEPT_TYPES and _has_files(record.uri):
            kept.append(record.uri)
        else:
            shutil.rmtree(layout.output_directory(record.uri), ignore_errors=True)
    return kept


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


def _has_files(path: str) -> bool:
    return os.path.isdir(path) and any(files for _, _, files in os.walk(path))
