"""`trainwright.types.json_utils` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.json_utils import RUNTIME_PARAMETER_PATTERN as RUNTIME_PARAMETER_PATTERN
    from trainwright.types.json_utils import Jsonable as Jsonable
    from trainwright.types.json_utils import JsonableDict as JsonableDict
    from trainwright.types.json_utils import JsonableList as JsonableList
    from trainwright.types.json_utils import JsonableType as JsonableType
    from trainwright.types.json_utils import JsonableValue as JsonableValue
    from trainwright.types.json_utils import JsonDict as JsonDict
    from trainwright.types.json_utils import JsonList as JsonList
    from trainwright.types.json_utils import JsonValue as JsonValue
    from trainwright.types.json_utils import dumps as dumps
    from trainwright.types.json_utils import loads as loads
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.json_utils": (
                "JsonDict",
                "JsonList",
                "JsonValue",
                "Jsonable",
                "JsonableDict",
                "JsonableList",
                "JsonableType",
                "JsonableValue",
                "RUNTIME_PARAMETER_PATTERN",
                "dumps",
                "loads",
            ),
        },
    )
