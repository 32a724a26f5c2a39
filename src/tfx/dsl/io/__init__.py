"""Reading and writing files."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.dsl.io import fileio as fileio
    from tfx.dsl.io import filesystem as filesystem
    from tfx.dsl.io import filesystem_registry as filesystem_registry
    from tfx.dsl.io import plugins as plugins
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("fileio", "filesystem", "filesystem_registry", "plugins"),
    )
