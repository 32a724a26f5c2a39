"""Connections to metadata stores, and a handle to one."""

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
    from trainwright.compat.mlmd.metadata import Metadata as Metadata
    from trainwright.compat.mlmd.run_records import EXECUTION_STATE_CACHED as EXECUTION_STATE_CACHED
    from trainwright.compat.mlmd.run_records import (
        EXECUTION_STATE_COMPLETE as EXECUTION_STATE_COMPLETE,
    )
    from trainwright.compat.mlmd.run_records import EXECUTION_STATE_NEW as EXECUTION_STATE_NEW
    from trainwright.compat.mlmd.run_records import FINAL_EXECUTION_STATES as FINAL_EXECUTION_STATES
    from trainwright.compat.mlmd.run_records import (
        MAX_EXECUTIONS_FOR_CACHE as MAX_EXECUTIONS_FOR_CACHE,
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
            "trainwright.compat.mlmd.metadata": ("Metadata",),
            "trainwright.compat.mlmd.run_records": (
                "EXECUTION_STATE_CACHED",
                "EXECUTION_STATE_COMPLETE",
                "EXECUTION_STATE_NEW",
                "FINAL_EXECUTION_STATES",
                "MAX_EXECUTIONS_FOR_CACHE",
            ),
        },
    )
