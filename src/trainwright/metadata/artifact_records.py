"""Between artifacts, as executors see them, and records, as the store keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from google.protobuf import any_pb2, json_format
from google.protobuf.message import Message

from trainwright.metadata.records import ArtifactRecord, ArtifactState, TypeRecord
from trainwright.proto import proto_json
from trainwright.types import artifact as artifact_lib
from trainwright.types.artifact import Artifact
from trainwright.types.property_values import read_value

if TYPE_CHECKING:
    from trainwright.proto.mlmd import metadata_store_pb2

_STATES = {
    ArtifactState.PENDING: artifact_lib.ArtifactState.PENDING,
    ArtifactState.LIVE: artifact_lib.ArtifactState.PUBLISHED,
    ArtifactState.MARKED_FOR_DELETION: artifact_lib.ArtifactState.MARKED_FOR_DELETION,
    ArtifactState.DELETED: artifact_lib.ArtifactState.DELETED,
    ArtifactState.ABANDONED: artifact_lib.ArtifactState.ABANDONED,
}

# The key of a message's type in its JSON form.
_MESSAGE_TYPE = "@type"


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
    if record.name:
        artifact.name = record.name
    artifact.state = _STATES[record.state]
    artifact.properties.update(_from_stored(record.properties))
    artifact.custom_properties.update(_from_stored(record.custom_properties))
    return artifact


def stored_content(artifact: Artifact) -> dict[str, Any]:
    """What the store keeps of an artifact, as JSON can hold it."""
    custom_properties = stored_properties(artifact.custom_properties)
    custom_properties.pop("name", None)  # TFX's copy of the name
    return {
        "id": artifact.id,
        "uri": artifact.uri,
        "name": artifact.name,
        "properties": stored_properties(artifact.properties),
        "custom_properties": custom_properties,
    }


def stored_properties(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Properties of artifacts as JSON can hold them."""
    return {name: _message_as_json(value) for name, value in properties.items()}


def _message_as_json(value: Any) -> Any:
    if not isinstance(value, Message):
        return value
    if value.DESCRIPTOR.full_name == "ml_metadata.Value":
        return _message_as_json(read_value(cast("metadata_store_pb2.Value", value)))
    packed = any_pb2.Any()
    packed.Pack(value)
    return json_format.MessageToDict(packed, preserving_proto_field_name=True)


def _from_stored(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _message_from_json(value) for name, value in properties.items()}


def _message_from_json(value: Any) -> Any:
    """A message that was stored as a property; one of a type that is not imported stays JSON."""
    if not (isinstance(value, dict) and _MESSAGE_TYPE in value):
        return value
    try:
        return proto_json.unpack_any(json_format.ParseDict(value, any_pb2.Any()))
    except (TypeError, json_format.ParseError):
        return value


def ids_of(records: Mapping[str, Iterable[ArtifactRecord]]) -> dict[str, Sequence[int]]:
    """The ids of stored artifacts, by key."""
    return {
        key: [record.id for record in group if record.id is not None]
        for key, group in records.items()
    }
