"""Reads the files of an evaluation, ours or TFMA's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message

from trainwright.data.tfrecord import read_records
from trainwright.evaluation.tfma_format.file_names import (
    ATTRIBUTIONS,
    EVAL_CONFIG_FILE,
    METRICS,
    PLOTS,
    VALIDATIONS,
)
from trainwright.proto.tfma import config_pb2, metrics_for_slice_pb2, validation_result_pb2

_MessageT = TypeVar("_MessageT", bound=Message)
_PERHAPS_CUT = "Perhaps it was not written to its end; let the component run again."
_PathLike = str | os.PathLike[str]


def load_eval_run(directory: _PathLike) -> config_pb2.EvalRun | None:
    """The config of an evaluation and where its parts were; None if it was not written.

    Raises:
        ValueError: if the file is something else.
    """
    path = Path(directory) / EVAL_CONFIG_FILE
    if not path.is_file():
        return None
    try:
        return json_format.Parse(path.read_text(encoding="utf-8"), config_pb2.EvalRun())
    except (json_format.ParseError, UnicodeDecodeError) as error:
        raise ValueError(
            f"{path} is not the config of an evaluation: {error}. {_PERHAPS_CUT}"
        ) from error


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
        FileNotFoundError: The evaluation has no such file, or the directory is not an evaluation.
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
            try:
                message = message_class.FromString(record)
            except DecodeError as error:
                kind = message_class.DESCRIPTOR.name
                raise ValueError(
                    f"{path} has a record that is not {kind}: {error}. {_PERHAPS_CUT}"
                ) from error
            yield message


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
