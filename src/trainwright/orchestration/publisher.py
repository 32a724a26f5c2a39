"""The publisher: makes a finished node's outputs visible, and clears up after a failed one."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Mapping
from typing import Any

from trainwright.metadata import contexts
from trainwright.metadata.artifact_records import artifact_type_record
from trainwright.metadata.leases import is_alive
from trainwright.metadata.records import ArtifactRecord, ExecutionState
from trainwright.metadata.store import ExecutionNotRunningError, MetadataStore
from trainwright.orchestration import layout
from trainwright.orchestration.driver import ERROR, FIRST_PARTY_FILES, NODE_ID, Records, StartedNode
from trainwright.types import standard_artifacts

# The files of a training run are worth keeping when the training fails.
_KEPT_TYPES = {
    artifact_type.TYPE_NAME
    for artifact_type in standard_artifacts.STANDARD_ARTIFACTS
    if artifact_type.KEPT_ON_FAILURE
}


class Publisher:
    """Ends executions, in the store and on disk."""

    def __init__(self, store: MetadataStore, pipeline_root: str) -> None:
        self._store = store
        self._root = pipeline_root

    def publish(self, node_id: str, started: StartedNode, result: Mapping[str, Any]) -> Records:
        """COMPLETE with LIVE outputs, in one transaction; before it nobody sees them."""
        outputs = {
            key: [
                _output_record(encoded, type(started.output_dict[key][0]))
                for encoded in encoded_artifacts
            ]
            for key, encoded_artifacts in result["outputs"].items()
        }
        published = self._store.publish_execution(
            started.execution.id,
            outputs=outputs,
            custom_properties={FIRST_PARTY_FILES: result["first_party_files"]},
        )
        self._remove_temporary_files(node_id, started.execution.id)
        return published

    def fail(self, node_id: str, execution_id: int, error: str, state: ExecutionState) -> list[str]:
        """FAILED or CANCELED; removes what was being made, except what is worth keeping.

        Returns the directories that were kept.
        """
        abandoned = self._store.fail_execution(
            execution_id, state=state, custom_properties={ERROR: error}
        )
        self._remove_temporary_files(node_id, execution_id)
        return [record.uri for record in abandoned if not _sweep(record)]

    def recover(self, pipeline_name: str) -> list[int]:
        """Ends the executions that a dead runner left RUNNING; returns their ids."""
        running = self._store.get_executions(
            context=contexts.pipeline_context(pipeline_name), states=[ExecutionState.RUNNING]
        )
        recovered = []
        for execution in running:
            if is_alive(execution.lease):
                continue
            node_id = execution.custom_properties.get(NODE_ID, "")
            # Another runner may be clearing up at the same time.
            with contextlib.suppress(ExecutionNotRunningError):
                self.fail(
                    node_id,
                    execution.id,
                    "The process that ran the pipeline ended before this node was finished.",
                    ExecutionState.FAILED,
                )
                recovered.append(execution.id)
        return recovered

    def _remove_temporary_files(self, node_id: str, execution_id: int) -> None:
        path = layout.temporary_directory(self._root, node_id, execution_id)
        shutil.rmtree(path, ignore_errors=True)


def _output_record(encoded: Mapping[str, Any], artifact_type: type) -> ArtifactRecord:
    return ArtifactRecord(
        type=artifact_type_record(artifact_type),
        uri=encoded["uri"],
        id=encoded["id"] or None,
        name=encoded["name"] or None,
        properties=dict(encoded["properties"]),
        custom_properties=dict(encoded["custom_properties"]),
    )


def _sweep(record: ArtifactRecord) -> bool:
    """Removes the files of an output that was never published; False if they are kept."""
    if record.type.name in _KEPT_TYPES and _has_files(record.uri):
        return False
    shutil.rmtree(layout.output_directory(record.uri), ignore_errors=True)
    return True


def _has_files(path: str) -> bool:
    return os.path.isdir(path) and any(files for _, _, files in os.walk(path))
