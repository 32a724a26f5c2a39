"""The version of the tables: new stores get the newest, older ones are migrated step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy import Connection, text

from trainwright._version import __version__
from trainwright.metadata import tables
from trainwright.metadata.backend import Backend
from trainwright.metadata.store import MetadataError, StoreNotFoundError

SCHEMA_VERSION = 2

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


# From the version that it starts at to the function that makes the next one of it.
Migrations = Mapping[int, Callable[[Connection], None]]
MIGRATIONS: Migrations = {1: _add_attachments}


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
