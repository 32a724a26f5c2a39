"""The version: TFX's whose API this is, and behind the plus sign this project's own."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright._version import TFX_VERSION as ___version___

    __version__ = ___version___
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright._version": ("TFX_VERSION as __version__",),
        },
    )
