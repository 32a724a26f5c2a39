"""The files of an evaluation, as TFMA writes and reads them.

    eval_config.json                       an EvalRun
    metrics-00000-of-00001.tfrecord        a MetricsForSlice for each slice
    plots-00000-of-00001.tfrecord          a PlotsForSlice for each slice
    attributions-00000-of-00001.tfrecord   an AttributionsForSlice for each slice
    validations.tfrecord                   the ValidationResult
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from google.protobuf import json_format
from google.protobuf.message import Message

from trainwright.data.tfrecord import read_records
from trainwright.data.tfrecord_frames import frame
from trainwright.evaluation.cross_slices import CrossSliceResult
from trainwright.evaluation.results import SliceResult
from trainwright.evaluation.tfma_keys import cross_slice_key_to_proto, slice_key_to_proto
from trainwright.evaluation.tfma_values import metric_key_and_value, plot_keys_and_values
from trainwright.proto.tfma import config_pb2, metrics_for_slice_pb2, validation_result_pb2

EVAL_CONFIG_FILE = "eval_config.json"
METRICS = "metrics"
PLOTS = "plots"
ATTRIBUTIONS = "attributions"
VALIDATIONS = "validations"

# Whose format these files have; TFMA refuses a config without a version.
TFMA_VERSION = "0.52.0"

_SHARD = "-00000-of-00001"
_SUFFIX = ".tfrecord"

_MessageT = TypeVar("_MessageT", bound=Message)
_PathLike = str | os.PathLike[str]


def write_evaluation(
    directory: _PathLike,
    slices: Sequence[SliceResult],
    eval_config: config_pb2.EvalConfig,
    *,
    cross_slices: Sequence[CrossSliceResult] = (),
    data_location: str = "<unknown>",
    file_format: str = "<unknown>",
    model_locations: Mapping[str, str] | None = None,
    validation: validation_result_pb2.ValidationResult | None = None,
) -> None:
    """Writes what an evaluation found, so that TFMA and its tools can read it.

    Args:
        directory: Made if it is not there.
        slices: The metrics and plots of each slice.
        eval_config: What was evaluated, completed.
        cross_slices: The differences between slices.
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
    metrics = [_metrics_for_slice(result) for result in (*slices, *cross_slices)]
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


def load_eval_run(directory: _PathLike) -> config_pb2.EvalRun | None:
    """The config of an evaluation and where its parts were; None if it was not written."""
    path = Path(directory) / EVAL_CONFIG_FILE
    if not path.is_file():
        return None
    return json_format.Parse(path.read_text(), config_pb2.EvalRun())


def load_metrics(
    output_path: _PathLike, output_file_format: str = "tfrecord"
) -> Iterator[metrics_for_slice_pb2.MetricsForSlice]:
    """The metrics of each slice.

    Args:
        output_path: The directory of an evaluation, or how the names of its files begin.
        output_file_format: "tfrecord"; also "", for files without a suffix.
    """
    return _load(output_path, METRICS, output_file_format, metrics_for_slice_pb2.MetricsForSlice)


def load_plots(
    output_path: _PathLike, output_file_format: str = "tfrecord"
) -> Iterator[metrics_for_slice_pb2.PlotsForSlice]:
    """The plots of each slice; arguments as for `load_metrics`."""
    return _load(output_path, PLOTS, output_file_format, metrics_for_slice_pb2.PlotsForSlice)


def load_attributions(
    output_path: _PathLike, output_file_format: str = "tfrecord"
) -> Iterator[metrics_for_slice_pb2.AttributionsForSlice]:
    """The attributions of each slice; arguments as for `load_metrics`."""
    message_class = metrics_for_slice_pb2.AttributionsForSlice
    return _load(output_path, ATTRIBUTIONS, output_file_format, message_class)


def load_validation_result(
    output_path: _PathLike, output_file_format: str = ""
) -> validation_result_pb2.ValidationResult:
    """What came of the thresholds; arguments as for `load_metrics`.

    Raises:
        FileNotFoundError: The evaluation has no such file, or the directory is no evaluation.
        ValueError: There is more than one result.
    """
    message_class = validation_result_pb2.ValidationResult
    found = list(_load(output_path, VALIDATIONS, output_file_format, message_class))
    if not found:
        raise FileNotFoundError(
            f"No {VALIDATIONS} file in {os.fspath(output_path)!r}: expected the directory of an "
            "evaluation."
        )
    if len(found) > 1:
        raise ValueError(
            f"Expected one validation result in {os.fspath(output_path)!r}, got {len(found)}."
        )
    return found[0]


def _load(
    output_path: _PathLike, name: str, file_format: str, message_class: type[_MessageT]
) -> Iterator[_MessageT]:
    if file_format not in ("", "tfrecord"):
        raise ValueError(
            f"Results of an evaluation are read from TFRecord files, got the format "
            f"{file_format!r}: expected 'tfrecord'."
        )
    for path in _files(Path(output_path), name, file_format):
        for record in read_records(path):
            yield message_class.FromString(record)


def _files(path: Path, name: str, file_format: str) -> list[Path]:
    if path.is_dir():
        path = path / name
    with_suffix = f"{path.name}*.{file_format}" if file_format else f"{path.name}*"
    # Evaluations of old have no suffix.
    for pattern in (with_suffix, f"{path.name}*"):
        files = sorted(file for file in path.parent.glob(pattern) if file.is_file())
        if files:
            return files
    return []


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
