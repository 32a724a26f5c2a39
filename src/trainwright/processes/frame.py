"""The frame of all messages between our processes: a mark, a JSON header and raw bytes.

They travel over Unix sockets that only these processes hold, so that the payload may be a pickle
of user code. Nothing is read from a file or from the network in this form.
"""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator, Mapping
from typing import Any

# Every message begins with the mark, so that other bytes are known by the first of them.
_MARK = b"TWm1"
_FRAME = struct.Struct("<4sII")
# A frame that claims more is not ours, and is not waited for. A larger payload has several frames.
_LARGEST_PART = 1 << 30
# The header of all frames of a message but the last.
_CONTINUES = {"continues": True}
# Up to this size, copying a payload is cheaper than sending and receiving it by itself.
_JOINED_BYTES = 1 << 16
# How much is received at once: it is allocated before it is there.
_RECEIVED_AT_ONCE = 1 << 26


class ConnectionClosedError(EOFError):
    """The other process closed its end or died."""


class MalformedMessageError(ValueError):
    """What arrived is not a message: something else than this module wrote into the socket."""


class _Encoder(json.JSONEncoder):
    """The encoder of the standard library as it was imported, whatever user code makes of it."""

    default = json.JSONEncoder.default
    encode = json.JSONEncoder.encode
    iterencode = json.JSONEncoder.iterencode


encode_json = _Encoder().encode


def send_message(
    sock: socket.socket,
    header: Mapping[str, Any],
    payload: bytes | memoryview = b"",
    fds: tuple[int, ...] = (),
) -> None:
    """Sends one message; `fds` are duplicated into the receiver.

    Raises BrokenPipeError or ConnectionResetError if the other process is gone.
    """
    unsent = memoryview(payload)
    while len(unsent) > _LARGEST_PART:
        _send_frame(sock, _CONTINUES, unsent[:_LARGEST_PART], fds)
        unsent, fds = unsent[_LARGEST_PART:], ()
    _send_frame(sock, header, unsent, fds)


def _send_frame(
    sock: socket.socket, header: Mapping[str, Any], payload: memoryview, fds: tuple[int, ...]
) -> None:
    encoded = encode_json(dict(header)).encode("utf-8")
    start = _FRAME.pack(_MARK, len(encoded), len(payload))
    if fds:
        # The file descriptors ride on the first bytes.
        sent = socket.send_fds(sock, [start], list(fds))
        start = start[sent:]
    if len(payload) <= _JOINED_BYTES:
        sock.sendall(start + encoded + payload)
    else:
        sock.sendall(start + encoded)
        sock.sendall(payload)


def receive_message(
    sock: socket.socket, max_fds: int = 0
) -> tuple[dict[str, Any], bytes, list[int]]:
    """Waits for one whole message: its header, payload and file descriptors.

    Raises:
        ConnectionClosedError: at the end of the stream, even in the middle of a message.
        MalformedMessageError: if what arrives is not a message.
    """
    header, payload, fds = _receive_frame(sock, max_fds)
    parts = [payload]
    while header == _CONTINUES:
        header, payload, _ = _receive_frame(sock, 0)
        parts.append(payload)
    return header, payload if len(parts) == 1 else b"".join(parts), fds


def _receive_frame(sock: socket.socket, max_fds: int) -> tuple[dict[str, Any], bytes, list[int]]:
    fds: list[int] = []
    if max_fds:
        start, fds, _, _ = socket.recv_fds(sock, _FRAME.size, max_fds)
        if not start:
            raise ConnectionClosedError
        start += _receive_exactly(sock, _FRAME.size - len(start))
    else:
        start = _receive_exactly(sock, _FRAME.size)
    header_length, payload_length = _lengths(start)
    if payload_length > _JOINED_BYTES:
        header = _decode_header(_receive_exactly(sock, header_length))
        return header, _receive_exactly(sock, payload_length), fds
    rest = _receive_exactly(sock, header_length + payload_length)
    return _decode_header(rest[:header_length]), rest[header_length:], fds


def _may_begin_message(start: bytes | bytearray) -> bool:
    return _MARK.startswith(bytes(start[: len(_MARK)]))


def _check_mark(start: bytes | bytearray) -> None:
    if not _may_begin_message(start):
        begin = bytes(start[:20])
        raise MalformedMessageError(f"expected a message, got bytes that begin with {begin!r}")


def _lengths(start: bytes | bytearray) -> tuple[int, int]:
    """How long the header and the payload are that follow the start of a frame."""
    _check_mark(start)
    _, header_length, payload_length = _FRAME.unpack_from(start)
    if max(header_length, payload_length) > _LARGEST_PART:
        raise MalformedMessageError("a message claims a size that none has")
    return header_length, payload_length


def _decode_header(encoded: bytes) -> dict[str, Any]:
    try:
        header = json.loads(encoded)
    except (ValueError, RecursionError) as error:
        raise MalformedMessageError(f"a message's header is not JSON: {error}") from error
    if not isinstance(header, dict):
        raise MalformedMessageError("a message's header is not a JSON object")
    return header


def _receive_exactly(sock: socket.socket, count: int) -> bytes:
    parts = []
    while count:
        try:
            # All of it at once, as a rule, without putting pieces together.
            part = sock.recv(min(count, _RECEIVED_AT_ONCE), socket.MSG_WAITALL)
        except ConnectionResetError:  # it died with a message of ours unread
            part = b""
        if not part:
            raise ConnectionClosedError
        parts.append(part)
        count -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


class MessageBuffer:
    """Cuts a stream into messages without waiting: a slow sender never blocks the reader."""

    def __init__(self, sock: socket.socket) -> None:
        self.socket = sock
        self._buffer = bytearray()
        self.closed = False

    def read(self) -> Iterator[tuple[dict[str, Any], bytes]]:
        """The messages that have arrived whole; of one that the other end began, but died over,
        nothing is seen.

        Raises MalformedMessageError; the stream then counts as closed, for where a next message
        would begin is not known.
        """
        while not self.closed and _may_begin_message(self._buffer):
            try:
                part = self.socket.recv(1 << 18, socket.MSG_DONTWAIT)
            except BlockingIOError:
                break
            except OSError:
                part = b""
            if not part:
                self.closed = True
            self._buffer += part
        try:
            while (message := self._next()) is not None:
                yield message
        except MalformedMessageError:
            self.closed = True
            self._buffer.clear()
            raise

    def _next(self) -> tuple[dict[str, Any], bytes] | None:
        _check_mark(self._buffer)
        if len(self._buffer) < _FRAME.size:
            return None
        header_length, payload_length = _lengths(self._buffer)
        header_end = _FRAME.size + header_length
        end = header_end + payload_length
        if len(self._buffer) < end:
            return None
        header = _decode_header(bytes(self._buffer[_FRAME.size : header_end]))
        payload = bytes(self._buffer[header_end:end])
        del self._buffer[:end]
        return header, payload
