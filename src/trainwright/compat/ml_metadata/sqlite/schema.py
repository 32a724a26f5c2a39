"""The tables of an ML Metadata database of schema version 10, which ml-metadata 1.17 writes."""

from __future__ import annotations

import sqlite3

SCHEMA_VERSION = 10

# Of `Type.type_kind`.
EXECUTION_TYPE, ARTIFACT_TYPE, CONTEXT_TYPE = 0, 1, 2

# Types that every database has: the base types that others may name.
SYSTEM_TYPES = {
    "mlmd.Dataset": ARTIFACT_TYPE,
    "mlmd.Model": ARTIFACT_TYPE,
    "mlmd.Metrics": ARTIFACT_TYPE,
    "mlmd.Statistics": ARTIFACT_TYPE,
    "mlmd.Train": EXECUTION_TYPE,
    "mlmd.Transform": EXECUTION_TYPE,
    "mlmd.Process": EXECUTION_TYPE,
    "mlmd.Evaluate": EXECUTION_TYPE,
    "mlmd.Deploy": EXECUTION_TYPE,
}

_ID = "id INTEGER PRIMARY KEY AUTOINCREMENT"
_EXTERNAL_ID = "external_id VARCHAR(255) UNIQUE"
_TIMES = (
    "create_time_since_epoch INT NOT NULL DEFAULT 0, "
    "last_update_time_since_epoch INT NOT NULL DEFAULT 0"
)
_VALUES = (
    "name VARCHAR(255) NOT NULL, is_custom_property TINYINT(1) NOT NULL, int_value INT, "
    "double_value DOUBLE, string_value TEXT, byte_value BLOB, proto_value BLOB, bool_value BOOLEAN"
)

_TABLES = {
    "Type": f"{_ID}, name VARCHAR(255) NOT NULL, version VARCHAR(255), "
    "type_kind TINYINT(1) NOT NULL, description TEXT, input_type TEXT, output_type TEXT, "
    f"{_EXTERNAL_ID}",
    "TypeProperty": "type_id INT NOT NULL, name VARCHAR(255) NOT NULL, data_type INT NULL, "
    "PRIMARY KEY (type_id, name)",
    "ParentType": "type_id INT NOT NULL, parent_type_id INT NOT NULL, "
    "PRIMARY KEY (type_id, parent_type_id)",
    "Artifact": f"{_ID}, type_id INT NOT NULL, uri TEXT, state INT, name VARCHAR(255), "
    f"{_EXTERNAL_ID}, {_TIMES}, UNIQUE(type_id, name)",
    "ArtifactProperty": f"artifact_id INT NOT NULL, {_VALUES}, "
    "PRIMARY KEY (artifact_id, name, is_custom_property)",
    "Execution": f"{_ID}, type_id INT NOT NULL, last_known_state INT, name VARCHAR(255), "
    f"{_EXTERNAL_ID}, {_TIMES}, UNIQUE(type_id, name)",
    "ExecutionProperty": f"execution_id INT NOT NULL, {_VALUES}, "
    "PRIMARY KEY (execution_id, name, is_custom_property)",
    "Context": f"{_ID}, type_id INT NOT NULL, name VARCHAR(255) NOT NULL, "
    f"{_EXTERNAL_ID}, {_TIMES}, UNIQUE(type_id, name)",
    "ContextProperty": f"context_id INT NOT NULL, {_VALUES}, "
    "PRIMARY KEY (context_id, name, is_custom_property)",
    "ParentContext": "context_id INT NOT NULL, parent_context_id INT NOT NULL, "
    "PRIMARY KEY (context_id, parent_context_id)",
    "Event": f"{_ID}, artifact_id INT NOT NULL, execution_id INT NOT NULL, type INT NOT NULL, "
    "milliseconds_since_epoch INT, UNIQUE(artifact_id, execution_id, type)",
    "EventPath": "event_id INT NOT NULL, is_index_step TINYINT(1) NOT NULL, step_index INT, "
    "step_key TEXT",
    "Association": f"{_ID}, context_id INT NOT NULL, execution_id INT NOT NULL, "
    "UNIQUE(context_id, execution_id)",
    "Attribution": f"{_ID}, context_id INT NOT NULL, artifact_id INT NOT NULL, "
    "UNIQUE(context_id, artifact_id)",
    "MLMDEnv": "schema_version INTEGER PRIMARY KEY",
}

_INDEXES = {
    "idx_artifact_uri": "Artifact(uri)",
    "idx_event_execution_id": "Event(execution_id)",
    "idx_parentcontext_parent_context_id": "ParentContext(parent_context_id)",
    "idx_type_name": "Type(name)",
    "idx_eventpath_event_id": "EventPath(event_id)",
    "idx_type_external_id": "Type(external_id)",
}
for _node in ("Artifact", "Execution", "Context"):
    for _column in ("create_time_since_epoch", "last_update_time_since_epoch", "external_id"):
        _INDEXES[f"idx_{_node.lower()}_{_column}"] = f"{_node}({_column})"
    for _value in ("int", "double", "string"):
        _INDEXES[f"idx_{_node.lower()}_property_{_value}"] = (
            f"{_node}Property(name, is_custom_property, {_value}_value) "
            f"WHERE {_value}_value IS NOT NULL"
        )


def create_schema(connection: sqlite3.Connection) -> None:
    """Creates what is missing of the tables, and what every database holds. In a transaction."""
    for table, columns in _TABLES.items():
        connection.execute(f"CREATE TABLE IF NOT EXISTS {table} ({columns})")
    for index, columns in _INDEXES.items():
        connection.execute(f"CREATE INDEX IF NOT EXISTS {index} ON {columns}")
    if connection.execute("SELECT 1 FROM MLMDEnv").fetchone() is None:
        connection.execute("INSERT INTO MLMDEnv VALUES (?)", [SCHEMA_VERSION])
    if connection.execute("SELECT 1 FROM Type").fetchone() is None:
        connection.executemany(
            "INSERT INTO Type (name, type_kind) VALUES (?, ?)", SYSTEM_TYPES.items()
        )
