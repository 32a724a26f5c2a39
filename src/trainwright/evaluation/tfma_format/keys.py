"""The names of metrics, plots and slices as TFMA's messages, and back."""

from __future__ import annotations

from typing import cast

from trainwright.evaluation.metric_keys import AggregationType, MetricKey, SliceKey, SubKey
from trainwright.proto.tfma import metrics_for_slice_pb2 as messages

# A slice that others are compared with, and one of them.
CrossSliceKey = tuple[SliceKey, SliceKey]

_AGGREGATION_FIELD = "type"


def metric_key_to_proto(key: MetricKey) -> messages.MetricKey:
    """As TFMA names metrics. What is not known about a key is not set."""
    message = messages.MetricKey(
        name=key.name,
        model_name=key.model_name,
        output_name=key.output_name,
        is_diff=key.is_diff,
    )
    if key.sub_key is not None:
        message.sub_key.CopyFrom(_sub_key_to_proto(key.sub_key))
    if key.aggregation_type is not None:
        setattr(message.aggregation_type, key.aggregation_type, True)
    if key.example_weighted is not None:
        message.example_weighted.value = key.example_weighted
    return message


def metric_key_from_proto(message: messages.MetricKey) -> MetricKey:
    """The other way round."""
    aggregation_type = message.aggregation_type.WhichOneof(_AGGREGATION_FIELD)
    return MetricKey(
        name=message.name,
        model_name=message.model_name,
        output_name=message.output_name,
        sub_key=_sub_key_from_proto(message.sub_key) if message.HasField("sub_key") else None,
        aggregation_type=cast("AggregationType | None", aggregation_type),
        example_weighted=_optional_flag(message),
        is_diff=message.is_diff,
    )


def plot_key_to_proto(key: MetricKey) -> messages.PlotKey:
    """As TFMA names plots."""
    message = messages.PlotKey(
        name=key.name, model_name=key.model_name, output_name=key.output_name
    )
    if key.sub_key is not None:
        message.sub_key.CopyFrom(_sub_key_to_proto(key.sub_key))
    if key.example_weighted is not None:
        message.example_weighted.value = key.example_weighted
    return message


def plot_key_from_proto(message: messages.PlotKey) -> MetricKey:
    """The other way round."""
    return MetricKey(
        name=message.name,
        model_name=message.model_name,
        output_name=message.output_name,
        sub_key=_sub_key_from_proto(message.sub_key) if message.HasField("sub_key") else None,
        example_weighted=_optional_flag(message),
    )


def slice_key_to_proto(key: SliceKey) -> messages.SliceKey:
    """Strings, whole numbers and 32-bit floats, as TFMA keeps numbers with a point."""
    message = messages.SliceKey()
    for column, value in key:
        single = message.single_slice_keys.add(column=column)
        if isinstance(value, str):
            single.bytes_value = value.encode()
        elif isinstance(value, float):
            single.float_value = value
        else:
            single.int64_value = value
    return message


def slice_key_from_proto(message: messages.SliceKey) -> SliceKey:
    """The other way round."""
    values = []
    for single in message.single_slice_keys:
        value = getattr(single, single.WhichOneof("kind") or "bytes_value")
        values.append((single.column, value.decode() if isinstance(value, bytes) else value))
    return tuple(values)


def cross_slice_key_to_proto(key: CrossSliceKey) -> messages.CrossSliceKey:
    """A pair of slices."""
    baseline, comparison = key
    return messages.CrossSliceKey(
        baseline_slice_key=slice_key_to_proto(baseline),
        comparison_slice_key=slice_key_to_proto(comparison),
    )


def cross_slice_key_from_proto(message: messages.CrossSliceKey) -> CrossSliceKey:
    """The other way round."""
    return (
        slice_key_from_proto(message.baseline_slice_key),
        slice_key_from_proto(message.comparison_slice_key),
    )


def sub_key_text(key: SubKey | None) -> str:
    """How TFMA writes a sub key in results: "classId:1", "k:2", "topK:3"; "" for none."""
    if key is None:
        return ""
    parts = (("classId", key.class_id), ("k", key.k), ("topK", key.top_k))
    return " ".join(f"{name}:{number}" for name, number in parts if number is not None)


def _sub_key_to_proto(key: SubKey) -> messages.SubKey:
    message = messages.SubKey()
    for name in ("class_id", "k", "top_k"):
        number = getattr(key, name)
        if number is not None:
            getattr(message, name).value = number
    return message


def _sub_key_from_proto(message: messages.SubKey) -> SubKey | None:
    given = {
        name: getattr(message, name).value
        for name in ("class_id", "k", "top_k")
        if message.HasField(name)
    }
    return SubKey(**given) if given else None


def _optional_flag(message: messages.MetricKey | messages.PlotKey) -> bool | None:
    return message.example_weighted.value if message.HasField("example_weighted") else None
