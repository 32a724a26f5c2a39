"""`trainwright.dsl.pipeline` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.pipeline import MAX_PIPELINE_NAME_LENGTH as __MAX_PIPELINE_NAME_LENGTH_
    from trainwright.dsl.pipeline import ROOT_PARAMETER as ROOT_PARAMETER
    from trainwright.dsl.pipeline import ExecutionMode as ExecutionMode
    from trainwright.dsl.pipeline import Pipeline as Pipeline
    from trainwright.dsl.pipeline import PipelineInputs as PipelineInputs
    from trainwright.dsl.pipeline import (
        add_beam_pipeline_args_to_component as add_beam_pipeline_args_to_component,
    )
    from trainwright.dsl.pipeline import (
        enumerate_implicit_dependencies as enumerate_implicit_dependencies,
    )
    from trainwright.orchestration.run_options import RunOptions as RunOptions

    _MAX_PIPELINE_NAME_LENGTH = __MAX_PIPELINE_NAME_LENGTH_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.pipeline": (
                "ExecutionMode",
                "MAX_PIPELINE_NAME_LENGTH as _MAX_PIPELINE_NAME_LENGTH",
                "Pipeline",
                "PipelineInputs",
                "ROOT_PARAMETER",
                "add_beam_pipeline_args_to_component",
                "enumerate_implicit_dependencies",
            ),
            "trainwright.orchestration.run_options": ("RunOptions",),
        },
    )
