"""Helpers for lists of artifacts."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from trainwright.types.artifact import Artifact

if TYPE_CHECKING:
    from trainwright.proto.mlmd import metadata_store_pb2

ArtifactT = TypeVar("ArtifactT", bound=Artifact)


def get_single_instance(artifact_list: Sequence[ArtifactT]) -> ArtifactT:
    """The artifact of a list of one, which is what most keys of an `input_dict` hold."""
    if len(artifact_list) != 1:
        held = ", ".join(artifact._brief() for artifact in artifact_list) or "it is empty"
        raise ValueError(f"expected list length of one but got {len(artifact_list)}: {held}.")
    return artifact_list[0]


def get_single_uri(artifact_list: Sequence[Artifact]) -> str:
    """The URI of the artifact of a list of one."""
    return get_single_instance(artifact_list).uri


def replicate_artifacts(source: ArtifactT, count: int) -> list[ArtifactT]:
    """Copies of an artifact at `<uri>/0`, `<uri>/1` and so on."""
    copies = []
    for index in range(count):
        replica = type(source)()
        replica.copy_from(source)
        replica.uri = os.path.join(source.uri, str(index))
        copies.append(replica)
    return copies


def deserialize_artifact(
    artifact_type: metadata_store_pb2.ArtifactType,
    artifact: metadata_store_pb2.Artifact | None = None,
) -> Artifact:
    """The artifact that two messages of a metadata store describe; an empty one without the second.

    Its class is the imported one that has the type's name and properties.
    """
    from trainwright.proto.mlmd import metadata_store_pb2

    message = metadata_store_pb2.Artifact() if artifact is None else artifact
    return deserialize_artifacts(artifact_type, [message])[0]


def deserialize_artifacts(
    artifact_type: metadata_store_pb2.ArtifactType,
    artifacts: Iterable[metadata_store_pb2.Artifact],
) -> list[Artifact]:
    """The artifacts of one type that messages of a metadata store describe."""
    from trainwright.proto.mlmd import metadata_store_pb2
    from trainwright.types.artifact_types import get_artifact_type_class

    messages = list(artifacts)
    if not isinstance(artifact_type, metadata_store_pb2.ArtifactType):
        raise ValueError(
            "Expected metadata_store_pb2.ArtifactType for artifact_type, got "
            f"{artifact_type} instead"
        )
    for message in messages:
        if not isinstance(message, metadata_store_pb2.Artifact):
            raise ValueError(
                f"Expected metadata_store_pb2.Artifact for artifact, got {message} instead"
            )
    made = []
    for message in messages:
        artifact = get_artifact_type_class(artifact_type)()
        artifact.artifact_type.CopyFrom(artifact_type)
        artifact.set_mlmd_artifact(message)
        made.append(artifact)
    return made


def verify_artifacts(
    artifacts: Mapping[str, Sequence[Artifact]] | Sequence[Artifact] | Artifact,
) -> None:
    """Raises RuntimeError if one of the artifacts has no URI, or nothing is there."""
    if isinstance(artifacts, Artifact):
        listed: Iterable[Artifact] = [artifacts]
    elif isinstance(artifacts, Mapping):
        listed = chain.from_iterable(artifacts.values())
    elif isinstance(artifacts, Sequence) and not isinstance(artifacts, (str, bytes)):
        listed = artifacts
    else:
        raise TypeError(
            f"Expected an artifact, a list of artifacts or a dict of such lists, got {artifacts!r}."
        )
    for artifact in listed:
        if not artifact.uri:
            raise RuntimeError(f"Artifact {artifact._brief()} does not have uri")
        if not os.path.exists(artifact.uri):
            raise RuntimeError(f"Artifact uri {artifact.uri} is missing")


def jsonify_artifact_dict(artifact_dict: Mapping[str, Sequence[Artifact]]) -> str:
    """A dict of lists of artifacts as JSON."""
    return json.dumps(
        {key: [one.to_json_dict() for one in group] for key, group in artifact_dict.items()}
    )


def parse_artifact_dict(json_str: str) -> dict[str, list[Artifact]]:
    """The inverse of `jsonify_artifact_dict`."""
    decoded = json.loads(json_str).items()
    return {key: [Artifact.from_json_dict(one) for one in group] for key, group in decoded}
