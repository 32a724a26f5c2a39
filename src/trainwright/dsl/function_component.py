"""`@component`: a component from a plain function with typed arguments."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any, ClassVar, overload

from trainwright._suggest import did_you_mean
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.executor_spec import ExecutorFunctionSpec
from trainwright.dsl.function_signature import ArgumentKind, FunctionSignature, parse_signature
from trainwright.types.channel import BaseChannel
from trainwright.types.component_spec import ChannelParameter, ComponentSpec, ExecutionParameter
from trainwright.types.system_types import SystemExecution

_INPUTS = (
    ArgumentKind.INPUT_ARTIFACT,
    ArgumentKind.INPUT_ARTIFACT_LIST,
    ArgumentKind.INPUT_VALUE,
)


class BaseFunctionalComponent(BaseComponent):
    """A component made by `@component`. Its arguments are given by keyword."""

    FUNCTION: ClassVar[Callable[..., Any]]
    SIGNATURE: ClassVar[FunctionSignature]

    def __init__(self, *args: Any, **arguments: Any) -> None:
        name = type(self).__name__
        if args:
            raise ValueError(
                f"{name} takes its arguments by keyword, got {len(args)} positional: {args!r}."
            )
        spec_class = type(self).SPEC_CLASS
        known = {**spec_class.PARAMETERS, **spec_class.INPUTS}
        for key, value in arguments.items():
            if key not in known:
                raise ValueError(f"{name} has no argument {key!r}{did_you_mean(key, known)}")
            if key in spec_class.PARAMETERS and isinstance(value, BaseChannel):
                raise TypeError(
                    f"{name}: {key!r} is a Parameter and takes a value, not a channel. To receive "
                    f"the value of an artifact declare it as `{key}: int` (or str, float, ...), or "
                    "pass channel.future()[0].value."
                )
        given = {key: value for key, value in arguments.items() if value is not None}
        # A default counts like the same value given: it is stored, and part of the cache key.
        for key, parameter in inspect.signature(type(self).FUNCTION).parameters.items():
            if key in spec_class.PARAMETERS and parameter.default not in (None, parameter.empty):
                given.setdefault(key, parameter.default)
        super().__init__(spec=spec_class(**given))

    @classmethod
    def test_call(cls, *args: Any, **kwargs: Any) -> Any:
        """Calls the function itself, for unit tests."""
        return cls.FUNCTION(*args, **kwargs)


BaseFunctionalComponentFactory = type[BaseFunctionalComponent]


@overload
def component(func: Callable[..., Any], /) -> BaseFunctionalComponentFactory: ...


@overload
def component(
    *, component_annotation: type[SystemExecution] | None = None
) -> Callable[[Callable[..., Any]], BaseFunctionalComponentFactory]: ...


def component(
    func: Callable[..., Any] | None = None,
    /,
    *,
    component_annotation: type[SystemExecution] | None = None,
) -> Any:
    """Makes a component class from a function.

    The function runs in a process of its own when the pipeline runs. Calling the decorated name
    declares a node.

    Args:
        component_annotation: The base type of its executions, for example
            `standard_annotations.Train`.

    Example:
        ```python
        @component
        def count_lines(
            path: Parameter[str], report: OutputArtifact[Report]
        ) -> OutputDict(lines=int):
            lines = sum(1 for _ in open(path))
            return {"lines": lines}

        counter = count_lines(path="data.csv")
        total = add(left=counter.outputs["lines"], right=other.outputs["lines"])
        ```
    """
    # Names that only the caller's scope knows (a component defined inside a test function).
    local_names = sys._getframe(1).f_locals

    def decorate(function: Callable[..., Any]) -> BaseFunctionalComponentFactory:
        return _make_component_class(function, component_annotation, local_names)

    return decorate if func is None else decorate(func)


def _make_component_class(
    function: Callable[..., Any],
    annotation: type[SystemExecution] | None,
    local_names: dict[str, Any],
) -> BaseFunctionalComponentFactory:
    signature = parse_signature(function, local_names)
    spec_class = type(
        f"{function.__name__}_Spec",
        (ComponentSpec,),
        {
            "PARAMETERS": {
                name: ExecutionParameter(type=argument.type, optional=argument.optional)
                for name, argument in signature.of_kind(ArgumentKind.PARAMETER).items()
            },
            "INPUTS": {
                name: ChannelParameter(type=argument.type, optional=argument.optional)
                for name, argument in signature.of_kind(*_INPUTS).items()
            },
            "OUTPUTS": {
                **{
                    name: ChannelParameter(type=argument.type)
                    for name, argument in signature.of_kind(ArgumentKind.OUTPUT_ARTIFACT).items()
                },
                **{name: ChannelParameter(type=kind) for name, kind in signature.returned.items()},
            },
            "TYPE_ANNOTATION": annotation,
            "__module__": function.__module__,
        },
    )
    return type(
        function.__name__,
        (BaseFunctionalComponent,),
        {
            "SPEC_CLASS": spec_class,
            "EXECUTOR_SPEC": ExecutorFunctionSpec(function, signature),
            "FUNCTION": staticmethod(function),
            "SIGNATURE": signature,
            "__module__": function.__module__,
            "__qualname__": function.__qualname__,
            "__doc__": function.__doc__,
        },
    )
