"""`trainwright.components.trainer.executor` under TFX's path."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
from trainwright.components.trainer.executor import GenericExecutor as GenericExecutor
from trainwright.components.trainer.executor import TrainerFnArgs as TrainerFnArgs

if not TYPE_CHECKING:
    __getattr__ = missing_names(
        __name__,
        ("Executor",),
    )
