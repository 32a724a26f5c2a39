"""RecordWriter: the interface for writing records, and its version for ML Metadata's tables."""

from __future__ import annotations

import sqlite3
from typing import Any, Protocol

from google.protobuf import json_format, text_format

from trainwright.compat.ml_metadata import errors
from trainwright.compat.ml_metadata.sqlite.node_kinds import NodeKind, NodeMessage, TypeMessage
from trainwright.compat.ml_metadata.sqlite.values import VALUE_COLUMNS, columns_of
from trainwright.proto.mlmd.metadata_store_pb2 import Event, ParentContext

# Of types of executions.
STRUCT_COLUMNS = ("input_type", "output_type")

# The table between contexts and the nodes of a kind.
MEMBERS = {"Artifact": "Attribution", "Execution": "Association"}


class RecordWriter(Protocol):
    """One write transaction. What it is given has been checked, except that names, external ids,
    events and parent contexts are unique: those raise AlreadyExistsError here.

    Attributes:
        connection: Reads ML Metadata's tables within the transaction.
    """

    connection: sqlite3.Connection

    def insert_type(self, kind: NodeKind, given: TypeMessage) -> int:
        """Stores a new type; returns its id."""

    def update_type(self, kind: NodeKind, stored: TypeMessage, given: TypeMessage) -> None:
        """Adds the properties, the base type and the external id that the stored type lacks."""

    def insert_node(self, kind: NodeKind, given: NodeMessage, now: int) -> int:
        """Stores a new node; returns its id."""

    def update_node(
        self, kind: NodeKind, stored: NodeMessage, wanted: NodeMessage, now: int
    ) -> None:
        """Makes the stored node the wanted one."""

    def insert_event(self, event: Event, at: int) -> None:
        """Stores an event, whose artifact and execution are stored."""

    def insert_member(self, kind: NodeKind, node_id: int, context_id: int) -> None:
        """Puts a stored node into a stored context; nothing happens if it is in it."""

    def insert_parent_context(self, link: ParentContext) -> None:
        """Makes a stored context a part of another."""


class MlmdWriter:
    """Writes the tables of ML Metadata.

    Args:
        connection: A connection in a transaction.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def insert_type(self, kind: NodeKind, given: TypeMessage) -> int:
        try:
            cursor = self.connection.execute(
                "INSERT INTO Type (name, version, type_kind, description, input_type, output_type, "
                "external_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    given.name,
                    given.version or None,
                    kind.type_kind,
                    given.description or None,
                    *struct_texts(kind, given),
                    given.external_id or None,
                ],
            )
        except sqlite3.IntegrityError as error:
            raise type_conflict(kind, given) from error
        type_id = cursor.lastrowid
        assert type_id is not None
        self._insert_properties(type_id, dict(given.properties))
        self._set_base_type(kind, type_id, given)
        return type_id

    def update_type(self, kind: NodeKind, stored: TypeMessage, given: TypeMessage) -> None:
        new = {name: one for name, one in given.properties.items() if name not in stored.properties}
        self._insert_properties(stored.id, new)
        if not stored.HasField("base_type"):
            self._set_base_type(kind, stored.id, given)
        if given.external_id and given.external_id != stored.external_id:
            try:
                self.connection.execute(
                    "UPDATE Type SET external_id = ? WHERE id = ?", [given.external_id, stored.id]
                )
            except sqlite3.IntegrityError as error:
                raise type_conflict(kind, given) from error

    def _insert_properties(self, type_id: int, properties: dict[str, int]) -> None:
        self.connection.executemany(
            "INSERT INTO TypeProperty VALUES (?, ?, ?)",
            [[type_id, name, number] for name, number in properties.items()],
        )

    def _set_base_type(self, kind: NodeKind, type_id: int, given: TypeMessage) -> None:
        if not given.HasField("base_type"):
            return
        names = {number: name for name, number in kind.base_types.items()}
        self.connection.execute(
            "INSERT INTO ParentType SELECT ?, id FROM Type WHERE name = ? AND type_kind = ?",
            [type_id, names[given.base_type], kind.type_kind],
        )

    def insert_node(self, kind: NodeKind, given: NodeMessage, now: int) -> int:
        row: dict[str, Any] = {"type_id": given.type_id, **_node_columns(kind, given)}
        if "uri" in row:
            row["uri"] = given.uri
        row["create_time_since_epoch"] = row["last_update_time_since_epoch"] = now
        columns = ", ".join(row)
        marks = ", ".join("?" * len(row))
        try:
            cursor = self.connection.execute(
                f"INSERT INTO {kind.table} ({columns}) VALUES ({marks})", [*row.values()]
            )
        except sqlite3.IntegrityError as error:
            raise node_conflict(given, str(error)) from error
        node_id = cursor.lastrowid
        assert node_id is not None
        self._write_properties(kind, node_id, given)
        return node_id

    def update_node(
        self, kind: NodeKind, stored: NodeMessage, wanted: NodeMessage, now: int
    ) -> None:
        row = {**_node_columns(kind, wanted), "last_update_time_since_epoch": now}
        assignments = ", ".join(f"{column} = ?" for column in row)
        try:
            self.connection.execute(
                f"UPDATE {kind.table} SET {assignments} WHERE id = ?", [*row.values(), stored.id]
            )
        except sqlite3.IntegrityError as error:
            raise node_conflict(wanted, str(error)) from error
        self.connection.execute(
            f"DELETE FROM {kind.properties_table} WHERE {kind.id_column} = ?", [stored.id]
        )
        self._write_properties(kind, stored.id, wanted)

    def _write_properties(self, kind: NodeKind, node_id: int, given: NodeMessage) -> None:
        rows = [
            [node_id, name, is_custom, *columns_of(name, value)]
            for is_custom, values in enumerate((given.properties, given.custom_properties))
            for name, value in values.items()
        ]
        self.connection.executemany(
            f"INSERT INTO {kind.properties_table} ({kind.id_column}, name, is_custom_property, "
            f"{', '.join(VALUE_COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )

    def insert_event(self, event: Event, at: int) -> None:
        try:
            cursor = self.connection.execute(
                "INSERT INTO Event (artifact_id, execution_id, type, milliseconds_since_epoch) "
                "VALUES (?, ?, ?, ?)",
                [event.artifact_id, event.execution_id, event.type, at],
            )
        except sqlite3.IntegrityError as error:
            raise event_conflict(event) from error
        self.connection.executemany(
            "INSERT INTO EventPath (event_id, is_index_step, step_index, step_key) "
            "VALUES (?, ?, ?, ?)",
            [[cursor.lastrowid, *step_columns(step)] for step in event.path.steps],
        )

    def insert_member(self, kind: NodeKind, node_id: int, context_id: int) -> None:
        self.connection.execute(
            f"INSERT OR IGNORE INTO {MEMBERS[kind.table]} (context_id, {kind.id_column}) "
            "VALUES (?, ?)",
            [context_id, node_id],
        )

    def insert_parent_context(self, link: ParentContext) -> None:
        try:
            self.connection.execute(
                "INSERT INTO ParentContext VALUES (?, ?)", [link.child_id, link.parent_id]
            )
        except sqlite3.IntegrityError as error:
            raise parent_conflict(link) from error


def _node_columns(kind: NodeKind, node: NodeMessage) -> dict[str, Any]:
    return {
        column: getattr(node, column) if node.HasField(column) else None
        for column in (*kind.fields, "name", "external_id")
    }


def struct_texts(kind: NodeKind, given: TypeMessage) -> list[str | None]:
    """What goes into STRUCT_COLUMNS."""
    return [
        json_format.MessageToJson(getattr(given, column), indent=None)
        if kind.has_structs and given.HasField(column)
        else None
        for column in STRUCT_COLUMNS
    ]


def step_columns(step: Event.Path.Step) -> tuple[int, int | None, str | None]:
    """Whether a step of a path is an index, and the index or the key."""
    is_index = step.WhichOneof("value") == "index"
    return int(is_index), step.index if is_index else None, None if is_index else step.key


def type_conflict(kind: NodeKind, given: TypeMessage) -> errors.AlreadyExistsError:
    return errors.AlreadyExistsError(
        f"Conflict of external_id: {given.external_id} Found already existing {kind.table} type "
        "with the same external_id."
    )


def node_conflict(node: NodeMessage, cause: str) -> errors.AlreadyExistsError:
    return errors.AlreadyExistsError(f"Given node already exists: {as_text(node)}: {cause}")


def event_conflict(event: Event) -> errors.AlreadyExistsError:
    return errors.AlreadyExistsError(f"Given event already exists: {as_text(event)}")


def parent_conflict(link: ParentContext) -> errors.AlreadyExistsError:
    return errors.AlreadyExistsError(f"Given parent_context already exists: {link}")


def as_text(message: Any) -> str:
    """A message in one line."""
    return text_format.MessageToString(message, as_one_line=True)
