"""The properties that bind a data view, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.payload_format import (
        DATA_VIEW_CREATE_TIME_KEY as DATA_VIEW_CREATE_TIME_KEY,
    )
    from trainwright.types.payload_format import (
        DATA_VIEW_URI_PROPERTY_KEY as DATA_VIEW_URI_PROPERTY_KEY,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.payload_format": (
                "DATA_VIEW_CREATE_TIME_KEY",
                "DATA_VIEW_URI_PROPERTY_KEY",
            ),
        },
    )
