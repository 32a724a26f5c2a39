"""ComponentSpec: the typed arguments of a component, checked when it is constructed."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any, ClassVar

from google.protobuf.message import Message

from trainwright._suggest import did_you_mean
from trainwright.proto import proto_json
from trainwright.types import json_utils
from trainwright.types.artifact import Artifact
from trainwright.types.channel import BaseChannel, check_artifact_type
from trainwright.types.placeholder import Placeholder
from trainwright.types.runtime_parameter import (
    RuntimeParameter,
    has_runtime_parameters,
    with_samples,
)
from trainwright.types.system_types import SystemExecution


class ChannelParameter:
    """An input or output of a component: artifacts of one type.

    `allow_empty` (for an optional input) lets the node run when the channel holds nothing.
    """

    def __init__(
        self,
        type: type[Artifact],
        optional: bool = False,
        allow_empty: bool | None = None,
    ) -> None:
        self.type = check_artifact_type(type)
        self.optional = optional
        self.allow_empty = optional if allow_empty is None else allow_empty

    def check(self, name: str, value: Any) -> None:
        if isinstance(value, Placeholder):
            raise TypeError(
                f"Argument {name} should be a Channel of type {self.type} and gets artifacts, not "
                f"a placeholder (got {value}). Leave out .future() and what comes after it."
            )
        if not isinstance(value, BaseChannel):
            raise TypeError(
                f"Argument {name} should be a Channel of type {self.type} (got {value!r}). "
                f"Pass a node's output, for example some_node.outputs[{name!r}]."
            )
        if value.type is not self.type and value.type_name != self.type.TYPE_NAME:
            raise TypeError(
                f"Argument {name} should be a Channel of type {self.type} (got {value.type})."
            )


class ExecutionParameter:
    """A value that an executor gets in `exec_properties`: a scalar, a container or a proto.

    A proto may be given as a dict or as JSON text; keys it does not know are refused.
    `use_proto` makes the executor get the proto itself and not its JSON. A placeholder
    (`channel.future()[0].value`) gets its value, and is checked again, just before the node runs.
    """

    def __init__(self, type: Any = None, optional: bool = False, use_proto: bool = False) -> None:
        self.type = type
        self.optional = optional
        self.use_proto = use_proto

    @property
    def proto_class(self) -> type[Message] | None:
        is_proto = isinstance(self.type, type) and issubclass(self.type, Message)
        return self.type if is_proto else None

    def convert(self, name: str, value: Any) -> Any:
        """Checks a value and brings it into the form that is stored and handed on."""
        if isinstance(value, RuntimeParameter):
            self._check_runtime_parameter(name, value)
            return value
        if isinstance(value, Placeholder):
            self._check_placeholder(name, value)
            return value
        _refuse_placeholders_within(name, value)
        if not isinstance(value, str) and has_runtime_parameters(value):
            # Checked now as far as it is known, and once more with the values of a run.
            self.convert(name, with_samples(value))
            return json_utils.dumps(value) if self.proto_class is not None else value
        if self.proto_class is not None:
            return self._convert_proto(name, value, self.proto_class)
        if self.type is not None and not _matches(value, self.type):
            raise TypeError(
                f"Expected type {self.type} for parameter {name!r} but got {value!r} instead."
            )
        return value

    def _check_runtime_parameter(self, name: str, value: RuntimeParameter) -> None:
        """Refuses one of a ptype that does not fit; a proto is given as its JSON."""
        if value.ptype is None or self.type is None:
            return
        expected = str if self.proto_class is not None else self.type
        if not _matches(value.ptype(), expected) and not (
            value.ptype is str and _is_json(expected)
        ):
            raise TypeError(
                f"Expected type {self.type} for parameter {name!r} but got {value!r} instead."
            )

    def _check_placeholder(self, name: str, value: Placeholder) -> None:
        """Refuses one whose value cannot be of the right type."""
        if value.value_type is Artifact:
            raise TypeError(
                f"Parameter {name!r} takes a value, and {value} is an artifact. Say what of it: "
                ".value, .uri, .property('name') or .custom_property('name')."
            )
        if value.value_type is bytes:
            raise TypeError(f"Parameter {name!r} cannot be bytes, which {value} is.")
        if value.value_type is None or self.type is None:
            return
        expected = str if self.proto_class is not None else self.type  # a proto as JSON
        if not _matches(value.value_type(), expected):
            raise TypeError(
                f"Expected type {self.type} for parameter {name!r} but got {value}, which is of "
                f"type {value.value_type.__name__}."
            )

    def _convert_proto(self, name: str, value: Any, proto_class: type[Message]) -> Any:
        if isinstance(value, proto_class):
            message = value
        elif isinstance(value, Mapping):
            message = proto_json.dict_to_proto(value, proto_class())
        elif isinstance(value, str):
            message = proto_json.json_to_proto(value, proto_class())
        else:
            raise TypeError(
                f"Expected type {proto_class} for parameter {name!r} but got {value!r} instead."
            )
        return message if self.use_proto else proto_json.proto_to_json(message)


def _is_json(expected: Any) -> bool:
    """Whether values of a type can be given as JSON."""
    return typing.get_origin(expected) in (list, dict) or expected in (list, dict, bool)


def _refuse_placeholders_within(name: str, value: Any) -> None:
    if not isinstance(value, (Mapping, list, tuple)):
        return
    for part in value.values() if isinstance(value, Mapping) else value:
        if isinstance(part, Placeholder):
            raise TypeError(
                f"Parameter {name!r} has the placeholder {part} in it. A placeholder must be all "
                "of a parameter's value: give it a parameter of its own."
            )
        _refuse_placeholders_within(name, part)


def _matches(value: Any, expected: Any) -> bool:
    """Whether a value is of a type, which may be a typing generic like list[str]."""
    if expected is Any:
        return True
    origin = typing.get_origin(expected)
    arguments = typing.get_args(expected)
    if origin is None:
        if expected is float:
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        if expected is int:
            return isinstance(value, int) and not isinstance(value, bool)
        return isinstance(value, expected) if isinstance(expected, type) else True
    if origin in (list, tuple):
        return isinstance(value, (list, tuple)) and all(
            not arguments or _matches(item, arguments[0]) for item in value
        )
    if origin is dict:
        return isinstance(value, dict) and all(
            not arguments or (_matches(key, arguments[0]) and _matches(item, arguments[1]))
            for key, item in value.items()
        )
    return any(_matches(value, argument) for argument in arguments)  # a union


class ComponentSpec:
    """Declares what a component takes and gives. Subclasses fill the three tables.

    >>> from trainwright.types import standard_artifacts
    >>> class CountSpec(ComponentSpec):
    ...     PARAMETERS = {"limit": ExecutionParameter(type=int, optional=True)}
    ...     INPUTS = {"examples": ChannelParameter(type=standard_artifacts.Examples)}
    ...     OUTPUTS = {"count": ChannelParameter(type=standard_artifacts.Integer)}
    >>> CountSpec(limit=3)
    Traceback (most recent call last):
    ...
    ValueError: Missing argument 'examples' to <class 'trainwright.types.component_spec.CountSpec'>.
    """

    PARAMETERS: ClassVar[Mapping[str, ExecutionParameter]] = {}
    INPUTS: ClassVar[Mapping[str, ChannelParameter]] = {}
    OUTPUTS: ClassVar[Mapping[str, ChannelParameter]] = {}
    TYPE_ANNOTATION: ClassVar[type[SystemExecution] | None] = None

    def __init__(self, **arguments: Any) -> None:
        known = {**self.PARAMETERS, **self.INPUTS, **self.OUTPUTS}
        for name in arguments:
            if name not in known:
                raise ValueError(
                    f"Unknown argument {name!r} to {type(self)}{did_you_mean(name, known)}"
                )
        self.exec_properties = self._take_parameters(arguments)
        self.inputs = self._take_channels(self.INPUTS, arguments)
        self.outputs = self._take_channels(self.OUTPUTS, arguments, made_later=True)

    def _take_parameters(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        taken: dict[str, Any] = {}
        for name, parameter in self.PARAMETERS.items():
            value = arguments.get(name)
            if value is None:
                if not parameter.optional:
                    raise ValueError(f"Missing argument {name!r} to {type(self)}.")
                if name not in arguments:
                    continue
                taken[name] = None
            else:
                taken[name] = parameter.convert(name, value)
        return taken

    def _take_channels(
        self,
        parameters: Mapping[str, ChannelParameter],
        arguments: Mapping[str, Any],
        made_later: bool = False,
    ) -> dict[str, BaseChannel]:
        taken: dict[str, BaseChannel] = {}
        for name, parameter in parameters.items():
            value = arguments.get(name)
            if value is None:
                # An output that is not given is created by the component that owns the spec.
                if not (parameter.optional or made_later):
                    raise ValueError(f"Missing argument {name!r} to {type(self)}.")
                continue
            parameter.check(name, value)
            taken[name] = value
        return taken

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(inputs={self.inputs}, exec_properties={self.exec_properties})"
        )
