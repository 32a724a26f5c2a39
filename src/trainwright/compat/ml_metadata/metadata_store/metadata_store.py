"""`MetadataStore`: ML Metadata's interface to a store, over SQLite."""

from __future__ import annotations

from typing import Any

from trainwright.compat.ml_metadata import errors
from trainwright.compat.ml_metadata.metadata_store.list_options import ListOptions, OrderByField
from trainwright.compat.ml_metadata.metadata_store.reading import StoreReading
from trainwright.compat.ml_metadata.metadata_store.writing import StoreWriting
from trainwright.compat.ml_metadata.sqlite.database import Database
from trainwright.compat.ml_metadata.sqlite.schema import SCHEMA_VERSION
from trainwright.metadata.connection import ConnectionConfig as OwnConfig
from trainwright.metadata.connection import is_sqlite, sqlite_path
from trainwright.proto.mlmd.metadata_store_pb2 import (
    ConnectionConfig,
    MetadataStoreClientConfig,
    SqliteMetadataSourceConfig,
)

__all__ = ["ExtraOptions", "ListOptions", "MetadataStore", "OrderByField", "downgrade_schema"]

_DEFAULT_RETRIES = 5
_ONLY_SQLITE = (
    "Trainwright's ml_metadata opens SQLite files and databases in memory, not a {place}. Set "
    "connection_config.sqlite.filename_uri to a file; for a {place}, run the script in an "
    "environment that has ml-metadata itself."
)


class ExtraOptions:
    """Options of calls that other implementations of the store have; here there are none."""

    def __init__(self, euc: object = None) -> None:
        del euc


class MetadataStore(StoreReading, StoreWriting):
    """A metadata store, to ask and to write to.

    Three kinds of databases can be opened: one in memory (`fake_database`, or `sqlite` without a
    file); a file of ML Metadata, which the library itself can open as well, and which is made when
    it is first written to; and a metadata store of Trainwright, with the types, contexts and
    properties that TFX stores. There, what runs rely on cannot be changed: docs/metadata.md.

    May be used by several threads, and the file by several processes, at the same time.

    Args:
        config: A `metadata_store_pb2.ConnectionConfig`, or what
            `sqlite_metadata_connection_config(path)` returns.
        enable_upgrade_migration: Not done here: a file of an older schema version is refused.

    Example:
        >>> config = metadata_store_pb2.ConnectionConfig()
        >>> config.sqlite.filename_uri = "metadata.db"
        >>> store = MetadataStore(config)
        >>> context = store.get_context_by_type_and_name("node", "penguin.Trainer")
        >>> store.get_artifacts_by_context(context.id)  # doctest: +SKIP
    """

    def __init__(self, config: Any, enable_upgrade_migration: bool = False) -> None:
        del enable_upgrade_migration
        self._max_num_retries = _DEFAULT_RETRIES
        if isinstance(config, ConnectionConfig) and config.HasField("retry_options"):
            self._max_num_retries = config.retry_options.max_num_retries
        self._database = Database(_sqlite_config(config), self._max_num_retries)

    @property
    def pipeline_asset(self) -> None:
        """None, as in the public ml-metadata: other implementations of the store have one."""
        return None

    def __del__(self) -> None:
        if database := getattr(self, "_database", None):
            database.close()


def _sqlite_config(config: object) -> SqliteMetadataSourceConfig:
    """Which SQLite database is meant; raises if it is not one."""
    if isinstance(config, OwnConfig):
        if not is_sqlite(config.url):
            raise errors.UnimplementedError(_ONLY_SQLITE.format(place="database of a server"))
        return SqliteMetadataSourceConfig(filename_uri=sqlite_path(config.url))
    if isinstance(config, MetadataStoreClientConfig):
        raise errors.UnimplementedError(_ONLY_SQLITE.format(place="metadata server"))
    if not isinstance(config, ConnectionConfig):
        raise ValueError(
            "MetadataStore is expecting either proto.ConnectionConfig or "
            f"proto.MetadataStoreClientConfig, got a {type(config).__name__}."
        )
    chosen = config.WhichOneof("config")
    if chosen is None:
        raise RuntimeError(
            "Unset: the ConnectionConfig names no database. Set sqlite.filename_uri, or call "
            "fake_database.SetInParent() for one in memory."
        )
    if chosen == "fake_database":
        return SqliteMetadataSourceConfig()
    if chosen != "sqlite":
        place = {"mysql": "MySQL database", "postgresql": "PostgreSQL database"}[chosen]
        raise errors.UnimplementedError(_ONLY_SQLITE.format(place=place))
    return config.sqlite


def downgrade_schema(config: ConnectionConfig, downgrade_to_schema_version: int) -> None:
    """Raises: a database is not brought to an older schema version here."""
    del config
    if downgrade_to_schema_version < 0:
        raise errors.InvalidArgumentError("downgrade_to_schema_version not specified")
    if downgrade_to_schema_version > SCHEMA_VERSION:
        raise errors.InvalidArgumentError(
            f"MLMD cannot be downgraded to schema_version {downgrade_to_schema_version}: the "
            f"library has {SCHEMA_VERSION}."
        )
    raise errors.UnimplementedError(
        "Trainwright writes databases of ML Metadata of schema version "
        f"{SCHEMA_VERSION} only. To downgrade one, use ml-metadata itself."
    )
