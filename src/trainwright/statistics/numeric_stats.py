"""NumericStats: moments, extremes and quantiles of a numeric feature."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from tensorflow_metadata.proto.v0 import statistics_pb2

from trainwright.statistics.feature_arrays import Weights
from trainwright.statistics.histograms import (
    every_nth,
    median,
    quantiles_histogram,
    standard_histogram,
)
from trainwright.statistics.moments import Moments
from trainwright.statistics.quantiles import Quantiles
from trainwright.statistics.stats_options import StatsOptions

# A standard histogram is made from this many times more quantiles than the quantiles histogram has.
_FINER = 100
# Integers that lie so close together are counted before they are added to a sketch.
_SMALL_RANGE = 1024


class NumericStats:
    """Exact but for quantiles and histograms, whose error `Quantiles` names.

    Args:
        epsilon: The error of quantiles.
        has_weights: Whether values will come with weights.
    """

    def __init__(self, epsilon: float, has_weights: bool) -> None:
        self.zeros = 0
        self.not_numbers = 0
        self.positive_infinities = 0
        self.weighted_positive_infinities = 0.0
        self.smallest = math.inf
        self.largest = -math.inf
        self.finite_smallest = math.inf
        self.finite_largest = -math.inf
        self._moments = Moments()
        self._weighted_moments = Moments()
        self._quantiles = Quantiles(epsilon)
        self._weighted_quantiles = Quantiles(epsilon) if has_weights else None

    def add(self, values: npt.NDArray[Any], weights: Weights | None) -> None:
        if values.dtype.kind == "f":
            values, weights = self._without_nan(values, weights)
        if not values.size:
            return
        smallest, largest = float(values.min()), float(values.max())
        self.smallest, self.largest = min(self.smallest, smallest), max(self.largest, largest)
        self._note_finite(values, smallest, largest, weights)
        self.zeros += values.size - int(np.count_nonzero(values))
        self._add_to_quantiles(values, largest - smallest)
        numbers = values.astype(np.float64)
        self._moments.add(numbers)
        if weights is not None and self._weighted_quantiles is not None:
            self._weighted_moments.add(numbers, weights)
            self._weighted_quantiles.add(numbers, weights)

    def _without_nan(
        self, values: npt.NDArray[Any], weights: Weights | None
    ) -> tuple[npt.NDArray[Any], Weights | None]:
        is_nan = np.isnan(values)
        found = int(np.count_nonzero(is_nan))
        if not found:
            return values, weights
        self.not_numbers += found
        return values[~is_nan], None if weights is None else weights[~is_nan]

    def _note_finite(
        self, values: npt.NDArray[Any], smallest: float, largest: float, weights: Weights | None
    ) -> None:
        if math.isinf(smallest) or math.isinf(largest):
            is_infinity = np.isposinf(values)
            self.positive_infinities += int(np.count_nonzero(is_infinity))
            if weights is not None:
                self.weighted_positive_infinities += float(weights[is_infinity].sum())
            finite = values[np.isfinite(values)]
            if not finite.size:
                return
            smallest, largest = float(finite.min()), float(finite.max())
        self.finite_smallest = min(self.finite_smallest, smallest)
        self.finite_largest = max(self.finite_largest, largest)

    def _add_to_quantiles(self, values: npt.NDArray[Any], spread: float) -> None:
        if values.dtype.kind == "i" and spread < _SMALL_RANGE:
            offset = values.min()
            counts = np.bincount(values - offset)
            found = np.flatnonzero(counts)
            self._quantiles.add(found + offset, counts[found])
        else:
            self._quantiles.add(values)

    def merge(self, other: NumericStats) -> None:
        self.zeros += other.zeros
        self.not_numbers += other.not_numbers
        self.positive_infinities += other.positive_infinities
        self.weighted_positive_infinities += other.weighted_positive_infinities
        self.smallest = min(self.smallest, other.smallest)
        self.largest = max(self.largest, other.largest)
        self.finite_smallest = min(self.finite_smallest, other.finite_smallest)
        self.finite_largest = max(self.finite_largest, other.finite_largest)
        self._moments.merge(other._moments)
        self._weighted_moments.merge(other._weighted_moments)
        self._quantiles.merge(other._quantiles)
        if self._weighted_quantiles is not None and other._weighted_quantiles is not None:
            self._weighted_quantiles.merge(other._weighted_quantiles)

    def to_json(self) -> tuple[dict[str, Any], list[bytes]]:
        """What is small, and the sketches."""
        header = {name: value for name, value in vars(self).items() if not name.startswith("_")}
        header["moments"] = self._moments.to_json()
        header["weighted_moments"] = self._weighted_moments.to_json()
        sketches = [self._quantiles.serialize()]
        if self._weighted_quantiles is not None:
            sketches.append(self._weighted_quantiles.serialize())
        return header, sketches

    @classmethod
    def from_json(cls, header: dict[str, Any], sketches: list[bytes]) -> NumericStats:
        stats = cls.__new__(cls)
        stats._moments = Moments(*header.pop("moments"))
        stats._weighted_moments = Moments(*header.pop("weighted_moments"))
        vars(stats).update(header)
        stats._quantiles = Quantiles.deserialize(sketches[0])
        stats._weighted_quantiles = (
            Quantiles.deserialize(sketches[1]) if len(sketches) > 1 else None
        )
        return stats

    def to_proto(self, total: int, options: StatsOptions) -> statistics_pb2.NumericStatistics:
        """The statistics of `total` values, NaN included."""
        result = statistics_pb2.NumericStatistics()
        if total == self.not_numbers:
            if self.not_numbers:
                kinds = statistics_pb2.Histogram
                result.histograms.add(type=kinds.STANDARD, num_nan=self.not_numbers)
                result.histograms.add(type=kinds.QUANTILES, num_nan=self.not_numbers)
            return result
        result.mean = self._moments.mean
        result.std_dev = self._moments.standard_deviation
        result.num_zeros = self.zeros
        result.min = self.smallest
        result.max = self.largest
        result.median, histograms = self._summarize(
            self._quantiles, self.positive_infinities, options
        )
        result.histograms.extend(histograms)
        if self._weighted_quantiles is not None:
            weighted = result.weighted_numeric_stats
            weighted.mean = self._weighted_moments.mean
            weighted.std_dev = self._weighted_moments.standard_deviation
            weighted.median, histograms = self._summarize(
                self._weighted_quantiles, self.weighted_positive_infinities, options
            )
            weighted.histograms.extend(histograms)
        return result

    def _summarize(
        self, quantiles: Quantiles, positive_infinities: float, options: StatsOptions
    ) -> tuple[float, list[statistics_pb2.Histogram]]:
        """The median, the standard histogram and the quantiles histogram."""
        boundaries, cumulative = quantiles.boundaries(
            _FINER * options.num_quantiles_histogram_buckets
        )
        standard = standard_histogram(
            boundaries,
            cumulative,
            finite_min=self.finite_smallest,
            finite_max=self.finite_largest,
            buckets=options.num_histogram_buckets,
            positive_infinities=positive_infinities,
        )
        coarse = quantiles_histogram(*every_nth(boundaries, cumulative, _FINER))
        for histogram in (standard, coarse):
            histogram.num_nan = self.not_numbers
        return median(boundaries), [standard, coarse]
