"""ExecutorSpec: which code does the work of a component."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from trainwright._imports import load_object
from trainwright.dsl.base_executor import BaseExecutor
from trainwright.dsl.type_names import tfx_class_path
from trainwright.types.json_utils import Jsonable
from trainwright.types.placeholders.placeholder import Placeholder, encode_value_like

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from trainwright.types.component_spec import ComponentSpec

SpecT = TypeVar("SpecT", bound="ExecutorSpec")


class ExecutorSpec(Jsonable):
    """Base of the ways to name an executor.

    A component class has one; every node gets a copy of its own, so that what is added to the copy
    (flags) counts for that node alone.
    """

    def encode(self, component_spec: ComponentSpec | None = None) -> Message:
        """The executor as the message of TFX's pipeline format.

        Args:
            component_spec: The spec of the component, whose inputs placeholders are about.
        """
        cls = type(self)
        raise NotImplementedError(
            f"{cls.__module__}.{cls.__qualname__} does not support encoding into IR."
        )

    def copy(self: SpecT) -> SpecT:
        """A spec that can be changed without changing this one."""
        return copy.deepcopy(self)

    def is_same_executor(self, other: object) -> bool:
        """Whether the other one names the same code, whatever flags there are."""
        return self == other


class ExecutorClassSpec(ExecutorSpec):
    """An executor class: `ExecutorClassSpec(MyExecutor)`.

    A class of ours can be named by `"module:Class"` instead, so that declaring a pipeline does not
    import what only running it needs.
    """

    def __init__(self, executor_class: type[BaseExecutor] | str) -> None:
        if not executor_class:
            raise ValueError("executor_class is required")
        if isinstance(executor_class, type):
            if not callable(getattr(executor_class, "Do", None)):
                raise TypeError(
                    f"An executor class needs a method Do(input_dict, output_dict, "
                    f"exec_properties); {executor_class!r} has none."
                )
        elif not (isinstance(executor_class, str) and ":" in executor_class):
            raise TypeError(f"Expected an executor class, got {executor_class!r}.")
        self._executor_class = executor_class
        self.extra_flags: list[str] = []

    @property
    def executor_class(self) -> type[BaseExecutor]:
        if isinstance(self._executor_class, str):
            self._executor_class = load_object(self._executor_class)
        return self._executor_class  # type: ignore[return-value]

    @property
    def class_path(self) -> str:
        """The full name of the executor class: for one of ours, the name that TFX knows it by."""
        return tfx_class_path(self._path)

    @property
    def _path(self) -> str:
        named = self._executor_class
        if isinstance(named, str):
            return named.replace(":", ".")
        return f"{named.__module__}.{named.__qualname__}"

    def add_extra_flags(self, extra_flags: Iterable[str]) -> None:
        """Adds flags, which the executor finds in `context.extra_flags`."""
        self.extra_flags.extend(extra_flags)

    def encode(self, component_spec: ComponentSpec | None = None) -> Message:
        from trainwright.proto.orchestration import executable_spec_pb2

        return executable_spec_pb2.PythonClassExecutableSpec(
            class_path=self.class_path, extra_flags=self.extra_flags
        )

    def copy(self: SpecT) -> SpecT:
        # Field by field: the executor class, which may be local to a function, is not copied.
        made = copy.copy(self)
        for name, value in vars(self).items():
            setattr(made, name, list(value) if isinstance(value, list) else value)
        return made

    def is_same_executor(self, other: object) -> bool:
        return isinstance(other, ExecutorClassSpec) and self._path == other._path

    def to_json_dict(self) -> dict[str, Any]:
        return {**vars(self), "_executor_class": self.executor_class}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExecutorClassSpec) or type(other) is not type(self):
            return NotImplemented
        mine, theirs = dict(vars(self)), dict(vars(other))
        del mine["_executor_class"], theirs["_executor_class"]
        return self.is_same_executor(other) and mine == theirs

    def __hash__(self) -> int:
        return hash(self._path)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._executor_class})"


class BeamExecutorSpec(ExecutorClassSpec):
    """An executor class that uses Beam, with flags for it.

    The executor gets the flags of the pipeline and then these as `context.beam_pipeline_args`.
    """

    def __init__(self, executor_class: type[BaseExecutor] | str) -> None:
        super().__init__(executor_class)
        self.beam_pipeline_args: list[Any] = []

    def add_beam_pipeline_args(self, beam_pipeline_args: Iterable[Any]) -> None:
        """Adds Beam flags, which count more than those of the pipeline."""
        self.beam_pipeline_args.extend(beam_pipeline_args)

    def encode(self, component_spec: ComponentSpec | None = None) -> Message:
        from trainwright.proto.orchestration import executable_spec_pb2

        for flag in self.beam_pipeline_args:
            if not isinstance(flag, (str, Placeholder)):
                raise ValueError(f"Unsupported arg type:{type(flag)}")
        return executable_spec_pb2.BeamExecutableSpec(
            python_executor_spec=super().encode(component_spec),  # type: ignore[arg-type]
            beam_pipeline_args=[flag for flag in self.beam_pipeline_args if isinstance(flag, str)],
            beam_pipeline_args_placeholders=map(encode_value_like, self.beam_pipeline_args),
        )
