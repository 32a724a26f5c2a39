"""Batch check: does the result for an example depend on its neighbours in the batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from trainwright.components.transform.preprocessing_function import PreprocessingFunction
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.transform.graph_function import GraphFunction

_EXAMPLES = 16


def read_some_records(paths: Sequence[str], examples: ExampleFiles) -> list[bytes]:
    """The first records of the first file that has any."""
    return next(examples.at(*paths).parsed_batches(), [])[:_EXAMPLES]


def check_batches(
    graph_function: GraphFunction, records: Sequence[bytes], function: PreprocessingFunction
) -> list[str]:
    """Transforms some examples at once and in two halves; says of which outputs differ.

    A model would be trained on batches of one size and served with those of another.

    Raises:
        ValueError: if an output does not have one row for each example.
    """
    together = _transform(graph_function, records, function)
    half = len(records) // 2
    if not half:
        return []
    halves = (records[:half], records[half:])
    parts = [_transform(graph_function, part, function) for part in halves]
    remarks = []
    for name, rows in together.items():
        apart = [row for part in parts for row in part[name]]
        if not all(_are_equal(one, other) for one, other in zip(rows, apart, strict=True)):
            remarks.append(
                f"{function.describe(name)} depends on the batch, or on chance: {len(records)} "
                "examples at once give other values than the same examples in two batches. "
                "Training and serving would differ. What comes from all examples is computed by an "
                "analyzer: tft.max instead of tf.reduce_max."
            )
    return remarks


def _transform(
    graph_function: GraphFunction, records: Sequence[bytes], function: PreprocessingFunction
) -> dict[str, list[Any]]:
    """The rows of each output, by name."""
    outputs = graph_function(tf.constant(records))
    by_name = {}
    for name, tensor in outputs.items():
        by_name[name] = _rows_of(tensor)
        if len(by_name[name]) != len(records):
            raise ValueError(
                f"{function.describe(name)} has {len(by_name[name])} rows for {len(records)} "
                "examples. Expected one value, or one row of values, for each example: rows "
                "cannot be filtered or repeated here."
            )
    return by_name


def _rows_of(tensor: Any) -> list[Any]:
    if isinstance(tensor, tf.SparseTensor):
        tensor = tf.RaggedTensor.from_value_rowids(
            tensor.values, tensor.indices[:, 0], nrows=tensor.dense_shape[0]
        )
    if isinstance(tensor, tf.RaggedTensor):
        return [getattr(row, "flat_values", row).numpy() for row in tensor]
    return list(tensor.numpy()) if tensor.shape.rank else []


def _are_equal(one: Any, other: Any) -> bool:
    one, other = np.asarray(one), np.asarray(other)
    if one.shape != other.shape:
        return False
    if one.dtype.kind == "f":
        return bool(np.allclose(one, other, rtol=1e-4, atol=1e-6, equal_nan=True))
    return bool(np.array_equal(one, other))
