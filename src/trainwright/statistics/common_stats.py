"""CommonStats: presence and valency of a feature at all its levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from tensorflow_metadata.proto.v0 import statistics_pb2

from trainwright.data.arrow_arrays import valid_cells
from trainwright.statistics.feature_arrays import (
    ArrowArray,
    Weights,
    is_list,
    list_lengths,
    nest_level,
    repeat_weights,
)
from trainwright.statistics.histograms import quantiles_histogram, standard_histogram
from trainwright.statistics.level_stats import (
    LevelStats,
    count_integers,
    length_boundaries,
    length_histogram,
)
from trainwright.statistics.stats_options import StatsOptions


class CommonStats:
    """Counts at each level: in an example, in the lists of an example, and so on.

    Args:
        levels: How many lists are around a value. Of a feature with several, the values of an
            example are those at the innermost level: they are counted as well.
    """

    def __init__(self, levels: int) -> None:
        self.levels = [LevelStats() for _ in range(levels)]
        self._innermost: Counter[int] = Counter()

    @property
    def total(self) -> int:
        """How many values there are, at the innermost level."""
        return self.levels[-1].total

    def add(self, array: ArrowArray, weights: Weights | None) -> None:
        if pa.types.is_null(array.type):
            return
        if nest_level(array.type) > 1:
            self._innermost.update(count_integers(_innermost_counts(array)))
        for level in self.levels:
            level.add(array, weights)
            if not is_list(array.type):
                return
            weights = repeat_weights(weights, array)
            array = array.flatten()

    def merge(self, other: CommonStats) -> None:
        for level, other_level in zip(self.levels, other.levels, strict=True):
            level.merge(other_level)
        self._innermost.update(other._innermost)

    def to_json(self) -> dict[str, Any]:
        return {
            "levels": [level.to_json() for level in self.levels],
            "innermost": sorted(self._innermost.items()),
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> CommonStats:
        stats = cls(0)
        stats.levels = [LevelStats.from_json(level) for level in value["levels"]]
        stats._innermost = Counter(dict(value["innermost"]))
        return stats

    def to_proto(
        self, parents: int, weighted_parents: float | None, options: StatsOptions
    ) -> statistics_pb2.CommonStatistics:
        """The statistics of a feature in `parents` examples, or structs."""
        result = statistics_pb2.CommonStatistics()
        totals = [parents, *(level.total for level in self.levels)]
        protos = [level.to_proto(n) for level, n in zip(self.levels, totals, strict=False)]
        if len(protos) > 1:
            result.presence_and_valency_stats.extend(protos)
        result.num_non_missing = protos[0].num_non_missing
        result.num_missing = protos[0].num_missing
        result.tot_num_values = protos[-1].tot_num_values
        if result.num_non_missing:
            lengths = self._innermost if len(self.levels) > 1 else self.levels[0].lengths
            result.min_num_values = min(lengths)
            result.max_num_values = max(lengths)
            result.avg_num_values = result.tot_num_values / result.num_non_missing
            result.num_values_histogram.CopyFrom(
                length_histogram(lengths, options.num_values_histogram_buckets, options.epsilon)
            )
        if weighted_parents is not None:
            self._add_weighted(result, weighted_parents)
        return result

    def _add_weighted(self, result: statistics_pb2.CommonStatistics, parents: float) -> None:
        totals = [parents, *(level.weighted_total for level in self.levels)]
        protos = [level.to_weighted_proto(n) for level, n in zip(self.levels, totals, strict=False)]
        if len(protos) > 1:
            result.weighted_presence_and_valency_stats.extend(protos)
        outermost, innermost = protos[0], protos[-1]
        result.weighted_common_stats.num_non_missing = outermost.num_non_missing
        result.weighted_common_stats.num_missing = outermost.num_missing
        result.weighted_common_stats.tot_num_values = innermost.tot_num_values
        if outermost.num_non_missing:
            result.weighted_common_stats.avg_num_values = (
                innermost.tot_num_values / outermost.num_non_missing
            )

    def inner_histograms(self, options: StatsOptions) -> list[statistics_pb2.CustomStatistic]:
        """How long the lists inside of lists are, which common statistics have no place for."""
        found = []
        for number, level in enumerate(self.levels[1:], start=2):
            if not level.present:
                continue
            buckets = options.num_values_histogram_buckets
            boundaries = length_boundaries(level.lengths, buckets, options.epsilon)
            name = f"level_{number}_value_list_length"
            quantiles = quantiles_histogram(*boundaries)
            found.append(
                statistics_pb2.CustomStatistic(name=f"{name}_quantiles", histogram=quantiles)
            )
            standard = standard_histogram(
                *boundaries,
                finite_min=min(level.lengths),
                finite_max=max(level.lengths),
                buckets=buckets,
            )
            found.append(
                statistics_pb2.CustomStatistic(name=f"{name}_standard", histogram=standard)
            )
        return found


def _innermost_counts(array: ArrowArray) -> np.ndarray[Any, np.dtype[np.int64]]:
    """How many values each element has that is there, at the innermost level."""
    mask = valid_cells(array)
    ends: Sequence[np.ndarray[Any, np.dtype[np.int64]]] = []
    while is_list(array.type):
        ends = [*ends, np.concatenate([[0], np.cumsum(list_lengths(array))])]
        array = array.flatten()
    positions = ends[0]
    for inner in ends[1:]:
        positions = inner[positions]
    counts: np.ndarray[Any, np.dtype[np.int64]] = np.diff(positions)[mask]
    return counts
