"""`trainwright.compat.input_resolution.input_graph_resolver` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.input_resolution.input_graph_resolver import (
        build_graph_fn as build_graph_fn,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.input_resolution.input_graph_resolver": ("build_graph_fn",),
        },
    )
