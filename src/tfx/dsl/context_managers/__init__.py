"""Blocks of a pipeline's definition, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.dsl.context_managers import dsl_context as dsl_context
    from tfx.dsl.context_managers import dsl_context_manager as dsl_context_manager
    from tfx.dsl.context_managers import dsl_context_registry as dsl_context_registry
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=("dsl_context", "dsl_context_manager", "dsl_context_registry"),
    )
