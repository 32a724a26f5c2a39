"""make_proto: a message with fields that are known when the node runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from google.protobuf import any_pb2, message_factory
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from trainwright.types.classes import is_subclass
from trainwright.types.placeholders.placeholder import (
    KnownValues,
    Placeholder,
    encode_value_like,
    new_expression,
    resolve_part,
    written,
)
from trainwright.types.placeholders.placeholder_operators import (
    DictPlaceholder,
    ListPlaceholder,
    make_dict,
    make_list,
)
from trainwright.types.placeholders.placeholder_values import fill_message, is_map

if TYPE_CHECKING:
    from trainwright.proto.orchestration.placeholder_pb2 import (
        MakeProtoOperator,
        PlaceholderExpression,
    )

MessageT = TypeVar("MessageT", bound=Message)

# The Python type of a field that is not a message. Constants of expressions have no bytes.
_FIELD_TYPES: dict[int, type] = {
    FieldDescriptor.CPPTYPE_STRING: str,
    FieldDescriptor.CPPTYPE_FLOAT: float,
    FieldDescriptor.CPPTYPE_DOUBLE: float,
    FieldDescriptor.CPPTYPE_BOOL: bool,
    FieldDescriptor.CPPTYPE_INT32: int,
    FieldDescriptor.CPPTYPE_INT64: int,
    FieldDescriptor.CPPTYPE_UINT32: int,
    FieldDescriptor.CPPTYPE_UINT64: int,
    FieldDescriptor.CPPTYPE_ENUM: int,
}


def make_proto(base_message: MessageT, **kwargs: Any) -> MakeProtoPlaceholder[MessageT]:
    """A message, some of whose fields are placeholders.

    Args:
        base_message: The fields that are known already.
        kwargs: Further fields by name: values, placeholders, messages or dicts for fields that are
            messages, lists for repeated ones, dicts or lists of pairs for maps. None leaves one
            out.

    Example:
        ```python
        make_proto(Config(layers=2), output=output("model").uri).serialize(
            ProtoSerializationFormat.JSON
        )
        ```
    """
    return MakeProtoPlaceholder(base_message, **kwargs)


class MakeProtoPlaceholder(Placeholder, Generic[MessageT]):
    """A message that is put together when the node runs, as `make_proto` makes it."""

    def __init__(self, base_message: MessageT, **kwargs: Any) -> None:
        self._base = base_message
        checked = {name: self._check_field(name, value) for name, value in kwargs.items()}
        self._fields = {name: value for name, value in checked.items() if value is not None}

    @property
    def expected_type(self) -> Any:
        return type(self._base)

    def resolve(self, known: KnownValues) -> Message:
        message = type(self._base)()
        message.CopyFrom(self._base)
        values = {name: resolve_part(value, known) for name, value in self._fields.items()}
        return fill_message(message, values)

    def parts(self) -> Iterable[object]:
        return self._fields.values()

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        from trainwright.proto.descriptors import add_file_descriptors

        expression = new_expression()
        made = expression.operator.make_proto_op
        made.base.Pack(self._base)
        add_file_descriptors(self._base.DESCRIPTOR.file, made.file_descriptors)
        for name, value in self._fields.items():
            made.fields[name].MergeFrom(encode_value_like(value, component_spec))
        _gather_descriptors(made)
        return expression

    def __str__(self) -> str:
        fields = "".join(f", {name}={written(value)}" for name, value in self._fields.items())
        return f"make_proto({type(self._base).__name__}(){fields})"

    def _check_field(self, name: str, value: Any) -> Any:
        """Refuses what a field cannot hold, and wraps what it can into placeholders."""
        descriptor: Any = self._base.DESCRIPTOR.fields_by_name.get(name)
        full_name = f"{self._base.DESCRIPTOR.full_name}.{name}"
        if descriptor is None:
            raise ValueError(f"Unknown field {name} for proto {self._base.DESCRIPTOR.full_name}.")
        if is_map(descriptor):
            return None if value is None else _check_map(full_name, descriptor, value)
        if descriptor.is_repeated:
            return _check_list(full_name, descriptor, value)
        return _check_value(full_name, descriptor, value)


def _check_map(name: str, descriptor: Any, value: Any) -> DictPlaceholder:
    if not isinstance(value, (dict, list)):
        raise ValueError(
            f"Expected dict[k,v] or list[tuple[k, v]] input for map field {name}, got {value!r}."
        )
    entries = []
    for key, held in value.items() if isinstance(value, dict) else value:
        is_text = isinstance(key, (str, Placeholder)) and not isinstance(
            key, (MakeProtoPlaceholder, ListPlaceholder, DictPlaceholder)
        )
        if not is_text:
            raise ValueError(
                f"Expected string (placeholder) for dict key of map field {name}, got {key!r}."
            )
        of_value = descriptor.message_type.fields_by_name["value"]
        entries.append((key, _check_value(f"{name}.value", of_value, held)))
    return make_dict([(key, held) for key, held in entries if held is not None])


def _check_list(name: str, descriptor: Any, value: Any) -> Any:
    if value is None or isinstance(value, Placeholder):
        return value
    if not isinstance(value, list):
        raise ValueError(f"Expected list input for repeated field {name}, got {value!r}.")
    return make_list([_check_value(name, descriptor, part) for part in value])


def _check_value(name: str, descriptor: Any, value: Any) -> Any:
    if value is None:
        if descriptor.is_repeated or descriptor.is_required:
            raise ValueError(f"Expected value for non-optional field {name}, got None.")
        return None
    if descriptor.type == FieldDescriptor.TYPE_MESSAGE:
        return _check_message(name, descriptor, value)
    if isinstance(value, (Message, MakeProtoPlaceholder)):
        raise ValueError(f"Expected scalar value for field {name}, got {value!r}.")
    expected = _FIELD_TYPES[descriptor.cpp_type]
    if not isinstance(value, (expected, Placeholder)):
        raise ValueError(f"Expected {expected} for {name}, got {value!r}.")
    return value


def _check_message(name: str, descriptor: Any, value: Any) -> Placeholder:
    if isinstance(value, Mapping):
        value = message_factory.GetMessageClass(descriptor.message_type)(**value)
    placeholder = MakeProtoPlaceholder(value) if isinstance(value, Message) else value
    if not isinstance(placeholder, Placeholder) or not placeholder.may_be_message():
        raise ValueError(
            f"Expected submessage proto or placeholder for field {name}, got {value!r}."
        )
    kind = placeholder.expected_type
    wanted = descriptor.message_type.full_name
    if kind is not Message and is_subclass(kind, Message):
        found = kind.DESCRIPTOR.full_name
        if wanted not in (found, any_pb2.Any.DESCRIPTOR.full_name):
            raise ValueError(f"Expected message of type {wanted} for field {name}, got {found}.")
    return placeholder


def _gather_descriptors(made: MakeProtoOperator) -> None:
    """Moves the descriptions of messages within to the outermost one, each file once."""
    known = {file.name for file in made.file_descriptors.file}
    for field in made.fields.values():
        for inner in _messages_within(field):
            for file in inner.file_descriptors.file:
                if file.name not in known:
                    known.add(file.name)
                    made.file_descriptors.file.append(file)
            inner.ClearField("file_descriptors")


def _messages_within(expression: PlaceholderExpression) -> Iterator[MakeProtoOperator]:
    kind = expression.operator.WhichOneof("operator_type")
    if kind == "make_proto_op":
        yield expression.operator.make_proto_op
    elif kind == "list_concat_op":
        for part in expression.operator.list_concat_op.expressions:
            yield from _messages_within(part)
    elif kind == "make_dict_op":
        for entry in expression.operator.make_dict_op.entries:
            yield from _messages_within(entry.value)
