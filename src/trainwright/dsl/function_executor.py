"""FunctionExecutor: calls the function of an `@component` with what its signature asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor, ExecutorContext
from trainwright.dsl.function_signature import Argument, ArgumentKind, FunctionSignature
from trainwright.types.value_artifact import ValueArtifact


class FunctionExecutor(BaseExecutor):
    """Gathers the arguments, calls the function, writes what it returned."""

    def __init__(
        self,
        function: Callable[..., Any],
        signature: FunctionSignature,
        context: ExecutorContext | None = None,
    ) -> None:
        super().__init__(context)
        self._function = function
        self._signature = signature

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        arguments = {}
        for name, argument in self._signature.arguments.items():
            if argument.kind is ArgumentKind.PARAMETER:
                if name in exec_properties:
                    arguments[name] = exec_properties[name]
                elif argument.none_if_missing:
                    arguments[name] = None
            elif argument.kind is ArgumentKind.OUTPUT_ARTIFACT:
                arguments[name] = _only(name, output_dict[name])
            elif input_dict.get(name):
                arguments[name] = _input(name, argument, input_dict[name])
            elif argument.none_if_missing:
                arguments[name] = None
        self._write_returned(self._function(**arguments), output_dict)

    def _write_returned(self, returned: Any, output_dict: ArtifactDict) -> None:
        name = self._function.__name__
        expected = self._signature.returned
        if not expected:
            return
        if not isinstance(returned, dict):
            raise ValueError(
                f"{name!r} should return a dict with {sorted(expected)}, it returned {returned!r}."
            )
        unknown = sorted(set(returned) - set(expected))
        if unknown:
            raise ValueError(
                f"{name!r} returned {unknown}, which its OutputDict does not declare. "
                f"Declared: {sorted(expected)}."
            )
        for key in expected:
            value = returned.get(key)
            if value is None and key not in self._signature.optional_returns:
                raise ValueError(
                    f"{name!r} returned no value for {key!r}. Return one, or declare it "
                    "Optional in the OutputDict."
                )
            artifact = _only(key, output_dict[key])
            assert isinstance(artifact, ValueArtifact)
            try:
                artifact.write(_plain(value))
            except TypeError as error:
                raise TypeError(f"{name!r} returned a wrong {key!r}: {error}") from None


def _plain(value: Any) -> Any:
    """A NumPy scalar, or a TensorFlow one, as the Python value that it stands for."""
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        return value.item()
    return value


def _input(name: str, argument: Argument, artifacts: list[Any]) -> Any:
    if argument.kind is ArgumentKind.INPUT_ARTIFACT_LIST:
        return artifacts
    artifact = _only(name, artifacts)
    return artifact.read() if argument.kind is ArgumentKind.INPUT_VALUE else artifact


def _only(name: str, artifacts: list[Any]) -> Any:
    if len(artifacts) != 1:
        raise ValueError(
            f"Argument {name!r} takes one artifact, its channel holds {len(artifacts)}. "
            f"Declare it as InputArtifact[list[...]] to get all of them."
        )
    return artifacts[0]
