"""Types of artifacts, executions and contexts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

from google.protobuf import json_format

from trainwright.compat.ml_metadata import errors
from trainwright.compat.ml_metadata.sqlite.node_kinds import NodeKind, TypeMessage
from trainwright.compat.ml_metadata.sqlite.schema import SYSTEM_TYPES
from trainwright.proto.mlmd import metadata_store_pb2 as mlmd

_COLUMNS = ("id", "name", "version", "description", "input_type", "output_type", "external_id")
_STRUCT_COLUMNS = ("input_type", "output_type")


def put_type(
    connection: sqlite3.Connection,
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
    found = find_types(connection, kind, given.name, given.version or None)
    if not found:
        return _insert(connection, kind, given)
    _update(connection, kind, found[0], given, can_add_fields, can_omit_fields)
    return int(found[0].id)


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
        if column in _STRUCT_COLUMNS:
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


def _insert(connection: sqlite3.Connection, kind: NodeKind, given: TypeMessage) -> int:
    if given.HasField("base_type") and given.base_type == 0:
        raise errors.UnimplementedError("base_type deletion is not supported yet")
    structs = [
        json_format.MessageToJson(getattr(given, column), indent=None)
        if kind.has_structs and given.HasField(column)
        else None
        for column in _STRUCT_COLUMNS
    ]
    try:
        cursor = connection.execute(
            "INSERT INTO Type (name, version, type_kind, description, input_type, output_type, "
            "external_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                given.name,
                given.version or None,
                kind.type_kind,
                given.description or None,
                *structs,
                given.external_id or None,
            ],
        )
    except sqlite3.IntegrityError as error:
        raise _external_id_conflict(kind, given) from error
    type_id = cursor.lastrowid
    assert type_id is not None
    for name, property_type in given.properties.items():
        _insert_property(connection, type_id, name, property_type)
    _set_base_type(connection, kind, type_id, given)
    return type_id


def _update(
    connection: sqlite3.Connection,
    kind: NodeKind,
    stored: TypeMessage,
    given: TypeMessage,
    can_add_fields: bool,
    can_omit_fields: bool,
) -> None:
    _check_compatible(stored, given, can_add_fields, can_omit_fields)
    for name, property_type in given.properties.items():
        if name not in stored.properties:
            _insert_property(connection, stored.id, name, property_type)
    if given.HasField("base_type"):
        if given.base_type == 0:
            raise errors.UnimplementedError("base_type deletion is not supported yet")
        if not stored.HasField("base_type"):
            _set_base_type(connection, kind, stored.id, given)
        elif stored.base_type != given.base_type:
            raise errors.UnimplementedError("base_type update is not supported yet")
    if given.external_id and given.external_id != stored.external_id:
        try:
            connection.execute(
                "UPDATE Type SET external_id = ? WHERE id = ?", [given.external_id, stored.id]
            )
        except sqlite3.IntegrityError as error:
            raise _external_id_conflict(kind, given) from error


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


def _insert_property(
    connection: sqlite3.Connection, type_id: int, name: str, property_type: int
) -> None:
    connection.execute("INSERT INTO TypeProperty VALUES (?, ?, ?)", [type_id, name, property_type])


def _set_base_type(
    connection: sqlite3.Connection, kind: NodeKind, type_id: int, given: TypeMessage
) -> None:
    if not given.HasField("base_type"):
        return
    names = {number: name for name, number in kind.base_types.items()}
    connection.execute(
        "INSERT INTO ParentType SELECT ?, id FROM Type WHERE name = ? AND type_kind = ?",
        [type_id, names[given.base_type], kind.type_kind],
    )


def _external_id_conflict(kind: NodeKind, given: TypeMessage) -> errors.AlreadyExistsError:
    return errors.AlreadyExistsError(
        f"Conflict of external_id: {given.external_id} Found already existing {kind.table} type "
        "with the same external_id."
    )
