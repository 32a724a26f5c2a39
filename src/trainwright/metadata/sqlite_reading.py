"""Reading an SQLite file that may not be written, or whose directory may not.

A database in WAL mode is three files: its own, the log `-wal` of what is not in it yet, and the
log's index `-shm` in shared memory. Readers, too, take part in the index, and it is made by whoever
comes first. Without write access that is left to others:

- Log and index are there: another process has the database open. SQLite reads them as they are.
- There is no log: all is in the file. It is read as one that nobody changes, which holds until a
  writer comes; so every transaction looks again.
- There is a log without its index, as a copy or a crash leaves them: a copy of both is read.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from urllib.parse import quote


class ReadOnlyFile:
    """Opens connections to a database without writing beside it; each sees its present state.

    Args:
        path: The database's file.
        timeout: How long a connection waits for a lock, in seconds.
    """

    def __init__(self, path: str, timeout: float) -> None:
        self._path = path
        self._timeout = timeout
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        self._copied: list[tuple[int, int]] = []

    def connect(self) -> sqlite3.Connection:
        """Raises sqlite3.OperationalError if the files cannot be read."""
        log, index = f"{self._path}-wal", f"{self._path}-shm"
        if not os.path.exists(log) or os.path.getsize(log) == 0:
            return self._open(self._path, "mode=ro&immutable=1")
        if os.path.exists(index):
            return self._open(self._path, "mode=ro")
        try:
            return self._open(self._copied_with(log), "mode=rw")
        except OSError as error:
            raise sqlite3.OperationalError(f"unable to open {log}: {error.strerror}") from error

    def close(self) -> None:
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None

    def _open(self, path: str, options: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"file:{quote(path)}?{options}",
            uri=True,
            timeout=self._timeout,
            isolation_level=None,
            check_same_thread=False,
        )
        connection.execute("PRAGMA query_only = ON")
        return connection

    def _copied_with(self, log: str) -> str:
        """A copy of the database and its log, made anew when they have changed."""
        stats = [os.stat(path) for path in (self._path, log)]
        present = [(one.st_size, one.st_mtime_ns) for one in stats]
        if self._copy is None or present != self._copied:
            self.close()
            self._copy = tempfile.TemporaryDirectory(prefix="trainwright-store-")
            self._copied = present
            shutil.copyfile(self._path, os.path.join(self._copy.name, "metadata.db"))
            shutil.copyfile(log, os.path.join(self._copy.name, "metadata.db-wal"))
        return os.path.join(self._copy.name, "metadata.db")


def find_unwritable(path: str) -> str | None:
    """The file, or its directory, if this user may not write to it; None if all can be written.

    SQLite writes two more files beside its own, so it needs the directory as well.
    """
    effective = os.access in os.supports_effective_ids
    for place in (os.path.dirname(path), path):
        if os.path.exists(place) and not os.access(place, os.W_OK, effective_ids=effective):
            return place
    return None
