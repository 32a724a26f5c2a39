"""Messages between orchestration, drivers and executors, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.orchestration.execution_info import ExecutionInfo as ExecutionInfo
    from trainwright.dsl.driver_messages import PARAMETER_NAME_LITERAL as PARAMETER_NAME_LITERAL
    from trainwright.dsl.driver_messages import (
        RUNTIME_PARAMETER_PATTERN as RUNTIME_PARAMETER_PATTERN,
    )
    from trainwright.dsl.driver_messages import DriverArgs as DriverArgs
    from trainwright.dsl.driver_messages import ExecutionDecision as ExecutionDecision
    from trainwright.dsl.pipeline_info import ComponentInfo as ComponentInfo
    from trainwright.dsl.pipeline_info import PipelineInfo as PipelineInfo
    from trainwright.types.runtime_parameter import RuntimeParameter as RuntimeParameter
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.driver_messages": (
                "DriverArgs",
                "ExecutionDecision",
                "PARAMETER_NAME_LITERAL",
                "RUNTIME_PARAMETER_PATTERN",
            ),
            "trainwright.compat.orchestration.execution_info": ("ExecutionInfo",),
            "trainwright.dsl.pipeline_info": (
                "ComponentInfo",
                "PipelineInfo",
            ),
            "trainwright.types.runtime_parameter": ("RuntimeParameter",),
        },
    )
