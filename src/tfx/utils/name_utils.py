"""`trainwright.compat.utils.name_utils` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.name_utils import get_full_name as get_full_name
    from trainwright.compat.utils.name_utils import resolve_full_name as resolve_full_name
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.name_utils": (
                "get_full_name",
                "resolve_full_name",
            ),
        },
    )
