"""Between artifacts, as executors see them, and records, as the store keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from trainwright.metadata.records import ArtifactRecord, ArtifactState, TypeRecord
from trainwright.types import artifact as artifact_lib
from trainwright.types.artifact import Artifact

_STATES = {
    ArtifactState.PENDING: artifact_lib.ArtifactState.PENDING,
    ArtifactState.LIVE: artifact_lib.ArtifactState.PUBLISHED,
    ArtifactState.MARKED_FOR_DELETION: artifact_lib.ArtifactState.MARKED_FOR_DELETION,
    ArtifactState.DELETED: artifact_lib.ArtifactState.DELETED,
    ArtifactState.ABANDONED: artifact_lib.ArtifactState.ABANDONED,
}


def artifact_type_record(artifact_type: type[Artifact]) -> TypeRecord:
    """What the store knows of an artifact class."""
    annotation = artifact_type.TYPE_ANNOTATION
    return TypeRecord(
        name=artifact_type.TYPE_NAME or "Artifact",
        base_type=annotation.__name__ if annotation else None,
        properties={
            name: declared.type.value
            for name, declared in artifact_type.declared_properties().items()
        },
    )


def from_record(record: ArtifactRecord, artifact_type: type[Artifact]) -> Artifact:
    artifact = artifact_type()
    artifact.id = record.id or 0
    artifact.uri = record.uri
    artifact.name = record.name or ""
    artifact.state = _STATES[record.state]
    artifact.properties.update(record.properties)
    artifact.custom_properties.update(record.custom_properties)
    return artifact


def ids_of(records: Mapping[str, Iterable[ArtifactRecord]]) -> dict[str, Sequence[int]]:
    """The ids of stored artifacts, by key."""
    return {
        key: [record.id for record in group if record.id is not None]
        for key, group in records.items()
    }
