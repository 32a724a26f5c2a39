"""Signatures of `@component` functions, read off their annotations."""

from __future__ import annotations

import enum
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from trainwright.dsl import annotations as _annotations
from trainwright.dsl.annotations import OutputDict, without_none
from trainwright.types import standard_artifacts
from trainwright.types.artifact import Artifact
from trainwright.types.classes import is_subclass
from trainwright.types.component_spec import ExecutionParameter
from trainwright.types.json_compat import is_json_compatible
from trainwright.types.value_artifact import ValueArtifact

_VALUE_ARTIFACTS: dict[Any, type[ValueArtifact]] = {
    bool: standard_artifacts.Boolean,
    int: standard_artifacts.Integer,
    float: standard_artifacts.Float,
    str: standard_artifacts.String,
    bytes: standard_artifacts.Bytes,
}
_SUBJECT = "Component declared as a typehint-annotated function"
# To a type checker these are aliases of what a function's body sees, not classes.
_words: Any = _annotations


class ArgFormats(enum.Enum):
    """In which form an argument of the function comes. The numbers are TFX's."""

    INPUT_ARTIFACT = 1
    OUTPUT_ARTIFACT = 2
    ARTIFACT_VALUE = 3
    PARAMETER = 4
    BEAM_PARAMETER = 5
    LIST_INPUT_ARTIFACTS = 6
    PREVIOUS_OUTPUT_ARTIFACTS = 7


class ParsedSignature(NamedTuple):
    """What the annotations say.

    Args:
        inputs: The artifact types of the inputs.
        outputs: The artifact types of the outputs, of the returned values too.
        parameters: The types of the parameters, Beam pipelines among them.
        arg_formats: In which form each argument comes, in the function's order.
        arg_defaults: The defaults of those that have one.
        returned_outputs: The returned values, and whether each may be None.
        json_typehints: The hints of inputs that are JSON values.
        return_json_typehints: The hints of returned values that are JSON.
    """

    inputs: dict[str, type[Artifact]]
    outputs: dict[str, type[Artifact]]
    parameters: dict[str, Any]
    arg_formats: dict[str, ArgFormats]
    arg_defaults: dict[str, Any]
    returned_outputs: dict[str, bool]
    json_typehints: dict[str, Any]
    return_json_typehints: dict[str, Any]


def parse_typehint_component_function(func: Callable[..., Any]) -> ParsedSignature:
    """Reads the annotations of a function; raises ValueError if one is wrong."""
    return parse_function(func)[0]


def parse_function(
    function: Callable[..., Any], local_names: Mapping[str, Any] | None = None
) -> tuple[ParsedSignature, frozenset[str]]:
    """The signature, and the arguments without a default that may be None all the same.

    Args:
        function: The function.
        local_names: What annotations that are strings may refer to beside the function's module.
    """
    assert_is_functype(function)
    argspec = inspect.getfullargspec(function)
    assert_no_varargs_varkw(argspec, _SUBJECT)
    hints = _type_hints(function, dict(local_names or {}))
    defaults = extract_arg_defaults(argspec)
    parser = _Parser(function, ParsedSignature({}, {}, {}, {}, defaults, {}, {}, {}))
    for name in (*argspec.args, *argspec.kwonlyargs):
        if name not in hints:
            raise ValueError(
                f"{_SUBJECT} must have all arguments annotated with typehints: "
                f"{function.__name__!r} says nothing of {name!r}. Write for example "
                f"{name}: Parameter[int] or {name}: InputArtifact[Examples]."
            )
        parser.take_argument(name, hints[name])
    parser.take_returned(hints.get("return"))
    return parser.parsed, frozenset(parser.nullable)


def assert_is_functype(func: Any) -> None:
    """Raises ValueError unless it is a plain Python function."""
    if not isinstance(func, types.FunctionType):
        raise ValueError(f"Expected a typehint-annotated Python function (got {func} instead).")


def assert_no_varargs_varkw(
    argspec: inspect.FullArgSpec, subject_message: str | None = None
) -> None:
    """Raises ValueError if a function takes *args or **kwargs."""
    if argspec.varargs or argspec.varkw:
        raise ValueError(
            f"{subject_message or 'The function'} does not support *args or **kwargs arguments: "
            f"name each argument instead of {argspec.varargs or argspec.varkw!r}."
        )


def assert_is_top_level_func(func: Callable[..., Any]) -> None:
    """Raises ValueError if a function is defined in another one or in a class."""
    if "<locals>" in func.__qualname__.split("."):
        raise ValueError(
            "The decorator can only be applied to a function defined at the module level. It "
            "cannot be used to construct a component for a function defined in a nested class or "
            "function closure."
        )


def extract_arg_defaults(argspec: inspect.FullArgSpec) -> dict[str, Any]:
    """The defaults of those arguments that have one."""
    defaults = argspec.defaults or ()
    with_default = argspec.args[len(argspec.args) - len(defaults) :]
    return {**dict(zip(with_default, defaults, strict=True)), **(argspec.kwonlydefaults or {})}


def parse_parameter_arg(
    arg: str,
    arg_defaults: Mapping[str, Any],
    arg_typehint: Any,
    parameters: dict[str, Any],
    arg_formats: dict[str, ArgFormats],
) -> None:
    """Adds an argument that is a `Parameter[T]` to the parameters and the formats."""
    kind, _ = without_none(arg_typehint.type)
    default = arg_defaults.get(arg)
    if default is not None and not _is_value_of(kind, default):
        raise ValueError(
            f"The default value for optional parameter {arg} on function must be an instance of "
            f"its declared type {kind} or `None`, got {default!r}"
        )
    parameters[arg] = kind
    arg_formats[arg] = ArgFormats.PARAMETER


def _is_value_of(kind: Any, value: Any) -> bool:
    try:
        ExecutionParameter(type=kind).convert("", value)
    except TypeError:
        return False
    return True


def _type_hints(function: Callable[..., Any], local_names: dict[str, Any]) -> dict[str, Any]:
    scope = {**function.__globals__, **local_names}
    hints = {}
    for name, hint in function.__annotations__.items():
        try:
            # An annotation such as OutputDict(...) is an object that typing would not evaluate.
            value = eval(hint, scope) if isinstance(hint, str) else hint  # noqa: S307  the user's
            hints[name] = _evaluate_parts(value, scope)
        except Exception as error:  # whatever the annotation's text raises
            place = "result" if name == "return" else f"argument {name!r}"
            raise ValueError(
                f"Component function {function.__name__!r}: the annotation {hint!r} of its {place} "
                f"cannot be read: {error}."
            ) from error
    return hints


def _evaluate_parts(hint: Any, scope: dict[str, Any]) -> Any:
    """A hint whose parts may be strings, such as `Optional["Report"]`."""
    if typing.get_origin(hint) is None:
        return hint
    holder = types.SimpleNamespace(__annotations__={"hint": hint})
    return typing.get_type_hints(holder, scope, include_extras=True)["hint"]


class _Parser:
    """Adds one argument or result after the other to a signature."""

    def __init__(self, function: Callable[..., Any], parsed: ParsedSignature) -> None:
        self._function = function
        self.parsed = parsed
        self.nullable: set[str] = set()

    def take_argument(self, name: str, hint: Any) -> None:
        inner, allows_none = without_none(getattr(hint, "type", hint))
        if allows_none and name not in self.parsed.arg_defaults:
            self.nullable.add(name)
        if isinstance(hint, _words.InputArtifact):
            self._take_input_artifact(name, inner)
        elif isinstance(hint, _words.OutputArtifact):
            self._take_output_artifact(name, inner)
        elif isinstance(hint, _words.Parameter):
            parsed = self.parsed
            parse_parameter_arg(
                name, parsed.arg_defaults, hint, parsed.parameters, parsed.arg_formats
            )
        elif isinstance(hint, _words.BeamComponentParameter):
            if self.parsed.arg_defaults.get(name) is not None:
                raise ValueError("The default value for BeamComponentParameter must be None.")
            self.parsed.parameters[name] = hint.type
            self.parsed.arg_formats[name] = ArgFormats.BEAM_PARAMETER
        elif inner in _VALUE_ARTIFACTS:
            self._take_value(name, inner)
        elif is_json_compatible(hint):
            self.parsed.json_typehints[name] = hint
            self.parsed.inputs[name] = standard_artifacts.JsonValue
            self.parsed.arg_formats[name] = ArgFormats.ARTIFACT_VALUE
        else:
            self._refuse(name, hint)

    def _take_input_artifact(self, name: str, inner: Any) -> None:
        default = self.parsed.arg_defaults.get(name)
        if default is not None:
            raise ValueError(
                "If an input artifact is declared as an optional argument, its default value must "
                f"be `None` (got default value {default!r} for input argument {name!r} of "
                f"{self._function!r} instead)."
            )
        is_list = typing.get_origin(inner) is list
        self.parsed.inputs[name] = typing.get_args(inner)[0] if is_list else inner
        self.parsed.arg_formats[name] = (
            ArgFormats.LIST_INPUT_ARTIFACTS if is_list else ArgFormats.INPUT_ARTIFACT
        )

    def _take_output_artifact(self, name: str, inner: Any) -> None:
        if name in self.parsed.arg_defaults:
            raise ValueError(
                "Output artifact of component function cannot be declared as optional (error for "
                f"argument {name!r} of {self._function!r})."
            )
        self.parsed.outputs[name] = inner
        self.parsed.arg_formats[name] = ArgFormats.OUTPUT_ARTIFACT

    def _take_value(self, name: str, kind: Any) -> None:
        default = self.parsed.arg_defaults.get(name)
        is_number = kind is float and isinstance(default, int)
        if default is not None and not isinstance(default, kind) and not is_number:
            raise ValueError(
                f"The default value for optional input value {name!r} on function "
                f"{self._function!r} must be an instance of its declared type {kind!r} or `None` "
                f"(got {default!r} instead)"
            )
        self.parsed.inputs[name] = _VALUE_ARTIFACTS[kind]
        self.parsed.arg_formats[name] = ArgFormats.ARTIFACT_VALUE

    def _refuse(self, name: str, hint: Any) -> None:
        place = f"for argument {name!r} on function {self._function!r}"
        if is_subclass(hint, Artifact):
            raise ValueError(
                f"Invalid type hint annotation {place}. Argument with an artifact class typehint "
                "annotation should indicate whether it is used as an input or output artifact by "
                "using the `InputArtifact[ArtifactType]` or `OutputArtifact[ArtifactType]` "
                "typehint annotations."
            )
        if typing.get_origin(hint) is _words.AsyncOutputArtifact:
            raise ValueError(
                f"AsyncOutputArtifact cannot be used {place}: an output is published when the "
                "function has returned. Use OutputArtifact[ArtifactType]."
            )
        raise ValueError(
            f"Unknown type hint annotation {place}: {hint!r}. Expected InputArtifact[...], "
            "OutputArtifact[...], Parameter[...], or int, float, str, bool, bytes, dict[str, ...] "
            "or list[...] for the value of an input artifact."
        )

    def take_returned(self, hint: Any) -> None:
        for name, value_hint in _returned_hints(self._function, hint).items():
            if name in self.parsed.arg_formats:
                raise ValueError(
                    f"Component function {self._function.__name__!r} has both an argument and a "
                    f"result {name!r}."
                )
            inner, allows_none = without_none(value_hint)
            if inner in _VALUE_ARTIFACTS:
                kind = _VALUE_ARTIFACTS[inner]
            elif is_json_compatible(value_hint):
                kind = standard_artifacts.JsonValue
                self.parsed.return_json_typehints[name] = value_hint
                allows_none = type(None) in typing.get_args(value_hint)
            elif inner in (list, dict):
                kind = standard_artifacts.JsonValue
            else:
                self._refuse_returned(name, value_hint)
            self.parsed.outputs[name] = kind
            self.parsed.returned_outputs[name] = allows_none

    def _refuse_returned(self, name: str, hint: Any) -> typing.NoReturn:
        is_artifact = is_subclass(hint, Artifact)
        if is_artifact or isinstance(hint, _words.OutputArtifact):
            raise ValueError(
                f"@component {self._function.__name__} output artifact {name!r} should be declared "
                f"as a function parameter `{name}: tfx.v1.dsl.components.OutputArtifact[T]` where "
                "T is a subclass of `tfx.v1.dsl.Artifact`. They should not be declared as part of "
                "the return value output dict."
            )
        raise ValueError(
            f"Unknown type hint annotation {hint!r} for returned output {name!r} on function "
            f"{self._function!r}. It can be int, float, str, bool, bytes, list or dict."
        )


def _returned_hints(function: Callable[..., Any], hint: Any) -> Mapping[str, Any]:
    if hint is None or hint is type(None):
        return {}
    if isinstance(hint, OutputDict):
        return hint.kwargs
    if typing.is_typeddict(hint):
        return typing.get_type_hints(hint)
    raise ValueError(
        f"Return type annotation of @component {function.__name__} should be TypedDict or None. "
        f"OutputDict(name=type, ...) is possible, too; got {hint!r}."
    )
