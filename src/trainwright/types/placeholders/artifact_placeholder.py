"""Placeholders for a node's own artifacts, and for what of an artifact is asked for."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from trainwright.types.artifact import Artifact
from trainwright.types.placeholders.placeholder import (
    KnownValues,
    Placeholder,
    ValueType,
    new_expression,
)
from trainwright.types.placeholders.placeholder_operators import UnaryPlaceholderOperator
from trainwright.types.splits import get_split_uri
from trainwright.types.value_artifact import ValueArtifact

if TYPE_CHECKING:
    from trainwright.proto.orchestration.placeholder_pb2 import PlaceholderExpression


class ArtifactPlaceholder(Placeholder):
    """An artifact of the node that uses the placeholder, as `input(key)` and `output(key)` give it.

    `[index]` chooses one; without it the first is meant. Then `.value`, `.uri`, `.split_uri(name)`,
    `.property(name)` or `.custom_property(name)` say what of it is asked for.
    """

    def __init__(self, key: str | None, is_input: bool, index: int | None = None) -> None:
        self._key = key
        self._is_input = is_input
        self._index = index

    @builtins.property
    def is_input(self) -> bool:
        return self._is_input

    @builtins.property
    def is_output(self) -> bool:
        return not self._is_input

    @builtins.property
    def key(self) -> str | None:
        """The node's name for the input or output."""
        return self._key

    @builtins.property
    def value(self) -> Placeholder:
        """What a value artifact (String, Integer, JsonValue, ...) holds."""
        if self.is_output:
            raise ValueError(
                "Calling ph.output(..).value is not supported. The node itself writes the value."
            )
        return ArtifactValue(self)

    @builtins.property
    def uri(self) -> Placeholder:
        """Where the artifact is."""
        return ArtifactUri(self)

    def split_uri(self, split: str) -> Placeholder:
        """Where one split of the artifact is."""
        return ArtifactUri(self, split)

    def property(self, key: str) -> Placeholder:
        """A property that the artifact's type declares."""
        return ArtifactProperty(self, key)

    def custom_property(self, key: str) -> Placeholder:
        """A property that the artifact may have beside those of its type."""
        return ArtifactProperty(self, key, is_custom=True)

    def __getitem__(self, key: Any) -> ArtifactPlaceholder:
        return ArtifactPlaceholder(self._key, self._is_input, self._check_index(key))

    def _check_index(self, index: Any) -> int:
        if self._index is not None:
            raise TypeError(f"{self} is one artifact; its value has parts: {self}.value[{index!r}]")
        if not isinstance(index, int) or isinstance(index, bool):
            raise TypeError(f"The artifacts of a channel have numbers, got [{index!r}].")
        return index

    def resolve(self, known: KnownValues) -> Artifact:
        artifacts = self._artifacts(known)
        index = self._index or 0
        if not -len(artifacts) <= index < len(artifacts):
            number = len(artifacts)
            held = "no artifact" if not number else f"only {number} artifact" + "s" * (number > 1)
            raise ValueError(f"{self} is not there: {self._source()} holds {held}.")
        return artifacts[index]

    def _artifacts(self, known: KnownValues) -> Sequence[Artifact]:
        of_node = known.inputs if self._is_input else known.outputs
        if of_node is None:
            raise ValueError(f"{self} is not known here.")
        if self._key is None or self._key not in of_node:
            names = ", ".join(sorted(of_node)) or "none"
            raise ValueError(
                f"{self} is not there: the {'inputs' if self._is_input else 'outputs'} are {names}."
            )
        return of_node[self._key]

    def _source(self) -> str:
        return f"{'input' if self._is_input else 'output'}({self._key!r})"

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        expression = new_expression()
        index = expression.operator.index_op
        index.index = self._index or 0
        placeholder: Any = index.expression.placeholder
        kind = "INPUT_ARTIFACT" if self._is_input else "OUTPUT_ARTIFACT"
        placeholder.type = placeholder.Type.Value(kind)
        if self._key:
            placeholder.key = self._key
        return expression

    def __str__(self) -> str:
        return f"{self._source()}[{self._index or 0}]"


class ArtifactUri(UnaryPlaceholderOperator):
    """Where an artifact is, or one of its splits."""

    _value: ArtifactPlaceholder

    def __init__(self, artifact: ArtifactPlaceholder, split: str = "") -> None:
        super().__init__(artifact, str)
        self._split = split

    def resolve(self, known: KnownValues) -> str:
        artifact = self._value.resolve(known)
        return get_split_uri([artifact], self._split) if self._split else artifact.uri

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        expression = new_expression()
        uri = expression.operator.artifact_uri_op
        uri.expression.CopyFrom(self._value.encode(component_spec))
        if self._split:
            uri.split = self._split
        return expression

    def __str__(self) -> str:
        return f"{self._value}" + (f".split_uri({self._split!r})" if self._split else ".uri")


class ArtifactProperty(UnaryPlaceholderOperator):
    """A property. One that is declared and not set has its type's default, as in an executor."""

    _value: ArtifactPlaceholder

    def __init__(
        self,
        artifact: ArtifactPlaceholder,
        key: str,
        *,
        is_custom: bool = False,
        value_type: type | None = None,
    ) -> None:
        super().__init__(artifact, value_type or ValueType)
        self._key = key
        self._is_custom = is_custom

    def resolve(self, known: KnownValues) -> Any:
        artifact = self._value.resolve(known)
        if self._is_custom:
            return artifact.get_custom_property(self._key)
        return getattr(artifact, self._key)

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        expression = new_expression()
        asked = expression.operator.artifact_property_op
        asked.expression.CopyFrom(self._value.encode(component_spec))
        asked.key = self._key
        asked.is_custom_property = self._is_custom
        return expression

    def __str__(self) -> str:
        return f"{self._value}.{'custom_' * self._is_custom}property({self._key!r})"


class ArtifactValue(UnaryPlaceholderOperator):
    """What a value artifact holds."""

    _value: ArtifactPlaceholder

    def __init__(self, artifact: ArtifactPlaceholder, value_type: type | None = None) -> None:
        super().__init__(artifact, value_type or ValueType)

    def resolve(self, known: KnownValues) -> Any:
        artifact = self._value.resolve(known)
        if not isinstance(artifact, ValueArtifact):
            raise ValueError(f"{self} is not there: {artifact.type_name} artifacts have no value.")
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
        ids = [output.producer_id for channel in self.channels() for output in channel.producers()]
        return ", ".join(ids) or "what made it"

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        expression = new_expression()
        expression.operator.artifact_value_op.expression.CopyFrom(
            self._value.encode(component_spec)
        )
        return expression

    def __str__(self) -> str:
        return f"{self._value}.value"


def input(key: str) -> ArtifactPlaceholder:
    """The artifacts that the node reads under a key: `input("model")[0].uri`."""
    return ArtifactPlaceholder(key, is_input=True)


def output(key: str) -> ArtifactPlaceholder:
    """The artifacts that the node makes under a key: `output("model").uri`."""
    return ArtifactPlaceholder(key, is_input=False)
