"""Compares the files of two evaluations: metrics, plots and verdicts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from google.protobuf import json_format

from trainwright.evaluation.tfma_format.reading import (
    load_metrics,
    load_plots,
    load_validation_result,
)

# Keras and some of TFMA's sums are in float32.
TOLERANCE = 2e-6


def assert_same_evaluation(ours: Path, theirs: Path) -> None:
    """Every number of every slice is the same, and so are the thresholds that are not met."""
    assert _metrics_in(theirs) or _plots_in(theirs)
    _assert_same(_metrics_in(ours), _metrics_in(theirs))
    _assert_same(_plots_in(ours), _plots_in(theirs))
    assert _verdict_in(ours) == _verdict_in(theirs)


def _assert_same(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    assert sorted(ours) == sorted(theirs)
    different = {}
    for key, expected in theirs.items():
        if not _are_close(ours[key], expected):
            different[key] = (ours[key], expected)
    assert not different


def _are_close(value: Any, expected: Any) -> bool:
    if not isinstance(expected, list) or not isinstance(value, list):
        return bool(value == expected)
    first, second = np.array(value, np.float64), np.array(expected, np.float64)
    return first.shape == second.shape and bool(
        np.allclose(first, second, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True)
    )


def _metrics_in(directory: Path) -> dict[str, Any]:
    """Values by slice and key."""
    return {
        json.dumps([_slice_of(record), *_key_of(one.key)]): _numbers_of(one.value)
        for record in load_metrics(directory)
        for one in record.metric_keys_and_values
    }


def _plots_in(directory: Path) -> dict[str, Any]:
    return {
        json.dumps([_slice_of(record), field.name, *_key_of(one.key)]): _numbers_of(part)
        for record in load_plots(directory)
        for one in record.plot_keys_and_values
        for field, part in one.value.ListFields()
    }


def _slice_of(record: Any) -> list[Any]:
    return [json_format.MessageToDict(one) for one in record.slice_key.single_slice_keys]


def _key_of(key: Any) -> list[Any]:
    """All that names a metric, but for the kind of average, which TFMA leaves out of many."""
    return [
        *(key.name, key.model_name, key.output_name, json_format.MessageToDict(key.sub_key)),
        *(key.HasField("example_weighted"), key.example_weighted.value),
        getattr(key, "is_diff", False),
    ]


def _numbers_of(message: Any) -> Any:
    """Every number of a message in order, of a long one every 37th."""
    numbers: list[float] = []
    _collect(json_format.MessageToDict(message, always_print_fields_with_no_presence=True), numbers)
    return numbers if len(numbers) < 400 else [len(numbers), *numbers[::37]]


def _collect(value: Any, numbers: list[float]) -> None:
    if isinstance(value, dict):
        for name in sorted(value):
            _collect(value[name], numbers)
    elif isinstance(value, list):
        for item in value:
            _collect(item, numbers)
    else:
        numbers.append(_number(value))


def _number(value: Any) -> float:
    """A number as JSON has it, which writes some as text; bytes are how arrays are stored."""
    try:
        return float(value)
    except ValueError:
        return float(hash(value) % 1_000_003)


def _verdict_in(directory: Path) -> Any:
    """Whether all is well, and which thresholds of which slices are not met."""
    result = load_validation_result(directory)
    failures = {
        json.dumps([_slice_of(one), *_key_of(failure.metric_key)])
        for one in result.metric_validations_per_slice
        for failure in one.failures
    }
    return (result.validation_ok, failures)
