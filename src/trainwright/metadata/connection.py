"""Where the metadata store is, and how it is opened."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from urllib.parse import unquote

from trainwright.metadata.store import MetadataError, MetadataStore

_SQLITE = "sqlite:///"
# Up to the last "@", so that a password with an "@" in it does not show either.
_PASSWORD = re.compile(r"(://[^:/@]*:).*(?=@)")
_PASSWORD_OPTION = re.compile(r"([?&][^=&]*(?:password|passwd|secret|token)[^=&]*=)[^&]*", re.I)


@dataclass(frozen=True, kw_only=True, repr=False)
class ConnectionConfig:
    """The address of a metadata store; `sqlite_metadata_connection_config` makes one from a path.

    Args:
        url: For SQLite `sqlite:///` and the path of the file, in which "%" and "?" are written as
            "%25" and "%3F": `sqlite:///metadata.db`, `sqlite:////var/lib/metadata.db`.
    """

    url: str

    def __post_init__(self) -> None:
        if "://" not in self.url:
            raise ValueError(
                f"A metadata store's url looks like {_SQLITE}metadata.db, got {self.url!r}. "
                "sqlite_metadata_connection_config(path) makes one from the path of a file."
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
    return ConnectionConfig(url=_SQLITE + path.replace("%", "%25").replace("?", "%3F"))


def mysql_metadata_connection_config(
    host: str, port: int, database: str, username: str, password: str
) -> ConnectionConfig:
    """Raises ValueError: TFX keeps metadata in MySQL as well, Trainwright does not."""
    del port, username, password
    raise ValueError(
        f"Trainwright does not keep metadata in MySQL (asked for {database!r} on {host!r}). Use "
        "SQLite: sqlite_metadata_connection_config(path_of_a_file)."
    )


def open_store(address: ConnectionConfig | str | os.PathLike[str]) -> MetadataStore:
    """Opens the store at a config, a URL or a path of an SQLite file, creating it if need be.

    Raises MetadataError if there is no store and none can be made there.

    Example:
        >>> with open_store("/tmp/penguin/metadata.db") as store:
        ...     store.get_executions(limit=10)
        []
    """
    # SQLAlchemy takes a quarter of a second to import: only who opens a store pays for it.
    from trainwright.metadata.sql_store import SqlMetadataStore

    if isinstance(address, ConnectionConfig):
        return SqlMetadataStore(address.url)
    text = os.fspath(address)
    if "://" in text:
        return SqlMetadataStore(text)
    return SqlMetadataStore(sqlite_metadata_connection_config(text).url)


def hide_password(url: str) -> str:
    """The URL as it may be shown in messages and logs."""
    return _PASSWORD_OPTION.sub(r"\1***", _PASSWORD.sub(r"\1***", url))


def sqlite_path(url: str) -> str:
    """The absolute path of the file that an SQLite URL names."""
    if not url.startswith(_SQLITE):
        raise MetadataError(
            f"No metadata store can be opened at {hide_password(url)}: only SQLite is supported. "
            f"Give the path of a file, or a URL such as {_SQLITE}metadata.db."
        )
    path = url[len(_SQLITE) :]
    if "?" in path:
        raise MetadataError(
            f"{hide_password(url)} has options behind a question mark, which a metadata store "
            'does not take. A question mark in the path of the file is written "%3F".'
        )
    if path in ("", ":memory:"):
        raise MetadataError(
            f"{url} keeps the metadata in memory, where no other process sees it. Give the path "
            f"of a file, such as {_SQLITE}metadata.db."
        )
    return os.path.abspath(unquote(path))
