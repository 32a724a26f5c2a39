"""Writes the files of an evaluation, so that TFMA and its tools can read them.

eval_config.json                       an EvalRun
metrics-00000-of-00001.tfrecord        a MetricsForSlice for each slice
plots-00000-of-00001.tfrecord          a PlotsForSlice for each slice
attributions-00000-of-00001.tfrecord   an AttributionsForSlice for each slice
validations.tfrecord                   the ValidationResult
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from google.protobuf import json_format
from google.protobuf.message import Message

from trainwright.data.tfrecord_frames import frame
from trainwright.evaluation.results import SliceResult
from trainwright.evaluation.slices.cross_slices import CrossSliceResult
from trainwright.evaluation.tfma_format.file_names import (
    ATTRIBUTIONS,
    EVAL_CONFIG_FILE,
    METRICS,
    PLOTS,
    TFMA_VERSION,
    VALIDATIONS,
)
from trainwright.evaluation.tfma_format.keys import cross_slice_key_to_proto, slice_key_to_proto
from trainwright.evaluation.tfma_format.values import metric_key_and_value, plot_keys_and_values
from trainwright.proto.tfma import config_pb2, metrics_for_slice_pb2, validation_result_pb2

_SHARD = "-00000-of-00001"
_SUFFIX = ".tfrecord"


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
        metrics_for_slice_pb2.AttributionsForSlice(slice_key=slice_key_to_proto(result.slice_key))
        for result in slices
    ]
    _write_records(target / f"{METRICS}{_SHARD}{_SUFFIX}", metrics)
    _write_records(target / f"{PLOTS}{_SHARD}{_SUFFIX}", plots)
    _write_records(target / f"{ATTRIBUTIONS}{_SHARD}{_SUFFIX}", attributions)
    if validation is not None:
        _write_records(target / f"{VALIDATIONS}{_SUFFIX}", [validation])


def _write_records(path: Path, messages: Iterable[Message]) -> None:
    path.write_bytes(frame([message.SerializeToString(deterministic=True) for message in messages]))


def _metrics_for_slice(
    result: SliceResult | CrossSliceResult,
) -> metrics_for_slice_pb2.MetricsForSlice:
    message = metrics_for_slice_pb2.MetricsForSlice()
    if isinstance(result, SliceResult):
        message.slice_key.CopyFrom(slice_key_to_proto(result.slice_key))
    else:
        message.cross_slice_key.CopyFrom(cross_slice_key_to_proto(result.cross_slice_key))
    message.metric_keys_and_values.extend(
        metric_key_and_value(key, value) for key, value in result.metrics.items()
    )
    return message


def _plots_for_slice(result: SliceResult) -> metrics_for_slice_pb2.PlotsForSlice:
    return metrics_for_slice_pb2.PlotsForSlice(
        slice_key=slice_key_to_proto(result.slice_key),
        plot_keys_and_values=plot_keys_and_values(result.plots),
    )
