"""`trainwright.types.json_utils` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.json_utils import Jsonable as Jsonable
    from trainwright.types.json_utils import JsonableType as JsonableType
    from trainwright.types.json_utils import dumps as dumps
    from trainwright.types.json_utils import loads as loads
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.json_utils": (
                "Jsonable",
                "JsonableType",
                "dumps",
                "loads",
            ),
        },
    )
