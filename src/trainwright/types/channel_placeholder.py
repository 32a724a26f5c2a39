"""Placeholders for what a channel will hold: its artifacts, their values, URIs and properties."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from trainwright._suggest import did_you_mean
from trainwright.types.artifact import Artifact, PropertyType
from trainwright.types.placeholder import FindArtifacts, Placeholder, describe_value
from trainwright.types.splits import get_split_uri
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


class ChannelWrappedPlaceholder(Placeholder):
    """An artifact that a channel will hold, as `channel.future()` gives it.

    `[index]` chooses one; without it the first is meant. Then `.value`, `.uri`, `.split_uri(name)`,
    `.property(name)` or `.custom_property(name)` say what of it is asked for.
    """

    value_type = Artifact

    def __init__(self, channel: BaseChannel, index: int | None = None) -> None:
        self.channel = channel
        self._index = index

    def __getitem__(self, index: int) -> ChannelWrappedPlaceholder:
        if self._index is not None:
            raise TypeError(f"{self} is one artifact; its value has parts: {self}.value[{index!r}]")
        if not isinstance(index, int) or isinstance(index, bool):
            raise TypeError(f"The artifacts of a channel have numbers, got [{index!r}].")
        return ChannelWrappedPlaceholder(self.channel, index)

    @builtins.property
    def value(self) -> Placeholder:
        """What a value artifact (String, Integer, JsonValue, ...) holds."""
        if not issubclass(self.channel.type, ValueArtifact):
            raise TypeError(
                f"{self.channel.path} is of type {self.channel.type_name}, which has no value: "
                "only String, Integer, Float, Boolean, Bytes, JsonValue and other value artifacts "
                "have one. Ask for .uri, .property('name') or .custom_property('name')."
            )
        return _ArtifactValue(self)

    @builtins.property
    def uri(self) -> Placeholder:
        """Where the artifact is."""
        return _ArtifactUri(self)

    def split_uri(self, split: str) -> Placeholder:
        """Where one split of the artifact is."""
        return _ArtifactUri(self, split)

    def property(self, key: str) -> Placeholder:
        """A property that the artifact's type declares."""
        declared = self.channel.type.declared_properties()
        if key not in declared:
            raise ValueError(
                f"{self.channel.path} is of type {self.channel.type_name}, which declares no "
                f"property {key!r}{did_you_mean(key, declared)} If it is one that only some "
                f"artifacts have, ask for .custom_property({key!r})."
            )
        return _ArtifactProperty(self, key, _PROPERTY_TYPES.get(declared[key].type))

    def custom_property(self, key: str) -> Placeholder:
        """A property that the artifact may have beside those of its type."""
        return _CustomProperty(self, key)

    def resolve(self, find_artifacts: FindArtifacts) -> Artifact:
        artifacts = find_artifacts(self.channel)
        index = self._index or 0
        if not -len(artifacts) <= index < len(artifacts):
            number = len(artifacts)
            held = "no artifact" if not number else f"only {number} artifact" + "s" * (number > 1)
            raise ValueError(f"{self} is not there: {self.channel.path} holds {held}.")
        return artifacts[index]

    def channels(self) -> Iterable[BaseChannel]:
        return (self.channel,)

    def __str__(self) -> str:
        return f"{self.channel.path}[{self._index or 0}]"


class _OfArtifact(Placeholder):
    """Something of an artifact."""

    def __init__(self, artifact: ChannelWrappedPlaceholder) -> None:
        self._artifact = artifact

    def channels(self) -> Iterable[BaseChannel]:
        return self._artifact.channels()


class _ArtifactUri(_OfArtifact):
    value_type = str

    def __init__(self, artifact: ChannelWrappedPlaceholder, split: str = "") -> None:
        super().__init__(artifact)
        self._split = split

    def resolve(self, find_artifacts: FindArtifacts) -> str:
        artifact = self._artifact.resolve(find_artifacts)
        return get_split_uri([artifact], self._split) if self._split else artifact.uri

    def __str__(self) -> str:
        return f"{self._artifact}" + (f".split_uri({self._split!r})" if self._split else ".uri")


class _ArtifactProperty(_OfArtifact):
    """A declared property; one that is not set has its type's default, as in an executor."""

    def __init__(
        self, artifact: ChannelWrappedPlaceholder, key: str, value_type: type | None
    ) -> None:
        super().__init__(artifact)
        self._key = key
        self.value_type = value_type

    def resolve(self, find_artifacts: FindArtifacts) -> Any:
        return getattr(self._artifact.resolve(find_artifacts), self._key)

    def __str__(self) -> str:
        return f"{self._artifact}.property({self._key!r})"


class _CustomProperty(_OfArtifact):
    """A custom property; None if it is not set."""

    def __init__(self, artifact: ChannelWrappedPlaceholder, key: str) -> None:
        super().__init__(artifact)
        self._key = key

    def resolve(self, find_artifacts: FindArtifacts) -> Any:
        return self._artifact.resolve(find_artifacts).get_custom_property(self._key)

    def __str__(self) -> str:
        return f"{self._artifact}.custom_property({self._key!r})"


class _Indexable(_OfArtifact):
    """A value that may have parts: `.value["metrics"][0]`."""

    def __getitem__(self, key: str | int) -> Placeholder:
        if self.value_type is not None:
            raise TypeError(
                f"{self} is of type {self.value_type.__name__}, which has no part [{key!r}]. Only "
                "the value of a JsonValue has parts."
            )
        if not isinstance(key, (str, int)) or isinstance(key, bool):
            raise TypeError(f"A part of {self} has a name or a number, got [{key!r}].")
        return _Part(self._artifact, self, key)


class _ArtifactValue(_Indexable):
    def __init__(self, artifact: ChannelWrappedPlaceholder) -> None:
        super().__init__(artifact)
        self.value_type = _VALUE_TYPES.get(artifact.channel.type)

    def resolve(self, find_artifacts: FindArtifacts) -> Any:
        artifact = self._artifact.resolve(find_artifacts)
        assert isinstance(artifact, ValueArtifact), "ChannelWrappedPlaceholder.value checks it"
        try:
            return artifact.read()
        except OSError as error:
            raise ValueError(
                f"{self} cannot be read: {error.strerror}: {artifact.uri}. Run {self._producers()} "
                "again, without the cache if it is on."
            ) from error
        except ValueError as error:
            raise ValueError(
                f"{self} cannot be read: {artifact.uri} holds no {artifact.type_name} ({error})."
            ) from error

    def _producers(self) -> str:
        ids = [output.producer_id for output in self._artifact.channel.producers()]
        return ", ".join(ids) or "what made it"

    def __str__(self) -> str:
        return f"{self._artifact}.value"


class _Part(_Indexable):
    """What is at a key or a number in a JSON value."""

    def __init__(
        self, artifact: ChannelWrappedPlaceholder, whole: _Indexable, key: str | int
    ) -> None:
        super().__init__(artifact)
        self._whole = whole
        self._key = key

    def resolve(self, find_artifacts: FindArtifacts) -> Any:
        whole = self._whole.resolve(find_artifacts)
        if isinstance(self._key, str) and isinstance(whole, dict):
            if self._key in whole:
                return whole[self._key]
            found = f"the keys of {self._whole} are {', '.join(sorted(whole)) or 'none'}"
        elif isinstance(self._key, int) and isinstance(whole, list):
            if -len(whole) <= self._key < len(whole):
                return whole[self._key]
            found = f"the length of {self._whole} is {len(whole)}"
        else:
            found = f"{self._whole} is {describe_value(whole)} ({type(whole).__name__})"
        raise ValueError(f"{self} is not there: {found}.")

    def __str__(self) -> str:
        return f"{self._whole}[{self._key!r}]"
