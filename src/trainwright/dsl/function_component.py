"""`@component`: a component from a plain function with typed arguments."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Protocol, TypeVar, cast, overload

from trainwright._suggest import did_you_mean
from trainwright.dsl.base_beam_component import BaseBeamComponent
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_executor import BaseExecutor
from trainwright.dsl.executor_spec import BeamExecutorSpec, ExecutorClassSpec
from trainwright.dsl.function_executor import FunctionBeamExecutor, FunctionExecutor
from trainwright.dsl.function_signature import ArgFormats, parse_function
from trainwright.types.artifact import Artifact
from trainwright.types.channel import BaseChannel
from trainwright.types.component_spec import ChannelParameter, ComponentSpec, ExecutionParameter
from trainwright.types.json_compat import JSON_HINT
from trainwright.types.system_types import SystemExecution

ComponentT = TypeVar("ComponentT", bound="BaseFunctionalComponent")


class BaseFunctionalComponent(BaseComponent):
    """Base of the components made by `@component`."""

    # What a platform knows of the component class; there is none here that uses it.
    platform_classlevel_extensions: ClassVar[Any] = None

    def with_beam_pipeline_args(self: ComponentT, beam_pipeline_args: Iterable[str]) -> ComponentT:
        if not isinstance(self.executor_spec, BeamExecutorSpec):
            raise TypeError(
                f"{self.id} is made from a function, which gets no Beam flags. Decorate it with "
                "@component(use_beam=True), or name them where it makes its Beam pipeline."
            )
        return super().with_beam_pipeline_args(beam_pipeline_args)


class BaseFunctionalComponentFactory(Protocol):
    """What `@component` makes of a function: called, it declares a node."""

    platform_classlevel_extensions: Any = None

    def __call__(self, *args: Any, **kwargs: Any) -> BaseFunctionalComponent:
        """Declares a node; the arguments are given by keyword."""
        ...

    def test_call(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the function itself, for unit tests."""
        ...


class SimpleComponent(BaseFunctionalComponent):
    """A component whose arguments are those of its spec, given by keyword."""

    def __init__(self, *args: Any, **arguments: Any) -> None:
        cls = self.__class__
        if args:
            raise ValueError(
                f"{cls.__name__} expects arguments to be passed as keyword arguments, got "
                f"{len(args)} positional: {args!r}."
            )
        self._check_arguments(arguments)
        given = {key: value for key, value in arguments.items() if value is not None}
        # A default counts like the same value given: it is stored, and part of the cache key.
        executor = getattr(cls.EXECUTOR_SPEC, "executor_class", None)
        for key, default in getattr(executor, "_ARG_DEFAULTS", {}).items():
            if key in cls.SPEC_CLASS.PARAMETERS and default is not None:
                given.setdefault(key, default)
        super().__init__(spec=cls.SPEC_CLASS(**given))
        for channel in self.outputs.values():
            channel.set_artifacts([channel.type()])

    def _check_arguments(self, arguments: Mapping[str, Any]) -> None:
        name, spec_class = self.__class__.__name__, self.__class__.SPEC_CLASS
        known = {**spec_class.PARAMETERS, **spec_class.INPUTS}
        unknown = sorted(arguments.keys() - known.keys())
        if unknown:
            raise ValueError(
                f"Unknown arguments to {name!r}: {', '.join(unknown)}"
                f"{did_you_mean(unknown[0], known)}"
            )
        for key, wanted in spec_class.INPUTS.items():
            if key not in arguments and not wanted.optional:
                raise ValueError(
                    f"{name} expects input {key!r} to be a Channel of type {wanted.type}."
                )
        for key, parameter in spec_class.PARAMETERS.items():
            if key not in arguments and not parameter.optional:
                raise ValueError(f"{name} expects parameter {key!r} of type {parameter.type}.")
            if isinstance(arguments.get(key), BaseChannel):
                raise TypeError(
                    f"{name}: {key!r} is a Parameter and takes a value, not a channel. To receive "
                    f"the value of an artifact declare it as `{key}: int` (or str, float, ...), or "
                    "pass channel.future()[0].value."
                )


class SimpleBeamComponent(SimpleComponent, BaseBeamComponent):
    """The same for a function that gets a Beam pipeline."""


@overload
def component(func: Callable[..., Any], /) -> BaseFunctionalComponentFactory: ...


@overload
def component(
    *, component_annotation: type[SystemExecution] | None = None, use_beam: bool = False
) -> Callable[[Callable[..., Any]], BaseFunctionalComponentFactory]: ...


def component(
    func: Callable[..., Any] | None = None,
    /,
    *,
    component_annotation: type[SystemExecution] | None = None,
    use_beam: bool = False,
) -> Any:
    """Makes a component class from a function.

    The function runs in a process of its own when the pipeline runs. Calling the decorated name
    declares a node.

    Args:
        component_annotation: The base type of its executions, for example
            `standard_annotations.Train`.
        use_beam: Whether the function takes a Beam pipeline, made with the `beam_pipeline_args` of
            pipeline and node: `pipeline: BeamComponentParameter[beam.Pipeline] = None`.

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
        parsed, nullable = parse_function(function, local_names)
        beam_pipelines = [
            form for form in parsed.arg_formats.values() if form is ArgFormats.BEAM_PARAMETER
        ]
        if use_beam and len(beam_pipelines) != 1:
            raise ValueError(
                "The decorated function must have one and only one optional parameter of type "
                "BeamComponentParameter[beam.Pipeline] with default value None when use_beam=True."
            )
        made = create_component_class(
            func=function,
            arg_defaults=parsed.arg_defaults,
            arg_formats=parsed.arg_formats,
            base_executor_class=FunctionBeamExecutor if use_beam else FunctionExecutor,
            executor_spec_class=BeamExecutorSpec if use_beam else ExecutorClassSpec,
            base_component_class=SimpleBeamComponent if use_beam else SimpleComponent,
            inputs=parsed.inputs,
            outputs=parsed.outputs,
            parameters=parsed.parameters,
            type_annotation=component_annotation,
            json_compatible_inputs=parsed.json_typehints,
            json_compatible_outputs=parsed.return_json_typehints,
            return_values_optionality=parsed.returned_outputs,
            nullable=nullable,
        )
        return cast(BaseFunctionalComponentFactory, made)

    return decorate if func is None else decorate(func)


def create_component_class(
    func: Callable[..., Any],
    arg_defaults: Mapping[str, Any],
    arg_formats: Mapping[str, ArgFormats],
    base_executor_class: type[BaseExecutor],
    executor_spec_class: type[ExecutorClassSpec],
    base_component_class: type[BaseComponent],
    inputs: Mapping[str, type[Artifact]] | None = None,
    outputs: Mapping[str, type[Artifact]] | None = None,
    parameters: Mapping[str, Any] | None = None,
    type_annotation: type[SystemExecution] | None = None,
    json_compatible_inputs: Mapping[str, Any] | None = None,
    json_compatible_outputs: Mapping[str, Any] | None = None,
    return_values_optionality: Mapping[str, bool] | None = None,
    nullable: frozenset[str] = frozenset(),
) -> type[BaseComponent]:
    """Makes the component class of a function, with its spec and executor classes.

    Most arguments are parts of a `ParsedSignature`; `nullable` are the arguments without a default
    that are None if there is nothing to pass.
    """
    optional = arg_defaults.keys() | nullable
    spec_class = type(
        f"{func.__name__}_Spec",
        (ComponentSpec,),
        {
            "PARAMETERS": {
                name: ExecutionParameter(type=kind, optional=name in optional)
                for name, kind in (parameters or {}).items()
                if arg_formats[name] is ArgFormats.PARAMETER
            },
            "INPUTS": _channel_parameters(inputs, optional, json_compatible_inputs),
            "OUTPUTS": _channel_parameters(outputs, frozenset(), json_compatible_outputs),
            "TYPE_ANNOTATION": type_annotation,
            "__module__": func.__module__,
        },
    )
    executor_class = type(
        f"{func.__name__}_Executor",
        (base_executor_class,),
        {
            "_ARG_FORMATS": arg_formats,
            "_ARG_DEFAULTS": arg_defaults,
            "_FUNCTION": staticmethod(func),
            "_RETURNED_VALUES": return_values_optionality or {},
            "_RETURN_JSON_COMPAT_TYPEHINT": json_compatible_outputs or {},
            "_NULLABLE": nullable,
            "__module__": func.__module__,
        },
    )
    return type(
        func.__name__,
        (base_component_class,),
        {
            "SPEC_CLASS": spec_class,
            "EXECUTOR_SPEC": executor_spec_class(executor_class),
            "test_call": staticmethod(func),
            "__module__": func.__module__,
            "__qualname__": func.__qualname__,
            "__doc__": func.__doc__,
        },
    )


def _channel_parameters(
    types: Mapping[str, type[Artifact]] | None,
    optional: Iterable[str],
    json_hints: Mapping[str, Any] | None,
) -> dict[str, ChannelParameter]:
    made = {}
    for name, kind in (types or {}).items():
        made[name] = ChannelParameter(type=kind, optional=name in optional)
        if json_hints and name in json_hints:
            setattr(made[name], JSON_HINT, json_hints[name])
    return made
