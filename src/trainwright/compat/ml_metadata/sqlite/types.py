"""Types of artifacts, executions and contexts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

from google.protobuf import json_format

from trainwright.compat.ml_metadata import errors
from trainwright.compat.ml_metadata.sqlite.node_kinds import NodeKind, TypeMessage
from trainwright.compat.ml_metadata.sqlite.record_writer import STRUCT_COLUMNS, RecordWriter
from trainwright.compat.ml_metadata.sqlite.schema import SYSTEM_TYPES
from trainwright.proto.mlmd import metadata_store_pb2 as mlmd

_COLUMNS = ("id", "name", "version", "description", "input_type", "output_type", "external_id")


def put_type(
    writer: RecordWriter,
    kind: NodeKind,
    given: TypeMessage,
    *,
    can_add_fields: bool = False,
    can_omit_fields: bool = False,
) -> int:
    """Creates the type, or updates the stored one of the same name and version; returns its id."""
    if not given.name:
        raise errors.InvalidArgumentError("No type name is specified.")
    for name, property_type in given.properties.items():
        if property_type == mlmd.UNKNOWN:
            raise errors.InvalidArgumentError(f"Property {name} is UNKNOWN.")
    found = find_types(writer.connection, kind, given.name, given.version or None)
    if found:
        stored = found[0]
        _check_compatible(stored, given, can_add_fields, can_omit_fields)
        _check_base_type(given, stored.base_type if stored.HasField("base_type") else None)
        writer.update_type(kind, stored, given)
        return int(stored.id)
    _check_base_type(given, None)
    return writer.insert_type(kind, given)


def find_types(
    connection: sqlite3.Connection, kind: NodeKind, name: str, version: str | None
) -> list[Any]:
    """The type of this name and version, or nothing."""
    return _read(
        connection, kind, "name = ? AND version IS ?", [name, version or None], with_system=True
    )


def get_type(connection: sqlite3.Connection, kind: NodeKind, name: str, version: str | None) -> Any:
    """The type of this name and version; raises NotFoundError."""
    found = find_types(connection, kind, name, version)
    if not found:
        raise errors.NotFoundError(
            f"No type found for query, name: `{name}`, version: `{version or 'nullopt'}`"
        )
    return found[0]


def all_types(connection: sqlite3.Connection, kind: NodeKind) -> list[Any]:
    """All types but the base types, which every database has."""
    return _read(connection, kind, "TRUE", [])


def types_by_id(connection: sqlite3.Connection, kind: NodeKind, ids: Iterable[int]) -> list[Any]:
    return _by(connection, kind, "id", list(dict.fromkeys(ids)))


def types_by_external_id(
    connection: sqlite3.Connection, kind: NodeKind, external_ids: list[str]
) -> list[Any]:
    return _by(connection, kind, "external_id", external_ids)


def _by(
    connection: sqlite3.Connection, kind: NodeKind, column: str, values: list[Any]
) -> list[Any]:
    marks = ", ".join("?" * len(values))
    return _read(connection, kind, f"{column} IN ({marks})", values, with_system=True)


def _read(
    connection: sqlite3.Connection,
    kind: NodeKind,
    condition: str,
    parameters: list[Any],
    with_system: bool = False,
) -> list[Any]:
    rows = connection.execute(
        f"SELECT {', '.join(_COLUMNS)} FROM Type WHERE type_kind = ? AND {condition} ORDER BY id",
        [kind.type_kind, *parameters],
    ).fetchall()
    return [
        _message(connection, kind, row) for row in rows if with_system or row[1] not in SYSTEM_TYPES
    ]


def _message(connection: sqlite3.Connection, kind: NodeKind, row: tuple[Any, ...]) -> Any:
    message = kind.type_message()
    for column, content in zip(_COLUMNS, row, strict=True):
        if content is None:
            continue
        if column in STRUCT_COLUMNS:
            json_format.Parse(content, getattr(message, column))
        else:
            setattr(message, column, content)
    properties = connection.execute(
        "SELECT name, data_type FROM TypeProperty WHERE type_id = ?", [message.id]
    )
    for name, property_type in properties:
        message.properties[name] = property_type
    base_type = _base_type_name(connection, message.id)
    if base_type is not None:
        message.base_type = kind.base_types[base_type]
    return message


def _base_type_name(connection: sqlite3.Connection, type_id: int) -> str | None:
    row = connection.execute(
        "SELECT Type.name FROM ParentType JOIN Type ON Type.id = ParentType.parent_type_id "
        "WHERE ParentType.type_id = ?",
        [type_id],
    ).fetchone()
    return row[0] if row else None


def _check_base_type(given: TypeMessage, stored: int | None) -> None:
    if not given.HasField("base_type"):
        return
    if given.base_type == 0:
        raise errors.UnimplementedError("base_type deletion is not supported yet")
    if stored is not None and stored != given.base_type:
        raise errors.UnimplementedError("base_type update is not supported yet")


def _check_compatible(
    stored: TypeMessage, given: TypeMessage, can_add_fields: bool, can_omit_fields: bool
) -> None:
    both = f"stored type: {stored}; given type: {given}"
    problem = None
    if any(
        stored.properties.get(name, property_type) != property_type
        for name, property_type in given.properties.items()
    ):
        problem = "Conflicting property value type found in stored and given types"
    elif not can_omit_fields and set(stored.properties) - set(given.properties):
        problem = "can_omit_fields is false while stored type has more properties"
    elif not can_add_fields and set(given.properties) - set(stored.properties):
        problem = "can_add_fields is false while the given type has more properties"
    if problem is not None:
        raise errors.AlreadyExistsError(
            f"Type already exists with different properties: {problem}: {both}"
        )
