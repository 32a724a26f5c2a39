"""`trainwright.dsl.io.fileio` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.io.fileio import NotFoundError as NotFoundError
    from trainwright.dsl.io.fileio import PathType as PathType
    from trainwright.dsl.io.fileio import copy as copy
    from trainwright.dsl.io.fileio import exists as exists
    from trainwright.dsl.io.fileio import get_inline_filename as get_inline_filename
    from trainwright.dsl.io.fileio import glob as glob
    from trainwright.dsl.io.fileio import isdir as isdir
    from trainwright.dsl.io.fileio import listdir as listdir
    from trainwright.dsl.io.fileio import makedirs as makedirs
    from trainwright.dsl.io.fileio import mkdir as mkdir
    from trainwright.dsl.io.fileio import open as open
    from trainwright.dsl.io.fileio import remove as remove
    from trainwright.dsl.io.fileio import rename as rename
    from trainwright.dsl.io.fileio import rmtree as rmtree
    from trainwright.dsl.io.fileio import stat as stat
    from trainwright.dsl.io.fileio import walk as walk
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.io.fileio": (
                "NotFoundError",
                "PathType",
                "copy",
                "exists",
                "get_inline_filename",
                "glob",
                "isdir",
                "listdir",
                "makedirs",
                "mkdir",
                "open",
                "remove",
                "rename",
                "rmtree",
                "stat",
                "walk",
            ),
        },
    )
