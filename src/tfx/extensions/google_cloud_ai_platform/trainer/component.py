"""`trainwright.compat.google_cloud.cloud_trainer` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.google_cloud.cloud_trainer import Trainer as Trainer
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.google_cloud.cloud_trainer": ("Trainer",),
        },
    )
