"""The URLs of metadata stores: which database they name, and how they may be shown."""

from __future__ import annotations

import os
import re
from urllib.parse import unquote

from trainwright import _plugins
from trainwright._paths import check_local_path
from trainwright.metadata.store import MetadataError

SQLITE = "sqlite:///"
POSTGRES = "postgresql://"
POSTGRES_EXAMPLE = "postgresql://user@host:5432/metadata"

# With SQLAlchemy's name for the one driver that is used here, which many have in their settings.
_POSTGRES_SCHEME = re.compile(r"postgres(?:ql)?(?:\+psycopg)?://")
# Up to the last "@", so that a password with an "@" in it does not show either.
_PASSWORD = re.compile(r"(://[^:/@]*):.*(?=@)")
_SECRET_OPTION = re.compile(r"[?&][^=&]*(?:password|passwd|secret|token)[^=&]*=[^&]*", re.I)


def hide_password(url: str) -> str:
    """The URL as it may be shown in messages and logs, with *** for secrets."""
    shown = _PASSWORD.sub(r"\1:***", url)
    return _SECRET_OPTION.sub(lambda option: f"{option[0].partition('=')[0]}=***", shown)


def without_password(url: str) -> str:
    """The URL as it may be written down: without secrets, but good to connect with otherwise.

    Example:
        >>> without_password("postgresql://user:secret@host/metadata?sslmode=require")
        'postgresql://user@host/metadata?sslmode=require'
    """
    kept = _SECRET_OPTION.sub("", _PASSWORD.sub(r"\1", url))
    # The first option may have been a secret.
    return kept if "?" in kept else kept.replace("&", "?", 1)


def is_sqlite(url: str) -> bool:
    return url.startswith("sqlite:")


def is_postgres(url: str) -> bool:
    return _POSTGRES_SCHEME.match(url) is not None


def unknown_database(url: str) -> MetadataError:
    """The error for a URL of no database that a store can be in."""
    offered = _plugins.names("trainwright.metadata_stores")
    others = f", or in what installed packages offer ({', '.join(offered)})" if offered else ""
    return MetadataError(
        f"No metadata store can be opened at {hide_password(url)}: it can be in SQLite or in "
        f"PostgreSQL{others}. Give the path of a file, or a URL such as {SQLITE}metadata.db or "
        f"{POSTGRES_EXAMPLE}."
    )


def sqlite_path(url: str) -> str:
    """The absolute path of the file that an SQLite URL names."""
    if not url.startswith(SQLITE):
        raise unknown_database(url)
    path = url[len(SQLITE) :]
    if "?" in path:
        raise MetadataError(
            f"{hide_password(url)} has options behind a question mark, which a metadata store "
            'does not take. A question mark in the path of the file is written "%3F".'
        )
    if path in ("", ":memory:"):
        raise MetadataError(
            f"{url} keeps the metadata in memory, where no other process sees it. Give the path "
            f"of a file, such as {SQLITE}metadata.db."
        )
    try:
        check_local_path(unquote(path), "The file of the metadata store")
    except ValueError as error:
        raise MetadataError(str(error)) from None
    return os.path.abspath(unquote(path))


def postgres_address(url: str) -> str:
    """The URL in the form that PostgreSQL's own library takes.

    Raises MetadataError for one that the library would read otherwise than it is meant: parts of a
    password would become a host or a port, and show up in messages.
    """
    scheme = _POSTGRES_SCHEME.match(url)
    if scheme is None:
        raise unknown_database(url)
    address = url[scheme.end() :]
    server, _, database = address.partition("?")[0].partition("/")
    if server.count("@") > 1 or "@" in database:
        raise MetadataError(
            f"{hide_password(url)} has an '@' or a '/' in its user name or password, or an '@' in "
            "the name of its database. Write them percent-encoded: '@' as %40, '/' as %2F."
        )
    return POSTGRES + address


def file_uri_path(filename_uri: str) -> str:
    """The path that SQLite opens for a name: file:/path and file:///path are paths as well.

    >>> file_uri_path("file:///data/metadata.db?mode=ro")
    '/data/metadata.db'
    """
    if not filename_uri.startswith("file:"):
        return filename_uri
    path = filename_uri[len("file:") :].partition("?")[0]
    return unquote(path.removeprefix("//"))
