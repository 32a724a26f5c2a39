"""ComponentSpec: the typed arguments of a component, checked when it is constructed."""

from __future__ import annotations

import builtins
import itertools
import sys
import typing
from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

from google.protobuf import json_format
from google.protobuf.message import Message

from trainwright._suggest import did_you_mean
from trainwright.proto import proto_json
from trainwright.types import json_utils
from trainwright.types.artifact import Artifact
from trainwright.types.channel import BaseChannel, Channel, OutputChannel, check_artifact_type
from trainwright.types.classes import is_class, is_subclass
from trainwright.types.json_compat import JSON_HINT, check_strict_json_compat
from trainwright.types.json_utils import Jsonable
from trainwright.types.placeholders.placeholder import Placeholder
from trainwright.types.runtime_parameter import (
    RuntimeParameter,
    has_runtime_parameters,
    with_samples,
)
from trainwright.types.system_types import SystemExecution

# An artifact class may list here, as a class attribute, the types that fit in its place.
COMPATIBLE_TYPES_KEY = "_compatible_types"


class ChannelParameter:
    """An input or output of a component: artifacts of one type.

    Args:
        type: The class of the artifacts.
        optional: Whether the channel may be left out when the component is declared.
        allow_empty: For an optional input: whether the node runs when the channel that was given
            holds nothing. It does, if this is left out.
        is_async: For an output: whether it is published while the node still runs. It is declared
            so for other systems; here outputs are published when the node is done.
    """

    def __init__(
        self,
        type: type[Artifact] | None = None,
        optional: bool = False,
        allow_empty: bool | None = None,
        is_async: bool = False,
    ) -> None:
        if allow_empty is not None and not optional:
            raise ValueError("allow_empty should only be explicitly set if optional is True")
        self.type = check_artifact_type(type)
        self.optional = optional
        self.allow_empty_explicitly_set = allow_empty is not None
        self.allow_empty = optional if allow_empty is None else allow_empty
        self.is_async = is_async

    def type_check(self, arg_name: str, value: Any) -> None:
        """Raises TypeError unless the value is a channel of the right type."""
        if isinstance(value, Placeholder):
            raise TypeError(
                f"Argument {arg_name} should be a Channel of type {self.type} and gets artifacts, "
                f"not a placeholder (got {value}). Leave out .future() and what comes after it."
            )
        if not isinstance(value, BaseChannel):
            raise TypeError(
                f"Argument {arg_name} should be a Channel of type {self.type} (got {value!r}). "
                f"Pass a node's output, for example some_node.outputs[{arg_name!r}]."
            )
        if not self._takes(value.type):
            raise TypeError(
                f"Argument {arg_name} should be a Channel of type {self.type} (got {value.type})."
            )
        self._check_json_hint(arg_name, value)

    def _check_json_hint(self, arg_name: str, value: BaseChannel) -> None:
        """Refuses JSON values that are known to be of another type, for example lists for dicts."""
        expected, given = getattr(self, JSON_HINT, None), getattr(value, JSON_HINT, None)
        if expected is None or given is None:
            return
        if not check_strict_json_compat(given, expected):
            raise TypeError(
                f"Argument {arg_name} should be a Channel of type {expected!r} (got {given})."
            )

    def _takes(self, kind: builtins.type[Artifact]) -> bool:
        return (
            kind is self.type
            or kind.TYPE_NAME == self.type.TYPE_NAME
            or kind.__name__ == self.type.__name__
            or kind in getattr(self.type, COMPATIBLE_TYPES_KEY, ())
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChannelParameter) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash((self.type, self.optional, self.allow_empty, self.is_async))

    def __repr__(self) -> str:
        return f"ChannelParameter(type: {self.type})"


class ExecutionParameter:
    """A value that an executor gets in `exec_properties`: a scalar, a container or a proto.

    A proto may be given as a dict or as JSON text; keys it does not know are refused. A placeholder
    (`channel.future()[0].value`) gets its value, and is checked again, just before the node runs.

    Args:
        type: The Python type, a tuple of types, a generic like `list[str]`, or a message class.
        optional: Whether it may be left out.
        use_proto: Whether the executor gets a proto itself, and not its JSON.
    """

    def __init__(self, type: Any = None, optional: bool = False, use_proto: bool = False) -> None:
        if use_proto and type in (int, float, str):
            raise ValueError(
                f"use_proto set for primitive type {type}. It is for protos and containers."
            )
        self.type = type
        self.optional = optional
        self.use_proto = use_proto

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExecutionParameter) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash((str(self.type), self.optional, self.use_proto))

    def __repr__(self) -> str:
        return (
            f"ExecutionParameter(type: {self.type}, optional: {self.optional}, "
            f"use_proto: {self.use_proto})"
        )

    def type_check(self, arg_name: str, value: Any) -> None:
        """Raises TypeError for a value of another type, and ParseError for one that is not a proto.

        Less is refused than when a component is declared: fields that a proto does not have pass,
        and so does any placeholder.
        """
        if isinstance(value, Placeholder):
            return
        proto_class = self.proto_class
        is_parameter = isinstance(value, RuntimeParameter)
        value = with_samples(value)
        if proto_class is not None and isinstance(value, dict):
            json_format.ParseDict(value, proto_class(), ignore_unknown_fields=True)
        elif proto_class is not None and isinstance(value, str):
            if not is_parameter:  # it is known when the pipeline runs
                json_format.Parse(value, proto_class(), ignore_unknown_fields=True)
        elif not _matches(value, self.type):
            raise TypeError(self._wrong_type(arg_name, value))

    def _wrong_type(self, name: str, value: Any) -> str:
        expected = str(self.type)
        if self.proto_class is not None:  # under the name that users import it by
            expected = expected.replace("'trainwright.proto.", "'tfx.proto.")
        return (
            f"Expected type {expected} for parameter {name!r} but got {value!s} instead. "
            f"Its type is {type(value).__name__}."
        )

    @property
    def proto_class(self) -> type[Message] | None:
        is_proto = is_subclass(self.type, Message)
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
        if not _matches(value, self.type):
            raise TypeError(self._wrong_type(name, value))
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
        elif isinstance(value, Mapping) and _holds_settings(value, proto_class):
            return json_utils.dumps(dict(value))
        elif isinstance(value, Mapping):
            message = proto_json.dict_to_proto(value, proto_class())
        elif isinstance(value, str):
            message = proto_json.json_to_proto(value, proto_class())
            if not self.use_proto:
                return value  # as it was written, which is what TFX keeps
        else:
            raise TypeError(self._wrong_type(name, value))
        return message if self.use_proto else proto_json.proto_to_json(message)


def _holds_settings(value: Mapping[str, Any], proto_class: type[Message]) -> bool:
    """Whether a dict holds the settings of an executor instead of the fields of a message.

    A message like `CustomConfig` is a single `Any`, for a message of the user's own; an executor
    that has none is given a dict, which it gets as JSON.
    """
    fields = proto_class.DESCRIPTOR.fields
    types = [field.message_type and field.message_type.full_name for field in fields]
    return types == ["google.protobuf.Any"] and fields[0].name not in value


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
    if expected is Any or expected is None:
        return True
    if isinstance(expected, tuple):
        return any(_matches(value, kind) for kind in expected)
    origin = typing.get_origin(expected)
    arguments = typing.get_args(expected)
    if origin is None:
        if expected is float:
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        return isinstance(value, expected) if is_class(expected) else True
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


class ComponentSpec(Jsonable):
    """Declares what a component takes and gives. Subclasses fill the three tables.

    They are checked when the class is made; `class Base(ComponentSpec, validate=False)` leaves that
    to its subclasses.

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

    PARAMETERS: ClassVar[Mapping[str, ExecutionParameter]]
    INPUTS: ClassVar[Mapping[str, ChannelParameter]]
    OUTPUTS: ClassVar[Mapping[str, ChannelParameter]]
    TYPE_ANNOTATION: ClassVar[type[SystemExecution] | None] = None

    def __init_subclass__(cls, validate: bool = True) -> None:
        super().__init_subclass__()
        if validate and not _is_skeleton():
            cls._validate()

    @classmethod
    def _validate(cls) -> None:
        for table in ("PARAMETERS", "INPUTS", "OUTPUTS"):
            if not hasattr(cls, table):
                raise TypeError(f"{cls} does not have {table}. Write {table} = {{}} for none.")
            if not isinstance(getattr(cls, table), Mapping):
                raise TypeError(
                    f"{cls}.{table} should be a dict but got {getattr(cls, table)} instead."
                )
        names = Counter(itertools.chain(cls.PARAMETERS, cls.INPUTS, cls.OUTPUTS))
        for name, count in names.items():
            if count > 1:
                raise ValueError(
                    f"The ComponentSpec subclass {cls} has a duplicate argument with name {name}. "
                    "Argument names should be unique across the PARAMETERS, INPUTS and OUTPUTS "
                    "dicts."
                )
        cls._validate_parameters()

    @classmethod
    def _validate_parameters(cls) -> None:
        for parameter in cls.PARAMETERS.values():
            if not isinstance(parameter, ExecutionParameter):
                raise TypeError(
                    f"PARAMETERS dict expects values of type ExecutionParameter, got {parameter}."
                )
        for channel in itertools.chain(cls.INPUTS.values(), cls.OUTPUTS.values()):
            if not isinstance(channel, ChannelParameter):
                raise TypeError(
                    "INPUTS and OUTPUTS dicts expect values of type ChannelParameter, got "
                    f"{channel}."
                )
        for name, output in cls.OUTPUTS.items():
            if output.allow_empty_explicitly_set:
                raise TypeError(
                    "Output channels should not explicitly set allow_empty, but output channel "
                    f"{name} did."
                )

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

    @classmethod
    def is_optional_input(cls, key: str) -> bool:
        """Whether the input may be left out; KeyError for one that there is not."""
        return _named(cls.INPUTS, "self.INPUTS", key).optional

    @classmethod
    def is_allow_empty_input(cls, key: str) -> bool:
        """Whether a node runs while the input is empty; KeyError for one that there is not."""
        return _named(cls.INPUTS, "self.INPUTS", key).allow_empty

    @classmethod
    def is_optional_output(cls, key: str) -> bool:
        return cls.OUTPUTS[key].optional

    @classmethod
    def is_optional_exec_property(cls, key: str) -> bool:
        return cls.PARAMETERS[key].optional

    def migrate_output_channels(self, producer_component: Any) -> None:
        """Makes the channels that were given for outputs those of a node."""
        for key, channel in self.outputs.items():
            if isinstance(channel, Channel) and not isinstance(channel, OutputChannel):
                self.outputs[key] = channel.as_output_channel(producer_component, key)

    def to_json_dict(self) -> dict[str, Any]:
        return {
            "inputs": self.inputs,
            "outputs": self.outputs,
            "exec_properties": self.exec_properties,
        }

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
            parameter.type_check(name, value)
            taken[name] = value
        return taken

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(inputs={self.inputs}, exec_properties={self.exec_properties})"
        )


def _named(parameters: Mapping[str, ChannelParameter], table: str, key: str) -> ChannelParameter:
    try:
        return parameters[key]
    except KeyError as error:
        raise KeyError(f"{table} = {parameters} has no {key!r}") from error


def _is_skeleton() -> bool:
    """Whether cloudpickle makes the class that is being made: empty at first, filled afterwards."""
    frame = sys._getframe(2)
    for _ in range(4):  # types.new_class, and the metaclass if it has a __new__ of its own
        if frame.f_code.co_name == "_make_skeleton_class":
            return True
        if frame.f_back is None:
            return False
        frame = frame.f_back
    return False
