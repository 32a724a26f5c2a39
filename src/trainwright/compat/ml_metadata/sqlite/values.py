"""Between the values of properties and the columns that hold them."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Mapping
from typing import Any

from google.protobuf import any_pb2, json_format, struct_pb2
from google.protobuf.message import DecodeError

from trainwright.compat.ml_metadata import errors
from trainwright.proto.mlmd import metadata_store_pb2 as mlmd
from trainwright.proto.mlmd.metadata_store_pb2 import Value
from trainwright.types.property_values import decode_struct

# Before a Struct in `string_value`; ML Metadata has no column for it.
STRUCT_PREFIX = "mlmd-struct::"

VALUE_COLUMNS = ("int_value", "double_value", "string_value", "proto_value", "bool_value")

_FIELD_OF_TYPE: dict[int, str] = {
    mlmd.INT: "int_value",
    mlmd.DOUBLE: "double_value",
    mlmd.STRING: "string_value",
    mlmd.STRUCT: "struct_value",
    mlmd.PROTO: "proto_value",
    mlmd.BOOLEAN: "bool_value",
}


def columns_of(name: str, value: Value) -> list[Any]:
    """What goes into VALUE_COLUMNS."""
    field = value.WhichOneof("value")
    if field is None:
        raise errors.InvalidArgumentError(
            f"Property {name} has no value: set one of int_value, double_value, string_value, "
            "struct_value, proto_value and bool_value, or leave the property out."
        )
    content: Any = getattr(value, field)
    if field == "struct_value":
        field, content = "string_value", STRUCT_PREFIX + _base64(content)
    elif field == "proto_value":
        content = _base64(content)
    return [content if column == field else None for column in VALUE_COLUMNS]


def value_of(columns: tuple[Any, ...]) -> Value:
    """The value that VALUE_COLUMNS hold."""
    value = Value()
    for column, content in zip(VALUE_COLUMNS, columns, strict=True):
        if content is None:
            continue
        if column == "proto_value":
            value.proto_value.CopyFrom(any_pb2.Any.FromString(base64.b64decode(content)))
        elif column == "string_value" and content.startswith(STRUCT_PREFIX):
            encoded = content[len(STRUCT_PREFIX) :]
            value.struct_value.CopyFrom(struct_pb2.Struct.FromString(base64.b64decode(encoded)))
        else:
            setattr(value, column, bool(content) if column == "bool_value" else content)
    return value


def read_columns(columns: list[Any]) -> Any:
    """The value in VALUE_COLUMNS as a store of Trainwright keeps it: a JSON value; None where no
    column has one.

    >>> read_columns([None, None, "steps", None, None])
    'steps'
    """
    integer, double, string, message, boolean = columns
    if string is not None:
        return _read_string(string)
    if integer is not None:
        return _plain(integer)
    if double is not None:
        return _plain(double)
    if boolean is not None:
        return bool(boolean)
    return None if message is None else _read_message(message)


def _read_string(content: Any) -> Any:
    text = _plain(content)
    if not (isinstance(text, str) and text.startswith(STRUCT_PREFIX)):
        return text
    try:
        encoded = base64.b64decode(text[len(STRUCT_PREFIX) :], validate=True)
        return decode_struct(struct_pb2.Struct.FromString(encoded))
    except (binascii.Error, DecodeError, ValueError, RecursionError):
        return text


def _read_message(content: Any) -> Any:
    text = _plain(content)
    try:
        packed = any_pb2.Any.FromString(base64.b64decode(text, validate=True))
    except (binascii.Error, DecodeError, TypeError, ValueError):
        return text
    try:
        return json_format.MessageToDict(packed, preserving_proto_field_name=True)
    except (TypeError, ValueError, DecodeError, RecursionError):
        # Of a type that is not imported: as it is, for whoever knows the type.
        return {"@type": packed.type_url, "value": base64.b64encode(packed.value).decode()}


def _plain(content: Any) -> Any:
    """What SQLite holds in a column whatever its declared type is, as JSON can hold it."""
    return content.decode("utf-8", "replace") if isinstance(content, bytes) else content


def check_value(name: str, value: Value) -> None:
    """Raises InvalidArgumentError for a value that SQLite cannot keep."""
    columns_of(name, value)
    if value.WhichOneof("value") == "double_value" and math.isnan(value.double_value):
        raise errors.InvalidArgumentError(
            f"Property {name} is NaN, which SQLite would store as nothing. Set string_value to "
            "'nan', or leave the property out."
        )


def check_declared(given: Mapping[str, Value], declared: Mapping[str, int], node: str) -> None:
    """Raises InvalidArgumentError for a property that the type lacks or has otherwise."""
    for name, value in given.items():
        if name not in declared:
            problem = f"Found unknown property: {name}"
        elif value.WhichOneof("value") != _FIELD_OF_TYPE.get(declared[name]):
            problem = f"Found unmatched property type: {name}"
        else:
            continue
        raise errors.InvalidArgumentError(f"Cannot validate properties of {node}: {problem}")


def _base64(message: Any) -> str:
    return base64.b64encode(message.SerializeToString()).decode()
