"""`trainwright.types.type_hints` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.type_hints import is_compatible as is_compatible
    from trainwright.types.type_hints import maybe_unwrap_optional as maybe_unwrap_optional
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.type_hints": (
                "is_compatible",
                "maybe_unwrap_optional",
            ),
        },
    )
