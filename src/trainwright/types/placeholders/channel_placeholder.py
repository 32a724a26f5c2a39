"""Placeholders for what a channel will hold: its artifacts, their values, URIs and properties."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from trainwright._suggest import did_you_mean
from trainwright.types.artifact import Artifact, PropertyType
from trainwright.types.placeholders.artifact_placeholder import (
    ArtifactPlaceholder,
    ArtifactProperty,
    ArtifactValue,
)
from trainwright.types.placeholders.placeholder import KnownValues, Placeholder
from trainwright.types.standard_artifacts import Boolean, Bytes, Float, Integer, String
from trainwright.types.value_artifact import ValueArtifact

if TYPE_CHECKING:
    from trainwright.types.channel import BaseChannel

# Others, JsonValue among them, have values of any type.
_VALUE_TYPES: dict[type[Artifact], type] = {
    Boolean: bool,
    Bytes: bytes,
    Float: float,
    Integer: int,
    String: str,
}
_PROPERTY_TYPES = {
    PropertyType.INT: int,
    PropertyType.FLOAT: float,
    PropertyType.STRING: str,
    PropertyType.BOOLEAN: bool,
}


class ChannelWrappedPlaceholder(ArtifactPlaceholder):
    """An artifact that a channel will hold, as `channel.future()` gives it.

    It knows the type of the artifact, so that a property that it does not have is refused when it
    is asked for, and a value before a run (`check_values_exist`). The compiler gives it the key
    under which the node reads the channel.
    """

    value_type = Artifact

    def __init__(
        self, channel: BaseChannel, key: str | None = None, index: int | None = None
    ) -> None:
        super().__init__(key, is_input=True, index=index)
        self.channel = channel

    def set_key(self, key: str | None) -> None:
        """Sets the key under which the node that uses the placeholder reads the channel."""
        self._key = key

    def may_be_message(self) -> bool:
        return False

    @builtins.property
    def value(self) -> Placeholder:
        """What a value artifact (String, Integer, JsonValue, ...) holds."""
        return ArtifactValue(self, _VALUE_TYPES.get(self.channel.type))

    def property(self, key: str) -> Placeholder:
        """A property that the artifact's type declares."""
        declared = self.channel.type.declared_properties()
        if key not in declared:
            raise ValueError(
                f"{self.channel.path} is of type {self.channel.type_name}, which declares no "
                f"property {key!r}{did_you_mean(key, declared)} If it is one that only some "
                f"artifacts have, ask for .custom_property({key!r})."
            )
        return ArtifactProperty(self, key, value_type=_PROPERTY_TYPES.get(declared[key].type))

    def __getitem__(self, key: Any) -> ChannelWrappedPlaceholder:
        return ChannelWrappedPlaceholder(self.channel, self._key, self._check_index(key))

    def channels(self) -> Iterable[BaseChannel]:
        return (self.channel,)

    def _artifacts(self, known: KnownValues) -> Sequence[Artifact]:
        return known.find_artifacts(self.channel)

    def _source(self) -> str:
        return self.channel.path


def check_values_exist(placeholder: Placeholder) -> None:
    """Raises ValueError if a placeholder asks for the value of artifacts that have none."""
    for part in placeholder.traverse():
        artifact = next(iter(part.parts()), None) if isinstance(part, ArtifactValue) else None
        if not isinstance(artifact, ChannelWrappedPlaceholder):
            continue
        channel = artifact.channel
        if not issubclass(channel.type, ValueArtifact):
            raise ValueError(
                f"{channel.path} is of type {channel.type_name}, which has no value: "
                "only String, Integer, Float, Boolean, Bytes, JsonValue and other value artifacts "
                "have one. Ask for .uri, .property('name') or .custom_property('name')."
            )
