"""Entries of LocalCopies: files as they must be, and locks on them."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from trainwright.storage.uris import split

# In what steps filesystems keep times, in nanoseconds.
_TIME_STEPS = (1, 100, 1_000, 1_000_000, 1_000_000_000, 2_000_000_000)
_STEPS = 3  # of the address, which the path of a copy ends with


class File(NamedTuple):
    """A file of an entry as it must be."""

    size: int
    mtime_ns: int


class Wanted:
    """What an entry has to be, and how it is got."""

    def __init__(
        self,
        uri: str,
        identity: object,
        files: Mapping[str, File],
        folders: Sequence[str],
        download: Callable[[str], None],
    ) -> None:
        self.uri = uri
        self.digest = hashlib.sha256(json.dumps([uri, identity]).encode()).hexdigest()[:32]
        self.size = sum(file.size for file in files.values())
        self.inside = _inside(uri)
        self.files = files
        self.folders = folders
        self.download = download

    def is_at(self, path: str) -> bool:
        """Whether the files there are as they were made: user code could have changed them."""
        try:
            for name, file in self.files.items():
                found = os.stat(os.path.join(path, name) if name else path)
                kept = (file.mtime_ns // step * step for step in _TIME_STEPS)
                if found.st_size != file.size or found.st_mtime_ns not in kept:
                    return False
        except OSError:
            return False
        return True


@dataclass
class Copy:
    """A copy in use: it stays as long as this is open.

    `path` is the file or directory. Its files are for reading only.
    """

    path: str
    _lock: int | None = field(repr=False)

    def close(self) -> None:
        """Lets the copy go; it may be removed when room is needed."""
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)

    def __enter__(self) -> Copy:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


class EntryLock:
    """An open lock file, which holds what was locked until it is closed."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def is_of(self, path: str) -> bool:
        """Whether the file still lies there: who removes an entry removes its lock with it."""
        try:
            return os.path.samestat(os.fstat(self.descriptor), os.stat(path))
        except FileNotFoundError:
            return False

    def share(self) -> None:
        fcntl.flock(self.descriptor, fcntl.LOCK_SH)

    def keep(self, path: str) -> Copy:
        """Hands the lock over to a copy, which was used now."""
        os.utime(self.descriptor)
        descriptor, self.descriptor = self.descriptor, -1
        return Copy(path, descriptor)

    def close(self) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


def _inside(uri: str) -> str:
    """Where in its entry a copy lies, so that its path can be read."""
    address = split(uri)
    return os.path.join(*(address.key or address.bucket).split("/")[-_STEPS:])
