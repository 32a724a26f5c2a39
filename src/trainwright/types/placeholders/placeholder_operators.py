"""Operators on placeholders: parts, concatenations, lists, dicts, paths, fields of messages."""

from __future__ import annotations

import enum
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from google.protobuf.message import Message

from trainwright.types.classes import is_class, is_subclass
from trainwright.types.placeholders import placeholder_values
from trainwright.types.placeholders.placeholder import (
    KnownValues,
    Placeholder,
    Predicate,
    ValueType,
    describe_value,
    encode_value_like,
    new_expression,
    resolve_part,
    written,
)

if TYPE_CHECKING:
    from trainwright.proto.orchestration.placeholder_pb2 import PlaceholderExpression


class ProtoSerializationFormat(enum.Enum):
    """How `serialize` writes a message."""

    TEXT_FORMAT = 1
    JSON = 2
    BINARY = 3
    INLINE_FILE_TEXT_FORMAT = 4


class ListSerializationFormat(enum.Enum):
    """How `serialize_list` writes a list."""

    JSON = 1
    COMMA_SEPARATED_STR = 2


class UnaryPlaceholderOperator(Placeholder):
    """Something that is computed from one placeholder."""

    def __init__(self, value: Placeholder, expected_type: Any = None) -> None:
        self._value = value
        self._expected_type = expected_type
        if is_class(expected_type):
            self.value_type = expected_type

    @property
    def expected_type(self) -> Any:
        return self._expected_type

    def parts(self) -> Iterable[object]:
        return (self._value,)


class Index(UnaryPlaceholderOperator):
    """An element of a list, or the value at a key of a dict: `.value["metrics"][0]`."""

    def __init__(self, value: Placeholder, index: str | int) -> None:
        if value.value_type in (bool, int, float, str, bytes):
            raise TypeError(
                f"{value} is of type {value.value_type.__name__}, which has no part [{index!r}]. "
                "Only the value of a JsonValue has parts."
            )
        if not isinstance(index, (str, int)) or isinstance(index, bool):
            raise TypeError(f"A part of {value} has a name or a number, got [{index!r}].")
        super().__init__(value, ValueType | Message if value.may_be_message() else ValueType)
        self._index = index

    def resolve(self, known: KnownValues) -> Any:
        whole = self._value.resolve(known)
        if isinstance(self._index, str) and isinstance(whole, Mapping):
            if self._index in whole:
                return whole[self._index]
            found = f"the keys of {self._value} are {', '.join(sorted(whole)) or 'none'}"
        elif isinstance(self._index, int) and isinstance(whole, Sequence):
            if -len(whole) <= self._index < len(whole):
                return whole[self._index]
            found = f"the length of {self._value} is {len(whole)}"
        else:
            found = f"{self._value} is {describe_value(whole)} ({type(whole).__name__})"
        raise ValueError(f"{self} is not there: {found}.")

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        expression = new_expression()
        index = expression.operator.index_op
        index.expression.CopyFrom(self._value.encode(component_spec))
        if isinstance(self._index, int):
            index.index = self._index
        else:
            index.key = self._index
        return expression

    def __str__(self) -> str:
        return f"{self._value}[{self._index!r}]"


class Concatenation(Placeholder):
    """A string that is put together when the node runs."""

    value_type = str

    def __init__(self, parts: Sequence[Any]) -> None:
        for part in parts:
            if not isinstance(part, (str, Placeholder)) or isinstance(part, Predicate):
                raise TypeError(f"A string or a placeholder can be added, not {part!r}.")
        self._parts = tuple(parts)

    def resolve(self, known: KnownValues) -> str:
        resolved = []
        for part in self._parts:
            value = resolve_part(part, known)
            if value is None:
                raise ValueError(f"{part} is not set, so nothing can be added to it.")
            resolved.append(str(value))
        return "".join(resolved)

    def parts(self) -> Iterable[object]:
        return self._parts

    def __add__(self, right: Any) -> Placeholder:
        return Concatenation((*self._parts, right))

    def __radd__(self, left: Any) -> Placeholder:
        return Concatenation((left, *self._parts))

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        expression = new_expression()
        expression.operator.concat_op.expressions.extend(
            encode_value_like(part, component_spec) for part in self._parts
        )
        return expression

    def __str__(self) -> str:
        return " + ".join(written(part) for part in self._parts)


class JoinedPath(Placeholder):
    """A path whose parts are known when the node runs."""

    value_type = str

    def __init__(self, parts: Sequence[str | Placeholder]) -> None:
        self._parts = tuple(parts)

    def resolve(self, known: KnownValues) -> str:
        parts: list[str] = [resolve_part(part, known) for part in self._parts]
        return os.path.join(*parts)

    def parts(self) -> Iterable[object]:
        return self._parts

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        expression = new_expression()
        expression.operator.join_path_op.expressions.extend(
            encode_value_like(part, component_spec) for part in self._parts
        )
        return expression

    def __str__(self) -> str:
        return f"join_path({', '.join(written(part) for part in self._parts)})"


class DirectoryName(UnaryPlaceholderOperator):
    """The directory of a path."""

    def __init__(self, value: Placeholder) -> None:
        super().__init__(value, str)

    def resolve(self, known: KnownValues) -> str:
        path: str = self._value.resolve(known)
        return os.path.dirname(path)

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        expression = new_expression()
        expression.operator.dir_name_op.expression.CopyFrom(self._value.encode(component_spec))
        return expression

    def __str__(self) -> str:
        return f"dirname({self._value})"


class ListPlaceholder(Placeholder):
    """A list of values that are known when the node runs, as `make_list` makes it."""

    value_type = list

    def __init__(self, input_placeholders: Sequence[Any]) -> None:
        self._parts = tuple(input_placeholders)

    def resolve(self, known: KnownValues) -> list[Any]:
        return [resolve_part(part, known) for part in self._parts]

    def parts(self) -> Iterable[object]:
        return self._parts

    def __add__(self, right: Any) -> ListPlaceholder:
        return ListPlaceholder((*self._parts, *_parts_of_list(right)))

    def __radd__(self, left: Any) -> ListPlaceholder:
        return ListPlaceholder((*_parts_of_list(left), *self._parts))

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        expression = new_expression()
        expression.operator.list_concat_op.SetInParent()  # for a list without elements
        expression.operator.list_concat_op.expressions.extend(
            encode_value_like(part, component_spec) for part in self._parts
        )
        return expression

    def __str__(self) -> str:
        return f"[{', '.join(written(part) for part in self._parts)}]"


class DictPlaceholder(Placeholder):
    """A dict of values that are known when the node runs; those that are None are left out."""

    value_type = dict

    def __init__(self, entries: Iterable[tuple[Any, Any]]) -> None:
        self._entries = tuple(entries)

    def resolve(self, known: KnownValues) -> dict[str, Any]:
        resolved = {}
        for key, value in self._entries:
            name = resolve_part(key, known)
            if not isinstance(name, str):
                raise ValueError(f"Expected string for dict key, got {name!r}.")
            resolved[name] = resolve_part(value, known)
        return {name: value for name, value in resolved.items() if value is not None}

    def parts(self) -> Iterable[object]:
        return (part for entry in self._entries for part in entry)

    def __add__(self, right: Any) -> NoReturn:
        raise NotImplementedError("Add operator not supported for DictPlaceholders")

    def __radd__(self, left: Any) -> NoReturn:
        raise NotImplementedError("Add operator not supported for DictPlaceholders")

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        expression = new_expression()
        expression.operator.make_dict_op.SetInParent()  # for a dict without entries
        for key, value in self._entries:
            if value is not None:
                expression.operator.make_dict_op.entries.add(
                    key=encode_value_like(key, component_spec),
                    value=encode_value_like(value, component_spec),
                )
        return expression

    def __str__(self) -> str:
        return f"{{{', '.join(f'{written(key)}: {written(at)}' for key, at in self._entries)}}}"


class Base64(UnaryPlaceholderOperator):
    """A string or bytes in base64."""

    def __init__(self, value: Placeholder, url_safe: bool) -> None:
        super().__init__(value, str)
        self._url_safe = url_safe

    def resolve(self, known: KnownValues) -> str:
        return placeholder_values.to_base64(self._value.resolve(known), self._url_safe)

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        expression = new_expression()
        encoded = expression.operator.base64_encode_op
        encoded.expression.CopyFrom(self._value.encode(component_spec))
        encoded.is_standard_b64 = not self._url_safe
        return expression

    def __str__(self) -> str:
        return f"{self._value}.b64encode()"


class SerializedList(UnaryPlaceholderOperator):
    """A list as a string."""

    def __init__(self, value: Placeholder, serialization_format: ListSerializationFormat) -> None:
        super().__init__(value, str)
        self._format = serialization_format

    def resolve(self, known: KnownValues) -> str:
        return placeholder_values.serialize_list(self._value.resolve(known), self._format.name)

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        expression = new_expression()
        serialized: Any = expression.operator.list_serialization_op
        serialized.expression.CopyFrom(self._value.encode(component_spec))
        serialized.serialization_format = serialized.SerializationFormat.Value(self._format.name)
        return expression

    def __str__(self) -> str:
        return f"{self._value}.serialize_list({self._format.name})"


class MessageField(UnaryPlaceholderOperator):
    """A field of a message, or the message as text: `exec_property("config").layers[0].size`."""

    def __init__(
        self,
        value: Placeholder,
        path: Sequence[str],
        serialization_format: ProtoSerializationFormat | None = None,
    ) -> None:
        assert value.may_be_message(), f"{value} is not a message"
        is_text = serialization_format is not None
        super().__init__(value, str if is_text else ValueType | list | Message)
        self._path = tuple(path)
        self._format = serialization_format

    def __getitem__(self, key: str | int) -> Placeholder:
        if self._format is not None:
            raise IndexError(f"Cannot access index {key} on serialized proto")
        if isinstance(key, str):
            return MessageField(self._value, (*self._path, f"[{key!r}]"))
        return Index(self, key)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if self._format is not None:
            raise IndexError(f"Cannot access attr {name} on serialized proto")
        return MessageField(self._value, (*self._path, f".{name}"))

    def resolve(self, known: KnownValues) -> Any:
        message = self._value.resolve(known)
        if not isinstance(message, Message):
            raise ValueError(
                f"Got unsupported value type for proto operator: {type(message)}. {self._value} "
                f"is {describe_value(message)}, and only a message has fields."
            )
        found = placeholder_values.follow_field_path(message, self._path)
        format_name = None if self._format is None else self._format.name
        return placeholder_values.plain_or_serialized(found, format_name)

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        expression = new_expression()
        proto: Any = expression.operator.proto_op
        proto.expression.CopyFrom(self._value.encode(component_spec))
        proto.proto_field_path.extend(self._path)
        if self._format is not None:
            proto.serialization_format = proto.SerializationFormat.Value(self._format.name)
        inner = proto.expression.placeholder
        if component_spec is not None and inner.type == inner.Type.Value("EXEC_PROPERTY"):
            _describe_property(proto.proto_schema, inner.key, component_spec)
        return expression

    def __str__(self) -> str:
        text = f"{self._value}{''.join(self._path)}"
        return text if self._format is None else f"{text}.serialize({self._format.name})"


def join(placeholders: Sequence[str | Placeholder], separator: str = "") -> str | Placeholder:
    """Joins strings and placeholders into one string, as `str.join` does with strings."""
    if not any(isinstance(part, Placeholder) for part in placeholders):
        return separator.join(part for part in placeholders if isinstance(part, str))
    parts: list[str | Placeholder] = []
    for part in placeholders:
        parts += [separator, part] if parts and separator else [part]
    return parts[0] if len(parts) == 1 else Concatenation(parts)


def join_path(*args: str | Placeholder) -> Placeholder:
    """Joins parts of a path, as `os.path.join` does with strings."""
    return JoinedPath(args)


def dirname(placeholder: Placeholder) -> Placeholder:
    """The directory of a path, as `os.path.dirname` gives it."""
    return DirectoryName(placeholder)


def make_list(input_placeholders: list[Any]) -> ListPlaceholder:
    """A list in which some values are placeholders."""
    return ListPlaceholder(input_placeholders)


def make_dict(entries: Mapping[str, Any] | Sequence[tuple[Any, Any]]) -> DictPlaceholder:
    """A dict in which some values are placeholders.

    Keys that are placeholders need a list of pairs. What turns out to be None is left out.
    """
    return DictPlaceholder(entries.items() if isinstance(entries, Mapping) else entries)


def _parts_of_list(value: Any) -> Sequence[Any]:
    if isinstance(value, ListPlaceholder):
        return tuple(value.parts())
    raise TypeError(f"Only what make_list makes can be added to a list, got {value!r}.")


def _describe_property(schema: Any, key: str, component_spec: Any) -> None:
    """Writes down which message an execution property is."""
    parameters = component_spec.PARAMETERS
    if key not in parameters:
        raise ValueError(
            f"Can't find provided placeholder key {key} in component spec's exec properties. "
            f"Available exec property keys: {parameters.keys()}."
        )
    kind = parameters[key].type
    if not (is_subclass(kind, Message)):
        raise ValueError(
            f"Can't apply placeholder proto operator on non-proto type exec property. Got {kind}."
        )
    from trainwright.proto.descriptors import add_file_descriptors

    schema.message_type = kind.DESCRIPTOR.full_name
    add_file_descriptors(kind.DESCRIPTOR.file, schema.file_descriptors)
