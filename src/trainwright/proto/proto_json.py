"""Messages as JSON, the form in which components store them as execution properties.

The text is the one TFX writes. Reading is stricter: a key that is not a field of the message
is refused, because ignoring `{"num_step": 100}` means training with no step limit.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar, cast

from google.protobuf import descriptor_pool, json_format, message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

MessageT = TypeVar("MessageT", bound=Message)


class UnreadableMessageError(json_format.ParseError, ValueError):
    """A value does not fit the field of a message: protobuf's own error, and a ValueError."""


def proto_to_json(proto: Message) -> str:
    """Writes a message as JSON with sorted keys and the field names of its .proto file.

    Fields that have their default value are left out, so an empty message is `{}`.
    """
    return json_format.MessageToJson(proto, sort_keys=True, preserving_proto_field_name=True)


def proto_to_dict(proto: Message) -> dict[str, Any]:
    """The fields that are set, by the names of the .proto file.

    >>> from trainwright.proto import TrainArgs
    >>> proto_to_dict(TrainArgs(num_steps=100))
    {'num_steps': 100}
    """
    return json_format.MessageToDict(proto, preserving_proto_field_name=True)


def json_to_proto(text: str, message: MessageT) -> MessageT:
    """Merges a JSON object into `message` and returns it.

    Args:
        text: a JSON object whose keys are field names, `num_steps` or `numSteps`.
        message: the message to fill, usually a new one.

    Raises:
        ValueError: `text` is not JSON, a key is not a field or comes twice, or a value does not
            fit its field.
        TypeError: something else stands where an object is needed.
    """
    try:
        decoded = json.loads(text, object_pairs_hook=object_with_unique_keys)
    except ValueError as error:
        raise ValueError(
            f"{message.DESCRIPTOR.name} cannot be read from {text!r}: {error}"
        ) from error
    return dict_to_proto(decoded, message)


def dict_to_proto(mapping: Mapping[str, Any], message: MessageT) -> MessageT:
    """Merges a mapping of field names to values into `message` and returns it.

    Values are what JSON can hold; nested messages are mappings, enums are names or numbers.

    Raises:
        ValueError: a key is not a field, or a value does not fit its field.
        TypeError: something else stands where a mapping is needed.

    Example:
        >>> from trainwright.proto import TrainArgs
        >>> dict_to_proto({"num_steps": 100}, TrainArgs()).num_steps
        100
    """
    descriptor = cast(Descriptor, message.DESCRIPTOR)
    _check_keys(mapping, descriptor, path=descriptor.name)
    try:
        json_format.ParseDict(dict(mapping), message)
    except json_format.ParseError as error:
        raise UnreadableMessageError(
            f"{descriptor.name} cannot be read from {mapping!r}: {error}"
        ) from error
    return message


def unpack_any(packed: Any) -> Message:
    """The message inside of a `google.protobuf.Any`.

    Raises:
        TypeError: no module that is imported has a message of this name.
    """
    name = packed.TypeName()
    try:
        descriptor = descriptor_pool.Default().FindMessageTypeByName(name)
    except KeyError as error:
        raise TypeError(
            f"The message type {name!r} is not known here. Import the module that declares it."
        ) from error
    message = message_factory.GetMessageClass(descriptor)()
    packed.Unpack(message)
    return message


def object_with_unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The `object_pairs_hook` for `json.loads` that refuses a key that comes twice."""
    decoded: dict[str, Any] = {}
    for key, value in pairs:
        if key in decoded:
            raise ValueError(f"the key {key!r} comes twice.")
        decoded[key] = value
    return decoded


def _check_keys(value: object, descriptor: Descriptor, path: str) -> None:
    if descriptor.full_name.startswith("google.protobuf."):
        return  # Any, Duration and the like have a JSON form of their own, checked by the parser
    if not isinstance(value, Mapping):
        raise TypeError(
            f"{path} must be a mapping of field names to values, "
            f"got {value!r} of type {type(value).__name__}."
        )
    fields = {field.json_name: field for field in descriptor.fields}
    fields |= {field.name: field for field in descriptor.fields}
    for key, child in value.items():
        if key not in fields:
            raise ValueError(unknown_field(key, descriptor, path))
        for suffix, message_type, nested in _nested_messages(fields[key], child):
            _check_keys(nested, message_type, f"{path}.{fields[key].name}{suffix}")


def _nested_messages(
    field: FieldDescriptor, value: object
) -> Iterator[tuple[str, Descriptor, object]]:
    """Yields what stands for a message in a field's value: where, of which type, the value."""
    message_type = field.message_type
    if message_type is None or value is None:
        return
    if message_type.GetOptions().map_entry:
        value_type = message_type.fields_by_name["value"].message_type
        if value_type is not None and isinstance(value, Mapping):
            for key, item in value.items():
                yield f"[{key!r}]", value_type, item
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield f"[{index}]", message_type, item
    else:
        yield "", message_type, value


def unknown_field(key: object, descriptor: Descriptor, path: str) -> str:
    """The sentence about a key that is not a field of the message at `path`."""
    names = [field.name for field in descriptor.fields]
    # Compared without case and underscores, so that "numStep" too finds "num_steps".
    plain = {_plain(name): name for name in names}
    nearest = difflib.get_close_matches(_plain(str(key)), plain, n=1)
    guess = f" Did you mean {plain[nearest[0]]!r}?" if nearest else ""
    return f"{path} has no field {key!r}.{guess} Its fields are: {', '.join(names)}."


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
