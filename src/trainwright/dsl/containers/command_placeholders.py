"""Placeholders in a container's command, for values that are known when the node runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trainwright.types.component_spec import ComponentSpec
from trainwright.types.json_utils import Jsonable
from trainwright.types.placeholders import artifact_placeholder, runtime_placeholders
from trainwright.types.placeholders.placeholder import Placeholder
from trainwright.types.placeholders.placeholder_operators import Concatenation


class _Comparable(Jsonable):
    """Equal to another of its class with the same attributes."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash((type(self), str(vars(self))))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(repr(value) for value in vars(self).values())})"


class InputValuePlaceholder(_Comparable):
    """The value of a parameter, or of an input that is a value artifact (String, Integer, ...)."""

    def __init__(self, input_name: str) -> None:
        self.input_name = input_name


class InputUriPlaceholder(_Comparable):
    """The path of an input artifact."""

    def __init__(self, input_name: str) -> None:
        self.input_name = input_name


class OutputUriPlaceholder(_Comparable):
    """The path at which the command puts an output artifact."""

    def __init__(self, output_name: str) -> None:
        self.output_name = output_name


class ConcatPlaceholder(_Comparable):
    """One argument from several parts, strings and placeholders."""

    def __init__(self, items: Sequence[CommandlineArgumentType]) -> None:
        self.items = items


CommandlineArgumentType = (
    str | InputValuePlaceholder | InputUriPlaceholder | OutputUriPlaceholder | ConcatPlaceholder
)


def as_placeholder(argument: Any, spec: ComponentSpec | type[ComponentSpec] | None) -> Any:
    """An argument as a string, or as a placeholder that can be resolved and encoded.

    Args:
        argument: A string, one of the placeholders above, or one of `tfx.v1.dsl.placeholders`.
        spec: What has the inputs, outputs and parameters; without it names are not checked.
    """
    if isinstance(argument, (str, Placeholder)):
        return argument
    if isinstance(argument, InputValuePlaceholder):
        return _input_value(argument.input_name, spec)
    if isinstance(argument, InputUriPlaceholder):
        if spec is not None and argument.input_name not in spec.INPUTS:
            raise ValueError(
                "For InputUriPlaceholder, input name must be in component's INPUTS. "
                f"{argument.input_name!r} is not: they are {sorted(spec.INPUTS)}."
            )
        return artifact_placeholder.input(argument.input_name)[0].uri
    if isinstance(argument, OutputUriPlaceholder):
        if spec is not None and argument.output_name not in spec.OUTPUTS:
            raise ValueError(
                "For OutputUriPlaceholder, output name must be in component's OUTPUTS. "
                f"{argument.output_name!r} is not: they are {sorted(spec.OUTPUTS)}."
            )
        return artifact_placeholder.output(argument.output_name)[0].uri
    if isinstance(argument, ConcatPlaceholder):
        parts = [as_placeholder(item, spec) for item in argument.items]
        only_text = all(isinstance(part, str) for part in parts)
        return "".join(parts) if only_text else Concatenation(parts)
    raise TypeError(
        f'Unsupported type of placeholder arguments: "{type(argument)}". Supported types are '
        f"{CommandlineArgumentType}."
    )


def _input_value(name: str, spec: ComponentSpec | type[ComponentSpec] | None) -> Placeholder:
    if spec is None:
        raise ValueError("Requires component spec to encode InputValuePlaceholder.")
    if name in spec.INPUTS:
        return artifact_placeholder.input(name)[0].value
    if name in spec.PARAMETERS:
        return runtime_placeholders.exec_property(name)
    raise ValueError(
        "For InputValuePlaceholder, input name must be in component's INPUTS or PARAMETERS. "
        f"{name!r} is not: they are {sorted([*spec.INPUTS, *spec.PARAMETERS])}."
    )
