"""Opening an ML Metadata database, and its transactions."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote

from trainwright.compat.ml_metadata import errors
from trainwright.compat.ml_metadata.sqlite.record_writer import MlmdWriter, RecordWriter
from trainwright.compat.ml_metadata.sqlite.schema import SCHEMA_VERSION, create_schema
from trainwright.compat.ml_metadata.sqlite.trainwright_views import (
    has_fields,
    has_views,
    is_trainwright_store,
    make_views,
)
from trainwright.metadata.sqlite_reading import ReadOnlyFile, find_unwritable
from trainwright.metadata.store_urls import file_uri_path
from trainwright.proto.mlmd.metadata_store_pb2 import SqliteMetadataSourceConfig

if TYPE_CHECKING:
    from trainwright.compat.ml_metadata.sqlite.own_writer import OwnStore

# How long a transaction waits for those of other processes before it is tried again, in seconds.
LOCK_TIMEOUT = 10.0

_CANNOT_CONNECT = "Cannot connect sqlite3 database: unable to open database file"
_READ_ONLY_MODE = (
    "The metadata store {path} was opened with connection_mode READONLY. To write to it, leave "
    "connection_mode out."
)


class Database:
    """One database, in memory or in a file. Threads take turns; processes, too.

    A file that does not exist yet, or has nothing in it, is empty to readers, and made by the first
    that writes: who looks for earlier runs leaves the place free for the pipeline's own store.
    """

    def __init__(self, config: SqliteMetadataSourceConfig, max_retries: int = 0) -> None:
        self._path = _path_of(config.filename_uri)
        self._mode = config.connection_mode
        self._attempts = 1 + max_retries
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        # Of a file that may not be written; it is opened anew for every transaction.
        self._reader: ReadOnlyFile | None = None
        # A store of Trainwright: its writer, and whether the views have all that it can write.
        self._own_store: OwnStore | None = None
        self._is_trainwright_store = False
        self._shows_fields = False
        # What cannot be opened is said at once.
        with self.reading():
            pass

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            if self._reader is not None:
                self._reader.close()
            if self._own_store is not None:
                self._own_store.close()
                self._own_store = None

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A transaction that sees one state of the database."""
        with self._lock, _errors_translated(self._path):
            connection = self._connect(for_writing=False)
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                connection.rollback()
                if connection is not self._connection:
                    connection.close()

    @contextlib.contextmanager
    def writing(self) -> Iterator[RecordWriter]:
        """A transaction that is committed at its end, or leaves nothing behind if it raises."""
        with self._lock, _errors_translated(self._path):
            connection = self._connect(for_writing=True)
            if self._is_trainwright_store:
                if connection is not self._connection:
                    connection.close()
                with self._writing_own_store() as writer:
                    yield writer
                return
            self._begin_writing(connection)
            try:
                yield MlmdWriter(connection)
                connection.execute("COMMIT")
            finally:
                # Nothing happens after a commit.
                connection.rollback()

    @contextlib.contextmanager
    def _writing_own_store(self) -> Iterator[RecordWriter]:
        # Who only reads needs no SQLAlchemy.
        from trainwright.compat.ml_metadata.sqlite.own_writer import OwnStore

        assert self._path is not None
        if self._mode == SqliteMetadataSourceConfig.READONLY:
            raise errors.PermissionDeniedError(_READ_ONLY_MODE.format(path=self._path))
        if self._own_store is None:
            self._own_store = OwnStore(self._path)
        with self._own_store.writing() as writer:
            yield writer

    def _begin_writing(self, connection: sqlite3.Connection) -> None:
        for remaining in reversed(range(self._attempts)):
            try:
                connection.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if not _is_locked(error) or not remaining:
                    raise

    def _connect(self, *, for_writing: bool) -> sqlite3.Connection:
        if self._connection is not None:
            self._refresh_views(self._connection)
            return self._connection
        if self._path is None:
            self._connection = _empty_database()
            return self._connection
        exists = os.path.exists(self._path)
        if not exists and not self._may_create():
            raise RuntimeError(f"{_CANNOT_CONNECT}: {self._path} does not exist.")
        if not exists and not for_writing:
            return _empty_database()
        connection = self._open(self._path)
        try:
            is_database = self._prepare(connection, for_writing)
        except BaseException:
            connection.close()
            raise
        if not is_database:
            connection.close()
            return _empty_database()
        if self._reader is None:
            self._connection = connection
        return connection

    def _may_create(self) -> bool:
        known_modes = SqliteMetadataSourceConfig.ConnectionMode
        directory = os.path.dirname(os.path.abspath(self._path or ""))
        return os.path.isdir(directory) and self._mode not in (
            known_modes.READONLY,
            known_modes.READWRITE,
        )

    def _open(self, path: str) -> sqlite3.Connection:
        readable_only = self._mode == SqliteMetadataSourceConfig.READONLY
        if os.path.exists(path) and find_unwritable(os.path.abspath(path)) is not None:
            self._reader = self._reader or ReadOnlyFile(path, LOCK_TIMEOUT)
            return self._reader.connect()
        mode = "ro" if readable_only else "rwc"
        return _connect(f"file:{quote(os.path.abspath(path))}?mode={mode}")

    def _prepare(self, connection: sqlite3.Connection, for_writing: bool) -> bool:
        """Looks what the file is; one that is nothing yet becomes a database when it is written.

        Returns whether it is a database of ML Metadata, or can be read as one.
        """
        try:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise RuntimeError(f"{self._path}: {error}") from error
        if is_trainwright_store(tables):
            self._is_trainwright_store = True
            self._shows_fields = False
            self._refresh_views(connection)
        elif "MLMDEnv" in tables:
            self._check_version(connection)
        elif for_writing:
            self._begin_writing(connection)
            create_schema(connection)
            connection.execute("COMMIT")
        else:
            return False
        return True

    def _refresh_views(self, connection: sqlite3.Connection) -> None:
        """Shows a store of Trainwright; what is written to it is seen from its first record on."""
        if not self._is_trainwright_store or self._shows_fields:
            return
        with_fields = has_fields(connection)
        if with_fields or not has_views(connection):
            connection.execute("PRAGMA query_only = OFF")
            make_views(connection, with_fields=with_fields)
            connection.execute("PRAGMA query_only = ON")
            self._shows_fields = with_fields

    def _check_version(self, connection: sqlite3.Connection) -> None:
        row = connection.execute("SELECT schema_version FROM MLMDEnv").fetchone()
        version = row[0] if row else None
        if version != SCHEMA_VERSION:
            raise RuntimeError(
                f"The database {self._path} has schema version {version}, the library has "
                f"{SCHEMA_VERSION}. Schema migration is disabled: Trainwright does not migrate "
                "databases of ML Metadata. Open it once with ml-metadata 1.17 and "
                "enable_upgrade_migration=True, which brings it to this version."
            )


def _path_of(filename_uri: str) -> str | None:
    """The file that a config names, None for a database in memory."""
    if filename_uri in ("", ":memory:"):
        return None
    path = file_uri_path(filename_uri)
    is_in_memory = path == ":memory:" or "mode=memory" in filename_uri.partition("?")[2].split("&")
    return None if is_in_memory and filename_uri.startswith("file:") else path


def _connect(address: str) -> sqlite3.Connection:
    # Transactions begin and end where this module says; threads are kept apart by a lock.
    try:
        return sqlite3.connect(
            address, uri=True, timeout=LOCK_TIMEOUT, isolation_level=None, check_same_thread=False
        )
    except sqlite3.Error as error:
        raise RuntimeError(f"Cannot connect sqlite3 database: {error}") from error


def _empty_database() -> sqlite3.Connection:
    connection = _connect(":memory:")
    create_schema(connection)
    return connection


def _is_locked(error: sqlite3.OperationalError) -> bool:
    return "locked" in str(error) or "busy" in str(error)


@contextlib.contextmanager
def _errors_translated(path: str | None) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if _is_locked(error):
            raise errors.AbortedError(f"Another process holds the database: {error}") from error
        raise errors.InternalError(f"Error when executing query: {error}") from error
    except sqlite3.Error as error:
        advice = (
            f". {path} is damaged: restore it from a copy." if "malformed" in str(error) else ""
        )
        raise errors.InternalError(f"Error when executing query: {error}{advice}") from error
