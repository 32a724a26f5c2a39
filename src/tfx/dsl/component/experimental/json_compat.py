"""`trainwright.types.json_compat` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.json_compat import check_strict_json_compat as check_strict_json_compat
    from trainwright.types.json_compat import is_json_compatible as is_json_compatible
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.json_compat": (
                "check_strict_json_compat",
                "is_json_compatible",
            ),
        },
    )
