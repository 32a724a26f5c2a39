"""The framing of TFRecord files: records with their lengths and checksums around them.

A record is its length (8 bytes, little endian), the masked CRC of those 8 bytes, the data, and the
masked CRC of the data. A record that is only passed on keeps its frame: nothing is computed twice.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import google_crc32c
import numpy as np
import numpy.typing as npt

HEADER_BYTES = 12
FOOTER_BYTES = 4
_MASK_DELTA = np.uint32(0xA282EAD8)


class FrameError(ValueError):
    """The checksum of a length is wrong: nobody knows where the next record begins."""

    def __init__(self, position: int) -> None:
        super().__init__(f"wrong checksum of a length at {position}")
        self.position = position


@dataclass(frozen=True)
class Frames:
    """Whole records, one after the other, each in its frame.

    Args:
      data: the frames.
      ends: where each of them ends.
    """

    data: bytes
    ends: list[int]

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def starts(self) -> list[int]:
        return [0, *self.ends[:-1]] if self.ends else []

    def split(self) -> list[bytes]:
        """Each record with its frame."""
        return [self.data[start:end] for start, end in pairwise([0, *self.ends])]

    def records(self) -> list[bytes]:
        """Each record without its frame."""
        data = self.data
        return [
            data[start + HEADER_BYTES : end - FOOTER_BYTES]
            for start, end in pairwise([0, *self.ends])
        ]

    def damaged(self, records: Sequence[bytes]) -> list[int]:
        """The positions among `records`, which are these, of those whose data have changed."""
        if not records:
            return []
        ends = np.array(self.ends, np.int64)
        footer_bytes = ends[:, np.newaxis] + np.arange(-FOOTER_BYTES, 0)
        stored = np.frombuffer(self.data, np.uint8)[footer_bytes].view("<u4").ravel()
        wrong: list[int] = np.flatnonzero(_masked_crcs(records) != stored).tolist()
        return wrong


class FrameScanner:
    """Finds the records in the bytes of a file; lengths repeat, so most are checked once."""

    def __init__(self) -> None:
        self._lengths: dict[bytes, int] = {}

    def scan(self, data: bytes) -> tuple[Frames, int]:
        """The whole records at the start of `data`, and how long the next one is in its frame.

        The second is 0 if too little of the next record is there to tell.

        Raises:
          FrameError: if the checksum of a length is wrong and no record is in front of it.
        """
        ends: list[int] = []
        needed = start = 0
        size = len(data)
        while True:
            header = data[start : start + HEADER_BYTES]
            length = self._lengths.get(header)
            if length is None:
                if len(header) < HEADER_BYTES:
                    break
                length = _length(header)
                if length is None and not ends:
                    raise FrameError(start)
                if length is None:
                    break  # the records in front of it come first
                self._lengths[header] = length
            end = start + HEADER_BYTES + length + FOOTER_BYTES
            if end > size:
                needed = end - start
                break
            ends.append(end)
            start = end
        return Frames(data if start == size else data[:start], ends), needed


def frame(records: Sequence[bytes]) -> bytes:
    """The records in their frames, one after the other."""
    lengths = list(map(len, records))
    headers = {length: make_header(length) for length in set(lengths)}
    footers = _masked_crcs(records).astype("<u4").tobytes()
    frames = zip(
        map(headers.__getitem__, lengths),
        records,
        (footer for (footer,) in struct.iter_unpack("4s", footers)),
        strict=True,
    )
    return b"".join(chain.from_iterable(frames))


def make_header(length: int) -> bytes:
    encoded = length.to_bytes(8, "little")
    return encoded + _masked_crcs([encoded]).astype("<u4").tobytes()


def _length(header: bytes) -> int | None:
    """The length that a header gives, None if its checksum is wrong."""
    length = int.from_bytes(header[:8], "little")
    return length if header == make_header(length) else None


def _masked_crcs(records: Sequence[bytes]) -> npt.NDArray[np.uint32]:
    crcs = np.fromiter(map(google_crc32c.value, records), np.uint32, len(records))
    masked: npt.NDArray[np.uint32] = (crcs >> np.uint32(15) | crcs << np.uint32(17)) + _MASK_DELTA
    return masked
