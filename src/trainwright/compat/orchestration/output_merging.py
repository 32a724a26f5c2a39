"""The outputs of an execution, as they were planned and as its executor gives them back."""

from __future__ import annotations

import copy
import logging
import os
from collections.abc import Mapping, Sequence

from trainwright.compat.orchestration.node_outputs import RESOLVED_AT_RUNTIME
from trainwright.compat.utils.typing_utils import ArtifactMultiDict, ArtifactMultiMap
from trainwright.proto.mlmd import metadata_store_pb2
from trainwright.types.artifact import Artifact

_Messages = Sequence[metadata_store_pb2.Artifact]

_logger = logging.getLogger(__name__)


def merge_updated_output_artifacts(
    original_output_artifacts: ArtifactMultiMap | None = None,
    updated_output_artifacts: Mapping[str, _Messages] | None = None,
) -> ArtifactMultiDict:
    """The outputs to publish; the arguments stay as they are.

    Args:
        original_output_artifacts: What was planned before the execution.
        updated_output_artifacts: What the executor has changed. A key that it does not name stays
            as planned, less what was to be resolved at runtime.

    Raises:
        RuntimeError: The executor names another key, changes a type, or places several artifacts
            elsewhere than directly under the planned uri.
    """
    planned = {
        key: copy.deepcopy(list(own)) for key, own in (original_output_artifacts or {}).items()
    }
    if not updated_output_artifacts:
        return planned
    if not updated_output_artifacts.keys() <= planned.keys():
        raise RuntimeError(
            f"Executor output {updated_output_artifacts} contains more keys than output skeleton "
            f"{planned}."
        )
    return {
        key: _merged(group, updated_output_artifacts[key])
        if key in updated_output_artifacts
        else [one for one in group if one.uri != RESOLVED_AT_RUNTIME]
        for key, group in planned.items()
    }


def _merged(planned: list[Artifact], updated: _Messages) -> list[Artifact]:
    template = copy.deepcopy(planned[0])
    template.mlmd_artifact.ClearField("id")
    by_uri = {artifact.uri: artifact for artifact in planned}
    merged = []
    for message in updated:
        if message.uri == RESOLVED_AT_RUNTIME:
            continue  # the executor has not written it
        original = by_uri.pop(message.uri, None) or copy.deepcopy(template)
        _check_update(message, original, is_one_of_many=len(updated) > 1)
        merged.append(_with_identity_of(original, message))
    return merged


def _check_update(
    message: metadata_store_pb2.Artifact, original: Artifact, is_one_of_many: bool
) -> None:
    has_types = original.mlmd_artifact.HasField("type_id") and message.HasField("type_id")
    if has_types and message.type_id != original.type_id:
        raise RuntimeError(
            "Executor output should not change artifact type "
            f"(original type_id={original.type_id}, new type_id={message.type_id})."
        )
    if original.is_external and original.uri == RESOLVED_AT_RUNTIME:
        return
    if is_one_of_many:
        if os.path.dirname(message.uri) != original.uri:
            raise RuntimeError(
                "When there are multiple artifacts to publish, their URIs should be direct "
                "sub-directories of the URI of the system generated artifact. "
                f"Got {message.uri}, expected a directory in {original.uri}."
            )
    elif message.uri != original.uri:
        _logger.warning(
            "An executor has changed the uri of its output from %s to %s.",
            original.uri,
            message.uri,
        )


def _with_identity_of(original: Artifact, message: metadata_store_pb2.Artifact) -> Artifact:
    """The executor's artifact with the id, the type and the externality that were planned."""
    updated = Artifact(original.artifact_type)
    updated.set_mlmd_artifact(message)
    if original.mlmd_artifact.HasField("id"):
        updated.mlmd_artifact.id = original.mlmd_artifact.id
    else:
        updated.mlmd_artifact.ClearField("id")
    if original.artifact_type.HasField("id"):
        updated.type_id = original.artifact_type.id
    updated.is_external = original.is_external
    return updated
