"""Slices of a record batch, by the values of features."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa

from trainwright.data.arrow_arrays import from_numpy
from trainwright.statistics.feature_arrays import INT, feature_type, flatten
from trainwright.statistics.slicing_config import SlicingConfig, SlicingSpec

# TFDV's name for the whole.
ALL_EXAMPLES = "All Examples"


def slice_batch(
    batch: pa.RecordBatch, config: SlicingConfig
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yields each slice that the examples of a batch are in, under TFDV's name for it.

    An example with several values of a feature is in several slices; one without the feature is in
    none.
    """
    for spec in config["slicing_specs"]:
        for name, rows in sorted(_rows_by_slice(batch, spec).items()):
            yield name, batch.take(from_numpy(np.array(rows, np.int64)))


def _rows_by_slice(batch: pa.RecordBatch, spec: SlicingSpec) -> dict[str, list[int]]:
    features = sorted({*spec["feature_keys"], *spec["feature_values"]})
    values = [
        _values_by_row(batch, feature, spec["feature_values"].get(feature)) for feature in features
    ]
    found: dict[str, list[int]] = defaultdict(list)
    for row in sorted(set.intersection(*(set(by_row) for by_row in values))):
        for combination in product(*(sorted(by_row[row]) for by_row in values)):
            parts = zip(features, combination, strict=True)
            found["_".join(f"{feature}_{value}" for feature, value in parts)].append(row)
    return found


def _values_by_row(batch: pa.RecordBatch, feature: str, wanted: str | None) -> dict[int, set[str]]:
    """The values of a feature in each row that has it, or that has the wanted one."""
    index = batch.schema.get_field_index(feature)
    if index < 0 or pa.types.is_null(batch.column(index).type):
        return {}
    column = batch.column(index)
    if feature_type((feature,), column.type) == INT and wanted is not None:
        wanted = _check_integer(feature, wanted)
    values, rows = flatten(column, np.arange(len(column), dtype=np.float64))
    assert rows is not None
    by_row: dict[int, set[str]] = defaultdict(set)
    for row, value in zip(rows.astype(int).tolist(), values.to_pylist(), strict=True):
        text = _to_text(feature, value)
        if wanted is None or text == wanted:
            by_row[row].add(text)
    return by_row


def _check_integer(feature: str, wanted: str) -> str:
    try:
        return str(int(wanted))
    except ValueError:
        raise ValueError(
            f"slicing_config asks for {wanted!r} of feature {feature!r}, whose values are integers."
        ) from None


def _to_text(feature: str, value: Any) -> str:
    if not isinstance(value, bytes):
        return str(value)
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(
            f"slicing_config slices by feature {feature!r}, which has the value {value!r}: "
            "expected UTF-8, because a slice is named after it."
        ) from None
