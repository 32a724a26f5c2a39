"""`trainwright.metadata.connection` under TFX's path."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
from trainwright.metadata.connection import ConnectionConfig as _ConnectionConfig
from trainwright.metadata.connection import (
    mysql_metadata_connection_config as mysql_metadata_connection_config,
)
from trainwright.metadata.connection import (
    sqlite_metadata_connection_config as sqlite_metadata_connection_config,
)

ConnectionConfigType = _ConnectionConfig

if not TYPE_CHECKING:
    __getattr__ = missing_names(
        __name__,
        ("Metadata",),
    )
