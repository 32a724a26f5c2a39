"""The version of the tables: new stores get the newest, older ones are migrated step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy import Connection, inspect

from trainwright._version import __version__
from trainwright.metadata import tables
from trainwright.metadata.sqlite_backend import SqliteBackend
from trainwright.metadata.store import MetadataError

SCHEMA_VERSION = 1

# From the version that it starts at to the function that makes the next one of it.
Migrations = Mapping[int, Callable[[Connection], None]]
MIGRATIONS: Migrations = {}


def prepare_schema(
    backend: SqliteBackend,
    *,
    version: int = SCHEMA_VERSION,
    migrations: Migrations = MIGRATIONS,
) -> None:
    """Brings the store to `version`, creating its tables if there are none.

    Several processes may do this at once. Raises MetadataError, with nothing changed, if the store
    is newer or the database holds somebody else's tables.
    """
    with backend.reading() as connection:
        found = _stored_version(connection, backend.location, version)
    # Only now: a database that turns out to be somebody else's is left as it is.
    backend.allow_readers_while_writing()
    if found == version:
        return
    with backend.writing() as connection:
        # Looked up again: another process may have been faster.
        found = _stored_version(connection, backend.location, version)
        if found is None:
            tables.schema.create_all(connection, checkfirst=False)
            connection.execute(tables.schema_version.insert(), {"version": version})
        else:
            _migrate(connection, backend.location, found, version, migrations)


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


def _stored_version(connection: Connection, location: str, newest: int) -> int | None:
    """The version of the store in this database, or None if the database is empty."""
    present = set(inspect(connection).get_table_names())
    if not present:
        return None
    if tables.schema_version.name not in present:
        raise MetadataError(_whose_tables(location, present))
    found = connection.execute(tables.schema_version.select()).scalar()
    if found is None:
        raise MetadataError(
            f"The metadata store {location} does not say its schema version: it is damaged. "
            "Restore it from a copy, or give another path for a new store."
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
            "metadata in tables of its own: give another path for its store."
        )
    names = ", ".join(sorted(present)[:5])
    return (
        f"{location} holds tables that are not a metadata store's ({names}). Give another path "
        "for the metadata store."
    )
