"""Configs of metadata stores, as the messages that TFX's programs expect."""

from __future__ import annotations

import os

from trainwright.dsl.io import fileio
from trainwright.metadata.connection import (
    sqlite_metadata_connection_config as checked_sqlite_config,
)
from trainwright.proto.mlmd.metadata_store_pb2 import (
    ConnectionConfig,
    MetadataStoreClientConfig,
    MySQLDatabaseConfig,
    SqliteMetadataSourceConfig,
)

ConnectionConfigType = ConnectionConfig | MetadataStoreClientConfig


def sqlite_metadata_connection_config(metadata_db_uri: str) -> ConnectionConfig:
    """The store in an SQLite file, for a pipeline, `Metadata` or `ml_metadata.MetadataStore`.

    The directory of the file is made at once, the file by the first that writes to it.

    Args:
        metadata_db_uri: The path of the file on a local disk.

    Example:
        >>> config = sqlite_metadata_connection_config("metadata.db")
        >>> config.sqlite.filename_uri
        'metadata.db'
    """
    path = os.fspath(metadata_db_uri)
    checked_sqlite_config(path)
    if directory := os.path.dirname(path):
        fileio.makedirs(directory)
    return ConnectionConfig(
        sqlite=SqliteMetadataSourceConfig(
            filename_uri=path, connection_mode=SqliteMetadataSourceConfig.READWRITE_OPENCREATE
        )
    )


def mysql_metadata_connection_config(
    host: str, port: int, database: str, username: str, password: str
) -> ConnectionConfig:
    """A store in MySQL, which can be declared; a run refuses it and says what to use instead."""
    return ConnectionConfig(
        mysql=MySQLDatabaseConfig(
            host=host, port=port, database=database, user=username, password=password
        )
    )
