"""Accumulators as bytes: JSON for what is small, and blobs for sketches and tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

_LENGTH_BYTES = 8


def pack(header: Any, blobs: Sequence[bytes] = ()) -> bytes:
    """One piece of bytes from a JSON value and blobs.

    >>> unpack(pack({"rows": 3}, [b"one", b""]))
    ({'rows': 3}, [b'one', b''])
    """
    described = json.dumps([header, [len(blob) for blob in blobs]]).encode()
    return b"".join([len(described).to_bytes(_LENGTH_BYTES, "little"), described, *blobs])


def unpack(data: bytes) -> tuple[Any, list[bytes]]:
    """The inverse of `pack`."""
    start = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little")
    header, lengths = json.loads(data[_LENGTH_BYTES:start])
    blobs = []
    for length in lengths:
        blobs.append(data[start : start + length])
        start += length
    return header, blobs
