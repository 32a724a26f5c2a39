"""Monitoring that sends nothing."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.small_helpers import (
        generate_monitoring_metrics as generate_monitoring_metrics,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.small_helpers": ("generate_monitoring_metrics",),
        },
    )
