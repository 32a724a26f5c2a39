"""Values for the runtime parameters of a compiled pipeline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from google.protobuf.message import Message

from trainwright.compat.mlmd.property_values import get_metadata_value, set_metadata_value
from trainwright.proto.orchestration import pipeline_pb2

_Bindings = Mapping[str, int | float | str]


def substitute_runtime_parameter(
    msg: Message, parameter_bindings: _Bindings
) -> Mapping[str, int | float | str | None]:
    """Puts values in the place of runtime parameters, wherever they stand in a message.

    Args:
        msg: A compiled pipeline or a part of it; it is changed.
        parameter_bindings: The values by name. Others have their default, or stay as they are.

    Returns:
        Every runtime parameter that was met, with its value; None for one that has none.

    Raises:
        RuntimeError: A value is not of the parameter's type.

    Example:
        >>> substitute_runtime_parameter(pipeline, {"pipeline-run-id": "2024-05-01"})
    """
    met: dict[str, int | float | str | None] = {}
    if not isinstance(msg, Message):
        return met
    for holder in _values_within(msg):
        value: Any = None
        if holder.HasField("runtime_parameter"):
            value = _noted_value(holder.runtime_parameter, parameter_bindings, met)
        elif holder.HasField("structural_runtime_parameter"):
            value = _joined_value(holder.structural_runtime_parameter, parameter_bindings, met)
        if value is not None:
            holder.Clear()
            set_metadata_value(holder.field_value, value)
    return met


def _values_within(message: Message) -> Iterator[pipeline_pb2.Value]:
    if isinstance(message, pipeline_pb2.Value):
        yield message
        return
    for field, content in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            inner = list(content.values())
        else:
            inner = [content] if isinstance(content, Message) else list(content)
        for one in inner:
            if isinstance(one, Message):  # values of a map may be plain
                yield from _values_within(one)


def _noted_value(
    parameter: pipeline_pb2.RuntimeParameter, bindings: _Bindings, met: dict[str, Any]
) -> Any:
    met[parameter.name] = value = _value_of(parameter, bindings)
    return value


def _joined_value(
    parameter: pipeline_pb2.StructuralRuntimeParameter, bindings: _Bindings, met: dict[str, Any]
) -> str | None:
    """The parts of a string, one after the other; None if one of them has no value."""
    texts = []
    for part in parameter.parts:
        text: Any = part.constant_value
        if part.HasField("runtime_parameter"):
            text = _noted_value(part.runtime_parameter, bindings, met)
        if text is None:
            return None
        texts.append(str(text))
    return "".join(texts)


def _value_of(parameter: pipeline_pb2.RuntimeParameter, bindings: _Bindings) -> Any:
    if parameter.name in bindings:
        value: Any = bindings[parameter.name]
    elif parameter.HasField("default_value"):
        value = get_metadata_value(parameter.default_value)
    else:
        return None
    if _type_of(value) != parameter.type:
        raise RuntimeError(f"Runtime parameter type {type(value)} does not match with {parameter}.")
    return value


def _type_of(value: Any) -> pipeline_pb2.RuntimeParameter.Type:
    if isinstance(value, int):
        return pipeline_pb2.RuntimeParameter.INT
    if isinstance(value, float):
        return pipeline_pb2.RuntimeParameter.DOUBLE
    if isinstance(value, str):
        return pipeline_pb2.RuntimeParameter.STRING
    raise RuntimeError(
        f"Unexpected binding value type: {type(value)}; expected a number or string."
    )
