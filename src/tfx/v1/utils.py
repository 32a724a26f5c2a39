"""Small helpers."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.io.io_utils import parse_pbtxt_file as parse_pbtxt_file
    from trainwright.types.json_utils import JsonableType as JsonableType
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.io.io_utils": ("parse_pbtxt_file",),
            "trainwright.types.json_utils": ("JsonableType",),
        },
    )
