"""MetadataDriver: a driver that does its work on a metadata handle, as TFX's first drivers did."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import Any

from trainwright.dsl.driver_messages import DriverArgs, ExecutionDecision
from trainwright.dsl.pipeline_info import ComponentInfo, PipelineInfo
from trainwright.types import artifact_utils, channel_utils
from trainwright.types.artifact import Artifact
from trainwright.types.channel import BaseChannel
from trainwright.types.value_artifact import VALUE_FILE, ValueArtifact

_logger = logging.getLogger(__name__)

ArtifactDict = dict[str, list[Artifact]]

# The state of an execution whose outputs are those of another.
CACHED = "cached"


class MetadataDriver:
    """Resolves inputs, registers an execution and prepares its outputs through a handle.

    Args:
        metadata_handle: A `tfx.orchestration.metadata.Metadata`.
    """

    def __init__(self, metadata_handle: Any = None) -> None:
        self._metadata_handle = metadata_handle

    def verify_input_artifacts(self, artifacts_dict: Mapping[str, list[Artifact]]) -> None:
        """Raises RuntimeError if an artifact has no uri, or nothing is there."""
        artifact_utils.verify_artifacts(dict(artifacts_dict))

    def resolve_exec_properties(
        self,
        exec_properties: dict[str, Any],
        pipeline_info: PipelineInfo | None = None,
        component_info: ComponentInfo | None = None,
    ) -> dict[str, Any]:
        """The properties that the executor gets."""
        return exec_properties

    def resolve_input_artifacts(
        self,
        input_dict: Mapping[str, BaseChannel],
        exec_properties: dict[str, Any],
        driver_args: DriverArgs,
        pipeline_info: PipelineInfo,
    ) -> ArtifactDict:
        """The artifacts of each channel: those that it holds already, or that the run has made."""
        resolved = {}
        for name, source in input_dict.items():
            found: dict[int, Artifact] = {}
            for channel in channel_utils.get_individual_channels(source):
                artifacts = (
                    self._given_artifacts(name, channel)
                    if driver_args.interactive_resolution
                    else self._stored_artifacts(channel, pipeline_info)
                )
                found.update({artifact.id: artifact for artifact in artifacts})
            resolved[name] = list(found.values())
        return resolved

    def _given_artifacts(self, name: str, channel: Any) -> list[Artifact]:
        artifacts = list(channel.get())
        for artifact in artifacts:
            if not artifact.uri or not artifact.id:
                raise ValueError(
                    f"Unresolved input channel {artifact!r} for input {name!r} was passed in "
                    "interactive mode. Run the component that makes it first."
                )
        return artifacts

    def _stored_artifacts(self, channel: Any, pipeline_info: PipelineInfo) -> list[Artifact]:
        artifacts: list[Artifact] = self._metadata_handle.search_artifacts(
            artifact_name=channel.output_key,
            pipeline_info=pipeline_info,
            producer_component_id=channel.producer_component_id,
        )
        for artifact in artifacts:
            if isinstance(artifact, ValueArtifact):
                artifact.read()
        return artifacts

    def pre_execution(
        self,
        input_dict: Mapping[str, BaseChannel],
        output_dict: dict[str, Any],
        exec_properties: dict[str, Any],
        driver_args: DriverArgs,
        pipeline_info: PipelineInfo,
        component_info: ComponentInfo,
    ) -> ExecutionDecision:
        """Registers an execution, and finds what it can reuse or makes places for its outputs."""
        handle = self._metadata_handle
        properties = self.resolve_exec_properties(exec_properties, pipeline_info, component_info)
        inputs = self.resolve_input_artifacts(input_dict, properties, driver_args, pipeline_info)
        self.verify_input_artifacts(inputs)
        contexts = handle.register_pipeline_contexts_if_not_exists(pipeline_info)
        where = {"pipeline_info": pipeline_info, "component_info": component_info}
        what = {"input_artifacts": inputs, "exec_properties": properties}
        execution = handle.register_execution(**what, **where, contexts=contexts)
        cached = handle.get_cached_outputs(**what, **where) if driver_args.enable_cache else None
        update = {"execution": execution, "component_info": component_info, "contexts": contexts}
        is_cached = cached is not None and _are_there(cached)
        outputs: ArtifactDict = cached or {}
        if is_cached:
            handle.update_execution(**update, output_artifacts=outputs, execution_state=CACHED)
        else:
            outputs = _prepare_outputs(
                inputs, output_dict, execution.id, pipeline_info, component_info
            )
            handle.update_execution(**update, output_artifacts=outputs, exec_properties=properties)
        if driver_args.interactive_resolution:
            for key, artifacts in outputs.items():
                output_dict[key].set_artifacts(artifacts)
        return ExecutionDecision(inputs, outputs, properties, execution.id, is_cached)


def _are_there(outputs: ArtifactDict) -> bool:
    try:
        artifact_utils.verify_artifacts(outputs)
    except RuntimeError as error:
        _logger.debug("Outputs that could be reused are not there: %s", error)
        return False
    return True


def _prepare_outputs(
    inputs: ArtifactDict,
    output_dict: Mapping[str, Any],
    execution_id: int,
    pipeline_info: PipelineInfo,
    component_info: ComponentInfo,
) -> ArtifactDict:
    """An artifact with a directory for each output, or one for each artifact of an input."""
    prepared: ArtifactDict = {}
    for name, channel in output_dict.items():
        matching = getattr(channel, "matching_channel_name", None)
        count = len(inputs[matching]) if matching else 1
        directory = os.path.join(
            pipeline_info.pipeline_root, component_info.component_id, name, str(execution_id)
        )
        prepared[name] = []
        for number in range(count):
            artifact = channel.type()
            artifact.name = f"{name}:{pipeline_info.run_id}"
            artifact.producer_component = component_info.component_id
            place = directory if count == 1 else os.path.join(directory, str(number))
            os.makedirs(place, exist_ok=True)
            is_value = isinstance(artifact, ValueArtifact)
            artifact.uri = os.path.join(place, VALUE_FILE) if is_value else place
            prepared[name].append(artifact)
    return prepared
