"""Trainwright's own store, seen through the tables of ML Metadata.

Temporary views of one connection: nothing is copied or written, and what pipelines add shows at
once. Ids, names and times are the store's own; types, states and contexts have TFX's names there.
"""

from __future__ import annotations

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
from trainwright.compat.ml_metadata.sqlite.values import VALUE_COLUMNS, columns_of
from trainwright.metadata.records import ArtifactState, EventType, ExecutionState
from trainwright.proto.mlmd import metadata_store_pb2 as mlmd
from trainwright.types.property_values import encode_struct

_TABLES = {"trainwright_schema_version", "types", "artifacts", "executions", "contexts", "events"}

# The base types have no rows of their own in the store: ids that no row has.
_SYSTEM_TYPE_IDS = {name: -1 - index for index, name in enumerate(SYSTEM_TYPES)}


def is_trainwright_store(tables: set[str]) -> bool:
    """Whether a database with these tables is a store of Trainwright."""
    return tables >= _TABLES


def create_views(connection: sqlite3.Connection) -> None:
    """Gives this connection, and no other, ML Metadata's tables; it can only read from then on."""
    connection.execute("PRAGMA query_only = OFF")
    connection.create_function("mlmd_values", 3, _values, deterministic=True)
    connection.create_function("mlmd_property_types", 1, _property_types, deterministic=True)
    for name, select in _views().items():
        connection.execute(f"CREATE TEMP VIEW {name} AS {select}")
    connection.execute("PRAGMA query_only = ON")


def _views() -> dict[str, str]:
    return {
        **_type_views(),
        **_node_views(),
        **_property_views(),
        **_link_views(),
    }


def _type_views() -> dict[str, str]:
    kinds = {"artifact": ARTIFACT_TYPE, "execution": EXECUTION_TYPE, "context": CONTEXT_TYPE}
    system_types = " UNION ALL ".join(
        f"SELECT {_SYSTEM_TYPE_IDS[name]}, '{name}', NULL, {kind}, NULL, NULL, NULL, NULL"
        for name, kind in SYSTEM_TYPES.items()
    )
    base_types = {name.partition(".")[2]: type_id for name, type_id in _SYSTEM_TYPE_IDS.items()}
    return {
        "Type": "SELECT id, name, NULL AS version, "
        f"{_number('kind', kinds)} AS type_kind, NULL AS description, NULL AS input_type, "
        f"NULL AS output_type, NULL AS external_id FROM main.types UNION ALL {system_types}",
        "TypeProperty": "SELECT t.id AS type_id, p.key AS name, p.value AS data_type "
        "FROM main.types AS t, json_each(mlmd_property_types(t.properties)) AS p",
        "ParentType": f"SELECT id AS type_id, {_number('base_type', base_types)} "
        "AS parent_type_id FROM main.types WHERE parent_type_id IS NOT NULL",
        "MLMDEnv": "SELECT 10 AS schema_version",
    }


def _node_views() -> dict[str, str]:
    artifact_states = {
        state.value: mlmd.Artifact.State.Value(state.value) for state in ArtifactState
    }
    execution_states = {
        state.value: mlmd.Execution.State.Value(state.value) for state in ExecutionState
    }
    created = f"{_milliseconds('created_at')} AS create_time_since_epoch"
    updated = "{} AS last_update_time_since_epoch"
    both = f"{created}, {updated.format(_milliseconds('updated_at'))}"
    return {
        "Artifact": f"SELECT id, type_id, uri, {_number('state', artifact_states)} AS state, "
        f"NULLIF(name, '') AS name, NULL AS external_id, {both} FROM main.artifacts",
        "Execution": f"SELECT id, type_id, {_number('state', execution_states)} "
        f"AS last_known_state, NULL AS name, NULL AS external_id, {both} FROM main.executions",
        "Context": f"SELECT id, type_id, name, NULL AS external_id, {created}, "
        f"{updated.format(_milliseconds('created_at'))} FROM main.contexts",
    }


def _property_views() -> dict[str, str]:
    values = ", ".join(
        f"json_extract(p.value, '$[{place}]') AS {column}"
        for place, column in enumerate(("name", *VALUE_COLUMNS))
    )

    def select(noun: str, column: str, declared: str, custom: int) -> str:
        return (
            f"SELECT n.id AS {noun}_id, {custom} AS is_custom_property, {values}, "
            f"NULL AS byte_value FROM main.{noun}s AS n "
            f"JOIN main.types AS t ON t.id = n.type_id, "
            f"json_each(mlmd_values('{noun}', n.{column}, {declared})) AS p"
        )

    def custom(noun: str) -> str:
        return select(noun, "custom_properties", "NULL", 1)

    declared = select("artifact", "properties", "t.properties", 0)
    return {
        "ArtifactProperty": f"{declared} UNION ALL {custom('artifact')}",
        "ExecutionProperty": custom("execution"),
        "ContextProperty": custom("context"),
    }


def _link_views() -> dict[str, str]:
    event_types = {event.value: mlmd.Event.Type.Value(event.value) for event in EventType}
    event_id = "execution_id || ' ' || artifact_id || ' ' || type"
    # The same artifact at several places is one event of several steps.
    # They are read in the order of `rowid`, as those of a table.
    place = "key || printf(' %09d ', \"index\")"
    steps = " UNION ALL ".join(
        f"SELECT {event_id} AS event_id, {is_index} AS is_index_step, {index} AS step_index, "
        f"{key} AS step_key, {place} || {is_index} AS rowid, execution_id FROM main.events"
        for is_index, index, key in [("0", "NULL", "key"), ("1", '"index"', "NULL")]
    )
    return {
        "Event": f"SELECT {event_id} AS id, artifact_id, execution_id, "
        f"{_number('type', event_types)} AS type, "
        f"{_milliseconds('MIN(at)')} AS milliseconds_since_epoch FROM main.events "
        "GROUP BY execution_id, artifact_id, events.type",
        "EventPath": steps,
        "Association": "SELECT 0 AS id, context_id, execution_id FROM main.associations",
        "Attribution": "SELECT 0 AS id, context_id, artifact_id FROM main.attributions",
        "ParentContext": "SELECT 0 AS context_id, 0 AS parent_context_id WHERE FALSE",
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


def _values(noun: str, properties: str, declared: str | None) -> str:
    """Properties as JSON: a list for each, of its name and the columns of its value."""
    kinds = _loaded(declared) if declared else {}
    rows = [
        [name, *columns_of(name, _message(noun, value, kinds.get(name)))]
        for name, value in _loaded(properties).items()
        if value is not None
    ]
    return json.dumps(rows, allow_nan=False)


def _message(noun: str, value: Any, kind: str | None) -> mlmd.Value:
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
