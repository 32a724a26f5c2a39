"""FunctionSignature: what an `@component` function takes and gives, read off its annotations."""

from __future__ import annotations

import enum
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from trainwright.dsl.annotations import InputArtifact, OutputArtifact, OutputDict, Parameter
from trainwright.types import standard_artifacts
from trainwright.types.artifact import Artifact
from trainwright.types.value_artifact import ValueArtifact

_VALUE_ARTIFACTS: dict[Any, type[ValueArtifact]] = {
    bool: standard_artifacts.Boolean,
    int: standard_artifacts.Integer,
    float: standard_artifacts.Float,
    str: standard_artifacts.String,
    bytes: standard_artifacts.Bytes,
}
_PARAMETER_TYPES = (bool, int, float, str, list, dict)


class ArgumentKind(enum.Enum):
    """Where an argument of the function comes from."""

    INPUT_ARTIFACT = "an input artifact"
    INPUT_ARTIFACT_LIST = "all input artifacts of a channel"
    INPUT_VALUE = "the value of an input artifact"
    OUTPUT_ARTIFACT = "an output artifact"
    PARAMETER = "a parameter"


@dataclass(frozen=True, kw_only=True)
class Argument:
    """One argument: its kind, its artifact type (or Python type for a parameter), its default."""

    kind: ArgumentKind
    type: Any
    optional: bool = False


@dataclass(frozen=True, kw_only=True)
class FunctionSignature:
    """The arguments by name, and the artifact types of the returned values by name."""

    arguments: Mapping[str, Argument]
    returned: Mapping[str, type[ValueArtifact]] = field(default_factory=dict)
    optional_returns: frozenset[str] = frozenset()

    def of_kind(self, *kinds: ArgumentKind) -> dict[str, Argument]:
        return {name: arg for name, arg in self.arguments.items() if arg.kind in kinds}


def parse_signature(
    function: Callable[..., Any], local_names: Mapping[str, Any] | None = None
) -> FunctionSignature:
    """Reads the annotations; raises with the function's and the argument's name if one is wrong."""
    hints = _type_hints(function, dict(local_names or {}))
    signature = inspect.signature(function)
    arguments = {}
    for name, parameter in signature.parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise ValueError(f"{_title(function)} cannot take *args or **kwargs (got {name!r}).")
        if name not in hints:
            raise ValueError(
                f"{_title(function)} needs an annotation for argument {name!r}, for example "
                f"{name}: Parameter[int] or {name}: InputArtifact[Examples]."
            )
        has_default = parameter.default is not parameter.empty
        arguments[name] = _parse_argument(function, name, hints[name], has_default)
    returned, optional = _parse_returned(function, hints.get("return"))
    for name in returned:
        if name in arguments:
            raise ValueError(f"{_title(function)} has both an argument and a result {name!r}.")
    return FunctionSignature(arguments=arguments, returned=returned, optional_returns=optional)


def _title(function: Callable[..., Any]) -> str:
    return f"Component function {function.__name__!r}"


def _type_hints(function: Callable[..., Any], local_names: dict[str, Any]) -> dict[str, Any]:
    raw = getattr(function, "__annotations__", {})
    # OutputDict(...) is an object, which typing would refuse; strings still need evaluation.
    returned = raw.get("return")
    scope = {**function.__globals__, **local_names}
    if isinstance(returned, str):
        returned = eval(returned, scope)  # noqa: S307  the user's own annotation
    stub = types.FunctionType(function.__code__, scope)
    stub.__annotations__ = {name: hint for name, hint in raw.items() if name != "return"}
    hints = typing.get_type_hints(stub, scope, include_extras=True)
    if returned is not None:
        hints["return"] = returned
    return hints


def _parse_argument(
    function: Callable[..., Any], name: str, hint: Any, has_default: bool
) -> Argument:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is InputArtifact:
        return _parse_input_artifact(function, name, inner[0], has_default)
    if origin is OutputArtifact:
        artifact_type = _check_artifact(function, name, inner[0])
        return Argument(kind=ArgumentKind.OUTPUT_ARTIFACT, type=artifact_type)
    if origin is Parameter:
        kind = _without_none(inner[0])[0]
        base = typing.get_origin(kind) or kind
        if base not in _PARAMETER_TYPES and not hasattr(base, "DESCRIPTOR"):
            raise ValueError(
                f"{_title(function)}: parameter {name!r} must be int, float, str, bool, a list, a "
                f"dict or a proto, got {kind!r}."
            )
        return Argument(kind=ArgumentKind.PARAMETER, type=kind, optional=has_default)
    value_type, allows_none = _without_none(hint)
    if value_type in _VALUE_ARTIFACTS:
        return Argument(
            kind=ArgumentKind.INPUT_VALUE,
            type=_VALUE_ARTIFACTS[value_type],
            optional=has_default or allows_none,
        )
    raise ValueError(
        f"{_title(function)}: argument {name!r} has the annotation {hint!r}. Expected "
        "InputArtifact[...], OutputArtifact[...], Parameter[...], or int, float, str, bool or "
        "bytes for the value of an input artifact."
    )


def _parse_input_artifact(
    function: Callable[..., Any], name: str, inner: Any, has_default: bool
) -> Argument:
    inner, allows_none = _without_none(inner)
    is_list = typing.get_origin(inner) is list
    artifact_type = _check_artifact(function, name, typing.get_args(inner)[0] if is_list else inner)
    kind = ArgumentKind.INPUT_ARTIFACT_LIST if is_list else ArgumentKind.INPUT_ARTIFACT
    return Argument(kind=kind, type=artifact_type, optional=has_default or allows_none)


def _check_artifact(function: Callable[..., Any], name: str, artifact_type: Any) -> type[Artifact]:
    if isinstance(artifact_type, type) and issubclass(artifact_type, Artifact):
        return artifact_type
    raise ValueError(
        f"{_title(function)}: argument {name!r} must name a subclass of Artifact, "
        f"got {artifact_type!r}."
    )


def _without_none(hint: Any) -> tuple[Any, bool]:
    """Splits Optional[T] into T and whether None was allowed."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        rest = [option for option in typing.get_args(hint) if option is not type(None)]
        if len(rest) == 1:
            return rest[0], True
    return hint, False


def _parse_returned(
    function: Callable[..., Any], hint: Any
) -> tuple[dict[str, type[ValueArtifact]], frozenset[str]]:
    if hint is None or hint is type(None):
        return {}, frozenset()
    if isinstance(hint, OutputDict):
        fields = hint.types
    elif typing.is_typeddict(hint):
        fields = typing.get_type_hints(hint)
    else:
        raise ValueError(
            f"{_title(function)} may return nothing, OutputDict(name=type, ...) or a TypedDict; "
            f"its annotation is {hint!r}."
        )
    returned, optional = {}, set()
    for name, value_hint in fields.items():
        value_type, allows_none = _without_none(value_hint)
        base = typing.get_origin(value_type) or value_type
        if base in (list, dict):
            returned[name] = standard_artifacts.JsonValue
        elif base in _VALUE_ARTIFACTS:
            returned[name] = _VALUE_ARTIFACTS[base]
        else:
            raise ValueError(
                f"{_title(function)}: result {name!r} must be int, float, str, bool, bytes, list "
                f"or dict, got {value_hint!r}."
            )
        if allows_none:
            optional.add(name)
    return returned, frozenset(optional)
