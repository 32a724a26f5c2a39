"""The values of metrics: numbers with their intervals, and words for whatever else there is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from trainwright.html_views.numbers import NOTHING, counted, number
from trainwright.html_views.text import cut
from trainwright.proto.tfma import metrics_for_slice_pb2

_LONGEST = 60
_PLACES = 4
_MOST_SHOWN = 4


class Number(NamedTuple):
    """A number and its confidence interval; without one, the ends are the number itself."""

    value: float
    low: float
    high: float

    @property
    def has_interval(self) -> bool:
        return self.low < self.high

    @property
    def is_finite(self) -> bool:
        return math.isfinite(self.value)

    @property
    def half_width(self) -> float:
        """How far the interval reaches to its farther side."""
        return max(self.high - self.value, self.value - self.low)


def number_of(item: metrics_for_slice_pb2.MetricsForSlice.MetricKeyAndValue) -> Number | None:
    """The number that a metric is, with its interval; None if it is something else."""
    value = item.value
    kind = value.WhichOneof("type")
    if kind == "double_value":
        middle = value.double_value.value
        interval = item.confidence_interval
        low, high = (end.double_value.value for end in (interval.lower_bound, interval.upper_bound))
        has_ends = interval.lower_bound.HasField("double_value")
        return _with_interval(middle, low, high) if has_ends else Number(middle, middle, middle)
    if kind == "bounded_value":
        bounded = value.bounded_value
        return _with_interval(
            bounded.value.value, bounded.lower_bound.value, bounded.upper_bound.value
        )
    if kind == "t_distribution_value":
        mean = value.t_distribution_value.sample_mean.value
        return Number(mean, mean, mean)
    return None


def _with_interval(value: float, low: float, high: float) -> Number:
    if not low <= value <= high:  # also if one of them is NaN
        low = high = value
    return Number(value, low, high)


def words_of(value: metrics_for_slice_pb2.MetricValue) -> str:
    """A value that is not a number, shortly.

    >>> words_of(metrics_for_slice_pb2.MetricValue(debug_message="empty"))
    'empty'
    """
    kind = value.WhichOneof("type")
    if kind == "value_at_cutoffs":
        pairs = [f"{pair.cutoff}: {number(pair.value)}" for pair in value.value_at_cutoffs.values]
        return _joined(pairs)
    if kind == "confusion_matrix_at_thresholds":
        return counted(
            len(value.confusion_matrix_at_thresholds.matrices), "threshold", "thresholds"
        )
    if kind == "multi_class_confusion_matrix_at_thresholds":
        return "matrix, see below"
    if kind == "array_value":
        return _array_words(value.array_value)
    if kind == "unknown_type":
        return cut(value.unknown_type.error or "unknown", _LONGEST)
    if kind == "bytes_value":
        return cut(value.bytes_value.decode(errors="replace"), _LONGEST)
    if kind == "debug_message":
        return cut(value.debug_message, _LONGEST)
    return NOTHING


def _array_words(array: metrics_for_slice_pb2.ArrayValue) -> str:
    values: Sequence[float]
    for values in (
        array.float64_values,
        array.float32_values,
        array.int64_values,
        array.int32_values,
    ):
        if values:
            return _joined(map(number, values))
    return _joined(text.decode(errors="replace") for text in array.bytes_values)


def _joined(texts: Iterable[str]) -> str:
    shown = list(texts)
    more = f", … ({len(shown)})" if len(shown) > _MOST_SHOWN else ""
    return cut(", ".join(shown[:_MOST_SHOWN]) + more, _LONGEST) or NOTHING


def score(value: float) -> str:
    """A number among others of its kind: the same places after the point, if it is of their size.

    >>> score(0.82), score(1.0), score(0), score(0.00001), score(1234.5)
    ('0.8200', '1.0000', '0', '1e-5', '1234.5')
    """
    if math.isfinite(value) and 10**-_PLACES <= abs(value) < 10:
        return f"{value:.{_PLACES}f}"
    return number(value)


def spread(half_width: float) -> str:
    """Half of an interval, of which more than two digits mean nothing.

    >>> spread(0.01893), spread(12.31)
    ('0.019', '12')
    """
    if not math.isfinite(half_width) or half_width == 0:
        return number(half_width)
    places = max(1 - math.floor(math.log10(abs(half_width))), 0)
    return f"{half_width:.{places}f}" if places <= 2 * _PLACES else number(half_width)


def change(difference: float) -> str:
    """A change with a sign and an arrow, which say the same.

    >>> change(0.0794), change(-0.5), change(0)
    ('▲ +0.0794', '▼ -0.5000', '= 0')
    """
    if math.isnan(difference):
        return number(difference)
    if difference == 0:
        return "= 0"
    return f"▲ +{score(difference)}" if difference > 0 else f"▼ -{score(-difference)}"
