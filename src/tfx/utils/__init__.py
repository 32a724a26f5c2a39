"""Helpers that module files and executors call."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.utils import io_utils as io_utils
    from tfx.utils import json_utils as json_utils
    from tfx.utils import path_utils as path_utils
    from tfx.utils import proto_utils as proto_utils
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("io_utils", "json_utils", "path_utils", "proto_utils"),
    )
