"""Importer: a node that makes an artifact of what lies outside of the pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from trainwright._suggest import did_you_mean
from trainwright.dsl.base_node import BaseNode, NodeOutputs
from trainwright.types.artifact import Artifact
from trainwright.types.channel import BaseChannel, OutputChannel, check_artifact_type
from trainwright.types.runtime_parameter import RuntimeParameter

# The key of the output, unless another is given.
IMPORT_RESULT_KEY = "result"
# The keys of the properties.
SOURCE_URI_KEY = "artifact_uri"
REIMPORT_OPTION_KEY = "reimport"
OUTPUT_KEY_KEY = "output_key"


class Importer(BaseNode):
    """Registers a file or a directory as an artifact, where it lies: nothing is copied.

    What was imported before with the same properties, and has not changed since, stays the same
    artifact, so that the nodes after it are reused.

    Args:
        source_uri: The path of the file or directory, or its address in an object store.
        artifact_type: What it is, for example `standard_artifacts.Schema`.
        reimport: Whether every run makes a new artifact of it.
        properties: Properties that the artifact type declares.
        custom_properties: Any others; strings, numbers or bytes that are text.
        output_key: The key of the output.
        instance_name: Deprecated; a part of the node's id.

    Example: `Importer("schema.pbtxt", standard_artifacts.Schema).outputs["result"]`
    """

    STORED_TYPE_NAME: ClassVar[str] = "tfx.dsl.components.common.importer.Importer"

    def __init__(
        self,
        source_uri: Any,
        artifact_type: type[Artifact],
        reimport: bool = False,
        properties: Mapping[str, Any] | None = None,
        custom_properties: Mapping[str, Any] | None = None,
        output_key: str | None = None,
        instance_name: str | None = None,
    ) -> None:
        super().__init__()
        if instance_name is not None:
            self._take_instance_name(instance_name)
        if not source_uri or not isinstance(source_uri, (str, RuntimeParameter, list)):
            raise TypeError(f"source_uri must be the path of what to import, got {source_uri!r}.")
        self._source_uri = source_uri
        self.reimport = bool(reimport)
        self.properties = _check_properties(check_artifact_type(artifact_type), properties or {})
        self.custom_properties = {
            key: check_custom_property(key, value)
            for key, value in (custom_properties or {}).items()
        }
        self.output_key = output_key or IMPORT_RESULT_KEY
        self._outputs = NodeOutputs(self)
        self._outputs[self.output_key] = self._make_output(artifact_type)

    def _make_output(self, artifact_type: type[Artifact]) -> OutputChannel:
        """The channel, with an artifact that has the properties but is not looked up yet."""
        artifact = artifact_type()
        artifact.is_external = True
        for key, value in self.properties.items():
            setattr(artifact, key, value)
        for key, value in self.custom_properties.items():
            set_custom_property(artifact, key, value)
        channel = OutputChannel(
            artifact_type, self, self.output_key, self.properties, self.custom_properties
        )
        channel.set_artifacts([artifact])
        return channel

    def to_json_dict(self) -> dict[str, Any]:
        return {**super().to_json_dict(), "artifact_type": self.artifact_type}

    @classmethod
    def from_json_dict(cls, dict_data: dict[str, Any]) -> Any:
        artifact_type = dict_data.pop("artifact_type")
        importer = super().from_json_dict(dict_data)
        importer._outputs = NodeOutputs(importer)
        importer._outputs[importer.output_key] = importer._make_output(artifact_type)
        return importer

    @property
    def source_uri(self) -> Any:
        return self._source_uri

    @property
    def artifact_type(self) -> type[Artifact]:
        return self._outputs[self.output_key].type

    @property
    def inputs(self) -> Mapping[str, BaseChannel]:
        return {}

    @property
    def outputs(self) -> NodeOutputs:
        return self._outputs

    @property
    def exec_properties(self) -> dict[str, Any]:
        return {
            SOURCE_URI_KEY: self.source_uri,
            REIMPORT_OPTION_KEY: int(self.reimport),
            OUTPUT_KEY_KEY: self.output_key,
        }


def _check_properties(
    artifact_type: type[Artifact], properties: Mapping[str, Any]
) -> dict[str, Any]:
    declared = artifact_type.declared_properties()
    artifact = artifact_type()
    for key, value in properties.items():
        if key not in declared:
            raise ValueError(
                f"{artifact_type.TYPE_NAME} declares no property {key!r}"
                f"{did_you_mean(key, declared)} Pass others as custom_properties."
            )
        setattr(artifact, key, value)
    return dict(artifact.properties)


def set_custom_property(artifact: Artifact, key: str, value: str | int | float) -> None:
    if isinstance(value, str):
        artifact.set_string_custom_property(key, value)
    elif isinstance(value, int):
        artifact.set_int_custom_property(key, value)
    else:
        artifact.set_float_custom_property(key, value)


def check_custom_property(key: str, value: Any) -> str | int | float:
    if isinstance(value, bytes):
        value = value.decode()
    if not isinstance(value, (str, int, float)):
        raise ValueError(
            f"Custom property value for key {key!r} must be a string or a number, got {value!r}."
        )
    return value
