"""Writes the files of an evaluation, so that TFMA and its tools can read them.

eval_config.json                       an EvalRun
metrics-00000-of-00001.tfrecord        a MetricsForSlice for each slice
plots-00000-of-00001.tfrecord          a PlotsForSlice for each slice
attributions-00000-of-00001.tfrecord   an AttributionsForSlice for each slice
validations.tfrecord                   the ValidationResult
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from google.protobuf import json_format, wrappers_pb2
from google.protobuf.message import Message

from trainwright.data.tfrecord_frames import frame
from trainwright.evaluation.metric_keys import MetricKey
from trainwright.evaluation.results import BoundedValue, MetricValue, PlotValue, SliceResult
from trainwright.evaluation.slices.cross_slices import CrossSliceResult
from trainwright.evaluation.tfma_format.file_names import (
    ATTRIBUTIONS,
    EVAL_CONFIG_FILE,
    METRICS,
    PLOTS,
    TFMA_VERSION,
    VALIDATIONS,
)
from trainwright.evaluation.tfma_format.keys import (
    cross_slice_key_to_proto,
    metric_key_to_proto,
    plot_key_to_proto,
    slice_key_to_proto,
)
from trainwright.proto.tfma import config_pb2, validation_result_pb2
from trainwright.proto.tfma import metrics_for_slice_pb2 as messages

_SHARD = "-00000-of-00001"
_SUFFIX = ".tfrecord"

# Plots that a user has not named share a record without a name.
_DEFAULT_PLOT_NAMES = ("confusion_matrix_plot", "calibration_plot")

_ARRAY_FIELDS = {
    "int32": (messages.ArrayValue.INT32, "int32_values"),
    "int64": (messages.ArrayValue.INT64, "int64_values"),
    "float32": (messages.ArrayValue.FLOAT32, "float32_values"),
    "float64": (messages.ArrayValue.FLOAT64, "float64_values"),
}


def write_evaluation(
    directory: str | os.PathLike[str],
    slices: Sequence[SliceResult],
    eval_config: config_pb2.EvalConfig,
    *,
    cross_slices: Sequence[CrossSliceResult] = (),
    data_location: str = "<unknown>",
    file_format: str = "<unknown>",
    model_locations: Mapping[str, str] | None = None,
    validation: validation_result_pb2.ValidationResult | None = None,
) -> None:
    """Writes what an evaluation found.

    Args:
        directory: Made if it is not there.
        slices: The metrics and plots of each slice; metrics of slices that have some.
        eval_config: What was evaluated, completed.
        cross_slices: The differences between slices, as `compare_slices` finds them.
        data_location: Where the examples were; only shown.
        file_format: Of the examples; only shown.
        model_locations: Where each model was, by its name in the config; only shown.
        validation: What came of the thresholds; without it, there is no such file.
    """
    target = Path(directory)
    target.mkdir(parents=True, exist_ok=True)
    if "eval_config" not in eval_config.options.disabled_outputs.values:
        run = config_pb2.EvalRun(
            eval_config=eval_config,
            version=TFMA_VERSION,
            data_location=data_location,
            file_format=file_format,
            model_locations=dict(model_locations or {"": "<unknown>"}),
        )
        (target / EVAL_CONFIG_FILE).write_text(json_format.MessageToJson(run) + "\n")
    metrics = [_metrics_for_slice(result) for result in slices if result.metrics]
    metrics.extend(_metrics_for_slice(result) for result in cross_slices)
    plots = [_plots_for_slice(result) for result in slices]
    attributions = [
        messages.AttributionsForSlice(slice_key=slice_key_to_proto(result.slice_key))
        for result in slices
    ]
    _write_records(target / f"{METRICS}{_SHARD}{_SUFFIX}", metrics)
    _write_records(target / f"{PLOTS}{_SHARD}{_SUFFIX}", plots)
    _write_records(target / f"{ATTRIBUTIONS}{_SHARD}{_SUFFIX}", attributions)
    if validation is not None:
        _write_records(target / f"{VALIDATIONS}{_SUFFIX}", [validation])


def _write_records(path: Path, records: Iterable[Message]) -> None:
    path.write_bytes(frame([record.SerializeToString(deterministic=True) for record in records]))


def _metrics_for_slice(
    result: SliceResult | CrossSliceResult,
) -> messages.MetricsForSlice:
    message = messages.MetricsForSlice()
    if isinstance(result, SliceResult):
        message.slice_key.CopyFrom(slice_key_to_proto(result.slice_key))
    else:
        message.cross_slice_key.CopyFrom(cross_slice_key_to_proto(result.cross_slice_key))
    message.metric_keys_and_values.extend(
        _metric_key_and_value(key, value) for key, value in result.metrics.items()
    )
    return message


def _plots_for_slice(result: SliceResult) -> messages.PlotsForSlice:
    return messages.PlotsForSlice(
        slice_key=slice_key_to_proto(result.slice_key),
        plot_keys_and_values=_plot_keys_and_values(result.plots),
    )


def _metric_key_and_value(
    key: MetricKey, value: MetricValue
) -> messages.MetricsForSlice.MetricKeyAndValue:
    """A metric, with its confidence interval if it has one."""
    message = messages.MetricsForSlice.MetricKeyAndValue(
        key=metric_key_to_proto(key), value=_metric_value_to_proto(value)
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


def _metric_value_to_proto(value: MetricValue) -> messages.MetricValue:
    """The value itself: a number, an array, or what a structured value makes of itself."""
    if isinstance(value, np.ndarray) and value.ndim > 0:
        return messages.MetricValue(array_value=_array(value))
    if isinstance(value, (int, float, np.generic, np.ndarray, BoundedValue)):
        return _double(float(value))
    return value.to_metric_value()


def _plot_keys_and_values(
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
