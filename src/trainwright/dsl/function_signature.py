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
from trainwright.types.component_spec import ExecutionParameter
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
    """One argument: its kind, its artifact type (or Python type for a parameter), and whether it
    may be left out: then the function's default counts, or None if it has no default."""

    kind: ArgumentKind
    type: Any
    optional: bool = False
    none_if_missing: bool = False


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
    if not isinstance(function, types.FunctionType):
        raise TypeError(f"@component expects a function with annotations, got {function!r}.")
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
        arguments[name] = _parse_argument(function, parameter, hints[name])
    returned, optional = _parse_returned(function, hints.get("return"))
    for name in returned:
        if name in arguments:
            raise ValueError(f"{_title(function)} has both an argument and a result {name!r}.")
    return FunctionSignature(arguments=arguments, returned=returned, optional_returns=optional)


def _title(function: Callable[..., Any]) -> str:
    return f"Component function {function.__name__!r}"


def _type_hints(function: Callable[..., Any], local_names: dict[str, Any]) -> dict[str, Any]:
    scope = {**function.__globals__, **local_names}
    hints = {}
    for name, hint in function.__annotations__.items():
        try:
            hints[name] = _evaluate(name, hint, scope)
        except Exception as error:  # whatever the annotation's text raises
            place = "result" if name == "return" else f"argument {name!r}"
            raise ValueError(
                f"{_title(function)}: the annotation {hint!r} of its {place} cannot be read: "
                f"{error}."
            ) from error
    return hints


def _evaluate(name: str, hint: Any, scope: dict[str, Any]) -> Any:
    if name == "return":
        # OutputDict(...) is an object, which typing would refuse; a string still needs evaluation.
        return eval(hint, scope) if isinstance(hint, str) else hint  # noqa: S307  the user's own
    holder = types.SimpleNamespace(__annotations__={name: hint})
    return typing.get_type_hints(holder, scope, include_extras=True)[name]


def _parse_argument(
    function: Callable[..., Any], parameter: inspect.Parameter, hint: Any
) -> Argument:
    name = parameter.name
    has_default = parameter.default is not parameter.empty
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is InputArtifact:
        return _parse_input_artifact(function, name, inner[0], has_default)
    if origin is OutputArtifact:
        artifact_type = _check_artifact(function, name, inner[0])
        return Argument(kind=ArgumentKind.OUTPUT_ARTIFACT, type=artifact_type)
    if origin is Parameter:
        kind, allows_none = _without_none(inner[0])
        base = typing.get_origin(kind) or kind
        if base not in _PARAMETER_TYPES and not hasattr(base, "DESCRIPTOR"):
            raise ValueError(
                f"{_title(function)}: parameter {name!r} must be int, float, str, bool, a list, a "
                f"dict or a proto, got {kind!r}."
            )
        if has_default and parameter.default is not None:
            _check_default(function, name, kind, parameter.default)
        return Argument(
            kind=ArgumentKind.PARAMETER,
            type=kind,
            optional=has_default or allows_none,
            none_if_missing=allows_none and not has_default,
        )
    value_type, allows_none = _without_none(hint)
    if value_type in _VALUE_ARTIFACTS:
        return Argument(
            kind=ArgumentKind.INPUT_VALUE,
            type=_VALUE_ARTIFACTS[value_type],
            optional=has_default or allows_none,
            none_if_missing=allows_none and not has_default,
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
    return Argument(
        kind=kind,
        type=artifact_type,
        optional=has_default or allows_none,
        none_if_missing=allows_none and not has_default,
    )


def _check_default(function: Callable[..., Any], name: str, kind: Any, default: Any) -> None:
    try:
        ExecutionParameter(type=kind).convert(name, default)
    except TypeError:
        raise ValueError(
            f"{_title(function)}: the default of parameter {name!r} must be None or of type "
            f"{kind!r}, got {default!r}."
        ) from None


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
    returned: dict[str, type[ValueArtifact]] = {}
    optional: set[str] = set()
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
