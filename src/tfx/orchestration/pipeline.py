"""`trainwright.dsl.pipeline` under TFX's path."""

from trainwright.dsl.pipeline import ExecutionMode as ExecutionMode
from trainwright.dsl.pipeline import Pipeline as Pipeline
from trainwright.orchestration.run_options import RunOptions as RunOptions
