"""Loops of a pipeline's definition, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.dsl.control_flow import for_each as for_each
    from tfx.dsl.control_flow import for_each_internal as for_each_internal
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("for_each", "for_each_internal"),
    )
