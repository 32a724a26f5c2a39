"""FunctionExecutor: calls the function of an `@component` with what its signature asks for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from trainwright.dsl.base_beam_executor import BaseBeamExecutor
from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor
from trainwright.dsl.function_signature import ArgFormats
from trainwright.types.artifact import Artifact
from trainwright.types.json_compat import check_strict_json_compat
from trainwright.types.value_artifact import ValueArtifact

_logger = logging.getLogger(__name__)


def _no_function() -> None:
    """What a subclass replaces."""


class FunctionExecutor(BaseExecutor):
    """Gathers the arguments, calls the function, writes what it returned.

    Each function has a subclass, whose attributes are parts of its signature. A unit test may call
    it: `my_component.EXECUTOR_SPEC.executor_class().Do(inputs, outputs, properties)`.
    """

    _ARG_FORMATS: ClassVar[Mapping[str, ArgFormats]] = {}
    _ARG_DEFAULTS: ClassVar[Mapping[str, Any]] = {}
    _FUNCTION: ClassVar[Callable[..., Any]] = staticmethod(_no_function)
    _RETURNED_VALUES: ClassVar[Mapping[str, bool]] = {}
    _RETURN_JSON_COMPAT_TYPEHINT: ClassVar[Mapping[str, Any]] = {}
    # Arguments without a default that are None if there is nothing to pass.
    _NULLABLE: ClassVar[frozenset[str]] = frozenset()

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        sources = {
            ArgFormats.INPUT_ARTIFACT: input_dict,
            ArgFormats.LIST_INPUT_ARTIFACTS: input_dict,
            ArgFormats.ARTIFACT_VALUE: input_dict,
            ArgFormats.OUTPUT_ARTIFACT: output_dict,
        }
        arguments: dict[str, Any] = {}
        for name, form in self._ARG_FORMATS.items():
            if form is ArgFormats.BEAM_PARAMETER:
                arguments[name] = self._make_beam_argument()
            elif form is ArgFormats.PARAMETER:
                self._pass_parameter(name, exec_properties, arguments)
            elif form in sources:
                self._pass_artifacts(name, form, sources[form].get(name, []), arguments)
            else:
                raise ValueError(f"Unknown argument format: {form!r}")
        self._write_returned(type(self)._FUNCTION(**arguments), output_dict)

    def _make_beam_argument(self) -> Any:
        return None

    def _pass_parameter(
        self, name: str, properties: Mapping[str, Any], arguments: dict[str, Any]
    ) -> None:
        if name in properties:
            arguments[name] = properties[name]
        elif name in self._NULLABLE:
            arguments[name] = None
        elif name not in self._ARG_DEFAULTS:
            raise ValueError(
                f"Expected non-optional parameter {name!r} of {self} to be provided, but no value "
                "was passed."
            )

    def _pass_artifacts(
        self, name: str, form: ArgFormats, found: list[Any], arguments: dict[str, Any]
    ) -> None:
        if form is ArgFormats.LIST_INPUT_ARTIFACTS and (found or name not in self._NULLABLE):
            arguments[name] = found
        elif len(found) == 1:
            [artifact] = found
            arguments[name] = artifact.read() if form is ArgFormats.ARTIFACT_VALUE else artifact
        elif not found and name in self._NULLABLE:
            arguments[name] = None
        elif found or name not in self._ARG_DEFAULTS:
            kind = "output" if form is ArgFormats.OUTPUT_ARTIFACT else "input"
            raise ValueError(
                f"Expected {kind} {name!r} to {self} to be a singleton ValueArtifact channel (got "
                f"{found} instead). The argument takes one artifact, its channel holds "
                f"{len(found)}: declare it as InputArtifact[list[...]] to get all of them."
            )

    def _write_returned(self, returned: Any, output_dict: ArtifactDict) -> None:
        name = type(self)._FUNCTION.__name__
        expected = self._RETURNED_VALUES
        if not expected:
            return
        returned = {} if returned is None else returned
        if not isinstance(returned, dict):
            raise ValueError(
                f"Expected component executor function {name!r} to return a dict of outputs (got "
                f"{returned!r} instead). It declares {sorted(expected)}."
            )
        for key in sorted(returned.keys() - expected.keys(), key=str):
            _logger.warning(
                "%r returned %r, which it does not declare as an output: it is not kept.", name, key
            )
        for key, may_be_none in expected.items():
            if returned.get(key) is None and not may_be_none:
                raise ValueError(self._missing(key, returned))
            self._write(key, _plain(returned.get(key)), output_dict[key])

    def _missing(self, key: str, returned: Mapping[str, Any]) -> str:
        function = f"component executor function {type(self)._FUNCTION.__name__!r}"
        advice = "Return one, or declare it Optional."
        if key in returned:
            return (
                f"Non-nullable output {key!r} received None return value from {function}. {advice}"
            )
        return f"Did not receive expected output {key!r} as return value from {function}. {advice}"

    def _write(self, key: str, value: Any, artifacts: list[Artifact]) -> None:
        [artifact] = artifacts
        assert isinstance(artifact, ValueArtifact), "_RETURNED_VALUES names only such"
        hint = self._RETURN_JSON_COMPAT_TYPEHINT.get(key)
        if hint is not None and not check_strict_json_compat(value, hint):
            raise TypeError(
                f"Return value {value!r} for output {key!r} is incompatible with output type "
                f"{hint!r}."
            )
        try:
            artifact.write(value)
        except TypeError as error:
            raise TypeError(
                f"Return value {value!r} for output {key!r} is incompatible with output type "
                f"{type(artifact)!r}. {type(self)._FUNCTION.__name__!r} returned it: {error}"
            ) from None


class FunctionBeamExecutor(BaseBeamExecutor, FunctionExecutor):
    """Calls a function under `@component(use_beam=True)`, which gets a Beam pipeline."""

    def _make_beam_argument(self) -> Any:
        return self._make_beam_pipeline()


def _plain(value: Any) -> Any:
    """A NumPy scalar, or a TensorFlow one, as the Python value that it stands for."""
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        return value.item()
    return value
