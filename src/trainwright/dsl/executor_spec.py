"""ExecutorSpec: which code does the work of a component."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from trainwright.dsl.base_executor import BaseExecutor

if TYPE_CHECKING:
    from trainwright.dsl.function_signature import FunctionSignature


class ExecutorSpec:
    """Base of the ways to name an executor."""


class ExecutorClassSpec(ExecutorSpec):
    """An executor class: `ExecutorClassSpec(MyExecutor)`.

    A class of ours can be named by `"module:Class"` instead, so that declaring a pipeline does not
    import what only running it needs.
    """

    def __init__(self, executor_class: type[BaseExecutor] | str) -> None:
        if isinstance(executor_class, type):
            if not callable(getattr(executor_class, "Do", None)):
                raise TypeError(
                    f"An executor class needs a method Do(input_dict, output_dict, "
                    f"exec_properties); {executor_class!r} has none."
                )
        elif not (isinstance(executor_class, str) and ":" in executor_class):
            raise TypeError(f"Expected an executor class, got {executor_class!r}.")
        self._executor_class = executor_class

    @property
    def executor_class(self) -> type[BaseExecutor]:
        if isinstance(self._executor_class, str):
            import importlib

            module, name = self._executor_class.split(":")
            self._executor_class = getattr(importlib.import_module(module), name)
        return self._executor_class  # type: ignore[return-value]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._executor_class})"


class BeamExecutorSpec(ExecutorClassSpec):
    """An executor class that uses Beam, in TFX's words; what it gets is the same.

    The `beam_pipeline_args` of pipeline and node reach every executor in its context.
    """


class ExecutorFunctionSpec(ExecutorSpec):
    """The function under an `@component` decorator, with its parsed signature."""

    def __init__(self, function: Callable[..., Any], signature: FunctionSignature) -> None:
        self.function = function
        self.signature = signature
