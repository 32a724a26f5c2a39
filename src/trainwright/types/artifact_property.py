"""The kinds of value that a declared artifact property can have."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, cast

from google.protobuf.message import Message

if TYPE_CHECKING:
    from trainwright.proto.mlmd import metadata_store_pb2


class PropertyType(enum.Enum):
    """The kind of a property; its value is the kind's name in a metadata store."""

    INT = "INT"
    FLOAT = "DOUBLE"
    STRING = "STRING"
    BOOLEAN = "BOOLEAN"
    # A dict, list, string, number or None. The key `__value__` of a dict is reserved.
    JSON_VALUE = "STRUCT"
    PROTO = "PROTO"


class Property:
    """Declares one property of an artifact type: `PROPERTIES = {"span": Property(type=...)}`."""

    def __init__(self, type: PropertyType) -> None:
        if not isinstance(type, PropertyType):
            raise ValueError(
                f"Property type must be one of {list(PropertyType)}. A property's type must be a "
                f"PropertyType, got {type!r}."
            )
        self.type = type

    def mlmd_type(self) -> metadata_store_pb2.PropertyType:
        """The number of the kind in ML Metadata's messages."""
        from trainwright.proto.mlmd import metadata_store_pb2

        number = metadata_store_pb2.PropertyType.Value(self.type.value)
        return cast("metadata_store_pb2.PropertyType", number)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Property) and other.type == self.type

    def __hash__(self) -> int:
        return hash(self.type)

    def __repr__(self) -> str:
        return str(self.type)


# What a property of each kind takes, as Python types and in words.
_TAKEN: dict[PropertyType, tuple[tuple[type, ...], str]] = {
    PropertyType.INT: ((int,), "integer value"),
    PropertyType.FLOAT: ((float, int), "float value"),
    PropertyType.STRING: ((str, bytes), "string value"),
    PropertyType.BOOLEAN: ((bool,), "boolean value"),
    PropertyType.JSON_VALUE: (
        (dict, list, str, float, int, type(None)),
        "JSON value (dict, list, string, float, int or None)",
    ),
    PropertyType.PROTO: ((Message, type(None)), "protobuf message value or None"),
}
DEFAULTS: dict[PropertyType, object] = {
    PropertyType.INT: 0,
    PropertyType.FLOAT: 0.0,
    PropertyType.STRING: "",
    PropertyType.BOOLEAN: False,
    PropertyType.JSON_VALUE: None,
    PropertyType.PROTO: None,
}


def check_value(name: str, kind: PropertyType, value: object) -> object:
    """The value as a property of this kind keeps it; raises ValueError for another kind."""
    taken, words = _TAKEN[kind]
    if not isinstance(value, taken) or (kind is PropertyType.FLOAT and isinstance(value, bool)):
        raise ValueError(f"Expected {words} for property {name!r}; got {value!r} instead.")
    if kind is PropertyType.INT:
        assert isinstance(value, int)
        return int(value)  # a bool is a number here
    if kind is PropertyType.FLOAT:
        assert isinstance(value, (int, float))
        return float(value)
    return value
