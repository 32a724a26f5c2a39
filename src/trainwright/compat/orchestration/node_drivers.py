"""The drivers of Importer and Resolver on a metadata handle. A run here does without them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainwright.compat.ml_metadata import errors
from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.driver_messages import DriverArgs, ExecutionDecision
from trainwright.dsl.importer import (
    IMPORT_RESULT_KEY,
    OUTPUT_KEY_KEY,
    REIMPORT_OPTION_KEY,
    SOURCE_URI_KEY,
    check_custom_property,
    set_custom_property,
)
from trainwright.dsl.metadata_driver import CACHED, ArtifactDict
from trainwright.dsl.pipeline_info import ComponentInfo, PipelineInfo
from trainwright.dsl.resolver import RESOLVER_CONFIG, RESOLVER_STRATEGY_CLASS
from trainwright.types import channel_utils
from trainwright.types.artifact import Artifact
from trainwright.types.channel import BaseChannel, as_channel


def generate_output_dict(
    metadata_handle: Any,
    uri: str,
    properties: Mapping[str, Any],
    custom_properties: Mapping[str, Any],
    reimport: bool,
    output_artifact_class: type[Artifact],
    mlmd_artifact_type: Any = None,
    output_key: str | None = None,
) -> ArtifactDict:
    """What an Importer gives: the newest artifact that is like it, or a new one.

    Args:
        metadata_handle: Where artifacts are looked for.
        uri: The path of what is imported.
        properties: Properties of the artifact's type.
        custom_properties: Others.
        reimport: Whether it is a new artifact in any case.
        output_artifact_class: The type of the artifact.
        mlmd_artifact_type: The same as a message, for a type without a class.
        output_key: The key of the output.
    """
    for key, value in custom_properties.items():
        check_custom_property(key, value)
    is_new_type = False
    if mlmd_artifact_type is not None and not mlmd_artifact_type.id:
        try:
            mlmd_artifact_type = metadata_handle.store.get_artifact_type(mlmd_artifact_type.name)
        except errors.NotFoundError:
            is_new_type = True
    artifact = output_artifact_class(mlmd_artifact_type)
    artifact.uri = uri
    artifact.is_external = True
    for key, value in properties.items():
        setattr(artifact, key, value)
    for key, value in custom_properties.items():
        set_custom_property(artifact, key, value)
    if not reimport and not is_new_type:
        same = [
            message
            for message in metadata_handle.get_artifacts_by_uri(uri)
            if mlmd_artifact_type is None or message.type_id == mlmd_artifact_type.id
            if _is_like(message, output_artifact_class(mlmd_artifact_type), artifact)
        ]
        if same:
            newest = max(same, key=lambda message: int(message.create_time_since_epoch))
            artifact.set_mlmd_artifact(newest)
    return {output_key or IMPORT_RESULT_KEY: [artifact]}


def _is_like(message: Any, stored: Artifact, wanted: Artifact) -> bool:
    """Whether a stored artifact has all the properties that are wanted."""
    stored.set_mlmd_artifact(message)
    mine, theirs = wanted.mlmd_artifact, stored.mlmd_artifact
    kinds = (
        (mine.properties, theirs.properties),
        (mine.custom_properties, theirs.custom_properties),
    )
    return all(
        key in have and have[key] == value for want, have in kinds for key, value in want.items()
    )


class ImporterDriver(BaseDriver):
    """Registers an Importer's execution and its artifact."""

    def pre_execution(
        self,
        input_dict: Mapping[str, BaseChannel],
        output_dict: dict[str, Any],
        exec_properties: dict[str, Any],
        driver_args: DriverArgs,
        pipeline_info: PipelineInfo,
        component_info: ComponentInfo,
    ) -> ExecutionDecision:
        output_key = exec_properties[OUTPUT_KEY_KEY]
        channel = output_dict[output_key]
        outputs = generate_output_dict(
            self._metadata_handle,
            uri=exec_properties[SOURCE_URI_KEY],
            properties=channel.additional_properties,
            custom_properties=channel.additional_custom_properties,
            reimport=bool(exec_properties[REIMPORT_OPTION_KEY]),
            output_artifact_class=channel.type,
            output_key=output_key,
        )
        execution = _register(
            self._metadata_handle, outputs, exec_properties, pipeline_info, component_info
        )
        output_dict[output_key] = as_channel(outputs[output_key])
        return ExecutionDecision({}, outputs, exec_properties, execution.id, False)


class ResolverDriver(BaseDriver):
    """Registers a Resolver's execution and what its strategy chooses."""

    def pre_execution(
        self,
        input_dict: Mapping[str, BaseChannel],
        output_dict: dict[str, Any],
        exec_properties: dict[str, Any],
        driver_args: DriverArgs,
        pipeline_info: PipelineInfo,
        component_info: ComponentInfo,
    ) -> ExecutionDecision:
        handle = self._metadata_handle
        handle.register_pipeline_contexts_if_not_exists(pipeline_info)
        chosen: ArtifactDict | None = self._candidates(input_dict, pipeline_info)
        strategy_class = exec_properties.get(RESOLVER_STRATEGY_CLASS)
        if strategy_class is not None:
            strategy = strategy_class(**exec_properties.get(RESOLVER_CONFIG, {}))
            chosen = strategy.resolve_artifacts(handle.store, chosen)
        outputs: ArtifactDict = {key: [] for key in input_dict} if chosen is None else chosen
        for key, channel in output_dict.items():
            channel.set_artifacts(outputs[key])
        execution = _register(handle, outputs, exec_properties, pipeline_info, component_info)
        return ExecutionDecision({}, outputs, exec_properties, execution.id, True)

    def _candidates(
        self, input_dict: Mapping[str, BaseChannel], pipeline_info: PipelineInfo
    ) -> ArtifactDict:
        context = self._metadata_handle.get_pipeline_context(pipeline_info)
        if context is None:
            raise RuntimeError(f"Pipeline context absent for {pipeline_info}.")
        candidates = {}
        for key, source in input_dict.items():
            found: dict[int, Artifact] = {}
            for channel in channel_utils.get_individual_channels(source):
                artifacts = self._metadata_handle.get_qualified_artifacts(
                    contexts=[context],
                    type_name=channel.type_name,
                    producer_component_id=channel.producer_component_id,
                    output_key=channel.output_key,
                )
                found.update({artifact.id: artifact for artifact in artifacts})
            candidates[key] = list(found.values())
        return candidates


def _register(
    handle: Any,
    outputs: ArtifactDict,
    exec_properties: dict[str, Any],
    pipeline_info: PipelineInfo,
    component_info: ComponentInfo,
) -> Any:
    """An execution that is done: its outputs were there already."""
    contexts = handle.register_pipeline_contexts_if_not_exists(pipeline_info)
    execution = handle.register_execution(
        exec_properties=exec_properties,
        pipeline_info=pipeline_info,
        component_info=component_info,
        contexts=contexts,
    )
    handle.update_execution(
        execution=execution,
        component_info=component_info,
        output_artifacts=outputs,
        execution_state=CACHED,
        contexts=contexts,
    )
    return execution
