"""Outputs of a compiled node: artifacts with their paths, and the directories around them.

A node's directory is `<pipeline root>/<node id>`. In it are `<output key>/<execution id>` for each
artifact, and `.system` for what executions keep beside their outputs.
"""

from __future__ import annotations

import copy
import logging
import os
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from trainwright._version import TFX_VERSION
from trainwright.compat.mlmd.property_values import get_metadata_value
from trainwright.compat.orchestration.core_constants import STATEFUL_WORKING_DIR_INDEX
from trainwright.compat.orchestration.execution_info import ExecutionInfo
from trainwright.compat.orchestration.node_views import NodeProtoView
from trainwright.compat.utils.proto_utils import unpack_proto_any
from trainwright.dsl.io import fileio
from trainwright.proto.mlmd import metadata_store_pb2
from trainwright.proto.orchestration import execution_result_pb2, pipeline_pb2
from trainwright.types import artifact_utils
from trainwright.types.artifact import Artifact, ArtifactState
from trainwright.types.artifact_version import ARTIFACT_TFX_VERSION_CUSTOM_PROPERTY_KEY
from trainwright.types.value_artifact import ValueArtifact

# The uri of an external output that only its executor will know.
RESOLVED_AT_RUNTIME = "{resolved_at_runtime}"

_SYSTEM = ".system"
_EXECUTIONS = os.path.join(_SYSTEM, "executor_execution")

_Artifacts = Mapping[str, Sequence[Artifact]]
_ArtifactSpec = pipeline_pb2.OutputSpec.ArtifactSpec

_logger = logging.getLogger(__name__)


class OutputsResolver:
    """The outputs and directories of one node in one run.

    Args:
        pipeline_node: The node, as compiled.
        pipeline_info: Its pipeline.
        pipeline_runtime_spec: Has the pipeline root, as a value.
        execution_mode: Makes no difference to paths; TFX's programs give it.
    """

    def __init__(
        self,
        pipeline_node: pipeline_pb2.PipelineNode | NodeProtoView,
        pipeline_info: pipeline_pb2.PipelineInfo,
        pipeline_runtime_spec: pipeline_pb2.PipelineRuntimeSpec,
        execution_mode: pipeline_pb2.Pipeline.ExecutionMode = pipeline_pb2.Pipeline.SYNC,
    ) -> None:
        self._outputs = pipeline_node.outputs.outputs
        self._node_dir = get_node_dir(pipeline_runtime_spec, pipeline_node.node_info.id)

    def generate_output_artifacts(self, execution_id: int) -> dict[str, list[Artifact]]:
        """The artifacts that an execution is to write, with their uris."""
        return generate_output_artifacts(execution_id, self._outputs, self._node_dir)

    def get_executor_output_uri(self, execution_id: int) -> str:
        """The file for an executor's result; its directory is made."""
        return get_executor_output_uri(self._node_dir, execution_id)

    def get_driver_output_uri(self) -> str:
        """A new file for a driver's result; its directory is made."""
        now = str(time.time_ns() // 1000)
        directory = os.path.join(self._node_dir, _SYSTEM, "driver_execution", now)
        fileio.makedirs(directory)
        return os.path.join(directory, "driver_output.pb")

    def get_stateful_working_directory(self, execution: metadata_store_pb2.Execution) -> str:
        """The directory that later attempts of an execution find again; it is made."""
        return get_stateful_working_directory(self._node_dir, execution)

    def make_tmp_dir(self, execution_id: int) -> str:
        """Makes the directory for what an execution needs only while it runs."""
        return make_tmp_dir(self._node_dir, execution_id)


def get_node_dir(pipeline_runtime_spec: pipeline_pb2.PipelineRuntimeSpec, node_id: str) -> str:
    """The directory of a node under the pipeline root."""
    root = pipeline_runtime_spec.pipeline_root.field_value.string_value
    return os.path.join(root, node_id)


def generate_output_artifacts(
    execution_id: int, outputs: Mapping[str, pipeline_pb2.OutputSpec], node_dir: str
) -> dict[str, list[Artifact]]:
    """The artifacts that an execution is to write, with their uris and declared properties.

    Args:
        execution_id: The id of the execution.
        outputs: What the compiled node says of its outputs.
        node_dir: The node's directory. External artifacts have uris of their own.
    """
    made: dict[str, list[Artifact]] = {}
    for key, output in outputs.items():
        spec = output.artifact_spec
        artifact = _declared_artifact(spec)
        external = [copy.deepcopy(artifact) for _ in spec.external_artifact_uris]
        for one, uri in zip(external, spec.external_artifact_uris, strict=True):
            one.uri = uri
            one.is_external = True
        if not external:
            artifact.uri = os.path.join(node_dir, key, str(execution_id))
            if isinstance(artifact, ValueArtifact):
                artifact.uri = os.path.join(artifact.uri, "value")
        made[key] = external or [artifact]
    return made


def _declared_artifact(spec: _ArtifactSpec) -> Artifact:
    artifact = artifact_utils.deserialize_artifact(spec.type)
    for key, value in spec.additional_properties.items():
        setattr(artifact, key, _property_value(key, value))
    for key, value in spec.additional_custom_properties.items():
        _set_custom_property(artifact, key, _property_value(key, value))
    if spec.is_async:
        # Stays so until the end: what is published are the artifacts that the executor emits.
        artifact.state = ArtifactState.REFERENCE
    return artifact


def _property_value(key: str, value: pipeline_pb2.Value) -> Any:
    if not value.HasField("field_value"):
        raise RuntimeError(
            f"Property value is not a field_value for {key}: it is a {value.WhichOneof('value')}."
        )
    if value.field_value.HasField("proto_value"):
        return unpack_proto_any(value.field_value.proto_value)
    return get_metadata_value(value.field_value)


def _set_custom_property(artifact: Artifact, key: str, value: Any) -> None:
    if isinstance(value, int):
        artifact.set_int_custom_property(key, value)
    elif isinstance(value, str):
        artifact.set_string_custom_property(key, value)
    elif isinstance(value, float):
        artifact.set_float_custom_property(key, value)
    else:
        artifact.set_proto_custom_property(key, value)


def make_output_dirs(output_dict: _Artifacts) -> None:
    """Makes a directory for each artifact, and an empty file for a value that is not there yet.

    External artifacts are left alone.
    """
    for artifact in _own_artifacts(output_dict):
        if not isinstance(artifact, ValueArtifact):
            fileio.makedirs(artifact.uri)
        elif not fileio.exists(artifact.uri):
            fileio.makedirs(os.path.dirname(artifact.uri))
            with fileio.open(artifact.uri, "w") as file:
                file.write("")  # some file systems make no file without a write


def remove_output_dirs(output_dict: _Artifacts) -> None:
    """Removes what is at the uris of artifacts, external ones excepted."""
    for artifact in _own_artifacts(output_dict):
        if fileio.isdir(artifact.uri):
            fileio.rmtree(artifact.uri)
        else:
            fileio.remove(artifact.uri)


def _own_artifacts(output_dict: _Artifacts) -> list[Artifact]:
    return [one for group in output_dict.values() for one in group if not one.is_external]


def remove_stateful_working_dir(stateful_working_dir: str) -> None:
    """Removes a stateful working directory; one that is gone already is a warning."""
    try:
        fileio.rmtree(stateful_working_dir)
    except fileio.NotFoundError:
        _logger.warning("There is no stateful_working_dir %s to remove.", stateful_working_dir)


def get_executor_output_dir(execution_info: ExecutionInfo) -> str:
    """The directory of the file for an executor's result."""
    return os.path.dirname(execution_info.execution_output_uri or "")


def get_executor_output_uri(node_dir: str, execution_id: int) -> str:
    """The file for an executor's result; its directory is made."""
    directory = os.path.join(node_dir, _EXECUTIONS, str(execution_id))
    fileio.makedirs(directory)
    return os.path.join(directory, "executor_output.pb")


def migrate_executor_output_dir_from_stateful_working_directory(
    execution_info: ExecutionInfo, files: Sequence[str]
) -> None:
    """Copies files from the stateful working directory to that of the executor's result.

    Args:
        execution_info: The execution, which has both directories.
        files: Relative paths. Those that are not there, or that the target has, are left out.
    """
    for file in files:
        source = os.path.join(execution_info.stateful_working_dir or "", file)
        target = os.path.join(get_executor_output_dir(execution_info), file)
        if fileio.exists(source) and not fileio.exists(target):
            fileio.makedirs(os.path.dirname(target))
            fileio.copy(source, target)


def get_stateful_working_dir_index(execution: metadata_store_pb2.Execution | None = None) -> str:
    """The name of an execution's stateful working directory, or a new one if it has none."""
    if execution is not None and STATEFUL_WORKING_DIR_INDEX in execution.custom_properties:
        return str(get_metadata_value(execution.custom_properties[STATEFUL_WORKING_DIR_INDEX]))
    return str(uuid.uuid4())


def get_stateful_working_directory(node_dir: str, execution: metadata_store_pb2.Execution) -> str:
    """The directory that later attempts of an execution find again; it is made."""
    index = get_stateful_working_dir_index(execution)
    return _made(os.path.join(node_dir, _SYSTEM, "stateful_working_dir", index))


def get_orchestrator_generated_bcl_dir(
    pipeline_runtime_spec: pipeline_pb2.PipelineRuntimeSpec, node_id: str
) -> str:
    """The directory for configurations that an orchestrator generates for a node; it is made."""
    node_dir = get_node_dir(pipeline_runtime_spec, node_id)
    return _made(os.path.join(node_dir, _SYSTEM, "orchestrator_generated_bcl"))


def make_tmp_dir(node_dir: str, execution_id: int) -> str:
    """Makes the directory for what an execution needs only while it runs; it ends in a slash."""
    return _made(os.path.join(node_dir, _EXECUTIONS, str(execution_id), ".temp", ""))


def _made(directory: str) -> str:
    if not fileio.exists(directory):
        fileio.makedirs(directory)
    return directory


def tag_output_artifacts_with_version(output_artifacts: _Artifacts | None = None) -> None:
    """Notes the version of TFX on artifacts that do not have one."""
    key = ARTIFACT_TFX_VERSION_CUSTOM_PROPERTY_KEY
    for group in (output_artifacts or {}).values():
        for artifact in group:
            if not artifact.has_custom_property(key):
                artifact.set_string_custom_property(key, TFX_VERSION)


def populate_output_artifact(
    executor_output: execution_result_pb2.ExecutorOutput, output_dict: _Artifacts
) -> None:
    """Puts artifacts into an executor's result."""
    for key, group in output_dict.items():
        executor_output.output_artifacts[key].CopyFrom(
            execution_result_pb2.ExecutorOutput.ArtifactList(
                artifacts=[artifact.mlmd_artifact for artifact in group]
            )
        )


def populate_exec_properties(
    executor_output: execution_result_pb2.ExecutorOutput, exec_properties: Mapping[str, Any]
) -> None:
    """Puts properties into an executor's result: strings and numbers, no others."""
    for key, value in exec_properties.items():
        if isinstance(value, str):
            executor_output.execution_properties[key].string_value = value
        elif isinstance(value, int):
            executor_output.execution_properties[key].int_value = value
        elif isinstance(value, float):
            executor_output.execution_properties[key].double_value = value
        else:
            _logger.info("Property %s is left out: a %s cannot be stored.", key, type(value))
