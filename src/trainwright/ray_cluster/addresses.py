"""Addresses of Ray clusters: `host:port` of the head."""

from __future__ import annotations

_LARGEST_PORT = 65535


def split_address(address: str) -> tuple[str, int] | None:
    """The host and the port of `host:port`; None if it is not of this shape.

    >>> split_address("10.0.0.5:6379"), split_address("[::1]:6379"), split_address("host:70000")
    (('10.0.0.5', 6379), ('::1', 6379), None)
    """
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > _LARGEST_PORT:
        return None
    return host.strip("[]"), int(port)
