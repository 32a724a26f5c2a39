"""TFX's paths to extensions that are experimental there."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.extensions.experimental import kfp_compatibility as kfp_compatibility
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("kfp_compatibility",),
    )
