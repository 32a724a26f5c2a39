"""The properties of an ML Metadata message as a dict of Python values."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from google.protobuf import json_format, struct_pb2
from google.protobuf.message import Message

from trainwright.proto import proto_json

if TYPE_CHECKING:
    from trainwright.proto.mlmd import metadata_store_pb2

# A JSON value that is not a dict stands under this key of a Struct, as in TFX.
_SINGLE_VALUE = "__value__"


class PropertyValues(MutableMapping[str, Any]):
    """One of the two property maps of an artifact's message.

    Numbers, strings and booleans are in the message at once. Dicts, lists and messages may be
    changed by whoever has them, so they are kept beside it and written by `flush`; so is a None.

    >>> from trainwright.proto.mlmd import metadata_store_pb2
    >>> message = metadata_store_pb2.Artifact()
    >>> values = PropertyValues(message, "custom_properties")
    >>> values["accuracy"] = 0.75
    >>> message.custom_properties["accuracy"].double_value
    0.75
    """

    def __init__(self, message: metadata_store_pb2.Artifact, field: str) -> None:
        self._message = message
        self._field = field
        self._objects: dict[str, Any] = {}

    @property
    def _map(self) -> MutableMapping[str, metadata_store_pb2.Value]:
        values: MutableMapping[str, metadata_store_pb2.Value] = getattr(self._message, self._field)
        return values

    def __getitem__(self, key: str) -> Any:
        if key in self._objects:
            return self._objects[key]
        if key not in self._map:  # the map would make an empty value
            raise KeyError(key)
        value = read_value(self._map[key])
        if isinstance(value, (dict, list, Message)):
            self._objects[key] = value
        return value

    def __setitem__(self, key: str, value: Any) -> None:
        """Sets a value; its Python type says what kind of value the message gets."""
        if value is None or isinstance(value, (dict, list, tuple, Message)):
            self.set_object(key, value)
        else:
            scalar = _scalar(key, value)  # before the map gets an empty value
            _write_scalar(self._map[key], scalar)
            self._objects.pop(key, None)

    def set_object(self, key: str, value: Any) -> None:
        """Sets a JSON value or a message; a string or number is one of JSON here."""
        _write_object(self._map, key, value)
        self._objects[key] = value

    def __delitem__(self, key: str) -> None:
        if key not in self:
            raise KeyError(key)
        self._objects.pop(key, None)
        self._map.pop(key, None)

    def __iter__(self) -> Iterator[str]:
        yield from sorted({*self._map, *self._objects})

    def __len__(self) -> int:
        return len({*self._map, *self._objects})

    def __contains__(self, key: object) -> bool:
        return key in self._objects or key in self._map

    def flush(self) -> None:
        """Brings what was handed out, and may have changed since, into the message."""
        for key, value in self._objects.items():
            _write_object(self._map, key, value)

    def __repr__(self) -> str:
        return repr(dict(self))


def _scalar(key: str, value: Any) -> bool | int | float | str | bytes:
    """A value of a kind that the message has; NumPy's numbers become Python's."""
    if isinstance(value, (bool, str, bytes)):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    raise TypeError(
        f"Property {key!r} was set to {value!r}, which is not JSON serializable; expected a "
        "number, a string, a boolean, a dict or list of these, or a protobuf message."
    )


def _write_scalar(stored: metadata_store_pb2.Value, value: Any) -> None:
    if isinstance(value, bool):
        stored.bool_value = value
    elif isinstance(value, int):
        stored.int_value = value
    elif isinstance(value, float):
        stored.double_value = value
    else:
        stored.string_value = value


def _write_object(
    values: MutableMapping[str, metadata_store_pb2.Value], key: str, value: Any
) -> None:
    if value is None:
        values.pop(key, None)
    elif isinstance(value, Message):
        values[key].proto_value.Pack(value)
    else:
        struct = encode_struct(value)  # before the map gets an empty value
        values[key].struct_value.CopyFrom(struct)


def read_value(stored: metadata_store_pb2.Value) -> Any:
    """What a value message holds; None for an empty one."""
    kind = stored.WhichOneof("value")
    if kind is None:
        return None
    value = getattr(stored, kind)
    if kind == "struct_value":
        return decode_struct(value)
    return proto_json.unpack_any(value) if kind == "proto_value" else value


def encode_struct(value: Any) -> struct_pb2.Struct:
    """A JSON value as a Struct; raises TypeError for what JSON does not know."""
    struct = struct_pb2.Struct()
    whole = value if isinstance(value, dict) else {_SINGLE_VALUE: value}
    try:
        json_format.ParseDict(whole, struct)
    except json_format.ParseError as error:
        raise TypeError(f"{value!r} is not a JSON value: {error}") from error
    return struct


def decode_struct(struct: struct_pb2.Struct) -> Any:
    """The inverse of `encode_struct`; numbers are floats, which is what a Struct holds."""
    value = json_format.MessageToDict(struct)
    return value.get(_SINGLE_VALUE, value)
