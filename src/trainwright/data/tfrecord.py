"""TFRecord files: the framing that TensorFlow reads and writes, without TensorFlow.

A record is its length (8 bytes, little endian), the masked CRC of those 8 bytes, the data, and the
masked CRC of the data. A gzip file compresses the whole stream of records. Both directions work on
batches: a file sees one write per batch, and one read per megabyte.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from gzip import BadGzipFile
from itertools import chain
from typing import Any, BinaryIO

import google_crc32c
import numpy as np
import numpy.typing as npt
from isal import igzip, isal_zlib

_HEADER_BYTES = 12
_CRC_BYTES = 4
_MASK_DELTA = np.uint32(0xA282EAD8)

_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_WINDOW_BITS = 31  # zlib's spelling of "deflate with a gzip header", which has no mtime
_COMPRESSION_LEVEL = 2
_READ_BYTES = 1 << 20

# isal's own annotations are incomplete.
_isal_gzip: Any = igzip
_isal_zlib: Any = isal_zlib
_DECOMPRESSION_ERRORS = (EOFError, BadGzipFile, _isal_zlib.error)


class TFRecordError(ValueError):
    """A TFRecord file is truncated or damaged; the message names the file and the byte."""


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
    gzip = _isal_zlib.compressobj(_COMPRESSION_LEVEL, isal_zlib.DEFLATED, _GZIP_WINDOW_BITS)
    with open(path, "wb") as file:

        def write(records: Sequence[bytes]) -> None:
            file.write(gzip.compress(_frame(records)))

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
    lengths_by_header: dict[bytes, int] = {}
    unread = b""
    offset = 0
    with _open_uncompressed(path) as file:
        while chunk := _read_chunk(file, path, offset + len(unread), _missing_bytes(unread)):
            unread += chunk
            records, used = _unframe(unread, lengths_by_header, path, offset)
            unread = unread[used:]
            offset += used
            if records:
                yield records
    if unread:
        raise TFRecordError(
            f"{os.fspath(path)} ends in the middle of a record that starts at byte {offset}: "
            f"{len(unread)} bytes of it are there. The file was probably cut off while it was "
            "written or copied; write it again."
        )


def _frame(records: Sequence[bytes]) -> bytes:
    lengths = list(map(len, records))
    headers = {length: _header(length) for length in set(lengths)}
    footers = _masked_crcs(records).astype("<u4").tobytes()
    frames = zip(
        map(headers.__getitem__, lengths),
        records,
        (footer for (footer,) in struct.iter_unpack("4s", footers)),
        strict=True,
    )
    return b"".join(chain.from_iterable(frames))


def _header(length: int) -> bytes:
    encoded = length.to_bytes(8, "little")
    return encoded + _masked_crcs([encoded]).astype("<u4").tobytes()


def _masked_crcs(records: Sequence[bytes]) -> npt.NDArray[np.uint32]:
    crcs = np.fromiter(map(google_crc32c.value, records), np.uint32, len(records))
    masked: npt.NDArray[np.uint32] = (crcs >> np.uint32(15) | crcs << np.uint32(17)) + _MASK_DELTA
    return masked


def _unframe(
    data: bytes,
    lengths_by_header: dict[bytes, int],
    path: str | os.PathLike[str],
    file_offset: int,
) -> tuple[list[bytes], int]:
    """The complete records at the start of `data`, and how many bytes they take."""
    records, starts, stored_crcs = [], [], []
    start = 0
    while start + _HEADER_BYTES <= len(data):
        data_start = start + _HEADER_BYTES
        header = data[start:data_start]
        # Lengths repeat, so most headers need no checksum of their own.
        length = lengths_by_header.get(header)
        if length is None:
            length = _checked_length(header, path, file_offset + start)
            lengths_by_header[header] = length
        data_end = data_start + length
        if data_end + _CRC_BYTES > len(data):
            break
        records.append(data[data_start:data_end])
        stored_crcs.append(data[data_end : data_end + _CRC_BYTES])
        starts.append(start)
        start = data_end + _CRC_BYTES
    wrong = np.flatnonzero(_masked_crcs(records) != np.frombuffer(b"".join(stored_crcs), "<u4"))
    if wrong.size:
        offset = file_offset + starts[wrong[0]]
        raise _damaged(path, offset, "the checksum of its data is wrong")
    return records, start


def _checked_length(header: bytes, path: str | os.PathLike[str], offset: int) -> int:
    length = int.from_bytes(header[:8], "little")
    if header != _header(length):
        raise _damaged(path, offset, "the checksum of its length is wrong")
    return length


def _missing_bytes(unread: bytes) -> int:
    """How much the unfinished record still needs, so that a huge one is read at once."""
    if len(unread) < _HEADER_BYTES:
        return 0
    length = int.from_bytes(unread[:8], "little")
    return _HEADER_BYTES + length + _CRC_BYTES - len(unread)


def _open_uncompressed(path: str | os.PathLike[str]) -> BinaryIO:
    with open(path, "rb") as file:
        start = file.read(_HEADER_BYTES)
    if not start and os.fspath(path).endswith(".gz"):
        raise TFRecordError(
            f"{os.fspath(path)} is empty: expected a gzip file, which has a header even without "
            "records. The file was probably cut off while it was written; write it again."
        )
    # A plain file may begin with gzip's magic, as the length of its first record: ask the CRC.
    is_plain = start == _header(int.from_bytes(start[:8], "little"))
    if start.startswith(_GZIP_MAGIC) and not is_plain:
        return _isal_gzip.open(path, "rb")  # type: ignore[no-any-return]
    return open(path, "rb")


def _read_chunk(file: BinaryIO, path: str | os.PathLike[str], offset: int, at_least: int) -> bytes:
    try:
        return file.read(max(_READ_BYTES, at_least))
    except _DECOMPRESSION_ERRORS as error:
        raise TFRecordError(
            f"{os.fspath(path)} cannot be decompressed past byte {offset}: {error}. "
            "The file was probably cut off or changed after it was written; write it again."
        ) from error


def _damaged(path: str | os.PathLike[str], offset: int, reason: str) -> TFRecordError:
    return TFRecordError(
        f"{os.fspath(path)} has a damaged record at byte {offset}: {reason}. Either the file is "
        "not a TFRecord file or its bytes changed after it was written; write it again."
    )
