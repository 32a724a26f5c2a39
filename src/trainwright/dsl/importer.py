"""Importer: a node that makes an artifact of what lies outside of the pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainwright._suggest import did_you_mean
from trainwright.dsl.base_node import BaseNode, NodeOutputs
from trainwright.types.artifact import Artifact
from trainwright.types.channel import BaseChannel, OutputChannel, check_artifact_type
from trainwright.types.runtime_parameter import RuntimeParameter

DEFAULT_OUTPUT_KEY = "result"


class Importer(BaseNode):
    """Registers a file or a directory as an artifact, where it lies: nothing is copied.

    What was imported before with the same properties, and has not changed since, stays the same
    artifact, so that the nodes after it are reused.

    Args:
        source_uri: The path of the file or directory.
        artifact_type: What it is, for example `standard_artifacts.Schema`.
        reimport: Whether every run makes a new artifact of it.
        properties: Properties that the artifact type declares.
        custom_properties: Any others; strings, numbers or bytes that are text.
        output_key: The key of the output.

    Example: `Importer("schema.pbtxt", standard_artifacts.Schema).outputs["result"]`
    """

    def __init__(
        self,
        source_uri: str | RuntimeParameter,
        artifact_type: type[Artifact],
        reimport: bool = False,
        properties: Mapping[str, Any] | None = None,
        custom_properties: Mapping[str, Any] | None = None,
        output_key: str | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(source_uri, RuntimeParameter) and not (
            isinstance(source_uri, str) and source_uri
        ):
            raise TypeError(f"source_uri must be the path of what to import, got {source_uri!r}.")
        self.source_uri = source_uri
        self.reimport = bool(reimport)
        self.properties = _check_properties(check_artifact_type(artifact_type), properties or {})
        self.custom_properties = {
            key: _check_custom_property(key, value)
            for key, value in (custom_properties or {}).items()
        }
        self.output_key = output_key or DEFAULT_OUTPUT_KEY
        self._outputs = NodeOutputs(self)
        self._outputs[self.output_key] = OutputChannel(artifact_type, self, self.output_key)

    @property
    def artifact_type(self) -> type[Artifact]:
        return self._outputs[self.output_key].type

    @property
    def inputs(self) -> Mapping[str, BaseChannel]:
        return {}

    @property
    def outputs(self) -> dict[str, OutputChannel]:
        return self._outputs

    @property
    def exec_properties(self) -> dict[str, Any]:
        """TFX's names for them."""
        return {"artifact_uri": self.source_uri, "reimport": int(self.reimport)}


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


def _check_custom_property(key: str, value: Any) -> str | int | float:
    if isinstance(value, bytes):
        value = value.decode()
    if not isinstance(value, (str, int, float)):
        raise ValueError(
            f"Custom property value for key {key!r} must be a string or a number, got {value!r}."
        )
    return value
