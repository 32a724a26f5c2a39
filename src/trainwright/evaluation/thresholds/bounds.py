"""Numbers with confidence intervals, and the thresholds that judge them, in one wording.

The log, the validation result and the HTML page of an evaluation use them.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np

from trainwright.evaluation.results import BoundedValue, MetricValue
from trainwright.proto.tfma import config_pb2

CheckOutcome = Literal["passed", "failed", "cannot tell"]
Threshold = config_pb2.GenericValueThreshold | config_pb2.GenericChangeThreshold


class Measured(NamedTuple):
    """A number and the interval that it lies in; of no width where there is no interval."""

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

    @classmethod
    def of(cls, value: MetricValue) -> Measured | None:
        """None if the metric is not a number."""
        if isinstance(value, BoundedValue):
            low, high = value.lower_bound, value.upper_bound
            if not (math.isnan(low) or math.isnan(high)):
                return cls(value.value, min(low, value.value), max(high, value.value))
            return cls(value.value, value.value, value.value)
        if isinstance(value, np.ndarray) and value.size == 1:
            value = float(value.reshape(())[()])
        if isinstance(value, (int, float, np.number)):
            return cls(float(value), float(value), float(value))
        return None

    def divided_by(self, divisor: float) -> Measured:
        if divisor == 0:
            return Measured(math.nan, math.nan, math.nan)
        ends = sorted((self.low / divisor, self.high / divisor))
        return Measured(self.value / divisor, ends[0], ends[1])

    def __str__(self) -> str:
        if self.low == self.high or math.isnan(self.value):
            return number_text(self.value)
        interval = f"between {number_text(self.low)} and {number_text(self.high)}"
        return f"{number_text(self.value)} ({interval})"


class Region(NamedTuple):
    """Where a number must lie; the ends belong to it. None is in it if `lower` > `upper`."""

    lower: float
    upper: float

    @classmethod
    def of_value(cls, threshold: config_pb2.GenericValueThreshold) -> Region:
        lower = threshold.lower_bound.value if threshold.HasField("lower_bound") else -math.inf
        upper = threshold.upper_bound.value if threshold.HasField("upper_bound") else math.inf
        return cls(lower, upper)

    @classmethod
    def of_change(cls, bound: float | None, direction: int) -> Region:
        if bound is None:
            return cls(-math.inf, math.inf)
        if direction == config_pb2.HIGHER_IS_BETTER:
            return cls(bound, math.inf)
        return cls(-math.inf, bound)

    def outcome(self, measured: Measured) -> CheckOutcome:
        if math.isnan(measured.value):
            return "failed"
        if self.lower <= measured.low and measured.high <= self.upper:
            return "passed"
        if measured.high < self.lower or measured.low > self.upper:
            return "failed"
        # Without an interval a number is on one side, unless a bound is NaN, which it never meets.
        return "cannot tell" if measured.has_interval else "failed"

    def margin(self, value: float) -> float | None:
        """How far inside a value is."""
        margin = min(value - self.lower, self.upper - value)
        return margin if math.isfinite(margin) else None

    def miss(self, value: float) -> float | None:
        """How far a value is outside: 0 if it is inside, None if that cannot be said."""
        if math.isnan(value) or self.lower > self.upper:
            return None
        return max(self.lower - value, value - self.upper, 0.0)

    def intersection(self, other: Region) -> Region:
        return Region(max(self.lower, other.lower), min(self.upper, other.upper))

    def __str__(self) -> str:
        if self == ANYWHERE:
            return "any number"
        if self.upper == math.inf:
            return f"at least {number_text(self.lower)}"
        if self.lower == -math.inf:
            return f"at most {number_text(self.upper)}"
        return f"from {number_text(self.lower)} to {number_text(self.upper)}"


ANYWHERE = Region(-math.inf, math.inf)
_NOWHERE = Region(math.inf, -math.inf)


def allowed_region(threshold: Threshold, baseline: float | None) -> Region | None:
    """The values that a threshold allows; None if it is about a baseline that is not known.

    >>> from google.protobuf.wrappers_pb2 import DoubleValue
    >>> change = config_pb2.GenericChangeThreshold(relative=DoubleValue(value=-0.1), direction=1)
    >>> allowed_region(change, 50)
    Region(lower=-inf, upper=45.0)
    """
    if isinstance(threshold, config_pb2.GenericValueThreshold):
        return Region.of_value(threshold)
    if baseline is None or math.isnan(baseline):
        return None
    allowed = ANYWHERE
    if threshold.HasField("absolute"):
        change = Region.of_change(threshold.absolute.value, threshold.direction)
        allowed = Region(baseline + change.lower, baseline + change.upper)
    if threshold.HasField("relative"):
        if baseline == 0:
            return _NOWHERE
        change = Region.of_change(threshold.relative.value, threshold.direction)
        # The change is divided by the baseline's value, which turns the order if it is negative.
        ends = sorted(baseline + end * baseline for end in change)
        allowed = allowed.intersection(Region(*ends))
    return allowed


def threshold_text(threshold: Threshold) -> str:
    """What a threshold asks for.

    >>> from google.protobuf.wrappers_pb2 import DoubleValue
    >>> threshold_text(config_pb2.GenericValueThreshold(lower_bound=DoubleValue(value=0.6)))
    'at least 0.6'
    >>> change = config_pb2.GenericChangeThreshold(absolute=DoubleValue(value=0), direction=2)
    >>> threshold_text(change)
    "at least the baseline's"
    """
    if isinstance(threshold, config_pb2.GenericValueThreshold):
        return str(Region.of_value(threshold))
    parts = [
        change_text(kind, bound, threshold.direction) for kind, bound in change_bounds(threshold)
    ]
    return " and ".join(dict.fromkeys(parts)) or "any change"


ChangeKind = Literal["change", "relative change"]


def change_bounds(threshold: config_pb2.GenericChangeThreshold) -> list[tuple[ChangeKind, float]]:
    """What a change is held against, and how the change is measured."""
    bounds: list[tuple[ChangeKind, float]] = []
    if threshold.HasField("absolute"):
        bounds.append(("change", threshold.absolute.value))
    if threshold.HasField("relative"):
        bounds.append(("relative change", threshold.relative.value))
    return bounds


def change_text(kind: ChangeKind, bound: float | None, direction: int) -> str:
    """What a bound on the change from a baseline asks for.

    >>> change_text("relative change", -0.25, config_pb2.HIGHER_IS_BETTER)
    "at most 25% below the baseline's"
    """
    if bound is None:
        return "any change"
    is_higher = direction == config_pb2.HIGHER_IS_BETTER
    word = "at least" if is_higher else "at most"
    if bound == 0:
        return f"{word} the baseline's"
    size = number_text(abs(bound)) if kind == "change" else f"{number_text(abs(bound) * 100)}%"
    if bound > 0:
        return f"{word} {size} above the baseline's"
    # "At least -0.1" is at most 0.1 below.
    return f"{'at most' if is_higher else 'at least'} {size} below the baseline's"


def number_text(value: float) -> str:
    """A number for people."""
    return f"{value:.6g}"
