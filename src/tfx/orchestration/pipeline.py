"""`trainwright.dsl.pipeline` under TFX's path."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
from trainwright.dsl.pipeline import ExecutionMode as ExecutionMode
from trainwright.dsl.pipeline import Pipeline as Pipeline

if not TYPE_CHECKING:
    __getattr__ = missing_names(
        __name__,
        ("RunOptions",),
    )
