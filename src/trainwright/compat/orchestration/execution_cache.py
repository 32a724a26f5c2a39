"""TFX's cache keys, which are contexts of a metadata store, and the outputs found under one."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf.message import Message

from trainwright.compat.mlmd.contexts import (
    CONTEXT_TYPE_EXECUTION_CACHE,
    register_context_if_not_exists,
)
from trainwright.compat.mlmd.execution_states import (
    is_execution_successful,
    sort_executions_newest_to_oldest,
)
from trainwright.compat.mlmd.executions import get_artifacts_dict
from trainwright.compat.mlmd.metadata import Metadata
from trainwright.dsl.io import fileio
from trainwright.proto.mlmd import metadata_store_pb2
from trainwright.proto.orchestration import pipeline_pb2
from trainwright.types import artifact_utils
from trainwright.types.artifact import Artifact

_Artifacts = Mapping[str, Sequence[Artifact]]


def get_cache_context(
    metadata_handle: Metadata,
    pipeline_node: pipeline_pb2.PipelineNode,
    pipeline_info: pipeline_pb2.PipelineInfo,
    executor_spec: Message | None = None,
    input_artifacts: _Artifacts | None = None,
    output_artifacts: _Artifacts | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> metadata_store_pb2.Context:
    """The context whose name is the cache key of an execution; it is stored if it is new.

    The key is made of the pipeline, the node, the executor, the inputs, the outputs (without uri
    and name), the parameters, and the text of the module file if there is one.
    """
    key = hashlib.sha256()
    messages: list[Message] = [pipeline_info, pipeline_node.node_info]
    if executor_spec:
        messages.append(executor_spec)
    for message in messages:
        key.update(_bytes_of(message))
    for name, artifacts in sorted((input_artifacts or {}).items()):
        key.update(name.encode())
        for artifact in artifacts:
            key.update(_bytes_of(artifact.mlmd_artifact))
    for name, artifacts in sorted((output_artifacts or {}).items()):
        key.update(name.encode())
        for artifact in artifacts:
            key.update(_bytes_of(_without_place(artifact).mlmd_artifact))
    for name, value in sorted((parameters or {}).items()):
        key.update(name.encode())
        key.update(str(value).encode())
    module_file = (parameters or {}).get("module_file")
    if module_file and fileio.exists(module_file):
        with fileio.open(module_file, "r") as file:
            key.update(file.read().encode())
    return register_context_if_not_exists(
        metadata_handle=metadata_handle,
        context_type_name=CONTEXT_TYPE_EXECUTION_CACHE,
        context_name=key.hexdigest(),
    )


def _bytes_of(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


def _without_place(artifact: Artifact) -> Artifact:
    copied = copy.deepcopy(artifact)
    copied.uri = ""
    copied.name = ""
    return copied


def get_cached_outputs(
    metadata_handle: Metadata, cache_context: metadata_store_pb2.Context
) -> dict[str, list[Artifact]] | None:
    """The outputs of the newest complete execution in a cache context whose files are all there.

    None if there is no such execution.
    """
    executions = metadata_handle.store.get_executions_by_context(cache_context.id)
    complete = [one for one in executions if is_execution_successful(one)]
    for execution in sort_executions_newest_to_oldest(complete):
        outputs = get_artifacts_dict(
            metadata_handle, execution.id, [metadata_store_pb2.Event.OUTPUT]
        )
        if _are_whole(outputs):
            return outputs
    return None


def _are_whole(outputs: Mapping[str, list[Artifact]]) -> bool:
    artifacts = [one for group in outputs.values() for one in group]
    if any(one.mlmd_artifact.state != metadata_store_pb2.Artifact.LIVE for one in artifacts):
        return False
    try:
        artifact_utils.verify_artifacts(artifacts)
    except RuntimeError:  # something has no uri, or nothing is there
        return False
    return True
