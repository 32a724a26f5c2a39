"""`trainwright.metadata.connection` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.metadata.connection import ConnectionConfig as _ConnectionConfigType_
    from trainwright.metadata.connection import (
        mysql_metadata_connection_config as mysql_metadata_connection_config,
    )
    from trainwright.metadata.connection import (
        sqlite_metadata_connection_config as sqlite_metadata_connection_config,
    )

    ConnectionConfigType = _ConnectionConfigType_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.metadata.connection": (
                "ConnectionConfig as ConnectionConfigType",
                "mysql_metadata_connection_config",
                "sqlite_metadata_connection_config",
            ),
        },
    )
