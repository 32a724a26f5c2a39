"""Messages between runner and workers: bytes that are none are told from them at once."""

from __future__ import annotations

import socket

import pytest

from trainwright.processes.frame import (
    MalformedMessageError,
    MessageBuffer,
    send_message,
)


@pytest.fixture
def ends():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield MessageBuffer(ours), theirs


def frame(header: bytes, *, header_length: int | None = None, payload_length: int = 0) -> bytes:
    length = len(header) if header_length is None else header_length
    return b"TWm1" + length.to_bytes(4, "little") + payload_length.to_bytes(4, "little") + header


@pytest.mark.parametrize(
    "garbage",
    [
        b"x",
        b"\0" * 12,
        b'{"event": "result"}',
        b"TWm" + b"\xff" * 12,
        b"TWm1" + b"\xff" * 8,
        frame(b"{not json"),
        frame(b"\xff\xfe"),
        frame(b"[" * 100_000),
        frame(b'["a list"]'),
    ],
)
def test_what_is_not_a_message_is_refused_after_those_before_it(ends, garbage):
    buffer, theirs = ends
    send_message(theirs, {"event": "progress"})
    theirs.sendall(garbage)
    messages = buffer.read()
    assert next(messages) == ({"event": "progress"}, b"")
    with pytest.raises(MalformedMessageError):
        next(messages)
    assert buffer.closed
    assert list(buffer.read()) == []


def test_a_message_that_its_sender_died_over_is_not_garbage(ends):
    buffer, theirs = ends
    theirs.sendall(frame(b'{"event"', header_length=100))
    theirs.close()
    assert list(buffer.read()) == []
    assert buffer.closed
