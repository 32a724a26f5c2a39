"""Limits on clients: size and speed of requests, and none from other sites' web pages."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from trainwright.serving.errors import RequestError, cut
from trainwright.serving.settings import ServingSettings

Headers = dict[bytes, bytes]

# What is read and thrown away of a body that is too large, so that a client that is still sending
# gets to read why it was refused.
_SECONDS_TO_DRAIN = 2.0
_LOOPBACK_NAMES = ("localhost",)


class HostCheck:
    """Refuses requests of web pages that reach a server on loopback by a name of their own.

    A page may let its own name point to 127.0.0.1 (DNS rebinding): the browser takes this server
    for the page's and lets it read all answers. Its requests have that name as their host.

    Args:
        bound_to: The address that the server listens on. On others than loopback, every host is
            allowed unless some are named.
        allowed: More names, such as that of a proxy in front of the server.
    """

    def __init__(self, bound_to: str, allowed: Collection[str] = ()) -> None:
        self._allowed = {name.lower() for name in (*allowed, *_LOOPBACK_NAMES, bound_to)}
        self._is_open = not is_loopback(bound_to) and not allowed

    def check(self, headers: Headers) -> None:
        """Raises RequestError if the host is not one of this server's, or the origin another."""
        host = headers.get(b"host", b"").decode("latin-1")
        if host and not self._admits(host):
            raise RequestError(
                f"The request is for the host {cut(host)!r}, which is not this server's. Ask "
                "localhost or 127.0.0.1, or start the server with --allowed-host.",
                HTTPStatus.FORBIDDEN,
            )
        origin = headers.get(b"origin", b"").decode("latin-1")
        if origin and not self._admits_origin(origin, host):
            raise RequestError(
                f"The request comes from a web page of {cut(origin)!r}: pages of other servers "
                "may not ask this one. Ask from a program, or through a server of the page's own.",
                HTTPStatus.FORBIDDEN,
            )

    def _admits(self, host: str) -> bool:
        if self._is_open:
            return True
        name = _without_port(host).lower()
        return name in self._allowed or is_loopback(name)

    def _admits_origin(self, origin: str, host: str) -> bool:
        scheme, _, rest = origin.partition("://")
        return scheme in ("http", "https") and rest.lower() == host.lower()


def is_loopback(host: str) -> bool:
    """Whether an address or name is that of this machine for itself.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host in _LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


class BodyReader:
    """Reads bodies, none longer than one may be, and all together not more than memory allows.

    Args:
        settings: The limits.
    """

    def __init__(self, settings: ServingSettings) -> None:
        self._settings = settings
        self._held = 0

    @contextmanager
    def hold(self) -> Iterator[bytearray]:
        """A body to be filled, which counts until the request is answered."""
        body = bytearray()
        try:
            yield body
        finally:
            self._held -= len(body)

    async def read(self, headers: Headers, receive: Any, body: bytearray) -> None:
        """Fills the body; whoever calls it limits the time.

        Raises:
            RequestError: if it is too long, in a coding, or memory is short.
            ConnectionError: if the client goes away.
        """
        if headers.get(b"content-encoding", b"identity").lower() != b"identity":
            coding = headers[b"content-encoding"][:40].decode("latin-1")
            raise RequestError(
                f"The body is in the coding {coding!r}, which is not read. Send it as it is.",
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            )
        announced = headers.get(b"content-length", b"")
        if announced.isdigit() and int(announced[:20]) > self._settings.max_body_bytes:
            if b"expect" not in headers:  # else the client has not begun to send
                await _drain(receive, self._settings.max_body_bytes)
            raise self._too_large(f"{int(announced[:20]):,} bytes")
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ConnectionResetError
            chunk = message.get("body", b"")
            if len(body) + len(chunk) > self._settings.max_body_bytes:
                await _drain(receive, self._settings.max_body_bytes)
                raise self._too_large("longer")
            if self._held + len(chunk) > self._settings.max_bytes_in_flight:
                raise RequestError(
                    "The server is too busy: it holds as many bytes of requests as it may. Try "
                    "again later, or send less at once.",
                    HTTPStatus.SERVICE_UNAVAILABLE,
                )
            body += chunk
            self._held += len(chunk)
            if not message.get("more_body", False):
                return

    def _too_large(self, size: str) -> RequestError:
        return RequestError(
            f"The body is too large: it is {size}, and this server takes up to "
            f"{self._settings.max_body_bytes:,} bytes. Send fewer rows at once, or start the "
            "server with a larger --max-body-mb.",
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        )


async def _drain(receive: Any, most: int) -> None:
    """Throws away what is still coming, up to a measure."""
    from anyio import move_on_after

    with move_on_after(_SECONDS_TO_DRAIN):
        while most > 0:
            message = await receive()
            most -= len(message.get("body", b""))
            if message["type"] == "http.disconnect" or not message.get("more_body", False):
                return
