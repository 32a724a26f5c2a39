"""Writing to a store of Trainwright as to one of ML Metadata.

Nodes, events and memberships become rows of the store, through its own transaction and under its
rules (`metadata/external_writes.py`), so that runs and commands see them. What ML Metadata knows
beyond that goes into tables beside the store's own, which the first of such writes makes:

- mlmd_fields: of a type, an artifact, an execution or a context; versions, external ids, names of
  executions, states that runs do not know, and the values of properties that JSON cannot tell.
- mlmd_events: events as they were given; mlmd_event_places says which of the store's they are.
- mlmd_parent_contexts.

Runs never read these. `trainwright_views.py` shows both together.
"""

from __future__ import annotations

import base64
import contextlib
import json
import math
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

from trainwright.compat.ml_metadata import errors
from trainwright.compat.ml_metadata.sqlite.event_places import CORE_EVENT_TYPES, places_of
from trainwright.compat.ml_metadata.sqlite.node_kinds import (
    ARTIFACT,
    CONTEXT,
    EXECUTION,
    NodeKind,
    NodeMessage,
    TypeMessage,
)
from trainwright.compat.ml_metadata.sqlite.record_writer import (
    STRUCT_COLUMNS,
    event_conflict,
    node_conflict,
    parent_conflict,
    step_columns,
    struct_texts,
    type_conflict,
)
from trainwright.compat.ml_metadata.sqlite.trainwright_views import (
    FIELDS_TABLE,
    has_views,
    make_views,
    value_message,
)
from trainwright.compat.ml_metadata.sqlite.values import columns_of, read_columns
from trainwright.metadata.connection import sqlite_metadata_connection_config
from trainwright.metadata.external_writes import ExternalWrites, ProtectedRecordError
from trainwright.metadata.internal_properties import IS_EXTERNAL
from trainwright.metadata.records import ArtifactState, ExecutionState, Properties, TypeRecord
from trainwright.metadata.rows import decode_properties
from trainwright.metadata.sql_store import SqlMetadataStore
from trainwright.metadata.store import DamagedRecordError, MetadataError
from trainwright.proto.mlmd import metadata_store_pb2 as mlmd

_TABLES = {
    FIELDS_TABLE: "kind TEXT NOT NULL, record_id INTEGER NOT NULL, name TEXT NOT NULL, "
    "value TEXT NOT NULL, PRIMARY KEY (kind, record_id, name)) WITHOUT ROWID",
    "mlmd_events": "id INTEGER PRIMARY KEY AUTOINCREMENT, "
    "artifact_id INTEGER NOT NULL REFERENCES artifacts (id), "
    "execution_id INTEGER NOT NULL REFERENCES executions (id), type INTEGER NOT NULL, "
    "at INTEGER NOT NULL, path TEXT NOT NULL, UNIQUE (execution_id, artifact_id, type))",
    "mlmd_event_places": "execution_id INTEGER NOT NULL, type TEXT NOT NULL, key TEXT NOT NULL, "
    '"index" INTEGER NOT NULL, PRIMARY KEY (execution_id, type, key, "index")) WITHOUT ROWID',
    "mlmd_parent_contexts": "context_id INTEGER NOT NULL REFERENCES contexts (id), "
    "parent_context_id INTEGER NOT NULL REFERENCES contexts (id), "
    "PRIMARY KEY (context_id, parent_context_id)) WITHOUT ROWID",
}
_INDEXES = {
    "mlmd_fields_by_value": f"{FIELDS_TABLE} (kind, name, value)",
    "mlmd_events_by_artifact": "mlmd_events (artifact_id)",
    "mlmd_parent_contexts_by_parent": "mlmd_parent_contexts (parent_context_id)",
}

_CUSTOM = "custom_properties"
_PROPERTY_TYPES = {number: name for name, number in mlmd.PropertyType.items()}
_ARTIFACT_STATES = {mlmd.Artifact.State.Value(state.value): state for state in ArtifactState}
_EXECUTION_STATES = {mlmd.Execution.State.Value(state.value): state for state in ExecutionState}


class OwnStore:
    """A store of Trainwright in a file, opened when it is first written to.

    Args:
        path: The file.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._store: SqlMetadataStore | None = None

    @contextlib.contextmanager
    def writing(self) -> Iterator[OwnStoreWriter]:
        """A transaction as those of runs, which it waits for; all of it is stored, or nothing."""
        with self._errors_translated():
            store = self._opened()
            with store.external_writes() as writes:
                yield OwnStoreWriter(writes)

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    def _opened(self) -> SqlMetadataStore:
        if self._store is None:
            config = sqlite_metadata_connection_config(self._path)
            self._store = SqlMetadataStore(config.url, create=False)
        if self._store.is_read_only:
            raise errors.PermissionDeniedError(
                f"The metadata store {self._path} may only be read by this user. Give this user "
                "write access to the file and to its directory, or write to another store."
            )
        return self._store

    @contextlib.contextmanager
    def _errors_translated(self) -> Iterator[None]:
        try:
            yield
        except ProtectedRecordError as error:
            raise errors.FailedPreconditionError(str(error)) from error
        except DamagedRecordError as error:
            raise errors.DataLossError(str(error)) from error
        except MetadataError as error:
            kind = errors.AbortedError if "locked" in str(error) else errors.InternalError
            raise kind(str(error)) from error


class OwnStoreWriter:
    """Writes records of ML Metadata to a store of Trainwright; a `RecordWriter`.

    Args:
        writes: The transaction.
    """

    def __init__(self, writes: ExternalWrites) -> None:
        self._writes = writes
        driver: Any = writes.connection.connection.driver_connection
        self.connection: sqlite3.Connection = driver
        _make_tables(self.connection)
        if not has_views(self.connection):
            make_views(self.connection, with_fields=True)

    # Types

    def insert_type(self, kind: NodeKind, given: TypeMessage) -> int:
        self._check_external_id("type", given, type_conflict(kind, given))
        # The store knows no versions: they are told apart by their names there.
        name = f"{given.name}@{given.version}" if given.version else given.name
        if self._find("SELECT 1 FROM main.types WHERE kind = ? AND name = ?", kind.noun, name):
            raise errors.AlreadyExistsError(
                f"Trainwright's store has a type {name!r} of {kind.noun}s already, as which "
                f"version {given.version!r} of {given.name!r} would be stored. Give the type "
                "another name or version."
            )
        type_id = self._writes.put_type(kind.noun, self._type_record(kind, name, given))
        structs = dict(zip(STRUCT_COLUMNS, struct_texts(kind, given), strict=True))
        self._set_fields(
            "type",
            type_id,
            {
                "name": given.name if given.version else None,
                "version": given.version or None,
                "description": given.description or None,
                "external_id": given.external_id or None,
                **structs,
            },
        )
        return type_id

    def update_type(self, kind: NodeKind, stored: TypeMessage, given: TypeMessage) -> None:
        if stored.id <= 0:
            raise _of_a_base_type(stored.name)
        name = self._find("SELECT name FROM main.types WHERE id = ?", stored.id)
        self._writes.put_type(kind.noun, self._type_record(kind, name, given))
        if given.external_id and given.external_id != stored.external_id:
            self._check_external_id("type", given, type_conflict(kind, given))
            self._set_fields("type", stored.id, {"external_id": given.external_id})

    def _type_record(self, kind: NodeKind, name: str, given: TypeMessage) -> TypeRecord:
        base_names = {number: full.partition(".")[2] for full, number in kind.base_types.items()}
        has_base = given.HasField("base_type")
        return TypeRecord(
            name=name,
            base_type=base_names[given.base_type] if has_base else None,
            properties={key: _PROPERTY_TYPES[one] for key, one in given.properties.items()},
        )

    # Nodes

    def insert_node(self, kind: NodeKind, given: NodeMessage, now: int) -> int:
        del now  # the store's clock tells
        if given.type_id <= 0:
            found = self._find("SELECT name FROM Type WHERE id = ?", given.type_id)
            raise _of_a_base_type(found)
        self._check_name(kind, given)
        if given.HasField("external_id"):
            self._check_external_id(kind.noun, given, node_conflict(given, "external_id"))
        properties, custom = _row_properties(kind, given, _plain)
        if kind is ARTIFACT:
            state, state_field = _core_state(_ARTIFACT_STATES, given, "state")
            node_id = self._writes.insert_artifact(
                given.type_id,
                uri=given.uri,
                name=given.name if given.HasField("name") else None,
                state=state or ArtifactState.LIVE,
                properties=properties,
                custom_properties=custom,
            )
            custom = {**custom, IS_EXTERNAL: 1}
        elif kind is EXECUTION:
            state, state_field = _core_state(_EXECUTION_STATES, given, "last_known_state")
            node_id = self._writes.insert_execution(
                given.type_id, state=state or ExecutionState.COMPLETE, custom_properties=custom
            )
        else:
            state_field = None
            node_id = self._writes.insert_context(
                given.type_id, name=given.name, custom_properties=custom
            )
        fields = {"external_id": given.external_id if given.HasField("external_id") else None}
        if kind is EXECUTION:
            fields["name"] = given.name if given.HasField("name") else None
        self._note(kind, node_id, given, properties, custom, {**fields, "state": state_field})
        return node_id

    def update_node(
        self, kind: NodeKind, stored: NodeMessage, wanted: NodeMessage, now: int
    ) -> None:
        if kind is CONTEXT and wanted.name != stored.name:
            self._check_name(kind, wanted)
        if wanted.HasField("external_id") and wanted.external_id != stored.external_id:
            self._check_external_id(kind.noun, wanted, node_conflict(wanted, "external_id"))
        properties, custom = self._changed_properties(kind, stored, wanted)
        fields = {"external_id": wanted.external_id if wanted.HasField("external_id") else None}
        if kind is ARTIFACT:
            state, fields["state"] = _core_state(_ARTIFACT_STATES, wanted, "state")
            kept = self._writes.update_artifact(
                stored.id,
                uri=wanted.uri,
                state=state or ArtifactState.LIVE,
                properties=properties,
                custom_properties=custom,
            )
        elif kind is EXECUTION:
            state, fields["state"] = _core_state(_EXECUTION_STATES, wanted, "last_known_state")
            kept = self._writes.update_execution(stored.id, state=state, custom_properties=custom)
        else:
            fields["updated_at"] = str(max(now, stored.last_update_time_since_epoch))
            kept = self._writes.update_context(
                stored.id, name=wanted.name, custom_properties=custom
            )
        self._note(kind, stored.id, wanted, properties, kept, fields)

    def _changed_properties(
        self, kind: NodeKind, stored: NodeMessage, wanted: NodeMessage
    ) -> tuple[Properties, Properties]:
        """What the row is to have: what does not change stays as a run has written it."""
        row: dict[str, Properties] = {}
        for column in ("properties", "custom_properties") if kind is ARTIFACT else (_CUSTOM,):
            text = self._find(f"SELECT {column} FROM main.{kind.noun}s WHERE id = ?", stored.id)
            row[column] = decode_properties(text, f"{kind.noun} {stored.id}", column)

        def plain(name: str, value: mlmd.Value, field: str) -> Any:
            before = getattr(stored, field)
            current = row.get(field, row[_CUSTOM])
            is_changed = name not in before or before[name] != value or name not in current
            return _plain(name, value, field) if is_changed else current[name]

        return _row_properties(kind, wanted, plain)

    def _note(
        self,
        kind: NodeKind,
        node_id: int,
        node: NodeMessage,
        properties: Properties,
        custom: Properties,
        fields: dict[str, str | None],
    ) -> None:
        """Stores what the row cannot tell, which has these properties and custom properties."""
        declared = self._declared_types(node.type_id) if kind is ARTIFACT else {}
        exact = {
            "properties": {
                name: _encoded(value)
                for name, value in node.properties.items()
                if kind is not ARTIFACT
                or value_message(kind.noun, properties[name], declared.get(name)) != value
            },
            "custom_properties": {
                name: _encoded(value)
                for name, value in node.custom_properties.items()
                if value_message(kind.noun, custom[name], None) != value
            },
            # What the row has for runs alone, or because of a declared property.
            "hidden": sorted(
                name
                for name in custom
                if name not in node.custom_properties
                and (name in node.properties or name == IS_EXTERNAL)
            ),
        }
        noted = {name: content for name, content in exact.items() if content}
        fields = {**fields, "values": json.dumps(noted, sort_keys=True) if noted else None}
        self._set_fields(kind.noun, node_id, fields)

    def _declared_types(self, type_id: int) -> dict[str, str]:
        found: dict[str, str] = json.loads(
            self._find("SELECT properties FROM main.types WHERE id = ?", type_id)
        )
        return found

    def _check_name(self, kind: NodeKind, given: NodeMessage) -> None:
        """Names are unique among the nodes of a type."""
        if not given.HasField("name") or not given.name:
            return
        query = f"SELECT 1 FROM {kind.table} WHERE type_id = ? AND name = ?"
        if self._find(query, given.type_id, given.name):
            raise node_conflict(given, "its type has one of this name")

    def _check_external_id(self, kind: str, given: Any, error: errors.StatusError) -> None:
        query = (
            f"SELECT 1 FROM {FIELDS_TABLE} WHERE kind = ? AND name = 'external_id' AND value = ?"
        )
        if given.external_id and self._find(query, kind, given.external_id):
            raise error

    # What connects them

    def insert_event(self, event: mlmd.Event, at: int) -> None:
        if self._is_stored(event):
            raise event_conflict(event)
        steps = [step_columns(step) for step in event.path.steps]
        self.connection.execute(
            "INSERT INTO mlmd_events (execution_id, artifact_id, type, at, path) "
            "VALUES (?, ?, ?, ?, ?)",
            [event.execution_id, event.artifact_id, event.type, at, json.dumps(steps)],
        )
        for key, index in places_of(steps):
            place = self._writes.add_event(
                execution_id=event.execution_id,
                artifact_id=event.artifact_id,
                type=CORE_EVENT_TYPES[event.type],
                key=key,
                index=index,
                at=at / 1000,
            )
            self.connection.execute(
                "INSERT INTO mlmd_event_places VALUES (?, ?, ?, ?)",
                [event.execution_id, place[0].value, *place[1:]],
            )

    def _is_stored(self, event: mlmd.Event) -> bool:
        query = "SELECT 1 FROM Event WHERE execution_id = ? AND artifact_id = ? AND type = ?"
        found = self._find(query, event.execution_id, event.artifact_id, event.type)
        return found is not None

    def insert_member(self, kind: NodeKind, node_id: int, context_id: int) -> None:
        if kind is ARTIFACT:
            self._writes.attribute(node_id, context_id)
        else:
            self._writes.associate(node_id, context_id)

    def insert_parent_context(self, link: mlmd.ParentContext) -> None:
        ids = [link.child_id, link.parent_id]
        query = "SELECT 1 FROM mlmd_parent_contexts WHERE context_id = ? AND parent_context_id = ?"
        if self._find(query, *ids):
            raise parent_conflict(link)
        self.connection.execute("INSERT INTO mlmd_parent_contexts VALUES (?, ?)", ids)

    # Rows

    def _find(self, query: str, *parameters: Any) -> Any:
        """The first column of the first row; None without one."""
        row = self.connection.execute(query, parameters).fetchone()
        return None if row is None else row[0]

    def _set_fields(self, kind: str, record_id: int, fields: dict[str, str | None]) -> None:
        """Stores fields of a record; those that are None are removed."""
        for name, value in fields.items():
            if value is None:
                self.connection.execute(
                    f"DELETE FROM {FIELDS_TABLE} WHERE kind = ? AND record_id = ? AND name = ?",
                    [kind, record_id, name],
                )
            else:
                self.connection.execute(
                    f"INSERT OR REPLACE INTO {FIELDS_TABLE} VALUES (?, ?, ?, ?)",
                    [kind, record_id, name, value],
                )


def _make_tables(connection: sqlite3.Connection) -> None:
    query = "SELECT 1 FROM main.sqlite_master WHERE name = ?"
    if connection.execute(query, [FIELDS_TABLE]).fetchone() is not None:
        return
    for table, columns in _TABLES.items():
        connection.execute(f"CREATE TABLE {table} ({columns}")
    for index, columns in _INDEXES.items():
        connection.execute(f"CREATE INDEX {index} ON {columns}")


def _of_a_base_type(name: str) -> errors.InvalidArgumentError:
    base = name.partition(".")[2].upper()
    return errors.InvalidArgumentError(
        f"Trainwright's store keeps no records of the base type {name} itself. Put a type of your "
        f"own with base_type={base}, and records of that type."
    )


def _core_state(states: dict[int, Any], node: NodeMessage, field: str) -> tuple[Any, str | None]:
    """The state that runs know, or None; and what to note of one that they do not know."""
    if not node.HasField(field):
        return None, ""
    number = getattr(node, field)
    state = states.get(number)
    return state, None if state is not None else str(number)


def _row_properties(
    kind: NodeKind, node: NodeMessage, plain: Callable[[str, mlmd.Value, str], Any]
) -> tuple[Properties, Properties]:
    """The declared and the custom properties as the store's rows keep them."""
    declared, custom = (
        {name: plain(name, value, field) for name, value in getattr(node, field).items()}
        for field in ("properties", _CUSTOM)
    )
    # Executions and contexts have one kind of properties there.
    return (declared, custom) if kind is ARTIFACT else ({}, {**declared, **custom})


def _plain(name: str, value: mlmd.Value, field: str) -> Any:
    if not math.isfinite(value.double_value):
        # The views pass values on as JSON, which has no word for it.
        raise errors.InvalidArgumentError(
            f"{field}[{name!r}] is {value.double_value}, and a double_value must be finite in a "
            f"store of Trainwright. Set string_value to {str(value.double_value)!r}, or leave the "
            "property out."
        )
    return read_columns(columns_of(name, value))


def _encoded(value: mlmd.Value) -> str:
    return base64.b64encode(value.SerializeToString()).decode()
