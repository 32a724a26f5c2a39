"""The values of metrics and plots as TFMA's messages."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from google.protobuf import wrappers_pb2

from trainwright.evaluation.metric_keys import MetricKey
from trainwright.evaluation.results import BoundedValue, MetricValue, PlotValue
from trainwright.evaluation.tfma_format.keys import metric_key_to_proto, plot_key_to_proto
from trainwright.proto.tfma import metrics_for_slice_pb2 as messages

# Plots that a user has not named share a record without a name.
_DEFAULT_PLOT_NAMES = ("confusion_matrix_plot", "calibration_plot")

_ARRAY_FIELDS = {
    "int32": (messages.ArrayValue.INT32, "int32_values"),
    "int64": (messages.ArrayValue.INT64, "int64_values"),
    "float32": (messages.ArrayValue.FLOAT32, "float32_values"),
    "float64": (messages.ArrayValue.FLOAT64, "float64_values"),
}


def metric_key_and_value(
    key: MetricKey, value: MetricValue
) -> messages.MetricsForSlice.MetricKeyAndValue:
    """A metric, with its confidence interval if it has one."""
    message = messages.MetricsForSlice.MetricKeyAndValue(
        key=metric_key_to_proto(key), value=metric_value_to_proto(value)
    )
    if isinstance(value, BoundedValue):
        message.confidence_interval.CopyFrom(
            messages.ConfidenceInterval(
                lower_bound=_double(value.lower_bound),
                upper_bound=_double(value.upper_bound),
                standard_error=_double(value.standard_deviation),
                degrees_of_freedom=wrappers_pb2.Int64Value(value=value.replicates - 1),
            )
        )
    return message


def metric_value_to_proto(value: MetricValue) -> messages.MetricValue:
    """The value itself: a number, an array, or what a structured value makes of itself."""
    if isinstance(value, np.ndarray) and value.ndim > 0:
        return messages.MetricValue(array_value=_array(value))
    if isinstance(value, (int, float, np.generic, np.ndarray, BoundedValue)):
        return _double(float(value))
    return value.to_metric_value()


def plot_keys_and_values(
    plots: Mapping[MetricKey, PlotValue],
) -> list[messages.PlotsForSlice.PlotKeyAndValue]:
    """The plots of a slice."""
    found: dict[MetricKey, messages.PlotsForSlice.PlotKeyAndValue] = {}
    for key, value in plots.items():
        if key.name in _DEFAULT_PLOT_NAMES:
            key = dataclasses.replace(key, name="")
        if key not in found:
            found[key] = messages.PlotsForSlice.PlotKeyAndValue(key=plot_key_to_proto(key))
        found[key].value.MergeFrom(value.to_plot_data())
    return list(found.values())


def _double(number: float) -> messages.MetricValue:
    return messages.MetricValue(double_value=wrappers_pb2.DoubleValue(value=number))


def _array(array: npt.NDArray[np.generic]) -> messages.ArrayValue:
    message = messages.ArrayValue(shape=array.shape)
    if array.dtype.name in _ARRAY_FIELDS:
        message.data_type, field = _ARRAY_FIELDS[array.dtype.name]
        getattr(message, field).extend(array.ravel().tolist())
    else:
        message.data_type = messages.ArrayValue.BYTES
        message.bytes_values.extend(text.encode() for text in array.ravel().astype(str).tolist())
    return message
