"""Numbers with intervals, and the bounds that they are held against."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from trainwright.evaluation.results import BoundedValue, MetricValue
from trainwright.proto.tfma import config_pb2

Verdict = Literal["passed", "failed", "cannot tell"]


@dataclass(frozen=True)
class Measured:
    """A number and the interval that it lies in; of no width where there is no interval."""

    value: float
    low: float
    high: float

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


@dataclass(frozen=True)
class Region:
    """Where a number must lie; the ends belong to it."""

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

    def verdict(self, measured: Measured) -> Verdict:
        if math.isnan(measured.value):
            return "failed"
        if self.lower <= measured.low and measured.high <= self.upper:
            return "passed"
        if measured.high < self.lower or measured.low > self.upper:
            return "failed"
        # Without an interval a number is on one side, unless a bound is NaN, which it never meets.
        return "cannot tell" if measured.low < measured.high else "failed"

    def margin(self, value: float) -> float | None:
        """How far inside a value is."""
        margin = min(value - self.lower, self.upper - value)
        return margin if math.isfinite(margin) else None

    def __str__(self) -> str:
        if self.lower == -math.inf and self.upper == math.inf:
            return "any number"
        if self.upper == math.inf:
            return f"at least {number_text(self.lower)}"
        if self.lower == -math.inf:
            return f"at most {number_text(self.upper)}"
        return f"between {number_text(self.lower)} and {number_text(self.upper)}"


def number_text(value: float) -> str:
    """A number for people."""
    return f"{value:.6g}"
