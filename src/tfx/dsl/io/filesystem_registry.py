"""`trainwright.dsl.io.filesystem_registry` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.io.filesystem import PathType as PathType
    from trainwright.dsl.io.filesystem_registry import (
        DEFAULT_FILESYSTEM_REGISTRY as DEFAULT_FILESYSTEM_REGISTRY,
    )
    from trainwright.dsl.io.filesystem_registry import FilesystemRegistry as FilesystemRegistry
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.io.filesystem": ("PathType",),
            "trainwright.dsl.io.filesystem_registry": (
                "DEFAULT_FILESYSTEM_REGISTRY",
                "FilesystemRegistry",
            ),
        },
    )
