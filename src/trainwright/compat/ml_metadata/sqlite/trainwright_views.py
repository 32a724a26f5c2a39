"""Trainwright's own store, seen through the tables of ML Metadata.

Temporary views of one connection: nothing is copied or written, and what pipelines add shows at
once. Ids, names and times are the store's own; types, states and contexts have TFX's names there.
What was written through ML Metadata and has no place in the store's own tables is beside them
(`own_writer.py`), and part of the views as soon as there is any.
"""

from __future__ import annotations

import base64
import contextlib
import json
import math
import sqlite3
from typing import Any

from google.protobuf import any_pb2, json_format

from trainwright.compat.ml_metadata.sqlite.schema import (
    ARTIFACT_TYPE,
    CONTEXT_TYPE,
    EXECUTION_TYPE,
    SYSTEM_TYPES,
)
from trainwright.compat.ml_metadata.sqlite.values import (
    VALUE_COLUMNS,
    columns_of,
    read_columns,
)
from trainwright.metadata.internal_properties import IS_EXTERNAL
from trainwright.metadata.records import ArtifactState, EventType, ExecutionState
from trainwright.proto.mlmd import metadata_store_pb2 as mlmd
from trainwright.types.property_values import encode_struct

# The tables of `own_writer.py` are made together: where this one is, the others are.
FIELDS_TABLE = "mlmd_fields"

# What the id of an event begins with that was given as one of ML Metadata; its number follows.
GIVEN_EVENT = "#"

_TABLES = {"trainwright_schema_version", "types", "artifacts", "executions", "contexts", "events"}

# The base types have no rows of their own in the store: ids that no row has.
_SYSTEM_TYPE_IDS = {name: -1 - index for index, name in enumerate(SYSTEM_TYPES)}


def is_trainwright_store(tables: set[str]) -> bool:
    """Whether a database with these tables is a store of Trainwright."""
    return tables >= _TABLES


def has_fields(connection: sqlite3.Connection) -> bool:
    """Whether the store has the tables of what was written through ML Metadata."""
    query = "SELECT 1 FROM main.sqlite_master WHERE name = ?"
    return connection.execute(query, [FIELDS_TABLE]).fetchone() is not None


def has_views(connection: sqlite3.Connection) -> bool:
    """Whether `make_views` was called on this connection."""
    query = "SELECT 1 FROM sqlite_temp_master WHERE name = 'MLMDEnv'"
    return connection.execute(query).fetchone() is not None


def make_views(connection: sqlite3.Connection, *, with_fields: bool) -> None:
    """Gives this connection, and no other, ML Metadata's tables, anew if it has them already.

    Args:
        connection: The connection.
        with_fields: What `has_fields` says.
    """
    connection.create_function("mlmd_values", 5, _values, deterministic=True)
    connection.create_function("mlmd_declared_values", 1, _declared_values, deterministic=True)
    connection.create_function("mlmd_property_types", 1, _property_types, deterministic=True)
    for name, select in _Views(with_fields).all().items():
        connection.execute(f"DROP VIEW IF EXISTS temp.{name}")
        connection.execute(f"CREATE TEMP VIEW {name} AS {select}")


class _Views:
    """The definitions of the views, by their names."""

    def __init__(self, with_fields: bool) -> None:
        self._with_fields = with_fields

    def all(self) -> dict[str, str]:
        return {**self._types(), **self._nodes(), **self._properties(), **self._links()}

    def _field(self, kind: str, name: str) -> str:
        """What was noted of the record `n` beside the store's own tables; NULL if nothing was."""
        if not self._with_fields:
            return "NULL"
        return (
            f"(SELECT f.value FROM main.{FIELDS_TABLE} AS f WHERE f.kind = '{kind}' "
            f"AND f.record_id = n.id AND f.name = '{name}')"
        )

    def _types(self) -> dict[str, str]:
        kinds = {"artifact": ARTIFACT_TYPE, "execution": EXECUTION_TYPE, "context": CONTEXT_TYPE}
        system_types = " UNION ALL ".join(
            f"SELECT {_SYSTEM_TYPE_IDS[name]}, '{name}', NULL, {kind}, NULL, NULL, NULL, NULL"
            for name, kind in SYSTEM_TYPES.items()
        )
        base_types = {name.partition(".")[2]: type_id for name, type_id in _SYSTEM_TYPE_IDS.items()}
        noted = ", ".join(
            f"{self._field('type', name)} AS {name}"
            for name in ("description", "input_type", "output_type", "external_id")
        )
        return {
            "Type": f"SELECT n.id, COALESCE({self._field('type', 'name')}, n.name) AS name, "
            f"{self._field('type', 'version')} AS version, "
            f"{_number('n.kind', kinds)} AS type_kind, {noted} "
            f"FROM main.types AS n UNION ALL {system_types}",
            "TypeProperty": "SELECT t.id AS type_id, p.key AS name, p.value AS data_type "
            "FROM main.types AS t, json_each(mlmd_property_types(t.properties)) AS p",
            "ParentType": f"SELECT id AS type_id, {_number('base_type', base_types)} "
            "AS parent_type_id FROM main.types WHERE parent_type_id IS NOT NULL",
            "MLMDEnv": "SELECT 10 AS schema_version",
        }

    def _nodes(self) -> dict[str, str]:
        artifact_states = {
            state.value: mlmd.Artifact.State.Value(state.value) for state in ArtifactState
        }
        execution_states = {
            state.value: mlmd.Execution.State.Value(state.value) for state in ExecutionState
        }
        created = f"{_milliseconds('n.created_at')} AS create_time_since_epoch"
        both = f"{created}, {_milliseconds('n.updated_at')} AS last_update_time_since_epoch"
        return {
            "Artifact": "SELECT n.id, n.type_id, n.uri, "
            f"{self._state('artifact', 'LIVE', artifact_states)} AS state, "
            f"NULLIF(n.name, '') AS name, {self._field('artifact', 'external_id')} AS external_id, "
            f"{both} FROM main.artifacts AS n",
            "Execution": "SELECT n.id, n.type_id, "
            f"{self._state('execution', 'COMPLETE', execution_states)} AS last_known_state, "
            f"{self._field('execution', 'name')} AS name, "
            f"{self._field('execution', 'external_id')} AS external_id, "
            f"{both} FROM main.executions AS n",
            "Context": "SELECT n.id, n.type_id, n.name, "
            f"{self._field('context', 'external_id')} AS external_id, {created}, "
            f"COALESCE(CAST({self._field('context', 'updated_at')} AS INTEGER), "
            f"{_milliseconds('n.created_at')}) AS last_update_time_since_epoch "
            "FROM main.contexts AS n",
        }

    def _state(self, kind: str, stands_for: str, states: dict[str, int]) -> str:
        """The number of a state; one that runs do not know is noted, and stands for another."""
        known = _number("n.state", states)
        if not self._with_fields:
            return known
        noted = self._field(kind, "state")
        return (
            f"CASE WHEN n.state = '{stands_for}' AND {noted} IS NOT NULL "
            f"THEN CAST(NULLIF({noted}, '') AS INTEGER) ELSE {known} END"
        )

    def _properties(self) -> dict[str, str]:
        columns = ", ".join(
            f"json_extract(p.value, '$[{place}]') AS {column}"
            for place, column in enumerate(("name", *VALUE_COLUMNS))
        )

        def select(noun: str, is_custom: int, values: str) -> str:
            return (
                f"SELECT n.id AS {noun}_id, {is_custom} AS is_custom_property, {columns}, "
                f"NULL AS byte_value FROM main.{noun}s AS n "
                f"JOIN main.types AS t ON t.id = n.type_id, json_each({values}) AS p"
            )

        def stored(noun: str, column: str, declared: str, is_custom: int) -> str:
            noted = self._field(noun, "values")
            values = f"mlmd_values('{noun}', '{column}', n.{column}, {declared}, {noted})"
            return select(noun, is_custom, values)

        views = {}
        for noun in ("artifact", "execution", "context"):
            parts = [stored(noun, "custom_properties", "NULL", 1)]
            if noun == "artifact":
                parts.append(stored(noun, "properties", "t.properties", 0))
            elif self._with_fields:
                noted = self._field(noun, "values")
                parts.append(select(noun, 0, f"mlmd_declared_values({noted})"))
            views[f"{noun.capitalize()}Property"] = " UNION ALL ".join(parts)
        return views

    def _links(self) -> dict[str, str]:
        event_types = {event.value: mlmd.Event.Type.Value(event.value) for event in EventType}
        event_id = "execution_id || ' ' || artifact_id || ' ' || type"
        # The same artifact at several places is one event of several steps.
        # They are read in the order of `rowid`, as those of a table.
        place = "key || printf(' %09d ', \"index\")"
        own = "main.events"
        if self._with_fields:
            # Without those that were given as events of ML Metadata, which are beside them.
            own += (
                " WHERE NOT EXISTS (SELECT 1 FROM main.mlmd_event_places AS g "
                "WHERE g.execution_id = events.execution_id AND g.type = events.type "
                'AND g.key = events.key AND g."index" = events."index")'
            )
        steps = [
            f"SELECT {event_id} AS event_id, {is_index} AS is_index_step, {index} AS step_index, "
            f"{key} AS step_key, {place} || {is_index} AS rowid, execution_id FROM {own}"
            for is_index, index, key in [("0", "NULL", "key"), ("1", '"index"', "NULL")]
        ]
        events = (
            f"SELECT {event_id} AS id, artifact_id, execution_id, "
            f"{_number('type', event_types)} AS type, "
            f"{_milliseconds('MIN(at)')} AS milliseconds_since_epoch FROM {own} "
            "GROUP BY execution_id, artifact_id, events.type"
        )
        parents = "SELECT 0 AS context_id, 0 AS parent_context_id WHERE FALSE"
        if self._with_fields:
            given_id = f"'{GIVEN_EVENT}' || g.id"
            events += (
                f" UNION ALL SELECT {given_id}, g.artifact_id, g.execution_id, g.type, g.at "
                "FROM main.mlmd_events AS g"
            )
            steps.append(
                f"SELECT {given_id}, json_extract(p.value, '$[0]'), json_extract(p.value, '$[1]'), "
                "json_extract(p.value, '$[2]'), p.key, g.execution_id "
                "FROM main.mlmd_events AS g, json_each(g.path) AS p"
            )
            parents = "SELECT context_id, parent_context_id FROM main.mlmd_parent_contexts"
        return {
            "Event": events,
            "EventPath": " UNION ALL ".join(steps),
            "Association": "SELECT 0 AS id, context_id, execution_id FROM main.associations",
            "Attribution": "SELECT 0 AS id, context_id, artifact_id FROM main.attributions",
            "ParentContext": parents,
        }


def _number(column: str, numbers: dict[str, int]) -> str:
    """The number that stands for a name in the column; NULL for other names."""
    cases = " ".join(f"WHEN '{name}' THEN {number}" for name, number in numbers.items())
    return f"CASE {column} {cases} END"


def _milliseconds(column: str) -> str:
    return f"CAST(ROUND({column} * 1000) AS INTEGER)"


def _property_types(properties: str) -> str:
    """The declared properties of a type with the numbers of `PropertyType`, as JSON."""
    numbers = dict(mlmd.PropertyType.items())
    known = _loaded(properties).items()
    return json.dumps({name: numbers[kind] for name, kind in known if kind in numbers})


def _values(
    noun: str, column: str, properties: str, declared: str | None, noted: str | None
) -> str:
    """Properties as JSON: a list for each, of its name and the columns of its value.

    Args:
        noun: Whose they are.
        column: Which of its properties they are.
        properties: The properties in the store.
        declared: The declared types of the properties.
        noted: What `own_writer.py` has noted of them.
    """
    kinds = _loaded(declared) if declared else {}
    notes = _loaded(noted) if noted else {}
    exact = notes.get(column, {})
    hidden = notes.get("hidden", ()) if column == "custom_properties" else ()
    rows = []
    for name, value in _loaded(properties).items():
        if value is None or name in hidden:
            continue
        message = _exact_message(name, value, exact[name]) if name in exact else None
        message = message or value_message(noun, value, kinds.get(name))
        rows.append([name, *columns_of(name, message)])
    return json.dumps(rows, allow_nan=False)


def _exact_message(name: str, value: Any, encoded: str) -> mlmd.Value | None:
    """The value as it was given, unless another has been stored since."""
    message = mlmd.Value.FromString(base64.b64decode(encoded))
    # What is external is not what the caller says.
    is_current = name == IS_EXTERNAL or read_columns(columns_of(name, message)) == value
    return message if is_current else None


def _declared_values(noted: str | None) -> str:
    """The declared properties of an execution or a context, in the same form."""
    declared = _loaded(noted).get("properties", {}) if noted else {}
    rows = [
        [name, *columns_of(name, mlmd.Value.FromString(base64.b64decode(encoded)))]
        for name, encoded in declared.items()
    ]
    return json.dumps(rows, allow_nan=False)


def value_message(noun: str, value: Any, kind: str | None) -> mlmd.Value:
    """The message for a value of the store; `kind` is the declared type of the property."""
    if noun == "execution" and isinstance(value, (bool, dict, list)):
        return mlmd.Value(string_value=json.dumps(value))  # as TFX stores those
    if kind == "STRUCT" or isinstance(value, (dict, list)):
        return _object_message(value)
    if isinstance(value, bool) and kind != "INT":
        return mlmd.Value(bool_value=value)
    if isinstance(value, float) or (isinstance(value, int) and kind == "DOUBLE"):
        # JSON has no word for these, and SQLite no NaN.
        is_number = math.isfinite(value)
        return mlmd.Value(double_value=value) if is_number else mlmd.Value(string_value=str(value))
    if isinstance(value, int):
        return mlmd.Value(int_value=value)
    return mlmd.Value(string_value=value)


def _object_message(value: Any) -> mlmd.Value:
    if isinstance(value, dict) and "@type" in value:
        # A message of a type that is not imported stays JSON.
        with contextlib.suppress(TypeError, json_format.ParseError):
            return mlmd.Value(proto_value=json_format.ParseDict(value, any_pb2.Any()))
    try:
        return mlmd.Value(struct_value=encode_struct(value))
    except TypeError:  # a NaN within it
        return mlmd.Value(string_value=json.dumps(value))


def _loaded(text: str) -> dict[str, Any]:
    """Properties of a row; none of a damaged one, so that the others can be read."""
    try:
        loaded = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return {}
    return loaded if isinstance(loaded, dict) else {}
