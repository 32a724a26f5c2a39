"""What a threshold asks for: in words, and as the values that it allows."""

from __future__ import annotations

import math
from typing import NamedTuple

from trainwright.html_views.numbers import number
from trainwright.proto.tfma import config_pb2

Threshold = config_pb2.GenericValueThreshold | config_pb2.GenericChangeThreshold


class Range(NamedTuple):
    """The values that are allowed; the ends belong to it. If `low` is above `high` none are."""

    low: float
    high: float

    def miss(self, value: float) -> float | None:
        """How far a value is outside: 0 if it is inside, None if that cannot be said."""
        if math.isnan(value) or self.low > self.high:
            return None
        return max(self.low - value, value - self.high, 0.0)

    def holds_end(self, low: float, high: float) -> bool:
        """Whether an interval reaches from what is allowed to what is not."""
        return low < self.low <= high or low <= self.high < high


EVERYTHING = Range(-math.inf, math.inf)
_NOTHING = Range(math.inf, -math.inf)


def bound_words(threshold: Threshold) -> str:
    """What must be true, in words.

    >>> from google.protobuf.wrappers_pb2 import DoubleValue
    >>> bound_words(config_pb2.GenericValueThreshold(lower_bound=DoubleValue(value=0.6)))
    'at least 0.6'
    >>> bound_words(config_pb2.GenericChangeThreshold(absolute=DoubleValue(value=0), direction=2))
    "at least the baseline's"
    """
    if isinstance(threshold, config_pb2.GenericValueThreshold):
        return _value_words(threshold)
    is_higher = threshold.direction == config_pb2.HIGHER_IS_BETTER
    parts = []
    if threshold.HasField("absolute"):
        bound = threshold.absolute.value
        parts.append(_change_words(bound, number(abs(bound)), is_higher))
    if threshold.HasField("relative"):
        bound = threshold.relative.value
        parts.append(_change_words(bound, f"{number(abs(bound) * 100)}%", is_higher))
    return " and ".join(dict.fromkeys(parts)) or "any change"


def allowed_range(threshold: Threshold, baseline: float | None) -> Range | None:
    """The values that a threshold allows; None if it is about a baseline that is not known.

    >>> from google.protobuf.wrappers_pb2 import DoubleValue
    >>> change = config_pb2.GenericChangeThreshold(relative=DoubleValue(value=-0.1), direction=1)
    >>> allowed_range(change, 50)
    Range(low=-inf, high=45.0)
    """
    if isinstance(threshold, config_pb2.GenericValueThreshold):
        low = threshold.lower_bound.value if threshold.HasField("lower_bound") else -math.inf
        high = threshold.upper_bound.value if threshold.HasField("upper_bound") else math.inf
        return Range(low, high)
    if baseline is None or math.isnan(baseline):
        return None
    is_higher = threshold.direction == config_pb2.HIGHER_IS_BETTER
    allowed = EVERYTHING
    if threshold.HasField("absolute"):
        allowed = _narrowed(allowed, baseline + threshold.absolute.value, is_higher)
    if threshold.HasField("relative"):
        if baseline == 0:
            return _NOTHING
        # The change is divided by the baseline's value, which turns the order if it is negative.
        bound = baseline + threshold.relative.value * baseline
        allowed = _narrowed(allowed, bound, is_higher == (baseline > 0))
    return allowed


def _narrowed(allowed: Range, bound: float, is_lower: bool) -> Range:
    if is_lower:
        return Range(max(allowed.low, bound), allowed.high)
    return Range(allowed.low, min(allowed.high, bound))


def _value_words(threshold: config_pb2.GenericValueThreshold) -> str:
    low, high = number(threshold.lower_bound.value), number(threshold.upper_bound.value)
    if threshold.HasField("lower_bound") and threshold.HasField("upper_bound"):
        return f"from {low} to {high}"
    if threshold.HasField("lower_bound"):
        return f"at least {low}"
    return f"at most {high}" if threshold.HasField("upper_bound") else "any number"


def _change_words(bound: float, size: str, is_higher: bool) -> str:
    word = "at least" if is_higher else "at most"
    if bound == 0:
        return f"{word} the baseline's"
    side = "above" if bound > 0 else "below"
    # "At least -0.1" is at most 0.1 below.
    if bound < 0:
        word = "at most" if is_higher else "at least"
    return f"{word} {size} {side} the baseline's"
