"""Copies of objects on this host: fetched once, shared by all its processes, bounded in size.

Every entry is a directory that is made under a temporary name and renamed when it is whole. Beside
it lies a lock file: who uses the entry holds it shared, who makes or removes the entry exclusively,
and the system lets go of it when a process dies. So a killed process leaves at most a directory
with a temporary name, which the next one that looks for room removes.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import functools
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from trainwright._paths import is_remote
from trainwright.storage.entries import Copy as Copy
from trainwright.storage.entries import EntryLock, File, Wanted
from trainwright.storage.errors import StorageError, name_too_long, no_such_object
from trainwright.storage.objects import ObjectFacts, list_tree, stat
from trainwright.storage.private_directories import make_private_directory
from trainwright.storage.transfer import download_file, download_tree
from trainwright.storage.uris import relative

DIRECTORY_VARIABLE = "TRAINWRIGHT_CACHE_DIR"
BYTES_VARIABLE = "TRAINWRIGHT_CACHE_BYTES"

_LEAST_LIMIT = 1 << 30
# The name of an entry: what it holds, its bytes, and which copy of the same it is.
_ENTRY = re.compile(r"[0-9a-f]{32}-(\d+)-\d+")
# An entry that is being made or removed.
_TEMPORARY = re.compile(r"([0-9a-f]{32}-(\d+)-\d+)\.[0-9a-f]+\.(?:making|removed)")
_LOCK_SUFFIX = ".lock"


# Keeps the sum of what was added since the entries were counted.
_TOTAL = ".total"
# They are counted once in a while, whatever the sum says; when room is made, it is this part of the
# limit more than is needed.
_SECONDS_BETWEEN_COUNTS = 600.0
_SPARE = 16


class LocalCopies:
    """A directory of copies. Any number of processes and threads may share it.

    Args:
        directory: Where the copies lie; it is made when it is needed.
        limit_bytes: How large all copies together may be. Those that were not used for longest go
            first; those in use never do, so that they alone may take more.
        is_ours: Whether the directory is of this package's choice, and not one that a user named.

    Example:
        with default_copies().fetch_file("s3://bucket/data.csv") as copy:
            read(copy.path)
    """

    def __init__(self, directory: str, limit_bytes: int, *, is_ours: bool = False) -> None:
        self.directory = directory
        self.limit_bytes = limit_bytes
        self._is_ours = is_ours
        self._next_count = 0.0

    def make_directory(self) -> None:
        """Makes the directory, for this user's eyes alone.

        Raises:
            StorageError: if it cannot be made, or others can look into it.
        """
        make_private_directory(
            self.directory, f"The directory of copies ({DIRECTORY_VARIABLE})", is_ours=self._is_ours
        )

    def fetch_file(self, uri: str, *, facts: ObjectFacts | None = None) -> Copy:
        """A copy of an object.

        Args:
            uri: The object.
            facts: What `objects.stat` said of the content that is wanted; by default of the one
                that is there now.

        Raises:
            NoSuchObjectError: if there is none.
            ObjectChangedError: if its content is another one now.
        """
        facts = facts or stat(uri)
        if facts is None:
            raise no_such_object(uri)
        identity = [facts.etag, facts.size, facts.modified_ns if facts.etag is None else None]

        def download(path: str) -> None:
            download_file(uri, path, etag=facts.etag, in_place=True)

        files = {"": File(facts.size, facts.modified_ns)}
        return self._fetch(Wanted(uri, identity, files, (), download))

    def fetch_tree(self, uri: str, manifest: Mapping[str, Sequence[int]]) -> Copy:
        """A copy of an artifact: of the objects below an address that its manifest lists.

        Args:
            uri: The address.
            manifest: Size, time of change in nanoseconds and CRC32C by relative name: "" is the
                object at the address itself, and names that end with "/" are empty directories.

        Raises:
            NoSuchObjectError: naming an object that is not there.
            DamagedDownloadError: naming one whose content is another one now.
        """
        checksums = {name: numbers[2] for name, numbers in manifest.items()}

        def download(path: str) -> None:
            names = _file_names(manifest)
            if "" not in names:
                os.makedirs(path)
            download_tree(uri, path, names, checksums, in_place=True)

        return self._fetch(_wanted_tree(uri, manifest, download))

    def fetch_all(self, uri: str) -> Copy:
        """A copy of all that lies below an address now, or of the object at it.

        Raises:
            NoSuchObjectError: if there is nothing.
            ObjectChangedError: naming an object whose content changed while it was read.
        """
        listed = {relative(facts.uri, uri): facts for facts in list_tree(uri)}
        found = {name: facts for name, facts in listed.items() if not name.endswith("/")}
        if not found:
            return self.fetch_file(uri)
        identity = sorted((name, one.etag, one.size) for name, one in found.items())
        files = {name: File(one.size, one.modified_ns) for name, one in found.items()}

        def download(path: str) -> None:
            etags = {name: one.etag for name, one in found.items()}
            download_tree(uri, path, found, etags=etags, in_place=True)

        return self._fetch(Wanted(uri, identity, files, (), download))

    def adopt(self, uri: str, manifest: Mapping[str, Sequence[int]], path: str) -> None:
        """Takes a directory that was uploaded as the copy of what it has become.

        It is moved, so that nothing is copied. One with links in it is left alone: a store has
        none.

        Args:
            uri: Where it was uploaded to.
            manifest: As for `fetch_tree`.
            path: The directory, on the disk of the copies.
        """
        if not any(map(os.path.islink, _walk(path))):
            moved = _wanted_tree(uri, manifest, lambda target: os.rename(path, target))
            self._fetch(moved).close()

    def clean(self, needed: int = 0) -> None:
        """Removes what killed processes have left, and copies until there is room for more.

        Args:
            needed: Bytes for which there has to be room.
        """
        if os.path.isdir(self.directory):
            with self._total() as total:
                total.put(self._make_room(needed))

    def _make_room(self, needed: int, key: str = "") -> int:
        """Counts what there is, and removes copies until there is room; returns what is left.

        Args:
            needed: Bytes.
            key: Whose lock the caller holds, and so whose leftovers are removed here.
        """
        for name in os.listdir(self.directory):
            if key and name.startswith(f"{key}."):
                _remove_tree(os.path.join(self.directory, name))
            else:
                self._clean_leftover(name)
        entries = {name: _size(name) for name in os.listdir(self.directory)}
        total = sum(entries.values())
        goal = self.limit_bytes
        if total + needed > goal:
            # With some to spare, so that not every copy from now on has to make room.
            goal -= goal // _SPARE
        for name in sorted(filter(_ENTRY.fullmatch, entries), key=self._last_use):
            if total + needed <= goal:
                break
            if self._remove(name):
                total -= entries[name]
        self._next_count = time.monotonic() + _SECONDS_BETWEEN_COUNTS
        return total

    @contextlib.contextmanager
    def _total(self) -> Iterator[_Total]:
        """How much all processes have put here, as long as this one alone may change it."""
        path = os.path.join(self.directory, _TOTAL)
        with _Total(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)) as total:
            yield total

    def _reserve(self, key: str, size: int, making: str) -> None:
        """Makes room for an entry, and the directory that it is made in, which counts from now.

        Looking through all entries for each new one would be quadratic. So what was added is summed
        up, by all processes in one file, and looked through when the sum passes the limit. The sum
        may be too large, after a killed process, but never too small.
        """
        with self._total() as total:
            found = total.get()
            is_due = time.monotonic() >= self._next_count
            if found is None or is_due or found + size > self.limit_bytes:
                found = self._make_room(size, key)
            total.put(found + size)
            os.makedirs(making)

    def _fetch(self, wanted: Wanted) -> Copy:
        number = 0
        while True:
            self.make_directory()
            key = f"{wanted.digest}-{wanted.size}-{number}"
            entry = os.path.join(self.directory, key)
            path = os.path.join(entry, wanted.inside)
            with self._lock(key, fcntl.LOCK_SH) as lock:
                if os.path.isdir(entry) and wanted.is_at(path):
                    return lock.keep(path)
            if not os.path.isdir(entry):
                with self._lock(key, fcntl.LOCK_EX) as lock:
                    if not os.path.isdir(entry):
                        self._make(key, wanted)
                    lock.share()
                    # While the lock changed its kind, somebody may have removed the entry.
                    if os.path.isdir(entry):
                        return lock.keep(path)
            elif not self._remove(key):
                # Somebody has changed its files and others are using them: make another.
                number += 1

    def _make(self, key: str, wanted: Wanted) -> None:
        """Makes an entry; its lock is held."""
        making = self._temporary(key, "making")
        try:
            self._reserve(key, wanted.size, making)
            path = os.path.join(making, wanted.inside)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            wanted.download(path)
            for folder in wanted.folders:
                os.makedirs(os.path.join(path, folder), exist_ok=True)
            for name, file in wanted.files.items():
                local = os.path.join(path, name) if name else path
                os.chmod(local, 0o444)
                os.utime(local, ns=(file.mtime_ns, file.mtime_ns))
            os.rename(making, os.path.join(self.directory, key))
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                raise name_too_long(wanted.uri) from None
            raise
        finally:
            _remove_tree(making)

    def _remove(self, key: str) -> bool:
        """Removes an entry, unless it is in use."""
        try:
            with self._lock(key, fcntl.LOCK_EX | fcntl.LOCK_NB):
                removed = self._temporary(key, "removed")
                with contextlib.suppress(FileNotFoundError):
                    os.rename(os.path.join(self.directory, key), removed)
                    _remove_tree(removed)
                # Who waits for this lock sees that it is gone, and makes it anew.
                os.unlink(self._lock_path(key))
            return True
        except BlockingIOError:
            return False

    def _clean_leftover(self, name: str) -> None:
        """Removes a directory that a killed process has left, or a lock without an entry."""
        found = _TEMPORARY.fullmatch(name)
        if found is not None:
            exclusive = fcntl.LOCK_EX | fcntl.LOCK_NB
            # Who makes it now holds the lock.
            with contextlib.suppress(BlockingIOError), self._lock(found[1], exclusive):
                _remove_tree(os.path.join(self.directory, name))
        key = found[1] if found is not None else name.removesuffix(_LOCK_SUFFIX)
        is_lock = found is not None or name.endswith(_LOCK_SUFFIX)
        if is_lock and not os.path.isdir(os.path.join(self.directory, key)):
            self._remove(key)

    def _temporary(self, key: str, purpose: str) -> str:
        return os.path.join(self.directory, f"{key}.{secrets.token_hex(4)}.{purpose}")

    def _lock_path(self, key: str) -> str:
        return os.path.join(self.directory, f"{key}{_LOCK_SUFFIX}")

    def _last_use(self, key: str) -> int:
        try:
            return os.stat(self._lock_path(key)).st_mtime_ns
        except FileNotFoundError:
            return 0

    @contextlib.contextmanager
    def _lock(self, key: str, kind: int) -> Iterator[EntryLock]:
        """Holds the lock of an entry, also one that is not there.

        Raises:
            BlockingIOError: if others hold it and `kind` says not to wait.
        """
        path = self._lock_path(key)
        while True:
            lock = EntryLock(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            try:
                fcntl.flock(lock.descriptor, kind)
                if lock.is_of(path):
                    yield lock
                    return
            finally:
                lock.close()


class _Total:
    """A file with a number, which is locked as long as it is open."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __enter__(self) -> _Total:
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        return self

    def __exit__(self, *exc: object) -> None:
        os.close(self._descriptor)

    def get(self) -> int | None:
        text = os.pread(self._descriptor, 64, 0).strip()
        return int(text) if text.isdigit() else None

    def put(self, total: int) -> None:
        # Of one length, and written at once: whoever is killed leaves the one number or the other.
        os.pwrite(self._descriptor, b"%032d" % total, 0)


def _file_names(manifest: Mapping[str, Sequence[int]]) -> list[str]:
    return [name for name in manifest if not name.endswith("/")]


def _wanted_tree(
    uri: str, manifest: Mapping[str, Sequence[int]], download: Callable[[str], None]
) -> Wanted:
    files = {name: File(manifest[name][0], manifest[name][1]) for name in _file_names(manifest)}
    folders = [name for name in manifest if name.endswith("/")]
    identity = sorted((name, list(numbers)) for name, numbers in manifest.items())
    return Wanted(uri, identity, files, folders, download)


def _walk(path: str) -> Iterator[str]:
    for above, directories, files in os.walk(path):
        yield from (os.path.join(above, name) for name in directories + files)


@functools.cache
def _copies(directory: str, limit_bytes: int | None, is_ours: bool) -> LocalCopies:
    if limit_bytes is None:
        existing = os.path.abspath(directory)
        while not os.path.isdir(existing):
            existing = os.path.dirname(existing)
        limit_bytes = max(_LEAST_LIMIT, shutil.disk_usage(existing).free // 10)
    return LocalCopies(directory, limit_bytes, is_ours=is_ours)


def default_copies() -> LocalCopies:
    """The copies of this user on this host.

    They lie in `TRAINWRIGHT_CACHE_DIR`, or else in `trainwright/copies` in the directory for caches
    (`XDG_CACHE_HOME`, `~/.cache`), and take at most `TRAINWRIGHT_CACHE_BYTES`: by default a tenth
    of what is free on the disk, and at least 1 GiB.

    Raises:
        ValueError: if `TRAINWRIGHT_CACHE_BYTES` is not a number of bytes.
    """
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    given = os.environ.get(DIRECTORY_VARIABLE)
    directory = given or os.path.join(caches, "trainwright", "copies")
    limit = os.environ.get(BYTES_VARIABLE)
    if limit and not re.fullmatch(r"[0-9]+", limit):
        raise ValueError(
            f"{BYTES_VARIABLE} is {limit!r}: expected a number of bytes, such as 10000000000."
        )
    return _copies(os.path.abspath(directory), int(limit) if limit else None, not given)


def check_copies() -> None:
    """Refuses settings with which nothing can be copied to this host, before that is needed.

    Raises:
        ValueError: naming the setting.
    """
    try:
        default_copies().make_directory()
    except StorageError as error:
        raise ValueError(str(error)) from None


def on_this_machine(place: str) -> str:
    """The path of a file or directory, or of this machine's copy of what lies at a URI.

    For people who look at an artifact: the copy is not held, and may go when room is needed.

    Raises:
        NoSuchObjectError: if there is nothing at a URI.

    >>> on_this_machine("output/model")
    'output/model'
    """
    if not is_remote(place):
        return place
    with default_copies().fetch_all(place) as copy:
        return copy.path


def _size(name: str) -> int:
    """The bytes of an entry, also of one that is being made; 0 for other names."""
    found = _ENTRY.fullmatch(name)
    if found is not None:
        return int(found[1])
    found = _TEMPORARY.fullmatch(name)
    return int(found[2]) if found is not None else 0


def _remove_tree(path: str) -> None:
    shutil.rmtree(path, ignore_errors=True)
