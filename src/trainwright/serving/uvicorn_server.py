"""uvicorn, with a limit for clients that connect and do not ask."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

# What may arrive of a request before it is one. h11 has a limit of its own, httptools has none.
_LONGEST_HEADERS = 1 << 20


class GracefulServer(uvicorn.Server):
    """A server that tells when it listens.

    Args:
        app: The ASGI app.
        on_started: Is called when it listens.
        idle_seconds: After this long without a request a connection is closed.
        most_connections: More are answered with 503.
        seconds_to_drain: How long requests that were begun may take when the server ends.
    """

    def __init__(
        self,
        app: Any,
        on_started: Callable[[], None],
        *,
        idle_seconds: float,
        most_connections: int,
        seconds_to_drain: int,
    ) -> None:
        class Protocol(ImpatientProtocol):
            seconds = idle_seconds

        super().__init__(
            uvicorn.Config(
                app,
                http=Protocol,
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                limit_concurrency=most_connections,
                timeout_keep_alive=max(1, int(idle_seconds)),
                timeout_graceful_shutdown=seconds_to_drain,
            )
        )
        self._on_started = on_started

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_started()


class ImpatientProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """HTTP, without those who open a connection and send nothing, or headers without an end.

    uvicorn waits for the first request of a connection, and for the rest of its headers, for ever.
    """

    seconds = 30.0
    _before: Any = None
    _unasked_bytes = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        asyncio.get_running_loop().call_later(self.seconds, self._look)

    def data_received(self, data: bytes) -> None:
        if self._is_waiting:
            self._unasked_bytes += len(data)
            if self._unasked_bytes > _LONGEST_HEADERS:
                self.transport.close()
                return
        super().data_received(data)
        if not self._is_waiting:
            self._unasked_bytes = 0

    @property
    def _is_waiting(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _look(self) -> None:
        """Closes a connection that has not begun a request since the last look."""
        if self.transport.is_closing():
            return
        if self._is_waiting and self.cycle is self._before:
            self.transport.close()
            return
        self._before = self.cycle
        asyncio.get_running_loop().call_later(self.seconds, self._look)
