"""Mean and variance of numbers, merged without losing digits."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from trainwright.statistics.quantiles import Floats


@dataclass
class Moments:
    """The mean and the variance of numbers with weights; a number without one weighs 1.

    Exact but for rounding: batches are joined by their means and variances, not by sums of squares,
    which would cancel (Chan, Golub and LeVeque). An infinity makes the mean NaN, as in TFDV.
    """

    weight: float = 0.0
    mean: float = 0.0
    variance: float = 0.0

    def add(self, numbers: Floats, weights: Floats | None = None) -> None:
        if not numbers.size:
            return
        # Sums, not dot products: those would wake the threads of a BLAS library in each process.
        with np.errstate(invalid="ignore", over="ignore"):
            if weights is None:
                mean = float(numbers.mean())
                deviations = numbers - mean
                variance = float(np.square(deviations, out=deviations).mean())
                self.merge(Moments(float(numbers.size), mean, variance))
                return
            weight = float(weights.sum())
            if weight:
                mean = float((weights * numbers).sum()) / weight
                variance = float((weights * (numbers - mean) ** 2).sum()) / weight
                self.merge(Moments(weight, mean, variance))

    def merge(self, other: Moments) -> None:
        total = self.weight + other.weight
        if not total or not other.weight:
            return
        if not math.isfinite(self.mean) or not math.isfinite(other.mean):
            self.weight, self.mean, self.variance = total, math.nan, math.nan
            return
        larger, smaller = (self, other) if self.weight >= other.weight else (other, self)
        part = smaller.weight / total
        apart = smaller.mean - larger.mean
        mean = larger.mean + part * apart
        variance = larger.variance + part * (
            smaller.variance - larger.variance + (smaller.mean - mean) * apart
        )
        self.weight, self.mean, self.variance = total, mean, variance

    @property
    def standard_deviation(self) -> float:
        """The root of the variance; 0 where infinities leave none, as in TFDV."""
        return math.sqrt(self.variance) if self.variance > 0 else 0.0

    def to_json(self) -> list[float]:
        return [self.weight, self.mean, self.variance]
