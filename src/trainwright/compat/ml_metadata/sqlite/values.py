"""Between the values of properties and the columns that hold them."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from google.protobuf import any_pb2, struct_pb2

from trainwright.compat.ml_metadata import errors
from trainwright.proto.mlmd import metadata_store_pb2 as mlmd
from trainwright.proto.mlmd.metadata_store_pb2 import Value

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
