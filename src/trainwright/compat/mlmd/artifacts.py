"""Artifacts of a store, as executors get them."""

from __future__ import annotations

from collections.abc import Sequence

from trainwright.compat.mlmd.metadata import Metadata
from trainwright.compat.utils.typing_utils import ArtifactMultiMap
from trainwright.types import artifact_utils
from trainwright.types.artifact import Artifact


def get_artifacts_by_ids(
    metadata_handle: Metadata, artifact_ids: Sequence[int]
) -> Sequence[Artifact]:
    """The artifacts of these ids; ValueError if one of them is not stored."""
    messages, types = metadata_handle.store.get_artifacts_and_types_by_artifact_ids(artifact_ids)
    if len(messages) != len(artifact_ids):
        raise ValueError(f"Could not find all MLMD artifacts for ids: {artifact_ids}")
    types_by_id = {one.id: one for one in types}
    return [
        artifact_utils.deserialize_artifact(types_by_id[message.type_id], message)
        for message in messages
    ]


def update_artifacts(
    metadata_handle: Metadata,
    tfx_artifact_map: ArtifactMultiMap,
    new_artifact_state: str | None = None,
) -> None:
    """Stores what has changed of artifacts, which have an id, and their state if one is given."""
    messages = []
    for artifact in (one for group in tfx_artifact_map.values() for one in group):
        if not artifact.mlmd_artifact.HasField("id"):
            raise ValueError("Artifact must have an MLMD ID in order to be updated.")
        if new_artifact_state:
            artifact.state = new_artifact_state
        messages.append(artifact.mlmd_artifact)
    if messages:
        metadata_handle.store.put_artifacts(messages)
