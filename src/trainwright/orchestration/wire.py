"""Messages between the runner and its worker processes: a JSON header and raw bytes.

They travel over Unix sockets that only these processes hold, so that the payload may be a pickle
of user code. Nothing is read from a file or from the network in this form.
"""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator, Mapping
from typing import Any

_LENGTHS = struct.Struct("<II")


class ConnectionClosedError(EOFError):
    """The other process closed its end or died."""


def send_message(
    sock: socket.socket, header: Mapping[str, Any], payload: bytes = b"", fds: tuple[int, ...] = ()
) -> None:
    """Sends one message; `fds` are duplicated into the receiver."""
    encoded = json.dumps(header).encode("utf-8")
    lengths = _LENGTHS.pack(len(encoded), len(payload))
    if fds:
        # The file descriptors ride on the first bytes.
        sent = socket.send_fds(sock, [lengths], list(fds))
        lengths = lengths[sent:]
    sock.sendall(lengths + encoded + payload)


def receive_message(
    sock: socket.socket, max_fds: int = 0
) -> tuple[dict[str, Any], bytes, list[int]]:
    """Waits for one whole message; raises ConnectionClosedError at the end of the stream."""
    fds: list[int] = []
    if max_fds:
        start, fds, _, _ = socket.recv_fds(sock, _LENGTHS.size, max_fds)
        if not start:
            raise ConnectionClosedError
        start += _receive_exactly(sock, _LENGTHS.size - len(start))
    else:
        start = _receive_exactly(sock, _LENGTHS.size)
    header_length, payload_length = _LENGTHS.unpack(start)
    header = json.loads(_receive_exactly(sock, header_length))
    return header, _receive_exactly(sock, payload_length), fds


def _receive_exactly(sock: socket.socket, count: int) -> bytes:
    parts = []
    while count:
        part = sock.recv(min(count, 1 << 20))
        if not part:
            raise ConnectionClosedError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


class MessageBuffer:
    """Cuts a stream into messages without waiting: a slow sender never blocks the reader."""

    def __init__(self, sock: socket.socket) -> None:
        self.socket = sock
        self._buffer = bytearray()
        self.closed = False

    def read(self) -> Iterator[tuple[dict[str, Any], bytes]]:
        """The messages that have arrived whole."""
        while not self.closed:
            try:
                part = self.socket.recv(1 << 18, socket.MSG_DONTWAIT)
            except BlockingIOError:
                break
            except OSError:
                part = b""
            if not part:
                self.closed = True
            self._buffer += part
        while (message := self._next()) is not None:
            yield message

    def _next(self) -> tuple[dict[str, Any], bytes] | None:
        if len(self._buffer) < _LENGTHS.size:
            return None
        header_length, payload_length = _LENGTHS.unpack_from(self._buffer)
        header_end = _LENGTHS.size + header_length
        end = header_end + payload_length
        if len(self._buffer) < end:
            return None
        header = json.loads(bytes(self._buffer[_LENGTHS.size : header_end]))
        payload = bytes(self._buffer[header_end:end])
        del self._buffer[:end]
        return header, payload
