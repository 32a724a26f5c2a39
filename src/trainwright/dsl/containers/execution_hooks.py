"""Hooks around an execution: whether a function fits the component that it is given to."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from trainwright.dsl.annotations import without_none
from trainwright.dsl.function_signature import assert_is_top_level_func
from trainwright.types import standard_artifacts
from trainwright.types.component_spec import ChannelParameter, ComponentSpec
from trainwright.types.json_compat import is_json_compatible
from trainwright.types.value_artifact import ValueArtifact

if TYPE_CHECKING:
    from google.protobuf.message import Message

_VALUE_TYPES: dict[type[ValueArtifact], type] = {
    standard_artifacts.Integer: int,
    standard_artifacts.Float: float,
    standard_artifacts.String: str,
    standard_artifacts.Bytes: bytes,
    standard_artifacts.Boolean: bool,
}
_CONTEXT_CLASS = "ExecutionContext"


def hook_spec(function: Callable[..., Any] | None) -> Message | None:
    """The message that names a hook; it must be importable, so it stands at the top of a module."""
    if function is None:
        return None
    from trainwright.proto.orchestration import executable_spec_pb2

    assert_is_top_level_func(function)
    path = f"{function.__module__}.{function.__qualname__}"
    return executable_spec_pb2.PythonClassExecutableSpec(class_path=path)


def check_hook(spec: type[ComponentSpec], function: Callable[..., Any] | None) -> None:
    """Raises an error unless the arguments of a hook are parts of the spec, with their types.

    Raises:
        TypeError: if an argument has no annotation, or another than the spec asks for.
        AttributeError: if an argument is not part of the spec.
    """
    for name, parameter in inspect.signature(function).parameters.items() if function else ():
        hint = parameter.annotation
        if hint is parameter.empty:
            raise TypeError(f'Execution hook function parameter "{name}" should be annotated.')
        if getattr(hint, "__name__", None) == _CONTEXT_CLASS:
            continue
        allowed = _allowed_types(spec, name, hint)
        if allowed is None:
            raise AttributeError(
                f"Unsupported parameter {name}: {hint} from the executable function "
                f"{getattr(function, '__name__', function)}. Parameter should be inputs or outputs "
                "of the component, or the ExecutionContext variable."
            )
        if hint not in allowed:
            raise TypeError(
                f"Parameter type mismatched {name}: {hint} from the executable function "
                f"{getattr(function, '__name__', function)}. The allowed types are {allowed}."
            )


def _allowed_types(spec: type[ComponentSpec], name: str, hint: Any) -> list[Any] | None:
    """What an argument of this name may be annotated with; None if the spec has no such name."""
    if name in spec.INPUTS:
        return _input_types(spec.INPUTS[name], hint)
    if name in spec.OUTPUTS:
        channel = spec.OUTPUTS[name]
        return [] if issubclass(channel.type, ValueArtifact) else _artifact_types(channel)
    if name in spec.PARAMETERS:
        parameter = spec.PARAMETERS[name]
        return [_optional(parameter.type, parameter.optional)]
    return None


def _input_types(channel: ChannelParameter, hint: Any) -> list[Any]:
    if not issubclass(channel.type, ValueArtifact):
        return _artifact_types(channel)
    if channel.type in _VALUE_TYPES:
        return [_optional(_VALUE_TYPES[channel.type], channel.optional)]
    inner, is_optional = without_none(hint)
    fits = is_json_compatible(inner) and is_optional == channel.optional
    return [hint] if fits else ["Optional[JsonableType]" if channel.optional else "JsonableType"]


def _artifact_types(channel: ChannelParameter) -> list[Any]:
    return [list[channel.type], _optional(channel.type, channel.optional)]  # type: ignore[name-defined]


def _optional(kind: Any, is_optional: bool) -> Any:
    return typing.Optional[kind] if is_optional else kind  # noqa: UP045  a value, not an annotation
