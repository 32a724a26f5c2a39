"""Digests of the contents of files, each file read once and remembered."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from trainwright._paths import check_not_special
from trainwright.orchestration.planning.lookup_stop import check_stop, interruptible
from trainwright.storage.local_copies import default_copies
from trainwright.storage.objects import ObjectFacts, stat_all
from trainwright.storage.uris import is_supported

# A file that was written a moment ago may be written again without a change of its time, which
# counts in steps of some milliseconds: what is known of it is not remembered.
SETTLED_NANOSECONDS = 2_000_000_000


class _Remembered(NamedTuple):
    """The digest of a file, and what told the file apart when it was read."""

    digest: str
    size: int
    mtime_ns: int
    ctime_ns: int  # changes also when a program restores the time of the last change
    inode: int

    @classmethod
    def of(cls, digest: str, status: os.stat_result) -> _Remembered:
        return cls(digest, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


class FileDigests:
    """The sha256 of files' contents.

    A file is read again only if its size, times or inode changed since an earlier run remembered
    it, and never twice by one object.
    """

    def __init__(self) -> None:
        self._digests: dict[str, str | None] = {}
        self._remembered: dict[str, _Remembered] = {}
        self._read_anew: set[str] = set()
        self._facts: dict[str, ObjectFacts] = {}

    def remote_facts(self, paths: Iterable[str]) -> list[ObjectFacts]:
        """What the stores say of those of the files that are objects; asked once in a run.

        Raises:
            StorageError: if a store cannot be asked.
        """
        uris = [path for path in paths if is_supported(path)]
        self._facts |= stat_all(uri for uri in uris if uri not in self._facts)
        return [self._facts[uri] for uri in uris if uri in self._facts]

    def remember(self, recorded: Mapping[str, Any]) -> None:
        """Takes in what `to_remember` gave in an earlier run."""
        for path, fields in recorded.items():
            self._remembered.setdefault(path, _Remembered(*fields))

    def digest(self, path: str) -> str | None:
        """The digest of a file's content; None if it cannot be read.

        Raises:
            ValueError: if it is a device, a named pipe or the like.
        """
        if path not in self._digests:
            self._digests[path] = self._find(path)
        return self._digests[path]

    def to_remember(self, paths: Iterable[str]) -> dict[str, list[Any]]:
        """What a later run needs to know of these files, as JSON holds it."""
        return {path: list(self._remembered[path]) for path in paths if path in self._remembered}

    def were_read(self, paths: Iterable[str]) -> bool:
        """Whether the content of one of these files had to be read."""
        return not self._read_anew.isdisjoint(paths)

    def _find_remote(self, uri: str) -> str | None:
        """Made of the tag, which changes with the content, so that nothing has to be read."""
        for facts in self.remote_facts([uri]):
            if facts.etag is not None:
                return hashlib.sha256(f"{facts.etag} {facts.size}".encode()).hexdigest()
            with interruptible(), default_copies().fetch_file(uri, facts=facts) as copy:
                return digest_of(copy.path)
        return None

    def _find(self, path: str) -> str | None:
        if is_supported(path):
            return self._find_remote(path)
        check_not_special(path, "The input file")
        try:
            status = os.stat(path)
            known = self._remembered.get(path)
            if known is not None and known == _Remembered.of(known.digest, status):
                return known.digest
            digest = digest_of(path)
            self._read_anew.add(path)
            self._remembered.pop(path, None)
            current = _Remembered.of(digest, status)
            is_settled = time.time_ns() - status.st_ctime_ns > SETTLED_NANOSECONDS
            if is_settled and current == _Remembered.of(digest, os.stat(path)):
                self._remembered[path] = current
        except OSError:
            return None
        return digest


def digest_of(path: str) -> str:
    """The sha256 of a file's content."""
    sha = hashlib.sha256()
    with interruptible(), open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            check_stop()
            sha.update(chunk)
    return sha.hexdigest()
