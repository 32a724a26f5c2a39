"""The one artifact that a list should hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from trainwright.types.artifact import Artifact

ArtifactT = TypeVar("ArtifactT", bound=Artifact)


def get_single_instance(artifact_list: Sequence[ArtifactT]) -> ArtifactT:
    """The artifact of a list of one, which is what most keys of an `input_dict` hold."""
    if len(artifact_list) != 1:
        raise ValueError(
            f"Expected exactly one artifact, got {len(artifact_list)}: {list(artifact_list)}."
        )
    return artifact_list[0]


def get_single_uri(artifact_list: Sequence[Artifact]) -> str:
    """The URI of the artifact of a list of one."""
    return get_single_instance(artifact_list).uri
