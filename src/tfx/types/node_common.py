"""`trainwright.compat.types.node_common` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.types.node_common import _PropertyDictWrapper as _PropertyDictWrapper
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.types.node_common": ("_PropertyDictWrapper",),
        },
    )
