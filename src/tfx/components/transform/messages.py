"""Messages of TFX's Transform."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.components.transform_labels import SCHEMA_EMPTY as SCHEMA_EMPTY
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.components.transform_labels": ("SCHEMA_EMPTY",),
        },
    )
