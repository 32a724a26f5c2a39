"""`trainwright.dsl.base_executor` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.base_beam_executor import BaseBeamExecutor as BaseBeamExecutor
    from trainwright.dsl.base_executor import BaseExecutor as BaseExecutor
    from trainwright.dsl.base_executor import EmptyExecutor as EmptyExecutor
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.base_beam_executor": ("BaseBeamExecutor",),
            "trainwright.dsl.base_executor": (
                "BaseExecutor",
                "EmptyExecutor",
            ),
        },
    )
