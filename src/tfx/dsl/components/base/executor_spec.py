"""`trainwright.dsl.executor_spec` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.containers.container_spec import (
        ExecutorContainerSpec as ExecutorContainerSpec,
    )
    from trainwright.dsl.containers.container_spec import (
        TemplatedExecutorContainerSpec as TemplatedExecutorContainerSpec,
    )
    from trainwright.dsl.executor_spec import BeamExecutorSpec as BeamExecutorSpec
    from trainwright.dsl.executor_spec import ExecutorClassSpec as ExecutorClassSpec
    from trainwright.dsl.executor_spec import ExecutorSpec as ExecutorSpec
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.containers.container_spec": (
                "ExecutorContainerSpec",
                "TemplatedExecutorContainerSpec",
            ),
            "trainwright.dsl.executor_spec": (
                "BeamExecutorSpec",
                "ExecutorClassSpec",
                "ExecutorSpec",
            ),
        },
    )
