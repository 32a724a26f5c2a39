"""Opening an ml-metadata file for an import: it is read, never written."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from trainwright._paths import check_local_path, kind_of
from trainwright.compat.ml_metadata.sqlite.schema import SCHEMA_VERSION
from trainwright.compat.ml_metadata.sqlite.trainwright_views import is_trainwright_store
from trainwright.metadata.sqlite_reading import ReadOnlyFile
from trainwright.metadata.store import MetadataError

_LOCK_SECONDS = 10.0
_TABLES = (
    *("Type", "TypeProperty", "ParentType", "Artifact", "ArtifactProperty", "Execution"),
    *("ExecutionProperty", "Context", "ContextProperty", "ParentContext", "Event", "EventPath"),
    *("Association", "Attribution", "MLMDEnv"),
)
# What changes with each record that is added or changed, and not with a copy of the file.
_FINGERPRINT = {
    "Artifact": "COUNT(*), MAX(id), TOTAL(last_update_time_since_epoch)",
    "Execution": "COUNT(*), MAX(id), TOTAL(last_update_time_since_epoch)",
    "Context": "COUNT(*), MAX(id), TOTAL(last_update_time_since_epoch)",
    "Event": "COUNT(*), MAX(id), TOTAL(milliseconds_since_epoch)",
}


class MlmdFileError(MetadataError):
    """A file whose records cannot be imported; the message says why and what to do."""


class MlmdFile:
    """One state of an ml-metadata file; `open_mlmd_file` opens one.

    Args:
        path: The file as messages name it.
        connection: An open transaction.
    """

    def __init__(self, path: str, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    def rows(self, query: str, *parameters: Any) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, read as they are asked for.

        What is wrong with the file is a sqlite3.Error here, and told by `open_mlmd_file`.
        """
        # The cursor itself: of the millions of rows in a large file each step counts.
        return self._connection.execute(query, parameters)

    def value(self, query: str, *parameters: Any) -> Any:
        """The first column of the first row; None without one."""
        return next(iter(self.rows(query, *parameters)), (None,))[0]

    def fingerprint(self) -> str:
        """The same for the same records, wherever the file lies."""
        facts = [
            list(self.rows(f"SELECT {what} FROM {table}")) for table, what in _FINGERPRINT.items()
        ]
        return hashlib.sha256(json.dumps(facts, default=str).encode()).hexdigest()[:32]


@contextlib.contextmanager
def open_mlmd_file(path: str) -> Iterator[MlmdFile]:
    """Opens a file of ml-metadata; raises MlmdFileError that says what it is instead.

    Example: `with open_mlmd_file("metadata.db") as file: file.value("SELECT 1 FROM Artifact")`
    """
    _check_path(path)
    with contextlib.ExitStack() as stack:
        connection = _connect(path, stack)
        _check_content(path, connection)
        try:
            yield MlmdFile(path, connection)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise _damaged(path, str(error)) from error


def _check_path(path: str) -> None:
    try:
        check_local_path(path, "The ml-metadata file")
    except ValueError as error:
        raise MlmdFileError(str(error)) from None
    kind = kind_of(path)
    if kind == "nothing":
        raise MlmdFileError(
            f"There is no file {path}. TFX writes its metadata where the pipeline's "
            "metadata_connection_config says, often metadata/<pipeline name>/metadata.db."
        )
    if kind != "a file":
        raise MlmdFileError(f"{path} is {kind}. Give the path of an ml-metadata file.")
    if not os.access(path, os.R_OK):
        raise MlmdFileError(f"{path} cannot be read. Give this user read access to the file.")


def _connect(path: str, stack: contextlib.ExitStack) -> sqlite3.Connection:
    """A transaction on the file, which leaves nothing beside it that was not there."""
    address = f"file:{quote(os.path.abspath(path))}?mode=ro"
    try:
        return _begin(sqlite3.connect(address, uri=True, timeout=_LOCK_SECONDS), stack)
    except sqlite3.Error as error:
        if os.path.exists(f"{path}-journal") and "not a database" not in str(error):
            raise MlmdFileError(
                f"{path} has a rollback journal beside it: a process is writing it, or has died "
                f"while it did ({error}). Let that process end, or open the file once with "
                "write access: sqlite3 FILE 'PRAGMA user_version'."
            ) from error
        if "unable to open" not in str(error):
            raise _unreadable(path, str(error)) from error
    # A log in WAL mode in a directory that may not be written.
    reader = ReadOnlyFile(path, _LOCK_SECONDS)
    stack.callback(reader.close)
    try:
        return _begin(reader.connect(), stack)
    except sqlite3.Error as error:
        raise _unreadable(path, str(error)) from error


def _begin(connection: sqlite3.Connection, stack: contextlib.ExitStack) -> sqlite3.Connection:
    stack.callback(connection.close)
    connection.isolation_level = None
    connection.execute("BEGIN")
    try:
        connection.execute("SELECT name FROM sqlite_master").fetchall()
    except UnicodeDecodeError as error:
        # SQLite quotes the damaged definition of a table in its message, whatever its bytes are.
        raise sqlite3.DatabaseError("malformed database schema") from error
    return connection


def _check_content(path: str, connection: sqlite3.Connection) -> None:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    tables = {name for (name,) in rows}
    if is_trainwright_store(tables):
        raise MlmdFileError(
            f"{path} is a Trainwright store already: give it to the other commands as --store "
            f"{path}. import-mlmd takes a file that ml-metadata wrote."
        )
    if "MLMDEnv" not in tables:
        found = ", ".join(sorted(tables)[:5]) or "none"
        raise MlmdFileError(
            f"{path} is an SQLite database, but not of ml-metadata: it has the tables {found}. "
            "Give the file that TFX's metadata_connection_config names."
        )
    try:
        row = connection.execute("SELECT schema_version FROM MLMDEnv").fetchone()
    except sqlite3.Error as error:
        raise _damaged(path, str(error)) from error
    version = row[0] if row else None
    if version != SCHEMA_VERSION:
        raise MlmdFileError(
            f"{path} has schema version {version} of ml-metadata; import-mlmd reads version "
            f"{SCHEMA_VERSION}. {_how_to_convert(version)}"
        )
    missing = sorted(set(_TABLES) - tables)
    if missing:
        raise _damaged(path, f"it has no table {missing[0]}")


def _how_to_convert(version: object) -> str:
    if isinstance(version, int) and version > SCHEMA_VERSION:
        return (
            f"Bring a copy of it to version {SCHEMA_VERSION} with the ml-metadata that wrote it: "
            f"ml_metadata.downgrade_schema(connection_config, {SCHEMA_VERSION})."
        )
    return (
        "Open a copy of it once with ml-metadata 1.17 (Python 3.10, an environment of its own) "
        "and MetadataStore(connection_config, enable_upgrade_migration=True), then import the copy."
    )


def _unreadable(path: str, cause: str) -> MlmdFileError:
    if "not a database" in cause:
        return MlmdFileError(
            f"{path} is not an SQLite database. Give the file that TFX's "
            "metadata_connection_config names."
        )
    if "locked" in cause:
        return MlmdFileError(
            f"{path} is being written by another process. Let it finish, or import a copy."
        )
    return _damaged(path, cause)


def _damaged(path: str, cause: str) -> MlmdFileError:
    return MlmdFileError(
        f"{path} is damaged ({cause}). Nothing was imported. Import a copy from before, or what "
        f"`sqlite3 FILE .recover` saves of it."
    )
