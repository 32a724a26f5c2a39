"""Filesystems."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.dsl.io.plugins import local as local
    from tfx.dsl.io.plugins import tensorflow_gfile as tensorflow_gfile
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("local", "tensorflow_gfile"),
    )
