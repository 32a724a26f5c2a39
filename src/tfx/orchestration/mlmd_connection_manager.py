"""`trainwright.compat.mlmd.connection_manager` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.mlmd.connection_manager import HandleLike as HandleLike
    from trainwright.compat.mlmd.connection_manager import (
        MLMDConnectionManager as MLMDConnectionManager,
    )
    from trainwright.compat.mlmd.connection_manager import get_handle as get_handle
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.mlmd.connection_manager": (
                "HandleLike",
                "MLMDConnectionManager",
                "get_handle",
            ),
        },
    )
