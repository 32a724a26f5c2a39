"""Messages between our processes: other bytes are told from them at once."""

from __future__ import annotations

import os
import socket
import threading

import pytest

from trainwright.processes import frame as frames
from trainwright.processes.frame import (
    ConnectionClosedError,
    MalformedMessageError,
    MessageBuffer,
    receive_message,
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


@pytest.fixture
def pair():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def send_in_thread(*arguments):
    sender = threading.Thread(target=send_message, args=arguments)
    sender.start()
    return sender


@pytest.mark.parametrize("size", [0, 1, 70_000, 3_000_000])
def test_messages_arrive_whole(pair, size):
    ours, theirs = pair
    payload = os.urandom(size)
    sender = send_in_thread(theirs, {"answer": "é"}, payload)
    assert receive_message(ours) == ({"answer": "é"}, payload, [])
    sender.join()
    theirs.close()
    with pytest.raises(ConnectionClosedError):
        receive_message(ours)


def test_a_payload_of_any_size_arrives(pair, monkeypatch):
    monkeypatch.setattr(frames, "_LARGEST_PART", 1000)
    ours, theirs = pair
    for size in (999, 1000, 1001, 5000):
        payload = os.urandom(size)
        sender = send_in_thread(theirs, {"size": size}, payload)
        assert receive_message(ours) == ({"size": size}, payload, [])
        sender.join()


def test_a_message_that_breaks_off_is_the_end(pair):
    ours, theirs = pair
    theirs.sendall(frame(b"{}", payload_length=100) + b"too short")
    theirs.close()
    with pytest.raises(ConnectionClosedError):
        receive_message(ours)


def test_a_sender_that_died_with_something_unread_is_the_end(pair):
    ours, theirs = pair
    send_message(ours, {"never": "read"})
    theirs.close()
    with pytest.raises(ConnectionClosedError):
        receive_message(ours)


@pytest.mark.parametrize(
    "garbage", [b"\0" * 12, b"TWm1" + b"\xff" * 8, frame(b"{not json"), frame(b'["a list"]')]
)
def test_what_is_waited_for_and_is_not_a_message_is_refused(pair, garbage):
    ours, theirs = pair
    theirs.sendall(garbage)
    with pytest.raises(MalformedMessageError):
        receive_message(ours)


def test_descriptors_travel_with_a_message(pair):
    ours, theirs = pair
    reading, writing = os.pipe()
    send_message(theirs, {"event": "take"}, b"payload", (writing,))
    os.close(writing)
    header, payload, (received,) = receive_message(ours, max_fds=1)
    assert (header, payload) == ({"event": "take"}, b"payload")
    os.write(received, b"through")
    assert os.read(reading, 10) == b"through"
    os.close(received)
    os.close(reading)
