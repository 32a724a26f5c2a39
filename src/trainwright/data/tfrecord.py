"""TFRecord files, gzip or plain, read and written without TensorFlow.

Both directions work on batches: a file sees one write per batch, and one read per megabyte.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO

from isal import isal_zlib

from trainwright._errors import TrainwrightError
from trainwright.data.tfrecord_frames import (
    HEADER_BYTES,
    FrameError,
    Frames,
    FrameScanner,
    frame,
    make_header,
)

_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_WINDOW_BITS = 31  # zlib's spelling of "deflate with a gzip header", which has no mtime
_COMPRESSION_LEVEL = 2
_PIECE_BYTES = 1 << 20
_WRITE_AGAIN = "write it again"

# isal's own annotations are incomplete.
_isal_zlib: Any = isal_zlib


class TFRecordError(TrainwrightError, ValueError):
    """A TFRecord file is truncated or damaged; the message names the file and the byte.

    Args:
      path: the file.
      offset: where the record begins that cannot be read, in the uncompressed bytes.
      reason: what is wrong there.
      advice: what to do about it.
    """

    def __init__(self, path: str, offset: int, reason: str, advice: str = _WRITE_AGAIN) -> None:
        super().__init__(f"{path} {reason}; {advice}.")
        self.path = path
        self.offset = offset
        self.reason = reason


class DecompressionError(TrainwrightError, ValueError):
    """A gzip file is cut off or damaged; what came before was given out already."""


@contextmanager
def open_gzip_writer(
    path: str | os.PathLike[str],
) -> Iterator[Callable[[Sequence[bytes]], None]]:
    """Opens a gzip TFRecord file and gives a function that appends a batch of records to it.

    The same records give the same bytes. The file appears under its own name at once and is
    complete when the `with` block ends without an exception: whoever needs it to appear whole
    writes under another name and renames.

    Example:
      with open_gzip_writer("data_tfrecord-00000-of-00001.gz") as write:
          write([b"first record", b"second record"])
    """
    with open_gzip_frame_writer(path) as write_frames:
        yield lambda records: write_frames(frame(records))


@contextmanager
def open_gzip_frame_writer(path: str | os.PathLike[str]) -> Iterator[Callable[[bytes], None]]:
    """Like `open_gzip_writer`, for records that are in their frames already."""
    gzip = _isal_zlib.compressobj(_COMPRESSION_LEVEL, isal_zlib.DEFLATED, _GZIP_WINDOW_BITS)
    with open(path, "wb") as file:

        def write(frames: bytes) -> None:
            file.write(gzip.compress(frames))

        yield write
        file.write(gzip.flush())


def read_records(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """Yields the records of a TFRecord file, gzip or plain, checking every CRC.

    Raises:
      TFRecordError: at the first record that is truncated or damaged. Byte offsets count the
        uncompressed stream.
    """
    for batch in read_record_batches(path):
        yield from batch


def read_record_batches(path: str | os.PathLike[str]) -> Iterator[list[bytes]]:
    """Like `read_records`, a list for each megabyte or so of the file."""
    for offset, frames in read_frames(path):
        records = frames.records()
        damaged = frames.damaged(records)
        if damaged:
            if damaged[0]:
                yield records[: damaged[0]]
            raise damaged_data(os.fspath(path), offset + frames.starts[damaged[0]])
        yield records


def read_frames(path: str | os.PathLike[str]) -> Iterator[tuple[int, Frames]]:
    """Yields a file's records in their frames, by the megabyte, with the offset of the first.

    Lengths are checked, data are not: `Frames.damaged` does that.

    Raises:
      TFRecordError: where the next record cannot be found, after all that come before it.
    """
    name = os.fspath(path)
    scanner = FrameScanner()
    pieces = _read_pieces(name, is_gzip=_is_gzip(name))
    unread = b""
    offset = needed = 0
    while True:
        piece, error = _read_on(pieces, needed - len(unread))
        unread += piece
        try:
            while unread:
                frames, needed = scanner.scan(unread)
                if not frames:
                    break
                yield offset, frames
                unread = unread[len(frames.data) :]
                offset += len(frames.data)
        except FrameError:
            raise _damaged(name, offset, "the checksum of its length is wrong") from None
        if error is not None:
            raise TFRecordError(
                name,
                offset,
                f"cannot be decompressed past byte {offset + len(unread)}: {error}. The record "
                f"that starts at byte {offset} is the first that is missing. The file was "
                "probably cut off or changed after it was written",
            ) from error
        if not piece:
            break
    if unread:
        raise TFRecordError(
            name,
            offset,
            f"ends in the middle of a record that starts at byte {offset}: {len(unread)} bytes of "
            "it are there. The file was probably cut off while it was written or copied",
        )


def count_bytes(path: str | os.PathLike[str]) -> int:
    """How many uncompressed bytes of a file can be read, whatever they mean."""
    name = os.fspath(path)
    if not _is_gzip(name):
        return os.path.getsize(name)
    total = 0
    with suppress(DecompressionError):
        for piece in _read_pieces(name, is_gzip=True):
            total += len(piece)
    return total


def damaged_data(path: str, offset: int) -> TFRecordError:
    """The error for a record whose frame is whole and whose data have changed."""
    return _damaged(path, offset, "the checksum of its data is wrong")


def _read_on(pieces: Iterator[bytes], at_least: int) -> tuple[bytes, DecompressionError | None]:
    """The next piece, or as many as a long record needs; and the error that ended them, if any."""
    read: list[bytes] = []
    try:
        for piece in pieces:
            read.append(piece)
            at_least -= len(piece)
            if at_least <= 0:
                break
    except DecompressionError as error:
        return b"".join(read), error
    return b"".join(read), None


def _is_gzip(path: str) -> bool:
    with open(path, "rb") as file:
        start = file.read(HEADER_BYTES)
    if not start and path.endswith(".gz"):
        raise TFRecordError(
            path,
            0,
            "is empty at byte 0: expected a gzip file, which has a header even without records. "
            "The file was probably cut off while it was written",
        )
    # A plain file may begin with gzip's magic, as the length of its first record: ask the CRC.
    is_plain = start == make_header(int.from_bytes(start[:8], "little"))
    return start.startswith(_GZIP_MAGIC) and not is_plain


def _damaged(path: str, offset: int, reason: str) -> TFRecordError:
    return TFRecordError(
        path,
        offset,
        f"has a damaged record at byte {offset}: {reason}. Either the file is not a TFRecord file "
        "or its bytes changed after it was written",
    )


def _read_pieces(path: str | os.PathLike[str], *, is_gzip: bool) -> Iterator[bytes]:
    """Yields the uncompressed bytes of a file, none of the pieces empty.

    Several gzip files in one, as `cat a.gz b.gz` makes them, are read one after the other; zero
    bytes behind them are padding.

    Raises:
      DecompressionError: where a gzip file cannot be read on.
    """
    with open(path, "rb") as file:
        if is_gzip:
            yield from _decompress(file)
        else:
            while piece := file.read(_PIECE_BYTES):
                yield piece


def _decompress(file: BinaryIO) -> Iterator[bytes]:
    compressed = file.read(_PIECE_BYTES)
    while compressed:
        compressed = yield from _decompress_member(file, compressed)
        while compressed and not compressed.strip(b"\0"):
            compressed = file.read(_PIECE_BYTES)
        compressed = compressed.lstrip(b"\0")
        if compressed and not _GZIP_MAGIC.startswith(compressed[:2]):
            raise DecompressionError("what follows the end of the compressed data is not gzip")


def _decompress_member(file: BinaryIO, compressed: bytes) -> Generator[bytes, None, bytes]:
    """Yields what one gzip member holds; returns the bytes that were read beyond it."""
    member = _isal_zlib.decompressobj(_GZIP_WINDOW_BITS)
    while not member.eof:
        if not compressed:
            compressed = file.read(_PIECE_BYTES)
            if not compressed:
                raise DecompressionError("the file ends before the compressed data does")
        try:
            piece = member.decompress(compressed, _PIECE_BYTES)
        except _isal_zlib.error as error:
            raise DecompressionError(str(error)) from error
        compressed = member.unconsumed_tail
        if piece:
            yield piece
    return member.unused_data or b""
