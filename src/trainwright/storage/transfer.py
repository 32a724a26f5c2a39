"""Directories up to a store and down from it: in parallel, in bounded memory, checked on the way.

Many small files are moved at once; a large one in several parts. What comes down is written under
a temporary name and renamed when it is whole and its checksum is right.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from trainwright.storage._obstore import interruptible, obstore
from trainwright.storage.errors import StorageError, StorageUnreachableError, storage_errors
from trainwright.storage.stores import is_bulk, open_store
from trainwright.storage.uris import join

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")

# Called with the number of bytes that have been moved since the last call, from several threads.
Progress = Callable[[int], None]

_FILES_AT_ONCE = 8
_PART = 8 << 20  # bytes; S3 takes parts of 5 MiB and more
_PARTS_AT_ONCE = 8  # of one large file, of which one goes up at a time
_MOST_PARTS = 9_000  # S3 takes 10 000
_PIECE = 4 << 20  # bytes that are written at a time
_ONE_STREAM = 256 << 20  # of larger ones, several ranges are on their way at once
_RANGE = 16 << 20
_RANGES_AT_ONCE = 4
# Files without a name of their own until they are whole.
PARTIAL_SUFFIX = ".trainwright-partial"


class DamagedDownloadError(StorageError):
    """What came from the store is not what was put there."""


def upload_tree(
    directory: str,
    uri: str,
    names: Iterable[str],
    *,
    last: Collection[str] = (),
    progress: Progress | None = None,
) -> None:
    """Uploads files to the same names below an address.

    After an error some of them are there; nothing tells that they are all.

    Args:
        directory: Where the files lie.
        uri: Where they go.
        names: The files, relative to both; "" if `directory` is a file itself.
        last: Those of them that are uploaded after all others are there, in this order.
        progress: Called with the bytes of each file that has arrived.

    Raises:
        StorageError: naming the object that could not be written, or a file whose name no object
            can have; then nothing is written.
        OSError: if a file cannot be read.
    """
    wanted = list(names)
    for name in wanted:
        _check_name(_local(directory, name), name)
    first = [name for name in wanted if name not in last]
    lock = threading.Lock()

    def upload(name: str) -> None:
        size = upload_file(_local(directory, name), join(uri, name), large_files=lock)
        if progress is not None:
            progress(size)

    _in_parallel(upload, first)
    for name in last:
        upload(name)


def upload_file(path: str, uri: str, *, large_files: threading.Lock | None = None) -> int:
    """Uploads a file, and returns its size.

    Args:
        path: The file.
        uri: Where it goes.
        large_files: Held while a file that goes up in parts does, if given.
    """
    size = os.stat(path).st_size
    store, key = open_store(uri, bulk=is_bulk(size))
    chunk = max(_PART, -(-size // _MOST_PARTS))
    held = large_files if large_files is not None and size > chunk else contextlib.nullcontext()
    with held, storage_errors(uri, "written"):
        interruptible(
            lambda: obstore().put(
                store, key, Path(path), chunk_size=chunk, max_concurrency=_PARTS_AT_ONCE
            )
        )
    return size


def download_tree(
    uri: str,
    directory: str,
    names: Iterable[str],
    checksums: Mapping[str, int] | None = None,
    *,
    etags: Mapping[str, str | None] | None = None,
    in_place: bool = False,
    progress: Progress | None = None,
) -> None:
    """Downloads objects to files of the same names in a directory, which are made with it.

    Args:
        uri: Below what the objects lie.
        directory: Where the files go.
        names: The objects, relative to both; "" for the object at `uri` itself.
        checksums: The CRC32C of the content by name, where it is known.
        etags: The tags of the content that is wanted by name, where they are known.
        in_place: Whether files may have their names before they are whole: for a directory that
            nobody looks into until all is there.
        progress: Called with bytes as they arrive.

    Raises:
        NoSuchObjectError: naming one that is not there.
        DamagedDownloadError: naming one whose content is not what it should be.
        ObjectChangedError: naming one whose tag is another one now.
        StorageError: naming one that could not be read.
    """
    known, tags = checksums or {}, etags or {}
    listed = list(names)
    for folder in {os.path.dirname(_local(directory, name)) for name in listed}:
        os.makedirs(folder, exist_ok=True)

    def download(name: str) -> None:
        download_file(
            join(uri, name),
            _local(directory, name),
            checksum=known.get(name),
            etag=tags.get(name),
            in_place=in_place,
            progress=progress,
        )

    _in_parallel(download, listed)


def download_file(
    uri: str,
    path: str,
    *,
    checksum: int | None = None,
    etag: str | None = None,
    in_place: bool = False,
    progress: Progress | None = None,
) -> None:
    """Downloads an object to a file, which appears when it is whole.

    Args:
        uri: The object.
        path: The file; its directory must exist.
        checksum: The CRC32C that the content must have.
        etag: Of the content that is wanted: another is an ObjectChangedError.
        in_place: Whether it may have its name before: where nobody looks yet.
        progress: Called with bytes as they arrive.
    """
    # Not behind the name, which may be as long as names can be.
    aside = os.path.join(os.path.dirname(path), f".{secrets.token_hex(8)}{PARTIAL_SUFFIX}")
    partial = path if in_place else aside
    found = 0
    try:
        with open(partial, "xb") as file:
            for piece in _pieces(uri, etag):
                file.write(piece)
                if checksum is not None:
                    # A run that finds all cached needs none.
                    import google_crc32c

                    found = google_crc32c.extend(found, bytes(piece))
                if progress is not None:
                    progress(len(piece))
        if checksum is not None and found != checksum:
            raise DamagedDownloadError(
                f"{uri!r} is damaged: its content has the checksum {found:08x} instead of "
                f"{checksum:08x}, with which it was written. Something has replaced or changed it."
            )
        if not in_place:
            os.replace(partial, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(partial)
        raise


def _pieces(uri: str, etag: str | None) -> Iterator[Any]:
    """The content of an object in order: a very large one in several streams, else in one."""
    first = _Stream(uri, 0, None, etag)
    if first.size <= _ONE_STREAM:
        yield from first.pieces()
        return
    first.close()
    with ThreadPoolExecutor(_RANGES_AT_ONCE, "trainwright-download") as pool:
        starts = iter(range(0, first.size, _RANGE))
        ahead: deque[Future[bytes]] = deque()
        try:
            while True:
                while len(ahead) < _RANGES_AT_ONCE and (start := next(starts, None)) is not None:
                    end = min(start + _RANGE, first.size)
                    ahead.append(pool.submit(_read_range, uri, start, end, first.etag))
                if not ahead:
                    return
                yield ahead.popleft().result()
        finally:
            for future in ahead:
                future.cancel()


def _read_range(uri: str, start: int, end: int, etag: str | None) -> bytes:
    return b"".join(_Stream(uri, start, end, etag).pieces())


class _Stream:
    """What is read of an object from one place on; a stream that breaks is taken up again there.

    Args:
        uri: The object.
        start: Where it begins.
        end: Where it ends; None for the end of the object.
        etag: Of the content that is wanted; by default of what is there.
    """

    def __init__(self, uri: str, start: int, end: int | None, etag: str | None) -> None:
        self._uri, self._position = uri, start
        self.etag = etag
        self._result: Any = None
        self._open(end)
        self._end = self.size if end is None else end

    def _open(self, end: int | None) -> None:
        store, key = open_store(self._uri)
        options: dict[str, Any] = {}
        if self.etag is not None:
            options["if_match"] = self.etag
        if end is not None or self._position:  # no range lies in an empty object
            options["range"] = (self._position, self._end if end is None else end)
        with storage_errors(self._uri):
            self._result = interruptible(lambda: obstore().get(store, key, options=options))
        self.size: int = self._result.meta["size"]
        self.etag = self.etag or self._result.meta["e_tag"]

    def pieces(self) -> Iterator[Any]:
        """The content; raises StorageUnreachableError if nothing more comes, twice in a row."""
        failed_at = -1
        while self._position < self._end:
            try:
                if self._result is None:
                    self._open(self._end)
                for piece in self._read():
                    self._position += len(piece)
                    yield piece
            except StorageUnreachableError:
                if self._position == failed_at:
                    raise
            if self._position < self._end:
                if self._position == failed_at:
                    raise StorageUnreachableError(f"{self._uri!r} ends before its end. Try again.")
                failed_at = self._position
            self.close()

    def _read(self) -> Iterator[Any]:
        if self._end - self._position <= _PIECE:
            with storage_errors(self._uri):
                yield interruptible(lambda: self._result.bytes())
            return
        with storage_errors(self._uri):
            stream = self._result.stream(min_chunk_size=_PIECE)
        while True:
            with storage_errors(self._uri):
                piece = interruptible(lambda: next(stream, None))
            if piece is None:
                return
            yield piece

    def close(self) -> None:
        self._result = None


def _in_parallel(action: Callable[[str], None], names: list[str]) -> None:
    """Does something with each name; the first error ends it, once what has begun is done."""
    if len(names) < 2:
        for name in names:
            action(name)
        return
    with ThreadPoolExecutor(min(_FILES_AT_ONCE, len(names)), "trainwright-transfer") as pool:
        futures = [pool.submit(action, name) for name in names]
        try:
            done, _ = wait(futures, return_when=FIRST_EXCEPTION)
            for future in done:
                future.result()
        finally:
            for future in futures:
                future.cancel()


def _check_name(path: str, name: str) -> None:
    """Refuses a file whose name no object can have."""
    shown = ascii(path)
    try:
        name.encode()
    except UnicodeEncodeError:
        shown = repr(os.fsencode(path))
        problem = "bytes that are not valid UTF-8"
    else:
        found = _CONTROL.search(name)
        if found is None:
            return
        problem = f"the control character {found[0]!r}"
    raise StorageError(
        f"The file {shown} cannot be put into an object store: its name has {problem}, which no "
        "object's name can have. Give the file another name where it is written."
    )


def _local(directory: str, name: str) -> str:
    """Where an object of this name goes; never outside of the directory."""
    if name.startswith("/") or ".." in name.split("/"):
        raise StorageError(
            f"The object {name!r} has a name that leads out of a directory. Rename or remove it: "
            "it cannot be copied to a disk."
        )
    return os.path.join(directory, name) if name else directory
