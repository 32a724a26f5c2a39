"""Where pipeline runs are remembered."""

from trainwright.metadata.connection import ConnectionConfig as _ConnectionConfig
from trainwright.metadata.connection import (
    mysql_metadata_connection_config as mysql_metadata_connection_config,
)
from trainwright.metadata.connection import (
    sqlite_metadata_connection_config as sqlite_metadata_connection_config,
)

ConnectionConfigType = _ConnectionConfig
