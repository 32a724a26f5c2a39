"""`trainwright.dsl.io.filesystem` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.io.filesystem import Filesystem as Filesystem
    from trainwright.dsl.io.filesystem import NotFoundError as NotFoundError
    from trainwright.dsl.io.filesystem import PathType as PathType
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.io.filesystem": (
                "Filesystem",
                "NotFoundError",
                "PathType",
            ),
        },
    )
