"""`trainwright.components.trainer.executor` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.components.trainer.executor import Executor as Executor
    from trainwright.components.trainer.executor import GenericExecutor as GenericExecutor
    from trainwright.components.trainer.executor import TrainerFnArgs as TrainerFnArgs
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.components.trainer.executor": (
                "Executor",
                "GenericExecutor",
                "TrainerFnArgs",
            ),
        },
    )
