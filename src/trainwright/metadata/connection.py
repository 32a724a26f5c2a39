"""Connections: the address of a metadata store, and opening it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from trainwright import _plugins
from trainwright._paths import check_local_path
from trainwright.metadata.store import MetadataError, MetadataStore
from trainwright.metadata.store_urls import (
    POSTGRES,
    POSTGRES_EXAMPLE,
    SQLITE,
    file_uri_path,
    hide_password,
    is_postgres,
    is_sqlite,
    sqlite_path,
    unknown_database,
    without_password,
)

__all__ = [
    "ConnectionConfig",
    "as_connection_config",
    "hide_password",
    "is_postgres",
    "is_sqlite",
    "mysql_metadata_connection_config",
    "open_store",
    "sqlite_metadata_connection_config",
    "sqlite_path",
    "without_password",
]

# Entry points of other packages, by the scheme of their URLs: each is called with the URL and
# `create=`, and returns a MetadataStore.
PLUGIN_GROUP = "trainwright.metadata_stores"


@dataclass(frozen=True, kw_only=True, repr=False)
class ConnectionConfig:
    """The address of a metadata store; `sqlite_metadata_connection_config` makes one from a path.

    Args:
        url: For SQLite `sqlite:///` and the path of the file, in which "%" and "?" are written as
            "%25" and "%3F": `sqlite:///metadata.db`, `sqlite:////var/lib/metadata.db`.
            For PostgreSQL what its own tools take: `postgresql://user:password@host:port/database`
            and options such as `?sslmode=require`. Without a password there, PGPASSWORD and
            ~/.pgpass are looked at.
            Any other scheme is looked up among the entry points `trainwright.metadata_stores` of
            installed packages.
    """

    url: str

    def __post_init__(self) -> None:
        if "://" not in self.url:
            raise ValueError(
                f"A metadata store's url looks like {SQLITE}metadata.db or {POSTGRES_EXAMPLE}, got "
                f"{self.url!r}. sqlite_metadata_connection_config(path) makes one from the path of "
                "a file."
            )

    def __repr__(self) -> str:
        return f"ConnectionConfig(url={hide_password(self.url)!r})"


def sqlite_metadata_connection_config(metadata_db_uri: str) -> ConnectionConfig:
    """The store in an SQLite file, which is created when it is opened first.

    Args:
        metadata_db_uri: The path of the file on a local disk.

    Example:
        >>> sqlite_metadata_connection_config("/tmp/penguin/metadata.db")
        ConnectionConfig(url='sqlite:////tmp/penguin/metadata.db')
    """
    path = os.fspath(metadata_db_uri)
    if not path or "://" in path:
        raise ValueError(
            "metadata_db_uri must be the path of a file on a local disk, such as "
            f"/var/lib/penguin/metadata.db, got {hide_password(path)!r}."
        )
    check_local_path(path, "metadata_db_uri")
    return ConnectionConfig(url=SQLITE + path.replace("%", "%25").replace("?", "%3F"))


def mysql_metadata_connection_config(
    host: str, port: int, database: str, username: str, password: str
) -> ConnectionConfig:
    """Raises ValueError: TFX keeps metadata in MySQL as well, Trainwright does not."""
    del port, username, password
    raise ValueError(
        f"Trainwright does not keep metadata in MySQL (asked for {database!r} on {host!r}). For "
        "one machine use SQLite: sqlite_metadata_connection_config(path_of_a_file). For several "
        f"use PostgreSQL: give the URL {POSTGRES_EXAMPLE!r} as metadata_connection_config."
    )


def as_connection_config(given: object) -> ConnectionConfig:
    """The config that somebody means who gives a config, a URL, or a proto as TFX users build it.

    Such a proto is a `metadata_store_pb2.ConnectionConfig`, or anything of its shape. Raises
    ValueError if there is no store in what is given.
    """
    if isinstance(given, ConnectionConfig):
        return given
    if isinstance(given, str):
        return ConnectionConfig(url=given)
    if _has(given, "sqlite", "filename_uri"):
        return sqlite_metadata_connection_config(file_uri_path(given.sqlite.filename_uri))  # type: ignore[attr-defined]
    if _has(given, "postgresql", "dbname"):
        return ConnectionConfig(url=_postgres_url(given.postgresql))  # type: ignore[attr-defined]
    if _has(given, "mysql", "host"):
        mysql = given.mysql  # type: ignore[attr-defined]
        return mysql_metadata_connection_config(mysql.host, 0, mysql.database, "", "")
    raise ValueError(
        "A metadata store is given by sqlite_metadata_connection_config(path_of_a_file), by a URL "
        f"such as {POSTGRES_EXAMPLE}, or by a ConnectionConfig of ml-metadata whose "
        f"sqlite.filename_uri is set; got a {type(given).__name__}."
    )


def _has(given: object, database: str, field: str) -> bool:
    """Whether something of a ConnectionConfig proto's shape is about this database."""
    if not hasattr(getattr(given, database, None), field):
        return False
    # An unset message of a proto can be read as well: it has the fields' default values.
    if hasattr(given, "HasField"):
        return bool(given.HasField(database))
    return bool(getattr(getattr(given, database), field))


def _postgres_url(fields: Any) -> str:
    def part(name: str) -> str:
        return quote(str(getattr(fields, name, "") or ""), safe="")

    user = ":".join(filter(None, [part("user"), part("password")]))
    server = ":".join(filter(None, [part("host") or part("hostaddr"), part("port")]))
    ssl_mode = getattr(getattr(fields, "ssloption", None), "sslmode", "")
    options = f"?sslmode={quote(ssl_mode, safe='')}" if ssl_mode else ""
    return f"{POSTGRES}{user}{'@' if user else ''}{server}/{part('dbname')}{options}"


def open_store(
    address: ConnectionConfig | str | os.PathLike[str], *, create: bool = True
) -> MetadataStore:
    """Opens the store at a config, a URL or a path of an SQLite file, creating it if need be.

    Raises MetadataError if there is no store and none can be made there; with `create=False`
    StoreNotFoundError if there is none, while one that this user may only read can be read.

    Example:
        >>> with open_store("/tmp/penguin/metadata.db") as store:
        ...     store.get_executions(limit=10)
        []
    """
    if isinstance(address, ConnectionConfig):
        url = address.url
    else:
        text = os.fspath(address)
        url = text if "://" in text else sqlite_metadata_connection_config(text).url
    if not (is_sqlite(url) or is_postgres(url)):
        return _open_with_plugin(url, create)
    # SQLAlchemy takes a quarter of a second to import: only who opens a store pays for it.
    from trainwright.metadata.sql_store import SqlMetadataStore

    return SqlMetadataStore(url, create=create)


def _open_with_plugin(url: str, create: bool) -> MetadataStore:
    """Opens a store of another package, which its entry point names by the scheme of the URL."""
    scheme = url.partition("://")[0]
    try:
        opener = _plugins.find(PLUGIN_GROUP, scheme)
    except _plugins.PluginError as error:
        raise MetadataError(
            f"No metadata store can be opened at {hide_password(url)}. {error}"
        ) from error
    if opener is None:
        raise unknown_database(url)
    opened = opener(url, create=create)
    if not isinstance(opened, MetadataStore):
        raise MetadataError(
            f"The entry point {scheme!r} of {PLUGIN_GROUP} opened {hide_password(url)} as a "
            f"{type(opened).__name__}: expected a MetadataStore. Its package has to return an "
            "object of a subclass of trainwright.metadata.store.MetadataStore."
        )
    return opened
