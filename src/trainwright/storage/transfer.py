"""Directories up to a store and down from it: in parallel, in bounded memory, checked on the way.

Many small files are moved at once; a large one in several parts. What comes down is written under
a temporary name and renamed when it is whole and its checksum is right.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from trainwright.storage._obstore import obstore
from trainwright.storage.errors import StorageError, storage_errors
from trainwright.storage.objects import stat
from trainwright.storage.stores import open_store
from trainwright.storage.uris import join

# Called with the number of bytes that have been moved since the last call, from several threads.
Progress = Callable[[int], None]

_FILES_AT_ONCE = 8
_PART = 8 << 20  # bytes; S3 takes parts of 5 MiB and more
_PARTS_AT_ONCE = 8  # of one large file, of which one goes up at a time
_MOST_PARTS = 9_000  # S3 takes 10 000
_RANGE = 8 << 20
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
        StorageError: naming the object that could not be written.
        OSError: if a file cannot be read.
    """
    first = [name for name in names if name not in last]
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
    store, key = open_store(uri, bulk=True)
    chunk = max(_PART, -(-size // _MOST_PARTS))
    held = large_files if large_files is not None and size > chunk else contextlib.nullcontext()
    with held, storage_errors(uri, "written"):
        obstore().put(store, key, Path(path), chunk_size=chunk, max_concurrency=_PARTS_AT_ONCE)
    return size


def download_tree(
    uri: str,
    directory: str,
    names: Iterable[str],
    checksums: Mapping[str, int] | None = None,
    *,
    progress: Progress | None = None,
) -> None:
    """Downloads objects to files of the same names in a directory, which are made with it.

    Args:
        uri: Below what the objects lie.
        directory: Where the files go.
        names: The objects, relative to both; "" for the object at `uri` itself.
        checksums: The CRC32C of the content by name, where it is known.
        progress: Called with bytes as they arrive.

    Raises:
        NoSuchObjectError: naming one that is not there.
        DamagedDownloadError: naming one whose content is not what it should be.
        StorageError: naming one that could not be read.
    """
    known = checksums or {}
    listed = list(names)
    for folder in {os.path.dirname(_local(directory, name)) for name in listed}:
        os.makedirs(folder, exist_ok=True)

    def download(name: str) -> None:
        download_file(
            join(uri, name),
            _local(directory, name),
            checksum=known.get(name),
            progress=progress,
        )

    _in_parallel(download, listed)


def download_file(
    uri: str,
    path: str,
    *,
    checksum: int | None = None,
    etag: str | None = None,
    progress: Progress | None = None,
) -> None:
    """Downloads an object to a file, which appears when it is whole.

    Args:
        uri: The object.
        path: The file; its directory must exist.
        checksum: The CRC32C that the content must have.
        etag: Of the content that is wanted: another is an ObjectChangedError.
        progress: Called with bytes as they arrive.
    """
    partial = f"{path}.{secrets.token_hex(4)}{PARTIAL_SUFFIX}"
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
        os.replace(partial, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(partial)
        raise


def _pieces(uri: str, etag: str | None) -> Iterator[Any]:
    """The content of an object in order; further ranges are on their way meanwhile."""
    try:
        first = _get_range(uri, 0, _RANGE, etag)
    except StorageError as error:
        facts = stat(uri) if type(error) is StorageError else None
        if facts is None or facts.size:
            raise
        return  # no range lies in an empty object
    size, etag = first.meta["size"], etag or first.meta["e_tag"]
    with storage_errors(uri):
        content = first.bytes()
    yield content
    if size <= len(content):
        return
    with ThreadPoolExecutor(_RANGES_AT_ONCE, "trainwright-download") as pool:
        starts = iter(range(len(content), size, _RANGE))
        ahead: deque[Future[Any]] = deque()
        try:
            while True:
                while len(ahead) < _RANGES_AT_ONCE and (start := next(starts, None)) is not None:
                    ahead.append(pool.submit(_read_range, uri, start, start + _RANGE, etag))
                if not ahead:
                    return
                yield ahead.popleft().result()
        finally:
            for future in ahead:
                future.cancel()


def _read_range(uri: str, start: int, end: int, etag: str | None) -> Any:
    with storage_errors(uri):
        return _get_range(uri, start, end, etag).bytes()


def _get_range(uri: str, start: int, end: int, etag: str | None) -> Any:
    store, key = open_store(uri, bulk=True)
    options: dict[str, Any] = {"range": (start, end)}
    if etag is not None:
        options["if_match"] = etag
    with storage_errors(uri):
        return obstore().get(store, key, options=options)


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


def _local(directory: str, name: str) -> str:
    return os.path.join(directory, name) if name else directory
