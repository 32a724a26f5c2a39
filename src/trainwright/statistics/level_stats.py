"""LevelStats: how often a feature is there, and how many values it has then."""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
from tensorflow_metadata.proto.v0 import statistics_pb2

from trainwright.data.arrow_arrays import valid_cells
from trainwright.statistics.feature_arrays import ArrowArray, Weights, list_lengths
from trainwright.statistics.histograms import quantiles_histogram
from trainwright.statistics.quantiles import Floats, Quantiles

# Numbers up to this are counted by an array as long as they are large.
_SMALL = 4096


class LevelStats:
    """Presence and valency at one level of a feature: an example, or a list inside of one.

    All of it is exact. How many lists there are of each length is kept as it is, in a table with
    an entry for each length that occurs.
    """

    def __init__(self) -> None:
        self.present = 0
        self.total = 0
        self.weighted_present = 0.0
        self.weighted_total = 0.0
        self.lengths: Counter[int] = Counter()

    def add(self, array: ArrowArray, weights: Weights | None) -> None:
        """Adds the elements of a list or struct array."""
        lengths = list_lengths(array)
        if array.null_count:
            is_present = valid_cells(array)
            lengths = lengths[is_present]
            weights = None if weights is None else weights[is_present]
        if weights is not None:
            self.weighted_present += float(weights.sum())
            self.weighted_total += float((lengths * weights).sum())
        self.present += len(lengths)
        for length, count in count_integers(lengths).items():
            self.total += length * count
            self.lengths[length] += count

    def merge(self, other: LevelStats) -> None:
        self.present += other.present
        self.total += other.total
        self.weighted_present += other.weighted_present
        self.weighted_total += other.weighted_total
        self.lengths.update(other.lengths)

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "lengths": sorted(self.lengths.items())}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> LevelStats:
        stats = cls.__new__(cls)
        vars(stats).update(value)
        stats.lengths = Counter(dict(value["lengths"]))
        return stats

    def to_proto(self, parents: int) -> statistics_pb2.PresenceAndValencyStatistics:
        """The statistics of a level in `parents` lists, or examples."""
        proto = statistics_pb2.PresenceAndValencyStatistics(
            num_missing=parents - self.present, num_non_missing=self.present
        )
        if self.present:
            proto.min_num_values = min(self.lengths)
            proto.max_num_values = max(self.lengths)
            proto.tot_num_values = self.total
        return proto

    def to_weighted_proto(self, parents: float) -> statistics_pb2.WeightedCommonStatistics:
        """The same with weights."""
        return statistics_pb2.WeightedCommonStatistics(
            num_missing=parents - self.weighted_present,
            num_non_missing=self.weighted_present,
            tot_num_values=self.weighted_total,
            avg_num_values=(
                self.weighted_total / self.weighted_present if self.weighted_present > 0 else 0
            ),
        )


def count_integers(numbers: npt.NDArray[np.int64]) -> dict[int, int]:
    """How often each of some numbers occurs, none of them negative.

    >>> count_integers(np.array([2, 0, 2]))
    {0: 1, 2: 2}
    """
    if not numbers.size:
        return {}
    smallest, largest = int(numbers.min()), int(numbers.max())
    if smallest == largest:
        return {smallest: numbers.size}
    if largest < _SMALL:
        counts = np.bincount(numbers)
        found = np.flatnonzero(counts)
        return dict(zip(found.tolist(), counts[found].tolist(), strict=True))
    found, counts = np.unique(numbers, return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))


def length_boundaries(lengths: Counter[int], buckets: int, epsilon: float) -> tuple[Floats, Floats]:
    """Quantiles of the lengths, as `Quantiles.boundaries` gives them."""
    return _boundaries(tuple(sorted(lengths.items())), buckets, epsilon)


# Most features have one value in each example, so most tables of lengths are the same.
@functools.lru_cache(maxsize=256)
def _boundaries(
    lengths: tuple[tuple[int, int], ...], buckets: int, epsilon: float
) -> tuple[Floats, Floats]:
    quantiles = Quantiles(epsilon)
    table = np.array(lengths, np.int64)
    quantiles.add(table[:, 0], table[:, 1])
    return quantiles.boundaries(buckets)


def length_histogram(
    lengths: Counter[int], buckets: int, epsilon: float
) -> statistics_pb2.Histogram:
    """The quantiles histogram of the lengths."""
    return quantiles_histogram(*length_boundaries(lengths, buckets, epsilon))
