"""Spill files: records on disk by the hash of their identifier, a part of them at a time.

Each input file has one spill file. It is a row of segments, each of one partition and compressed;
where they are is kept by who wrote them. So there are as many files as there were before, and any
partition can be read without the others.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO

from isal import isal_zlib

from trainwright.components.example_diff.record_features import KEY_BYTES

# A segment: its partition, where it begins, and how long it is.
Segment = tuple[int, int, int]

_LENGTH_BYTES = 4
# What is held of all partitions together before it is written.
_HELD_BYTES = 32 << 20
_isal_zlib: Any = isal_zlib


class SpillWriter:
    """Sorts records into the partitions of a file.

    Args:
        file: Open for writing.
        partitions: How many there are.
        held_bytes: How much is kept in memory.
    """

    def __init__(self, file: BinaryIO, partitions: int, held_bytes: int = _HELD_BYTES) -> None:
        self._file = file
        self._held: list[list[bytes]] = [[] for _ in range(partitions)]
        self._held_bytes = held_bytes
        self._size = 0
        self._segments: list[Segment] = []

    def add(self, key: bytes, record: bytes) -> None:
        """Adds a record with the hash of its identifier."""
        number = int.from_bytes(key[:8], "little") % len(self._held)
        self._held[number] += (key, len(record).to_bytes(_LENGTH_BYTES, "little"), record)
        self._size += len(record) + KEY_BYTES + _LENGTH_BYTES
        if self._size >= self._held_bytes:
            self._write()

    def finish(self) -> list[Segment]:
        """Writes what is left; returns the segments of the file."""
        self._write()
        return self._segments

    def _write(self) -> None:
        for number, pieces in enumerate(self._held):
            if pieces:
                start = self._file.tell()
                length = self._file.write(_isal_zlib.compress(b"".join(pieces), 1))
                self._segments.append((number, start, length))
                pieces.clear()
        self._size = 0


def read_segments(
    segments: Iterable[tuple[str, int, int]],
) -> Iterator[tuple[bytes, bytes]]:
    """Yields the keys and records of segments, each given as path, start and length."""
    for path, start, length in segments:
        with open(path, "rb") as file:
            file.seek(start)
            data: bytes = _isal_zlib.decompress(file.read(length))
        yield from _split(data)


def _split(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = 0
    while place < len(data):
        start = place + KEY_BYTES + _LENGTH_BYTES
        end = start + int.from_bytes(data[place + KEY_BYTES : start], "little")
        yield data[place : place + KEY_BYTES], data[start:end]
        place = end


def choose_partitions(paths: Sequence[str], *, partition_bytes: int = 64 << 20) -> int:
    """How many partitions make each about this large when it is read.

    Compressed files are taken to be a tenth of what they hold.
    """
    size = sum(os.path.getsize(path) for path in paths)
    return max(1, min(1024, -(-size * 10 // partition_bytes)))
