"""`trainwright.dsl.executor_spec` under TFX's path."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
from trainwright.dsl.executor_spec import BeamExecutorSpec as BeamExecutorSpec
from trainwright.dsl.executor_spec import ExecutorClassSpec as ExecutorClassSpec
from trainwright.dsl.executor_spec import ExecutorSpec as ExecutorSpec

if not TYPE_CHECKING:
    __getattr__ = missing_names(
        __name__,
        (
            "ExecutorContainerSpec",
            "TemplatedExecutorContainerSpec",
        ),
    )
