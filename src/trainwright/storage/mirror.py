"""Mirror: keeps copies of growing local files in an object store, from a thread of its own.

For what others want to see, or a crash must not take, before it is finished: logs, events,
checkpoints. An object is replaced as a whole, so a copy is always one state of its file.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainwright.storage import objects, patience, transfer, uris
from trainwright.storage.errors import StorageError, StorageUnreachableError

if TYPE_CHECKING:
    from typing_extensions import Self

_logger = logging.getLogger(__name__)

# Size and time of the last change, by relative name; of a file that is mirrored alone the name is
# that of the file.
_Seen = dict[str, tuple[int, int]]


# How many times as long as a copy took the next one of it waits.
_REST = 9.0


class Mirror:
    """Copies files and directories whenever they have changed.

    A store that is away is tried again at the next look. The thread is started with the first
    thing to mirror, and ends with `close` or with the process.

    Args:
        seconds: How often it looks; less often at what takes long to copy.

    Example:
        ```py
        with Mirror(seconds=5.0) as mirror:
            mirror.add("/tmp/run/executor.log", "s3://bucket/run/executor.log")
            train()
        ```
    """

    def __init__(self, *, seconds: float = 5.0) -> None:
        self._seconds = seconds
        self._places: dict[str, str] = {}
        self._gates: dict[str, str] = {}
        self._seen: dict[str, _Seen] = {}
        self._next: dict[str, float] = {}  # not earlier than this
        self._starting = threading.Lock()
        self._lock = threading.Lock()  # held while a copy is made
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def add(self, path: str, uri: str, *, gate: str = "") -> None:
        """Mirrors a file or a directory from now on; neither needs to be there yet.

        A gate is a file that is locked while a copy is made. Nothing is copied while another
        process has it locked, or once it has content: then that process uploads the rest.
        """
        with self._starting:
            self._gates[path] = gate
            self._places[path] = uri
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()

    def finish(self, path: str) -> None:
        """Copies what has changed since the last look, and does not look again. Whoever calls it
        knows that no other process uploads this any more."""
        try:
            with patience.held(self._lock):
                if path in self._places:
                    self._gates[path] = ""
                    self._copy(path)
                self._forget(path)
        except StorageUnreachableError as error:
            _logger.warning("The copy of %s is behind: %s", path, error)
            self._forget(path)

    def forget(self, path: str) -> None:
        """Does not look again; what was copied stays."""
        with contextlib.suppress(StorageUnreachableError), patience.held(self._lock):
            self._forget(path)

    def _forget(self, path: str) -> None:
        self._places.pop(path, None)
        self._seen.pop(path, None)

    def close(self) -> None:
        """Copies what has changed, for the last time; may be repeated."""
        self._stopped.set()
        if self._thread is not None:
            with contextlib.suppress(StorageUnreachableError):  # as each of the copies will say
                patience.join(self._thread)
        for path in list(self._places):
            self.finish(path)

    def _run(self) -> None:
        while not self._stopped.wait(self._seconds):
            for path in list(self._places):
                with self._lock:
                    if path in self._places and time.monotonic() >= self._next.get(path, 0.0):
                        self._copy_in_turn(path)

    def _copy_in_turn(self, path: str) -> None:
        began = time.monotonic()
        self._copy(path)
        # A log is copied as a whole, and may be large.
        self._next[path] = time.monotonic() + _REST * (time.monotonic() - began)

    def _copy(self, path: str) -> None:
        """Copies a file; a store that is away, or a file that goes meanwhile, ends no run."""
        uri = self._places.get(path)
        if uri is None:
            return
        try:
            with _passed(self._gates[path]) as is_open:
                if is_open and os.path.isdir(path):
                    self._copy_directory(path, uri)
                elif is_open and os.path.isfile(path):
                    self._copy_file(path, uri)
        except (StorageError, OSError) as error:
            _logger.warning("The copy of %s is behind: %s", path, error)

    def _copy_file(self, path: str, uri: str) -> None:
        name = os.path.basename(path)
        seen = {name: _times(path)}
        if seen != self._seen.get(path):
            transfer.upload_file(path, uri)
            self._seen[path] = seen

    def _copy_directory(self, directory: str, uri: str) -> None:
        before = self._seen.get(directory, {})
        found: _Seen = {}
        for name in _names_below(directory):
            with contextlib.suppress(OSError):  # it goes in this moment
                found[name] = _times(os.path.join(directory, name))
        changed = [name for name, times in found.items() if before.get(name) != times]
        if changed:
            transfer.upload_tree(directory, uri, changed)
        for name in before.keys() - found.keys():
            objects.remove(uris.join(uri, name))
        self._seen[directory] = found


@contextlib.contextmanager
def _passed(gate: str) -> Iterator[bool]:
    """Whether a copy may be made, and the gate held meanwhile."""
    if not gate:
        yield True
        return
    try:
        with open(gate, "a") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield file.tell() == 0
    except (BlockingIOError, FileNotFoundError):
        yield False


def _names_below(directory: str) -> Iterator[str]:
    for above, _, names in os.walk(directory):
        for name in sorted(names):
            path = os.path.join(above, name)
            if os.path.isfile(path):
                yield os.path.relpath(path, directory)


def _times(path: str) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_size, status.st_mtime_ns
