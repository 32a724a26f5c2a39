"""The properties of ml-metadata's nodes as a Trainwright store keeps them: JSON values."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from typing import Any

from google.protobuf import any_pb2, json_format, struct_pb2
from google.protobuf.message import DecodeError

from trainwright.compat.ml_metadata.sqlite.values import STRUCT_PREFIX, VALUE_COLUMNS
from trainwright.compat.mlmd_import.source_file import MlmdFile
from trainwright.metadata.records import Properties
from trainwright.types.property_values import decode_struct

# (declared properties, custom properties)
NodeProperties = tuple[Properties, Properties]


class PropertyReader:
    """Gives the properties of nodes that are asked for in the order of their ids.

    Reads the table once, beside the table of the nodes, so that memory holds one node at a time.
    """

    def __init__(self, file: MlmdFile, noun: str) -> None:
        columns = ", ".join(("name", "is_custom_property", *VALUE_COLUMNS))
        query = f"SELECT {noun}_id, {columns} FROM {noun}Property ORDER BY {noun}_id"
        self._rows: Iterator[tuple[Any, ...]] = file.rows(query)
        self._next = next(self._rows, None)

    def of(self, node_id: int) -> NodeProperties:
        """The properties of a node with a higher id than the one before."""
        declared: Properties = {}
        custom: Properties = {}
        while self._next is not None and not _is_above(self._next[0], node_id):
            owner, name, is_custom, *columns = self._next
            value = read_columns(columns)
            if owner == node_id and value is not None:
                (custom if is_custom else declared)[str(name)] = value
            self._next = next(self._rows, None)
        return declared, custom


def _is_above(owner: object, node_id: int) -> bool:
    # SQLite sorts what is not a number behind the numbers: it belongs to nobody.
    return not isinstance(owner, int) or owner > node_id


def read_columns(columns: list[Any]) -> Any:
    """The value in VALUE_COLUMNS; None where no column has one.

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
