"""The version of the tables: new stores get the newest, older ones are migrated step by step."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, text

from trainwright._version import __version__
from trainwright.metadata import tables
from trainwright.metadata.backend import Backend
from trainwright.metadata.store import MetadataError, StoreNotFoundError

SCHEMA_VERSION = 3

# Migrations are spelled out in SQL: the tables of this version are what they lead to, step by step.
# Stores of version 1 exist in SQLite only.
_ATTACHMENTS = """
CREATE TABLE attachments (
    execution_id INTEGER NOT NULL REFERENCES executions (id),
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (execution_id, name)
) WITHOUT ROWID
"""


_ARTIFACTS_BY_STATE = "CREATE INDEX artifacts_by_state ON artifacts (state, id)"


def _add_attachments(connection: Connection) -> None:
    connection.execute(text(_ATTACHMENTS))
    connection.execute(text(_ARTIFACTS_BY_STATE))


_RUNS = """
CREATE TABLE runs (
    id {id} NOT NULL REFERENCES contexts (id),
    run_id TEXT NOT NULL,
    pipeline TEXT NOT NULL,
    state TEXT NOT NULL,
    root TEXT NOT NULL,
    lease_host TEXT,
    lease_pid BIGINT,
    lease_process_started_at {double},
    lease_heartbeat_at {double},
    started_at {double} NOT NULL,
    updated_at {double} NOT NULL,
    ended_at {double},
    cancel_requested_at {double},
    deleted_at {double},
    PRIMARY KEY (id),
    UNIQUE (run_id)
)
"""
_RUN_NODES = """
CREATE TABLE run_nodes (
    run {id} NOT NULL REFERENCES runs (id),
    node_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    upstream TEXT,
    skip_reason TEXT,
    PRIMARY KEY (run, node_id)
) {without_rowid}
"""
_RUNS_BY_PIPELINE = "CREATE INDEX runs_by_pipeline ON runs (pipeline, id)"
_SQL_WORDS = {
    "sqlite": {"id": "INTEGER", "double": "DOUBLE", "without_rowid": "WITHOUT ROWID"},
    "postgresql": {"id": "BIGINT", "double": "DOUBLE PRECISION", "without_rowid": ""},
}
_RUN_CONTEXTS = """
SELECT contexts.id, contexts.name, contexts.custom_properties, contexts.created_at
FROM contexts JOIN types ON types.id = contexts.type_id
WHERE types.kind = 'context' AND types.name = 'pipeline_run'
ORDER BY contexts.id
"""
_LAST_UPDATES = """
SELECT contexts.id, MAX(executions.updated_at)
FROM contexts
JOIN types ON types.id = contexts.type_id
JOIN associations ON associations.context_id = contexts.id
JOIN executions ON executions.id = associations.execution_id
WHERE types.kind = 'context' AND types.name = 'pipeline_run'
GROUP BY contexts.id
"""
_INSERT_RUN = """
INSERT INTO runs VALUES (
    :id, :run_id, :pipeline, :state, :root, :host, :pid, :process_started_at, :heartbeat_at,
    :started_at, :updated_at, :ended_at, :cancel_requested_at, :deleted_at
)
"""
_INSERT_NODE = "INSERT INTO run_nodes VALUES (:run, :node_id, :position, :upstream, :skip_reason)"


def _add_runs(connection: Connection) -> None:
    """Runs were custom properties of their contexts; these stay, for readers of ML Metadata."""
    words = _SQL_WORDS[connection.dialect.name]
    for statement in (_RUNS, _RUN_NODES, _RUNS_BY_PIPELINE):
        connection.execute(text(statement.format(**words)))
    last_updates = {row[0]: row[1] for row in connection.execute(text(_LAST_UPDATES))}
    rows: list[dict[str, Any]] = []
    node_rows: list[dict[str, Any]] = []
    for context_id, name, properties, created_at in connection.execute(text(_RUN_CONTEXTS)):
        run = _migrated_run(properties)
        node_rows += [{"run": context_id, **node} for node in run.pop("nodes")]
        last = last_updates.get(context_id)
        is_over = run["state"] in ("complete", "failed", "canceled")
        rows.append(
            {
                "id": context_id,
                "run_id": name,
                **run,
                "started_at": created_at,
                "updated_at": last if _is_number(last) else created_at,
                # Nobody had noted it: the end of the last execution is the nearest that is known.
                "ended_at": last if is_over and _is_number(last) else None,
            }
        )
    for statement, values in ((_INSERT_RUN, rows), (_INSERT_NODE, node_rows)):
        if values:
            connection.execute(text(statement), values)


def _migrated_run(text_of_properties: object) -> dict[str, Any]:
    """The columns of a run, and its nodes. One that cannot be understood becomes a damaged row:
    `gc` must not take it for a run that needs nothing."""
    try:
        noted = json.loads(text_of_properties)  # type: ignore[arg-type]
        if not isinstance(noted, dict):
            raise TypeError("not a JSON object")
        state = _noted(noted, "state", str, "unknown")
        if state not in ("running", "complete", "failed", "canceled", "unknown"):
            raise TypeError(f"{state!r} is not a state of a run")
        is_running = state == "running"
        run = {
            "pipeline": _noted(noted, "pipeline", str, ""),
            "state": state,
            "root": _noted(noted, "root", str, ""),
            "host": _noted(noted, "host", str, None, is_running),
            "pid": _noted(noted, "pid", int, None, is_running),
            "process_started_at": _noted_number(noted, "process_started_at", None, is_running),
            "heartbeat_at": _noted_number(noted, "heartbeat_at", 0.0 if "host" in noted else None),
            "cancel_requested_at": _noted_number(noted, "cancel_requested_at", None),
            "deleted_at": _noted_number(noted, "deleted_at", None),
        }
        return {**run, "nodes": list(_migrated_nodes(noted))}
    except (TypeError, ValueError, RecursionError):
        return {
            **dict.fromkeys(("pipeline", "root"), ""),
            "state": "damaged",
            **dict.fromkeys(("host", "pid", "process_started_at", "heartbeat_at")),
            **dict.fromkeys(("cancel_requested_at", "deleted_at")),
            "nodes": [],
        }


def _migrated_nodes(noted: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    upstream = _noted(noted, "upstream", dict, {})
    skipped = _noted(noted, "skipped", dict, {})
    names = _noted(noted, "nodes", list, [])
    if not all(isinstance(name, str) for name in names):
        raise TypeError("a node without a name")
    for position, node_id in enumerate(dict.fromkeys(names)):
        others = upstream.get(node_id)
        if others is not None and not all(isinstance(one, str) for one in others):
            raise TypeError("an upstream node without a name")
        reason = skipped.get(node_id)
        yield {
            "node_id": node_id,
            "position": position,
            "upstream": None if others is None else json.dumps(others),
            "skip_reason": None if reason is None else str(reason),
        }


def _noted(
    noted: Mapping[str, Any], name: str, kind: type, default: Any, is_needed: bool = False
) -> Any:
    if name not in noted and not is_needed:
        return default
    value = noted.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(name)
    return value


def _noted_number(
    noted: Mapping[str, Any], name: str, default: Any, is_needed: bool = False
) -> Any:
    if name not in noted and not is_needed:
        return default
    if not _is_number(noted.get(name)):
        raise TypeError(name)
    return noted[name]


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# From the version that it starts at to the function that makes the next one of it.
Migrations = Mapping[int, Callable[[Connection], None]]
MIGRATIONS: Migrations = {1: _add_attachments, 2: _add_runs}


def prepare_schema(
    backend: Backend,
    *,
    create: bool = True,
    version: int = SCHEMA_VERSION,
    migrations: Migrations = MIGRATIONS,
) -> None:
    """Brings the store to `version`, creating its tables if there are none and `create` is set.

    Several processes may do this at once. Raises MetadataError, with nothing changed, if the store
    is newer or the database holds somebody else's tables.
    """
    with backend.reading() as connection:
        found = _stored_version(connection, backend, version)
    if found is None and not create:
        raise not_found(backend.location)
    if backend.is_read_only:
        _check_readable_version(found, version, backend.location)
        return
    # Only now: a database that turns out to be somebody else's is left as it is.
    backend.settle()
    if found == version:
        return
    with backend.writing() as (connection, _):
        # Looked up again: another process may have been faster.
        found = _stored_version(connection, backend, version)
        if found is None:
            tables.schema.create_all(connection, checkfirst=False)
            connection.execute(tables.schema_version.insert(), {"version": version})
        else:
            _migrate(connection, backend.location, found, version, migrations)


def _check_readable_version(found: int | None, wanted: int, location: str) -> None:
    if found is None:
        raise not_found(location)
    if found != wanted:
        raise MetadataError(
            f"The metadata store {location} has schema version {found} and may only be read, so "
            f"that it cannot be migrated to {wanted}. Open it once with write access, or open a "
            "copy of it."
        )


def not_found(location: str) -> StoreNotFoundError:
    return StoreNotFoundError(f"There is no metadata store at {location}.")


def _migrate(
    connection: Connection, location: str, found: int, wanted: int, migrations: Migrations
) -> None:
    for version in range(found, wanted):
        if version not in migrations:
            raise MetadataError(
                f"The metadata store {location} has schema version {found}, which trainwright "
                f"{__version__} cannot migrate to {wanted}. Open it with an earlier trainwright "
                "first, or start a new store."
            )
        migrations[version](connection)
    connection.execute(tables.schema_version.update(), {"version": wanted})


def _stored_version(connection: Connection, backend: Backend, newest: int) -> int | None:
    """The version of the store in this database, or None if the database is empty."""
    present, location = backend.table_names(connection), backend.location
    if not present:
        return None
    if tables.schema_version.name not in present:
        raise MetadataError(_whose_tables(location, present))
    found = connection.execute(tables.schema_version.select()).scalar()
    if found is None:
        raise MetadataError(
            f"The metadata store {location} does not say its schema version: it is damaged. "
            "Restore it from a copy, or give another place for a new store."
        )
    if found > newest:
        raise MetadataError(
            f"The metadata store {location} has schema version {found}, but trainwright "
            f"{__version__} knows versions up to {newest}. Upgrade trainwright: pip install "
            "--upgrade trainwright."
        )
    return int(found)


def _whose_tables(location: str, present: set[str]) -> str:
    if "MLMDEnv" in present:
        return (
            f"{location} is a database of ml-metadata, as TFX writes it. Trainwright keeps its "
            "metadata in tables of its own: give another place for its store. To go on with the "
            "file's history under the same path, move it away and import it: trainwright "
            "import-mlmd MOVED_FILE --store THIS_PATH"
        )
    names = ", ".join(sorted(present)[:5])
    return (
        f"{location} holds tables that are not a metadata store's ({names}). Give another "
        "place for the metadata store."
    )
