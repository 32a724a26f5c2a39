"""ValueSketches: estimates of frequent and of different values in bounded memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from trainwright._imports import require
from trainwright.data.arrow_arrays import from_numpy
from trainwright.statistics.counted_values import CountedValues
from trainwright.statistics.feature_arrays import ArrowArray, Weights

# TFDV's sizes.
_KMV_VALUES = 16_384
_MISRA_GRIES_VALUES = 1024
_LONGEST_VALUE = 1024
_NOT_TEXT = "__BYTES_VALUE__"
_TOO_LONG = "__LARGE_BYTES__"
# Weights are single precision in the sketch: larger ones are added in parts.
_LARGEST_WEIGHT = 1 << 24


class ValueSketches:
    """Three mergeable sketches of tfx-bsl, of the sizes that TFDV gives them.

    - `KmvSketch` (k minimum values, k = 16 384) for the number of different values: exact below k,
      with a standard error of 1/sqrt(k - 2), 0.8 %, above.
    - `MisraGriesSketch` (m buckets, m the larger of 1024 and of the number of values asked for) for
      frequent values: a count is wrong by at most the number of all values divided by m, and a
      value that is more frequent than that is never missed. Once with counts, once with weights.

    Values longer than 1024 bytes count as one, `__LARGE_BYTES__`, and so do those that are no
    UTF-8, `__BYTES_VALUE__`.
    """

    def __init__(self, buckets: int) -> None:
        self._unique = _sketches().KmvSketch(_KMV_VALUES)
        self._by_count = _misra_gries(buckets)
        self._by_weight = _misra_gries(buckets)

    def add(self, values: ArrowArray, weights: Weights | None) -> None:
        self._unique.AddValues(values)
        self._by_count.AddValues(values)
        if weights is not None:
            self._by_weight.AddValues(values, from_numpy(weights.astype(np.float32)))

    def add_counted(self, counted: CountedValues) -> None:
        """Adds values that were counted already."""
        self._unique.AddValues(counted.values)
        _add_weighted(self._by_count, counted.values, counted.counts)
        if counted.weights is not None:
            _add_weighted(self._by_weight, counted.values, counted.weights)

    def merge(self, other: ValueSketches) -> None:
        self._unique.Merge(other._unique)
        self._by_count.Merge(other._by_count)
        self._by_weight.Merge(other._by_weight)

    def serialize(self) -> list[bytes]:
        return [
            bytes(sketch.__getstate__())
            for sketch in (self._unique, self._by_count, self._by_weight)
        ]

    @classmethod
    def deserialize(cls, data: list[bytes]) -> ValueSketches:
        sketches = cls.__new__(cls)
        kinds = _sketches()
        sketches._unique = _restore(kinds.KmvSketch, data[0])
        sketches._by_count = _restore(kinds.MisraGriesSketch, data[1])
        sketches._by_weight = _restore(kinds.MisraGriesSketch, data[2])
        return sketches

    def estimate(
        self, has_weights: bool
    ) -> tuple[int, list[tuple[Any, float]], list[tuple[Any, float]]]:
        """The number of different values, and the frequent ones by count and by weight."""
        by_weight = _frequent(self._by_weight) if has_weights else []
        return self._unique.Estimate(), _frequent(self._by_count), by_weight


def _misra_gries(buckets: int) -> Any:
    return _sketches().MisraGriesSketch(
        num_buckets=max(buckets, _MISRA_GRIES_VALUES),
        invalid_utf8_placeholder=_NOT_TEXT,
        large_string_threshold=_LONGEST_VALUE,
        large_string_placeholder=_TOO_LONG,
    )


def _add_weighted(sketch: Any, values: ArrowArray, weights: Any) -> None:
    while len(values):
        part = np.minimum(weights, _LARGEST_WEIGHT).astype(np.float32)
        sketch.AddValues(values, from_numpy(part))
        weights = weights - part
        is_left = weights > 0
        values, weights = values.take(from_numpy(np.flatnonzero(is_left))), weights[is_left]


def _frequent(sketch: Any) -> list[tuple[Any, float]]:
    pairs = [(pair["values"], pair["counts"]) for pair in sketch.Estimate().to_pylist()]
    return sorted(pairs, key=lambda pair: (pair[1], pair[0]), reverse=True)


def _restore(sketch_class: Any, state: bytes) -> Any:
    sketch = sketch_class.__new__(sketch_class)
    sketch.__setstate__(state)
    return sketch


def _sketches() -> Any:
    return require("tfx_bsl.sketches", extra="transform")
