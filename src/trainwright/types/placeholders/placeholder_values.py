"""Operators of placeholders, computed on known values."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from google.protobuf import any_pb2, json_format, text_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

_MAP_KEY = re.compile(r"\[['\"](.+)['\"]\]")
_INDEX = re.compile(r"\[(\d+)\]")


def to_base64(value: Any, url_safe: bool) -> str:
    """A string or bytes in base64."""
    data = value.encode() if isinstance(value, str) else value
    if not isinstance(data, bytes):
        raise ValueError(f"Failed to Base64 encode {value} of type {type(value)}.")
    encode = base64.urlsafe_b64encode if url_safe else base64.b64encode
    return encode(data).decode("ascii")


def serialize_list(values: Any, format_name: str) -> str:
    """A list as JSON or separated by commas."""
    listed = list(values)
    if not all(isinstance(value, (str, int, float, bool)) for value in listed):
        raise ValueError(
            "Only list of bool, int, float or str is supported for list serialization."
        )
    if format_name == "JSON":
        return json.dumps(listed)
    if format_name == "COMMA_SEPARATED_STR":
        return ",".join(f'"{value}"' if isinstance(value, str) else str(value) for value in listed)
    raise ValueError(
        "List serialization operator failed to resolve. A serialization format is needed."
    )


def follow_field_path(message: Message, path: Iterable[str]) -> Any:
    """What steps like `.field`, `['key']` and `[0]` lead to in a message."""
    value: Any = message
    for step in path:
        value = _follow(value, step)
    return value


def _follow(value: Any, step: str) -> Any:
    if step.startswith("."):
        try:
            return getattr(value, step[1:])
        except AttributeError:
            raise ValueError(
                "While evaluting placeholder proto operator, got unknown proto field "
                f"{step} on proto of type {type(value)}."
            ) from None
    if key := _MAP_KEY.findall(step):
        # Asking a map of messages for a key would add it.
        if key[0] not in value:
            raise ValueError(
                f"While evaluting placeholder proto operator, got unknown map field {step}."
            )
        return value[key[0]]
    if index := _INDEX.findall(step):
        try:
            return value[int(index[0])]
        except IndexError:
            raise ValueError(
                f"While evaluting placeholder proto operator, got unknown index field {step}."
            ) from None
    raise ValueError(f"Got unsupported proto field path: {step}")


def plain_or_serialized(value: Any, format_name: str | None) -> Any:
    """What a field holds, in Python's own types; a message as the format says, if one is given."""
    if isinstance(value, (int, float, str, bool, bytes)):
        return value
    if isinstance(value, Message):
        return serialize_message(value, format_name) if format_name else value
    if type(value).__name__.startswith("Repeated"):  # protobuf's lists share no base class
        return list(value)
    raise ValueError(f"Got unsupported value type {type(value)} from accessing proto field path.")


def serialize_message(message: Message, format_name: str) -> Any:
    """A message as text, JSON, bytes, or the name of a file that holds its text."""
    if format_name == "JSON":
        return json_format.MessageToJson(message, sort_keys=True, preserving_proto_field_name=True)
    if format_name == "TEXT_FORMAT":
        return text_format.MessageToString(message)
    if format_name == "INLINE_FILE_TEXT_FORMAT":
        return f"/inline/file/{text_format.MessageToString(message, as_one_line=True)}"
    if format_name == "BINARY":
        return message.SerializeToString()
    raise ValueError(f"A message cannot be serialized as {format_name}.")


def fill_message(message: Message, fields: Mapping[str, Any]) -> Message:
    """Merges values into the fields of a message; None leaves a field out."""
    for name, value in fields.items():
        descriptor = message.DESCRIPTOR.fields_by_name[name]
        if value is None:
            if descriptor.is_required:
                raise ValueError(
                    f"Placeholder for required field {message.DESCRIPTOR.full_name}.{name} "
                    "resolved to None."
                )
            continue
        _fill_field(message, descriptor, value)
    return message


def _fill_field(message: Message, descriptor: Any, value: Any) -> None:
    held = getattr(message, descriptor.name)
    if is_map(descriptor):
        _expect(message, descriptor, value, dict)
        for key, part in value.items():
            if isinstance(part, Message):
                _assign_message(held[key], part)
            else:
                held[key] = part
    elif descriptor.is_repeated:
        _expect(message, descriptor, value, list)
        for part in value:
            if isinstance(part, Message):
                _assign_message(held.add(), part)
            elif part is not None:
                held.append(part)
    elif descriptor.type == FieldDescriptor.TYPE_MESSAGE:
        _assign_message(held, value)
    elif descriptor.type == FieldDescriptor.TYPE_ENUM and isinstance(value, str):
        setattr(message, descriptor.name, descriptor.enum_type.values_by_name[value].number)
    elif descriptor.type == FieldDescriptor.TYPE_BYTES and isinstance(value, str):
        setattr(message, descriptor.name, value.encode())
    else:
        setattr(message, descriptor.name, value)


def is_map(descriptor: Any) -> bool:
    """Whether a field is a map, which descriptors show as a list of entries."""
    kind = descriptor.message_type
    return kind is not None and kind.GetOptions().map_entry


def _expect(message: Message, descriptor: Any, value: Any, kind: type) -> None:
    if not isinstance(value, kind):
        raise ValueError(
            f"Expected {kind.__name__} value for field {message.DESCRIPTOR.full_name}."
            f"{descriptor.name}, but the placeholder resolved to {value!r}"
        )


def _assign_message(target: Message, value: Message) -> None:
    if target.DESCRIPTOR.full_name == any_pb2.Any.DESCRIPTOR.full_name:
        target.Pack(value)  # type: ignore[attr-defined]
    else:
        target.MergeFrom(value)
