"""Where a pipeline's files lie below its root, as TFX lays them out."""

from __future__ import annotations

import os

from trainwright.types.artifact import Artifact
from trainwright.types.value_artifact import VALUE_FILE, ValueArtifact


def output_uri(
    root: str, node_id: str, key: str, execution_id: int, artifact_type: type[Artifact]
) -> str:
    """`<root>/<node>/<key>/<execution>`; a value artifact is the file `value` in there."""
    uri = os.path.join(root, node_id, key, str(execution_id))
    return os.path.join(uri, VALUE_FILE) if issubclass(artifact_type, ValueArtifact) else uri


def execution_directory(root: str, node_id: str, execution_id: int) -> str:
    """Where the executor's log and its temporary files are."""
    return os.path.join(root, node_id, ".system", "executor_execution", str(execution_id))


def log_path(root: str, node_id: str, execution_id: int) -> str:
    return os.path.join(execution_directory(root, node_id, execution_id), "executor.log")


def temporary_directory(root: str, node_id: str, execution_id: int) -> str:
    return os.path.join(execution_directory(root, node_id, execution_id), ".temp")
