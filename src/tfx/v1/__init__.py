"""TFX's public API: `from tfx import v1 as tfx`.

Each name is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.v1 import components as components
    from tfx.v1 import dsl as dsl
    from tfx.v1 import orchestration as orchestration
    from tfx.v1 import proto as proto
    from tfx.v1 import testing as testing
    from tfx.v1 import types as types
    from tfx.v1 import utils as utils
    from tfx.version import __version__ as __version__
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "__version__": "tfx.version:__version__",
            "components": "tfx.v1.components",
            "dsl": "tfx.v1.dsl",
            "orchestration": "tfx.v1.orchestration",
            "proto": "tfx.v1.proto",
            "testing": "tfx.v1.testing",
            "types": "tfx.v1.types",
            "utils": "tfx.v1.utils",
        },
        missing=("extensions",),
    )
