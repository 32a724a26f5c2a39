"""Evaluation configs from all the forms that they are given in, and as the JSON that is stored.

More than proto3 JSON is understood, because more is written by hand: `{"value": 0.6}` for a number
that may be missing, a list where a message only wraps one, and numbers where a map holds strings.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from trainwright._checks import is_number
from trainwright._suggest import did_you_mean
from trainwright.evaluation.config.eval_config import EvalConfig
from trainwright.proto.proto_json import object_with_unique_keys, proto_to_json, unknown_field
from trainwright.proto.tfma import config_pb2

_JSON_NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_INTEGERS = (
    FieldDescriptor.CPPTYPE_INT32,
    FieldDescriptor.CPPTYPE_INT64,
    FieldDescriptor.CPPTYPE_UINT32,
    FieldDescriptor.CPPTYPE_UINT64,
)
_WRAPPED_NUMBERS = ("google.protobuf.DoubleValue.value", "google.protobuf.FloatValue.value")
_FLOATS = (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT)


def read_eval_config(value: object) -> config_pb2.EvalConfig:
    """Reads an evaluation config.

    Args:
        value: Our `EvalConfig`, TFMA's, a mapping of its fields, or JSON text. Inside, the forms
            may be mixed, and a bound may be written `0.6` or `{"value": 0.6}`.

    Raises:
        ValueError: A name is not a field or a value does not fit; the message says where.
        TypeError: Something of another kind stands where a value is needed.

    Example:
        >>> config = read_eval_config({"model_specs": [{"label_key": "tips"}]})
        >>> config.model_specs[0].label_key
        'tips'
    """
    config = config_pb2.EvalConfig()
    if isinstance(value, (str, bytes)):
        _fill_message(config, _parse_json(value), "EvalConfig")
    elif isinstance(value, (EvalConfig, Mapping, Message)):
        _fill_message(config, value, "EvalConfig")
    else:
        raise TypeError(
            "An evaluation config must be an EvalConfig, a mapping of its fields or its JSON text, "
            f"got {value!r} of type {type(value).__name__}."
        )
    for place in _places_of_nan(config, "EvalConfig"):
        # No number is below or above it, so that a threshold would never be met.
        raise ValueError(f"{place} is NaN: expected a number. Leave it out if there is no bound.")
    return config


def eval_config_to_json(config: config_pb2.EvalConfig) -> str:
    """The text that is stored as an execution property: sorted, with the names of the fields."""
    return proto_to_json(config)


def _parse_json(text: str | bytes) -> Mapping[str, Any]:
    try:
        decoded = json.loads(text, object_pairs_hook=object_with_unique_keys)
    except ValueError as error:
        raise ValueError(
            f"EvalConfig cannot be read from {text!r}: {error}. Expected the config itself as JSON "
            "text; for a file, give what it contains."
        ) from error
    if not isinstance(decoded, dict):
        raise TypeError(
            f"EvalConfig must be a JSON object, got {decoded!r} of type {type(decoded).__name__}."
        )
    return decoded


def _fill_message(message: Message, value: object, path: str) -> None:
    """Writes a value into an empty message.

    Args:
        message: What is filled.
        value: A message of the same name from any pool, a dataclass of the same name, a mapping of
            field names, or what stands for the only field of such a message.
        path: Where the value was found; errors begin with it.

    Raises:
        ValueError: A name is not a field, or a value is not one of those that its field takes.
        TypeError: A value is of another kind than its field takes.
    """
    descriptor = cast(Descriptor, message.DESCRIPTOR)
    if isinstance(value, Message):
        _copy_message(message, value, path)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        if type(value).__name__ != descriptor.name:
            raise _wrong_kind(path, _article(descriptor.name), value)
        _fill_fields(message, _given_fields(value), path)
    elif isinstance(value, Mapping):
        _fill_fields(message, value, path)
    elif len(descriptor.fields) == 1 and not (
        isinstance(value, str) and descriptor.fields[0].is_repeated
    ):
        _fill_field(message, descriptor.fields[0], value, path)
    else:
        raise _wrong_kind(path, f"{_article(descriptor.name)} or a mapping of its fields", value)


def _places_of_nan(message: Message, path: str) -> Iterator[str]:
    """Where in a message a number is NaN.

    >>> from trainwright.proto.tfma import config_pb2
    >>> bounds = config_pb2.GenericValueThreshold(lower_bound={"value": math.nan})
    >>> list(_places_of_nan(bounds, "value_threshold"))
    ['value_threshold.lower_bound']
    """
    for field, value in message.ListFields():
        here = path if field.full_name in _WRAPPED_NUMBERS else f"{path}.{field.name}"
        if isinstance(value, Mapping):
            items = [(f"{here}[{key!r}]", item) for key, item in value.items()]
        elif field.is_repeated:
            items = [(f"{here}[{index}]", item) for index, item in enumerate(value)]
        else:
            items = [(here, value)]
        for place, item in items:
            if isinstance(item, Message):
                yield from _places_of_nan(item, place)
            elif isinstance(item, float) and math.isnan(item):
                yield place


def _copy_message(message: Message, value: Message, path: str) -> None:
    if value.DESCRIPTOR.full_name != message.DESCRIPTOR.full_name:
        raise _wrong_kind(path, _article(message.DESCRIPTOR.name), value)
    # By bytes: a message of another descriptor pool is of another class.
    message.MergeFromString(value.SerializeToString(deterministic=True))


def _given_fields(config: Any) -> dict[str, object]:
    """The fields of a dataclass that say something."""
    values = {field.name: getattr(config, field.name) for field in dataclasses.fields(config)}
    return {
        name: value
        for name, value in values.items()
        if value is not None and not (isinstance(value, (tuple, list, dict)) and not value)
    }


def _fill_fields(message: Message, values: Mapping[Any, object], path: str) -> None:
    descriptor = cast(Descriptor, message.DESCRIPTOR)
    fields = {field.json_name: field for field in descriptor.fields}
    fields |= {field.name: field for field in descriptor.fields}
    for key, value in values.items():
        if key not in fields:
            raise ValueError(unknown_field(key, descriptor, path) + _where_it_is(key, descriptor))
        if value is not None:
            _fill_field(message, fields[key], value, f"{path}.{fields[key].name}")


def _where_it_is(key: object, descriptor: Descriptor) -> str:
    """A hint if a field is one level deeper."""
    inside = [
        field.name
        for field in descriptor.fields
        if field.message_type is not None and key in field.message_type.fields_by_name
    ]
    return f" {key!r} belongs in {' or '.join(map(repr, inside))}." if inside else ""


def _fill_field(message: Message, field: FieldDescriptor, value: object, path: str) -> None:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        _fill_map(getattr(message, field.name), field.message_type, value, path)
    elif field.is_repeated:
        items = getattr(message, field.name)
        for index, item in enumerate(_as_list(value, field, path)):
            if field.message_type is not None:
                _fill_message(items.add(), item, f"{path}[{index}]")
            else:
                items.append(_scalar(item, field, f"{path}[{index}]"))
    elif field.message_type is not None:
        child = getattr(message, field.name)
        child.SetInParent()
        _fill_message(child, value, path)
    else:
        _set_scalar(message, field, value, path)


def _set_scalar(message: Message, field: FieldDescriptor, value: object, path: str) -> None:
    if field.full_name.endswith(".MetricConfig.config") and isinstance(value, Mapping):
        value = _metric_arguments(value, path)
    scalar = _scalar(value, field, path)
    try:
        setattr(message, field.name, scalar)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path} cannot be {value!r}: {error}.") from error


def _metric_arguments(arguments: Mapping[Any, object], path: str) -> str:
    try:
        return json.dumps(dict(arguments), sort_keys=True)
    except TypeError as error:
        raise TypeError(
            f"{path} holds the arguments of a metric, which are stored as JSON: {error}. Got "
            f"{arguments!r}."
        ) from error


def _fill_map(target: Any, entry: Descriptor, value: object, path: str) -> None:
    if not isinstance(value, Mapping):
        raise _wrong_kind(path, "a mapping", value)
    key_field, value_field = entry.fields_by_name["key"], entry.fields_by_name["value"]
    for key, item in value.items():
        item_path = f"{path}[{key!r}]"
        map_key = _scalar(_as_map_key(key, key_field), key_field, f"A key of {path}")
        if value_field.message_type is not None:
            target[map_key].SetInParent()
            _fill_message(target[map_key], item, item_path)
        else:
            if value_field.cpp_type == FieldDescriptor.CPPTYPE_STRING and is_number(item):
                item = str(item)
            target[map_key] = _scalar(item, value_field, item_path)


def _as_map_key(key: object, field: FieldDescriptor) -> object:
    """JSON has strings for keys only."""
    if field.cpp_type in _INTEGERS and isinstance(key, str) and key.lstrip("-").isdigit():
        return int(key)
    return key


def _as_list(value: object, field: FieldDescriptor, path: str) -> Iterable[object]:
    if isinstance(value, (str, bytes, Mapping, Message)) or not isinstance(
        value, (Sequence, set, frozenset, Iterable)
    ):
        kind = field.message_type.name if field.message_type is not None else _kind(field)
        raise TypeError(
            f"{path} must be a list of {kind}, got {value!r} of type {type(value).__name__}. "
            "Put it into a list."
        )
    return value


def _scalar(value: object, field: FieldDescriptor, path: str) -> Any:
    if field.enum_type is not None:
        return _enum_number(value, field.enum_type, path)
    if field.cpp_type in _FLOATS and isinstance(value, str) and value in _JSON_NUMBERS:
        return _JSON_NUMBERS[value]
    if not _fits(value, field):
        raise _wrong_kind(path, _kind(field, plural=False), value)
    return int(cast(float, value)) if field.cpp_type in _INTEGERS else value


def _fits(value: object, field: FieldDescriptor) -> bool:
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return isinstance(value, bool)
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return isinstance(value, str)
    if not is_number(value):
        return False
    return field.cpp_type in _FLOATS or float(value).is_integer()


def _enum_number(value: object, enum_type: EnumDescriptor, path: str) -> int:
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, str) and value in enum_type.values_by_name:
        return int(enum_type.values_by_name[value].number)
    if is_number(value) and value in enum_type.values_by_number:
        return int(value)
    raise ValueError(
        f"{path} cannot be {value!r}{did_you_mean(str(value), enum_type.values_by_name)}"
    )


def _kind(field: FieldDescriptor, plural: bool = True) -> str:
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return "strings" if plural else "a string"
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return "True or False"
    if field.cpp_type in _INTEGERS:
        return "whole numbers" if plural else "a whole number"
    return "numbers" if plural else "a number"


def _wrong_kind(path: str, expected: str, value: object) -> TypeError:
    return TypeError(f"{path} must be {expected}, got {value!r} of type {type(value).__name__}.")


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"
