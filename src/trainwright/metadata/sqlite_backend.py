"""Everything that the SQL store must know about SQLite: opening, locking, ids, error messages."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool, QueuePool

from trainwright._paths import kind_of
from trainwright.metadata.backend import Backend
from trainwright.metadata.sqlite_reading import ReadOnlyFile, find_unwritable
from trainwright.metadata.store import MetadataError
from trainwright.metadata.store_urls import sqlite_path

LOCK_TIMEOUT_SECONDS = 60.0
# How long a writer sleeps before it asks for the write lock again: half as long after 20 ms.
_FIRST_WAIT = 0.01
_HALF_LIFE = 0.02
_SHORTEST_WAIT = 0.0005
_OLDEST_SQLITE = (3, 35, 0)  # the first one with RETURNING

# On every connection. In WAL mode FULL syncs the log once per commit, which is what makes a change
# durable when a method returns; NORMAL syncs at checkpoints only and may lose the last commits when
# the power fails. The sync is a fraction of a millisecond on a local disk, a few times per node.
_PRAGMAS = ("PRAGMA foreign_keys = ON", "PRAGMA synchronous = FULL")


class SqliteBackend(Backend):
    """The connections to one SQLite file.

    Args:
        url: The URL of the file.
        must_write: Whether a file that can only be read is refused.
    """

    def __init__(self, url: str, *, must_write: bool = True) -> None:
        self.location = sqlite_path(url)
        _check_library()
        _check_kind(self.location)
        self._unwritable = find_unwritable(self.location)
        if must_write:
            _make_directory(self.location)
            self._check_writable()
        self.is_read_only = self._unwritable is not None
        self._reader = ReadOnlyFile(self.location, LOCK_TIMEOUT_SECONDS)
        if self.is_read_only:
            # Every transaction opens the file as it can be opened then.
            self._engine = create_engine(
                "sqlite://", creator=self._reader.connect, poolclass=NullPool
            )
        else:
            self._engine = _writing_engine(self.location)

    def _check_writable(self) -> None:
        if self._unwritable is not None:
            raise MetadataError(
                f"The metadata store {self.location} cannot be written: no write access to "
                f"{self._unwritable}. Give this user write access to it, or give another path."
            )

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._engine.begin() as connection:
            connection.exec_driver_sql("BEGIN")
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[tuple[Connection, float]]:
        self._check_writable()
        with self._engine.begin() as connection:
            _begin_immediate(connection)
            yield connection, time.time()

    def now(self, connection: Connection) -> float:
        """This machine's clock: whoever opens the file is on it."""
        del connection
        return time.time()

    def table_names(self, connection: Connection) -> set[str]:
        query = "SELECT name FROM sqlite_master WHERE type = 'table'"
        names = connection.exec_driver_sql(query).scalars()
        return {name for name in names if not name.startswith("sqlite_")}

    def settle(self) -> None:
        """Puts the file into WAL mode, where it stays: readers need not wait for writers."""
        deadline = time.monotonic() + LOCK_TIMEOUT_SECONDS
        with contextlib.closing(self._engine.raw_connection()) as connection:
            cursor = connection.cursor()
            while True:
                # Here SQLite does not wait for a writer, although a timeout is set.
                try:
                    mode = cursor.execute("PRAGMA journal_mode = WAL").fetchone()[0]
                    break
                except sqlite3.OperationalError as error:
                    if "locked" not in str(error) or time.monotonic() > deadline:
                        raise self._explained(str(error)) from error
                    time.sleep(0.01)
        if mode != "wal":
            raise MetadataError(
                f"SQLite cannot keep a write-ahead log beside {self.location} (its journal mode "
                f"stays {mode!r}). Put the metadata store on a local disk."
            )

    @contextlib.contextmanager
    def spending_ids(self, connection: Connection) -> Iterator[None]:
        """What fails inside is undone, except that the ids it took are not given out again.

        SQLite keeps its counters in a table, which is rolled back with everything else. So a
        failure goes back to a savepoint only, and the counters are written once more.
        """
        connection.exec_driver_sql("SAVEPOINT spending_ids")
        try:
            yield
        except BaseException:
            counters = connection.execute(text("SELECT name, seq FROM sqlite_sequence")).all()
            connection.exec_driver_sql("ROLLBACK TO spending_ids")
            connection.exec_driver_sql("DELETE FROM sqlite_sequence")
            for name, last in counters:
                connection.execute(
                    text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)"),
                    {"name": name, "last": last},
                )
            connection.commit()
            raise

    def skip_used_ids(self, connection: Connection) -> None:
        """Nothing to do: SQLite's counters follow ids that a row brings with it."""
        del connection

    def explain(self, error: DBAPIError) -> MetadataError:
        return self._explained(str(error.orig))

    def _explained(self, cause: str) -> MetadataError:
        if "locked" in cause:
            return MetadataError(
                f"The metadata store {self.location} has been locked by another process for more "
                f"than {LOCK_TIMEOUT_SECONDS:.0f} seconds. Stop that process or try again."
            )
        if "not a database" in cause or "malformed" in cause:
            return MetadataError(
                f"{self.location} is not an SQLite database, or a damaged one ({cause}). Move it "
                "away or give another path for the metadata store."
            )
        if self.is_read_only and "unable to open" in cause:
            return MetadataError(
                f"The metadata store {self.location} cannot be read ({cause}). Give this user read "
                "access to the file, to those beside it that end in -wal and -shm, and to the "
                "directory."
            )
        if "readonly" in cause or "unable to open" in cause:
            return MetadataError(
                f"The metadata store {self.location} cannot be written ({cause}). Give this user "
                "write access to the file and to its directory, or give another path."
            )
        if "full" in cause:
            return MetadataError(
                f"The metadata store {self.location} cannot grow ({cause}). Make room on disk."
            )
        return MetadataError(f"The metadata store {self.location} failed: {cause}.")

    def close(self) -> None:
        self._engine.dispose()
        self._reader.close()


def _writing_engine(path: str) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=path),
        connect_args={
            "timeout": LOCK_TIMEOUT_SECONDS,
            # The driver begins no transactions of its own: the methods of the backend do.
            "isolation_level": None,
            "check_same_thread": False,
        },
        # A thread checks a connection out for the length of a transaction, so no two threads
        # share one, and no thread waits for another's.
        poolclass=QueuePool,
        max_overflow=-1,
    )
    event.listen(engine, "connect", _set_pragmas)
    return engine


def _begin_immediate(connection: Connection) -> None:
    """Begins a transaction with the file's one write lock, for which it waits.

    SQLite itself would ask for the lock less and less often, so that newcomers overtake who has
    waited long: of eight writers some waited for seconds. Here it is the other way round.
    """
    driver: Any = connection.connection.driver_connection
    driver.execute("PRAGMA busy_timeout = 0")
    began = time.monotonic()
    try:
        while True:
            try:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                return
            except DBAPIError as error:
                waited = time.monotonic() - began
                if "locked" not in str(error.orig) or waited > LOCK_TIMEOUT_SECONDS:
                    raise
                time.sleep(max(_SHORTEST_WAIT, _FIRST_WAIT / (1 + waited / _HALF_LIFE)))
    finally:
        driver.execute(f"PRAGMA busy_timeout = {LOCK_TIMEOUT_SECONDS * 1000:.0f}")


def _set_pragmas(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _check_library() -> None:
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise MetadataError(
            f"This Python has SQLite {sqlite3.sqlite_version}, which is too old for the metadata "
            "store. Use a Python with SQLite 3.35 or newer."
        )


def _check_kind(path: str) -> None:
    kind = kind_of(path)
    if kind == "a directory":
        raise MetadataError(
            f"{path} is a directory. Give the path of a file for the metadata store, such as "
            f"{os.path.join(path, 'metadata.db')}."
        )
    if kind not in ("a file", "nothing"):
        raise MetadataError(f"{path} is {kind}. Give the path of a file for the metadata store.")


def _make_directory(path: str) -> None:
    """Makes the directory of the file; raises MetadataError if that cannot be."""
    directory = os.path.dirname(path)
    try:
        os.makedirs(directory, exist_ok=True)
    except OSError as error:
        raise MetadataError(
            f"The directory of the metadata store {path} cannot be made ({error.strerror}: "
            f"{error.filename}). Give another path, or make the directory {directory} yourself."
        ) from error
