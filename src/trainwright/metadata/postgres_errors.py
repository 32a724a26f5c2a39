"""Errors of PostgreSQL and its library, as sentences that say what to do."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sqlalchemy.exc import DBAPIError

from trainwright.metadata.store import MetadataError, StoreUnavailableError

# Why a connection is refused for a reason that will not pass by waiting, and what to do then. The
# library gives no codes here, only text.
_REFUSALS = (
    (
        r"authentication failed|no password supplied",
        "Check the user and the password: in the URL, in PGPASSWORD or in ~/.pgpass.",
    ),
    (r'role ".*" does not exist', "Check the user in the URL, or create it with createuser."),
    (r'database ".*" does not exist', "Create it with createdb, or check its name in the URL."),
    (r"no pg_hba\.conf entry", "Let this host and user in, in the server's pg_hba.conf."),
    (r"does not support SSL|certificate", "Check sslmode in the URL, and the certificates."),
    (r"permission denied for database", "Let this user in: GRANT CONNECT ON DATABASE."),
)

_NO_PERMISSION = "42501"
_LOCK_NOT_AVAILABLE = "55P03"
_DISK_FULL = "53100"
_READ_ONLY = "25006"
_UNDEFINED_TABLE = "42P01"
_ADVICE = {
    _NO_PERMISSION: "Give its user the right to create and change tables there: GRANT CREATE, "
    "USAGE ON SCHEMA.",
    _LOCK_NOT_AVAILABLE: "Another process has been writing for too long: stop it or try again.",
    _DISK_FULL: "Make room on the server's disk.",
    _READ_ONLY: "Give the address of a server that can be written to, not of a replica.",
    _UNDEFINED_TABLE: "A table of the store is gone: restore it from a backup, or use a new store.",
}


def connection_error(text: str, location: str, secrets: Iterable[str]) -> MetadataError:
    """The error for a connection that failed with this text, in which no secret may show."""
    cause = _one_line(text)
    for secret in secrets:
        cause = cause.replace(secret, "***")
    for pattern, advice in _REFUSALS:
        if re.search(pattern, cause):
            return MetadataError(
                f"The metadata store {location} cannot be opened: {cause}. {advice}"
            )
    return StoreUnavailableError(
        f"The metadata store {location} cannot be reached: {cause}. Check that the server runs and "
        "that its host and port are right."
    )


def statement_error(error: DBAPIError, location: str) -> MetadataError:
    """The error for a statement that failed."""
    cause = _one_line(str(error.orig))
    if error.connection_invalidated:
        return StoreUnavailableError(
            f"The connection to the metadata store {location} was lost: {cause}. Try again when "
            "the server can be reached."
        )
    if "NUL (0x00)" in cause:
        return MetadataError(
            "A name or URI with a NUL character (\\x00) in it cannot be stored in PostgreSQL "
            f"({location}). Remove the character."
        )
    code = getattr(error.orig, "sqlstate", None)
    advice = _ADVICE.get(code or "", "")
    return MetadataError(f"The metadata store {location} failed: {cause}. {advice}".rstrip())


def _one_line(text: str) -> str:
    return " ".join(text.split()).rstrip(".")
