"""`trainwright.dsl.base_executor` under TFX's path."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
from trainwright.dsl.base_executor import BaseExecutor as BaseExecutor
from trainwright.dsl.base_executor import EmptyExecutor as EmptyExecutor

if not TYPE_CHECKING:
    __getattr__ = missing_names(
        __name__,
        (
            "BaseBeamExecutor",
            "FuseableBeamExecutor",
        ),
    )
