"""Helper for what only works in a notebook."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.interactive.interactive_context import (
        requires_ipython as requires_ipython,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.interactive.interactive_context": ("requires_ipython",),
        },
    )
