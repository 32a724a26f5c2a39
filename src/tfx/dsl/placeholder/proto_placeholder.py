"""`trainwright.types.placeholders.proto_placeholder` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.placeholders.proto_placeholder import (
        MakeProtoPlaceholder as MakeProtoPlaceholder,
    )
    from trainwright.types.placeholders.proto_placeholder import make_proto as make_proto
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.placeholders.proto_placeholder": (
                "MakeProtoPlaceholder",
                "make_proto",
            ),
        },
    )
