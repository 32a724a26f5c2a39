"""What TFX's orchestrators share: its look-ups in a metadata store."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.orchestration.portable import data_types as data_types
    from tfx.orchestration.portable import input_resolution as input_resolution
    from tfx.orchestration.portable import mlmd as mlmd
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        public_modules=("mlmd",),
        other_modules=("data_types", "input_resolution"),
    )
