"""`trainwright.compat.utils.logging_utils` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.logging_utils import LoggerConfig as LoggerConfig
    from trainwright.compat.utils.logging_utils import get_logger as get_logger
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.logging_utils": (
                "LoggerConfig",
                "get_logger",
            ),
        },
    )
