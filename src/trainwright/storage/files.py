"""Objects as files: read from anywhere in them, and written so that only the whole is seen."""

from __future__ import annotations

import io
import tempfile
from typing import Any, BinaryIO, cast

from trainwright.storage._obstore import interruptible, obstore
from trainwright.storage.errors import storage_errors
from trainwright.storage.stores import is_bulk, open_store

_READ_AHEAD = 1 << 22  # bytes in one request
_IN_MEMORY = 1 << 23  # what is written is kept in memory up to this size, on disk beyond


def open_input(uri: str, *, etag: str | None = None) -> BinaryIO:
    """Opens an object for reading: buffered, and seekable.

    All that is read is of one content: an object that is replaced meanwhile is an error.

    Args:
        uri: The address.
        etag: Of the content that is wanted; by default the one that is there now.

    Raises:
        NoSuchObjectError: if there is none.
        ObjectChangedError: when reading, if it was replaced.
    """
    store, key = open_store(uri)
    with storage_errors(uri):
        found = interruptible(lambda: obstore().head(store, key))
    raw = _RangeReader(uri, found["size"], etag or found["e_tag"])
    return cast("BinaryIO", io.BufferedReader(raw, buffer_size=_READ_AHEAD))


def open_output(uri: str, *, keep_unclosed: bool = False) -> BinaryIO:
    """Opens an object for writing, which is visible once the file is closed.

    Nothing becomes visible if a `with` block ends with an exception, nor if the file is never
    closed. Until then what was written is on the local disk.

    Args:
        uri: The address.
        keep_unclosed: Whether the file is closed, and so visible, also when nothing refers to it
            any more, as Python's own files are.

    >>> with open_output("s3://bucket/report.txt") as file:  # doctest: +SKIP
    ...     file.write(b"done")
    """
    open_store(uri)  # an address that cannot be opened is an error before anything is written
    return cast("BinaryIO", WholeWriter(uri, keep_unclosed))


class _RangeReader(io.RawIOBase):
    """Reads ranges of one version of an object."""

    def __init__(self, uri: str, size: int, etag: str | None) -> None:
        self.name = uri
        self._size = size
        self._etag = etag
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        if start + offset < 0:
            raise ValueError(f"cannot seek to {start + offset}: expected 0 or more.")
        self._position = start + offset
        return self._position

    def readall(self) -> bytes:
        """In pieces that are worth a request each; Python's own would be some kilobytes."""
        pieces = []
        while piece := self.read(_READ_AHEAD):
            pieces.append(piece)
        return b"".join(pieces)

    def readinto(self, buffer: Any) -> int:
        end = min(self._position + len(buffer), self._size)
        if end <= self._position:
            return 0
        store, key = open_store(self.name)
        options: dict[str, Any] = {"range": (self._position, end)}
        if self._etag is not None:
            options["if_match"] = self._etag
        with storage_errors(self.name):
            content = memoryview(
                interruptible(lambda: obstore().get(store, key, options=options).bytes())
            )
        buffer[: len(content)] = content
        self._position += len(content)
        return len(content)


class WholeWriter(io.BufferedIOBase):
    """Collects what is written and puts it into the store at once."""

    def __init__(self, uri: str, keep_unclosed: bool = False) -> None:
        self.name = uri
        self._keep_unclosed = keep_unclosed
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
        self._is_abandoned = False

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._check_open()
        return self._file.write(data)

    def tell(self) -> int:
        self._check_open()
        return self._file.tell()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._check_open()
        self._file.seek(offset, whence)
        return self._file.tell()

    def abandon(self) -> None:
        """Nothing of what was written becomes visible."""
        self._is_abandoned = True

    def close(self) -> None:
        if self.closed:
            return
        try:
            if not self._is_abandoned:
                self._put()
        finally:
            self._file.close()
            super().close()

    def _put(self) -> None:
        self._file.seek(0, io.SEEK_END)
        store, key = open_store(self.name, bulk=is_bulk(self._file.tell()))
        self._file.seek(0)
        with storage_errors(self.name, "written"):
            interruptible(lambda: obstore().put(store, key, self._file, max_concurrency=4))

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file.")

    def __exit__(self, kind: Any, *details: Any) -> None:
        self._is_abandoned = self._is_abandoned or kind is not None
        super().__exit__(kind, *details)

    def __del__(self) -> None:
        self._is_abandoned = self._is_abandoned or not self._keep_unclosed
        super().__del__()
