"""Parts of `ForEach`, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.for_each import ForEachContext as ForEachContext
    from trainwright.dsl.input_resolution.loops import Loopable as Loopable
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.for_each": ("ForEachContext",),
            "trainwright.dsl.input_resolution.loops": ("Loopable",),
        },
    )
