"""TFX's public API: `from tfx import v1 as tfx`.

Each name is imported when it is first used.
"""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.v1 import components as components
    from tfx.v1 import dsl as dsl
    from tfx.v1 import extensions as extensions
    from tfx.v1 import orchestration as orchestration
    from tfx.v1 import proto as proto
    from tfx.v1 import testing as testing
    from tfx.v1 import types as types
    from tfx.v1 import utils as utils
    from trainwright._version import TFX_VERSION as ___version___

    __version__ = ___version___
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright._version": ("TFX_VERSION as __version__",),
        },
        public_modules=(
            "components",
            "dsl",
            "extensions",
            "orchestration",
            "proto",
            "testing",
            "types",
            "utils",
        ),
    )
