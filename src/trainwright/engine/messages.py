"""Messages between an engine and its worker processes: a kind and bytes, over pipes."""

from __future__ import annotations

import os
from enum import IntEnum

_LENGTH_BYTES = 8
_MOST_AT_ONCE = 1 << 20


class Kind(IntEnum):
    """What a message is about; the first two go to a worker, the others come from it."""

    PASS = 1
    SHARD = 2
    PROGRESS = 3
    RESULT = 4
    ERROR = 5
    # An error that trying again cannot mend.
    INVALID = 6


def send(descriptor: int, kind: Kind, body: bytes) -> None:
    """Writes a whole message; raises BrokenPipeError if the other side is gone."""
    unsent = memoryview(kind.to_bytes(1, "little") + len(body).to_bytes(_LENGTH_BYTES, "little"))
    for part in (unsent, memoryview(body)):
        while part:
            part = part[os.write(descriptor, part[:_MOST_AT_ONCE]) :]


def receive(descriptor: int) -> tuple[Kind, bytes] | None:
    """The next message, or None if the other side is gone, even in the middle of a message."""
    # Read without a buffer: what a buffer held, a selector would not know of.
    prefix = _read(descriptor, 1 + _LENGTH_BYTES)
    if prefix is None:
        return None
    body = _read(descriptor, int.from_bytes(prefix[1:], "little"))
    return None if body is None else (Kind(prefix[0]), body)


def _read(descriptor: int, length: int) -> bytes | None:
    pieces: list[bytes] = []
    while length:
        piece = os.read(descriptor, min(length, _MOST_AT_ONCE))
        if not piece:
            return None
        pieces.append(piece)
        length -= len(piece)
    return b"".join(pieces)
