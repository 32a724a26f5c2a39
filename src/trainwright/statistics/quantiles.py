"""Quantiles of a stream of numbers, from tfx-bsl's mergeable sketch."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from trainwright._imports import require
from trainwright.data.arrow_arrays import from_numpy, to_numpy

Floats = npt.NDArray[np.float64]

# What the sketch is laid out for; more numbers only make its error grow slowly.
_MOST_NUMBERS = 1 << 32


class Quantiles:
    """Quantiles of numbers, each of which may have a weight.

    It is `tfx_bsl.sketches.QuantilesSketch`, the weighted quantile summary that TFDV uses: the rank
    of what it says is a quantile is wrong by at most `epsilon` times the total weight. Up to some
    hundreds of different numbers it is exact. The smallest and the largest number are always exact.

    Args:
        epsilon: The error of a rank, as a fraction of the total weight.
    """

    def __init__(self, epsilon: float) -> None:
        self._sketch = _sketches().QuantilesSketch(epsilon, _MOST_NUMBERS, 1)

    def add(self, numbers: npt.NDArray[Any], weights: npt.NDArray[Any] | None = None) -> None:
        """Adds numbers, none of them NaN; those without a positive weight do not count."""
        if weights is None:
            self._sketch.AddValues(from_numpy(numbers))
        else:
            self._sketch.AddValues(from_numpy(numbers), from_numpy(weights))

    def merge(self, other: Quantiles) -> None:
        self._sketch.Merge(other._sketch)

    def boundaries(self, buckets: int) -> tuple[Floats, Floats]:
        """The boundaries of buckets of about the same weight, and the weight up to each."""
        boundaries, cumulative = self._sketch.GetQuantilesAndCumulativeWeights(buckets)
        return _to_floats(boundaries), _to_floats(cumulative)

    def serialize(self) -> bytes:
        # A compact sketch is several times smaller; epsilon allows for that.
        self._sketch.Compact()
        return bytes(self._sketch.__getstate__())

    @classmethod
    def deserialize(cls, data: bytes) -> Quantiles:
        quantiles = cls.__new__(cls)
        sketch_class = _sketches().QuantilesSketch
        quantiles._sketch = sketch_class.__new__(sketch_class)
        quantiles._sketch.__setstate__(data)
        return quantiles


def _to_floats(lists: Any) -> Floats:
    floats: Floats = to_numpy(lists.flatten())
    return floats


def _sketches() -> Any:
    return require("tfx_bsl.sketches", extra="transform")
