"""Connections to metadata stores."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.mlmd.connections import ConnectionConfigType as ConnectionConfigType
    from trainwright.compat.mlmd.connections import (
        mysql_metadata_connection_config as mysql_metadata_connection_config,
    )
    from trainwright.compat.mlmd.connections import (
        sqlite_metadata_connection_config as sqlite_metadata_connection_config,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.mlmd.connections": (
                "ConnectionConfigType",
                "mysql_metadata_connection_config",
                "sqlite_metadata_connection_config",
            ),
        },
    )
