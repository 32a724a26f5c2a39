"""Histograms from quantiles, bucket for bucket as TFDV makes them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from tensorflow_metadata.proto.v0 import statistics_pb2

from trainwright.statistics.quantiles import Floats


def quantiles_histogram(boundaries: Floats, cumulative: Floats) -> statistics_pb2.Histogram:
    """Buckets of about the same weight.

    Args:
        boundaries: Where the buckets begin and end; they may repeat.
        cumulative: The weight up to each boundary.
    """
    histogram = statistics_pb2.Histogram(type=statistics_pb2.Histogram.QUANTILES)
    weights = _bucket_weights(boundaries, cumulative)
    _add_buckets(histogram, boundaries[:-1], boundaries[1:], weights)
    return histogram


def standard_histogram(
    boundaries: Floats,
    cumulative: Floats,
    *,
    finite_min: float,
    finite_max: float,
    buckets: int,
    positive_infinities: float = 0,
) -> statistics_pb2.Histogram:
    """Buckets of the same width; inside a quantile's bucket, weight counts as evenly spread.

    Infinities get buckets of their own at the ends.
    """
    histogram = statistics_pb2.Histogram(type=statistics_pb2.Histogram.STANDARD)
    if not np.isfinite(finite_min):
        histogram.buckets.add(
            low_value=finite_min, high_value=finite_max, sample_count=cumulative[-1]
        )
        return histogram
    with np.errstate(over="ignore", invalid="ignore"):
        edges = np.linspace(finite_min, finite_max, (buckets if finite_min < finite_max else 1) + 1)
    if not np.isfinite(edges).all():
        return histogram  # too far apart for floating point
    boundaries, cumulative, negative_infinities = _without_infinities(
        boundaries, cumulative, finite_max, positive_infinities
    )
    if negative_infinities:
        _add_infinity(histogram, -np.inf, negative_infinities)
    counts = _spread(boundaries, _bucket_weights(boundaries, cumulative), edges)
    _add_buckets(histogram, edges[:-1], edges[1:], counts)
    if positive_infinities:
        _add_infinity(histogram, np.inf, positive_infinities)
    return histogram


def every_nth(boundaries: Floats, cumulative: Floats, n: int) -> tuple[Floats, Floats]:
    """Joins each n buckets to one."""
    return boundaries[::n], cumulative[::n]


def median(boundaries: Floats) -> float:
    """The boundary in the middle, or the mean of the two there."""
    middle = len(boundaries) // 2
    if len(boundaries) % 2:
        return float(boundaries[middle])
    return float((boundaries[middle - 1] + boundaries[middle]) / 2)


def _bucket_weights(boundaries: Floats, cumulative: Floats) -> Floats:
    """The weight in each bucket; buckets that end at the same number share theirs evenly."""
    highs = boundaries[1:]
    if not highs.size:
        return np.zeros(0)
    _, run, lengths = np.unique(highs, return_inverse=True, return_counts=True)
    shared: Floats = (np.bincount(run, np.diff(cumulative)) / lengths)[run]
    # The smallest number is in no bucket yet: the first takes it, with all that are like it.
    lows = boundaries[:-1]
    is_other = (lows != lows[0]) | (highs != highs[0])
    alike = int(is_other.argmax()) if is_other.any() else lows.size
    shared[:alike] += cumulative[0] / alike
    return shared


def _without_infinities(
    boundaries: Floats, cumulative: Floats, finite_max: float, positive_infinities: float
) -> tuple[Floats, Floats, float]:
    """The finite buckets, and the weight of the negative infinities."""
    negative = int(np.searchsorted(boundaries, -np.inf, side="right"))
    negative_infinities = float(cumulative[negative - 1]) if negative else 0.0
    boundaries, cumulative = boundaries[negative:], cumulative[negative:] - negative_infinities
    if positive_infinities:
        # The first bucket that ends at infinity may begin with finite numbers.
        finite_total = cumulative[-1] - positive_infinities
        end = int(np.searchsorted(boundaries, np.inf, side="left"))
        boundaries = np.append(boundaries[:end], finite_max)
        cumulative = np.append(cumulative[:end], finite_total)
    return boundaries, cumulative, negative_infinities


def _spread(boundaries: Floats, weights: Floats, edges: Floats) -> Floats:
    """The weight between edges: what lies on an edge counts below it."""
    lows, highs = boundaries[:-1], boundaries[1:]
    widths = highs - lows
    is_point = widths == 0
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.clip((edges[1:, np.newaxis] - lows) / widths, 0, 1)
    parts[:, is_point] = highs[is_point] <= edges[1:, np.newaxis]
    up_to_edges: npt.NDArray[np.float64] = (parts * weights).sum(axis=1)
    return np.diff(up_to_edges, prepend=0)


def _add_buckets(
    histogram: statistics_pb2.Histogram, lows: Floats, highs: Floats, counts: Floats
) -> None:
    for low, high, count in zip(lows.tolist(), highs.tolist(), counts.tolist(), strict=True):
        histogram.buckets.add(low_value=low, high_value=high, sample_count=count)


def _add_infinity(histogram: statistics_pb2.Histogram, infinity: float, count: float) -> None:
    histogram.buckets.add(low_value=infinity, high_value=infinity, sample_count=count)
