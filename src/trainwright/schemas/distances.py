"""Distances between the distributions of a feature in two datasets."""

from __future__ import annotations

import bisect
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tensorflow_metadata.proto.v0 import schema_pb2, statistics_pb2

from trainwright.schemas.statistics_view import FeatureView

Counts = Mapping[str, float]

_HISTOGRAMS = {
    schema_pb2.HistogramSelection.QUANTILES: statistics_pb2.Histogram.QUANTILES,
    schema_pb2.HistogramSelection.STANDARD: statistics_pb2.Histogram.STANDARD,
    schema_pb2.HistogramSelection.DEFAULT: statistics_pb2.Histogram.STANDARD,
}


class LargestDifference(NamedTuple):
    """A distance, and the value at which the distributions differ most."""

    distance: float
    value: str


def infinity_distance(one: FeatureView, other: FeatureView) -> LargestDifference:
    """The largest difference between the relative frequencies of a value, from 0 to 1."""
    return _largest_difference(_normalized(one.value_counts), _normalized(other.value_counts))


def normalized_absolute_difference(one: FeatureView, other: FeatureView) -> LargestDifference:
    """The largest difference between the counts of a value, as a fraction of all counts."""
    counts, other_counts = one.value_counts, other.value_counts
    total = sum(counts.values()) + sum(other_counts.values())
    return _largest_difference(_scaled(counts, total), _scaled(other_counts, total))


def _normalized(counts: Counts) -> Counts:
    return _scaled(counts, sum(counts.values()))


def _scaled(counts: Counts, total: float) -> Counts:
    return {value: count / total for value, count in counts.items()} if total else counts


def _largest_difference(one: Counts, other: Counts) -> LargestDifference:
    largest = LargestDifference(0.0, "")
    for value in sorted({**one, **other}):
        distance = abs(one.get(value, 0.0) - other.get(value, 0.0))
        # Of equal differences the last value is named.
        if distance >= largest.distance:
            largest = LargestDifference(distance, value)
    return largest


def jensen_shannon_divergence(
    one: FeatureView, other: FeatureView, source: int = schema_pb2.HistogramSelection.DEFAULT
) -> float | None:
    """The divergence in bits, from 0 to 1; None if it cannot be computed.

    Args:
        one: A feature in a dataset.
        other: The same feature in another.
        source: Which numeric histogram to compare, a value of `HistogramSelection.Type`; values
            that were counted as strings are compared directly.
    """
    counts, other_counts = one.value_counts, other.value_counts
    if counts and other_counts:
        if any(count <= 0 for count in (*counts.values(), *other_counts.values())):
            return None
        values = sorted({**counts, **other_counts})
        return _divergence(
            [counts.get(value, 0.0) for value in values],
            [other_counts.get(value, 0.0) for value in values],
        )
    kind = _HISTOGRAMS[source]
    histogram, other_histogram = one.histogram(kind), other.histogram(kind)
    if histogram is None or other_histogram is None:
        return None
    return _divergence(*_align(histogram, other_histogram))


def _divergence(one: Sequence[float], other: Sequence[float]) -> float | None:
    total, other_total = sum(one), sum(other)
    if not total or not other_total:
        return None
    divergence = other_divergence = 0.0
    for mass, other_mass in zip(one, other, strict=True):
        share, other_share = mass / total, other_mass / other_total
        middle = (share + other_share) / 2
        if share > 0:
            divergence += share * math.log2(share / middle)
        if other_share > 0:
            other_divergence += other_share * math.log2(other_share / middle)
    return min((divergence + other_divergence) / 2, 1.0)


class _Masses(NamedTuple):
    """The mass of a histogram: in intervals, on points, and where nothing can be compared."""

    intervals: list[tuple[float, float, float]]
    points: dict[float, float]
    infinite: float
    nan: float


def _align(histogram: Any, other_histogram: Any) -> tuple[list[float], list[float]]:
    """The masses of both histograms over the same cells."""
    one, other = _take_apart(histogram), _take_apart(other_histogram)
    ends = [end for low, high, _ in (*one.intervals, *other.intervals) for end in (low, high)]
    bounds, points = sorted(set(ends)), sorted({**one.points, **other.points})
    # Infinities and NaN of one are never where those of the other are.
    apart = ((one.infinite, 0.0), (0.0, other.infinite), (0.0, other.nan), (one.nan, 0.0))
    return tuple(  # type: ignore[return-value]
        [
            *_spread(masses.intervals, bounds),
            *(masses.points.get(point, 0.0) for point in points),
            *(cell[number] for cell in apart),
        ]
        for number, masses in enumerate((one, other))
    )


def _take_apart(histogram: Any) -> _Masses:
    intervals, infinite = [], 0.0
    points: dict[float, float] = {}
    for bucket in histogram.buckets:
        low, high, count = bucket.low_value, bucket.high_value, bucket.sample_count
        if not (math.isfinite(low) and math.isfinite(high)):
            infinite += count
        elif low == high:
            points[low] = points.get(low, 0.0) + count
        else:
            intervals.append((low, high, count))
    return _Masses(intervals, points, infinite, float(histogram.num_nan))


def _spread(
    intervals: Sequence[tuple[float, float, float]], bounds: Sequence[float]
) -> list[float]:
    """The masses between neighbouring bounds; inside an interval mass lies evenly."""
    masses = [0.0] * max(len(bounds) - 1, 0)
    for low, high, count in intervals:
        start, end = bisect.bisect_left(bounds, low), bisect.bisect_left(bounds, high)
        for cell in range(start, end):
            masses[cell] += (bounds[cell + 1] - bounds[cell]) / (high - low) * count
    return masses
