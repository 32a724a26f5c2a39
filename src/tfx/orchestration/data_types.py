"""`trainwright.types.runtime_parameter` under TFX's path."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
from trainwright.types.runtime_parameter import RuntimeParameter as RuntimeParameter

if not TYPE_CHECKING:
    __getattr__ = missing_names(
        __name__,
        (
            "ComponentInfo",
            "DriverArgs",
            "ExecutionDecision",
            "ExecutionInfo",
            "PipelineInfo",
        ),
    )
