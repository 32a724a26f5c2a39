"""Writing and reading artifacts, executions and contexts."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from trainwright.compat.ml_metadata import errors
from trainwright.compat.ml_metadata.sqlite.node_kinds import CONTEXT, NodeKind, NodeMessage
from trainwright.compat.ml_metadata.sqlite.record_writer import RecordWriter, as_text
from trainwright.compat.ml_metadata.sqlite.types import types_by_id
from trainwright.compat.ml_metadata.sqlite.values import (
    VALUE_COLUMNS,
    check_declared,
    check_value,
    value_of,
)

_TIMES = ("create_time_since_epoch", "last_update_time_since_epoch")
# SQLite's own limit of bound values was 999 for long.
_IDS_AT_ONCE = 900


def now_in_milliseconds() -> int:
    return time.time_ns() // 1_000_000


def put_node(
    writer: RecordWriter,
    kind: NodeKind,
    given: NodeMessage,
    *,
    mask: Sequence[str] | None = None,
    force_update_time: bool = False,
) -> int:
    """Creates a node, or updates the stored one if `given` has an id; returns the id.

    Args:
        mask: What of a stored node is updated: names of fields, `properties.NAME` and
            `custom_properties.NAME`; everything if there are none.
    """
    connection = writer.connection
    if not given.HasField("id"):
        return _insert(writer, kind, given)
    found = nodes_by_id(connection, kind, [given.id])
    if not found:
        raise errors.InvalidArgumentError(f"Cannot find the given id {given.id}")
    stored = found[0]
    if given.HasField("type_id") and given.type_id != stored.type_id:
        raise errors.InvalidArgumentError(
            f"Given type_id {given.type_id} is different from the one known before: "
            f"{stored.type_id}"
        )
    if kind is CONTEXT and not given.name and (not mask or "name" in mask):
        raise errors.InvalidArgumentError("Context name should not be empty")
    wanted = _masked(kind, stored, given, mask) if mask else _as_updated(kind, stored, given)
    _check_properties(connection, kind, wanted)
    if force_update_time or wanted != stored:
        writer.update_node(kind, stored, wanted, now_in_milliseconds())
    return int(given.id)


def _insert(writer: RecordWriter, kind: NodeKind, given: NodeMessage) -> int:
    if not given.HasField("type_id"):
        raise errors.InvalidArgumentError("Type id is missing.")
    _check_properties(writer.connection, kind, given)
    if kind is CONTEXT and not given.name:
        raise errors.InvalidArgumentError(
            f"Cannot create node for {as_text(given)}Context name should not be empty"
        )
    return writer.insert_node(kind, given, now_in_milliseconds())


def _as_updated(kind: NodeKind, stored: NodeMessage, given: NodeMessage) -> NodeMessage:
    """What is stored after an update as a whole: fields that are not given are empty then."""
    wanted = kind.message()
    wanted.CopyFrom(stored)
    for field in (*kind.fields, "properties", "custom_properties"):
        wanted.ClearField(field)
        _copy_field(given, wanted, field)
    if "uri" in kind.fields:
        wanted.uri = given.uri
    if kind is CONTEXT:
        wanted.name = given.name
    if given.HasField("external_id"):
        wanted.external_id = given.external_id
    return wanted


def _masked(
    kind: NodeKind, stored: NodeMessage, given: NodeMessage, mask: Sequence[str]
) -> NodeMessage:
    wanted = kind.message()
    wanted.CopyFrom(stored)
    for path in mask:
        field, _, name = path.partition(".")
        if field in ("properties", "custom_properties"):
            values, new = getattr(wanted, field), getattr(given, field)
            for key in [name] if name else [*values, *new]:
                if key in new:
                    values[key].CopyFrom(new[key])
                elif key in values:
                    del values[key]
        elif field in (*kind.fields, "external_id") or (field == "name" and kind is CONTEXT):
            wanted.ClearField(field)
            _copy_field(given, wanted, field)
            if field == "uri":
                wanted.uri = given.uri  # it is never missing
    return wanted


def _copy_field(source: NodeMessage, target: NodeMessage, field: str) -> None:
    if field in ("properties", "custom_properties"):
        for name, value in getattr(source, field).items():
            getattr(target, field)[name].CopyFrom(value)
    elif source.HasField(field):
        setattr(target, field, getattr(source, field))


def _check_properties(connection: sqlite3.Connection, kind: NodeKind, given: NodeMessage) -> None:
    types = types_by_id(connection, kind, [given.type_id])
    if not types:
        raise errors.NotFoundError(
            f"Cannot find type for type_id: {given.type_id}. "
            f"No type found for query, type_id: {given.type_id}"
        )
    check_declared(given.properties, types[0].properties, as_text(given))
    for values in (given.properties, given.custom_properties):
        for name, value in values.items():
            check_value(name, value)


def nodes_by_id(
    connection: sqlite3.Connection, kind: NodeKind, ids: Iterable[int]
) -> list[NodeMessage]:
    """The nodes that are found, in the order of their ids."""
    return [node for part in _parts(sorted(set(ids))) for node in _read(connection, kind, part)]


def nodes_in_order(
    connection: sqlite3.Connection, kind: NodeKind, ids: Sequence[int]
) -> list[NodeMessage]:
    """The nodes in the order in which their ids are given."""
    found = {node.id: node for node in nodes_by_id(connection, kind, ids)}
    return [found[node_id] for node_id in ids if node_id in found]


def existing_ids(connection: sqlite3.Connection, kind: NodeKind, ids: Iterable[int]) -> set[int]:
    return {
        row[0]
        for part in _parts(sorted(set(ids)))
        for row in connection.execute(
            f"SELECT id FROM {kind.table} WHERE id IN ({_marks(part)})", part
        )
    }


def rows_by_ids(
    execute: Callable[[str, list[int]], Iterable[tuple[Any, ...]]], query: str, ids: Iterable[int]
) -> list[tuple[Any, ...]]:
    """The rows of a query with `{ids}` in it, asked in parts that a statement can hold."""
    return [
        row
        for part in _parts(sorted(set(ids)))
        for row in execute(query.replace("{ids}", _marks(part)), part)
    ]


def _read(connection: sqlite3.Connection, kind: NodeKind, ids: list[int]) -> list[NodeMessage]:
    columns = ("id", "type_id", "name", "external_id", *kind.fields, *_TIMES)
    selected = ", ".join(f"n.{column}" for column in columns)
    nodes = {}
    for row in connection.execute(
        f"SELECT {selected}, t.name FROM {kind.table} AS n JOIN Type AS t ON t.id = n.type_id "
        f"WHERE n.id IN ({_marks(ids)}) ORDER BY n.id",
        ids,
    ):
        node = nodes[row[0]] = kind.message(type=row[-1])
        for column, content in zip(columns, row[:-1], strict=True):
            if content is not None:
                setattr(node, column, content)
    for node_id, name, is_custom, *content in connection.execute(
        f"SELECT {kind.id_column}, name, is_custom_property, {', '.join(VALUE_COLUMNS)} "
        f"FROM {kind.properties_table} WHERE {kind.id_column} IN ({_marks(ids)})",
        ids,
    ):
        values = nodes[node_id].custom_properties if is_custom else nodes[node_id].properties
        values[name].CopyFrom(value_of(tuple(content)))
    return list(nodes.values())


def _parts(ids: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(ids), _IDS_AT_ONCE):
        yield ids[start : start + _IDS_AT_ONCE]


def _marks(ids: Sequence[Any]) -> str:
    return ", ".join("?" * len(ids))
