"""`trainwright.metadata.connection` under the name that TFX gives it."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
from trainwright.metadata.connection import ConnectionConfig as ConnectionConfigType
from trainwright.metadata.connection import (
    mysql_metadata_connection_config as mysql_metadata_connection_config,
)
from trainwright.metadata.connection import (
    sqlite_metadata_connection_config as sqlite_metadata_connection_config,
)

if not TYPE_CHECKING:
    __getattr__ = missing_names(
        __name__,
        ("Metadata",),
    )
