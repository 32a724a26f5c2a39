"""Addresses of Ray clusters: `host:port` of the head."""

from __future__ import annotations

from urllib.parse import unquote

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


def check_address(name: str, address: str) -> None:
    """Raises ValueError if there is a user or a password in an address, without showing them.

    Errors, the store and logs show addresses, and Ray's have no such part.

    >>> check_address("address", "10.0.0.5:6379")
    """
    if "@" in unquote(address):
        raise ValueError(
            f"{name} has an '@': expected host:port alone, such as 10.0.0.5:6379. A Ray cluster "
            "knows no user and no password; take them out, so that no file or log has them."
        )
