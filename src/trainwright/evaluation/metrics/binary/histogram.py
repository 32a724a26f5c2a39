"""Histogram: labels and predictions by how high the prediction is.

Ten thousand buckets are enough for every threshold that a curve is drawn at, so that all the
curves and plots of a model share one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from trainwright.evaluation.computation import Entries, EntryComputation, Floats, ModelBatch, Sums
from trainwright.evaluation.metrics.pairs import PairRule, pairs_of

DEFAULT_NUM_BUCKETS = 10_000

# What is added up in a bucket: the weight that is positive, the rest, and the predictions.
POSITIVE, NEGATIVE, PREDICTION = range(3)


@dataclass(frozen=True)
class Histogram(EntryComputation):
    """Buckets of equal width between `left` and `right`.

    The first bucket has what is below `left`, the last but one what is not below `right`, and the
    last has predictions that are not numbers.

    Args:
        pairs: Which labels and predictions.
        left: Where the first of the equal buckets begins.
        right: Where the last of them ends. Between 0 and 1 labels must be, too.
        asked_by: The metric that errors are about.
    """

    model_name: str
    output_name: str
    pairs: PairRule
    left: float = 0.0
    right: float = 1.0
    num_buckets: int = DEFAULT_NUM_BUCKETS
    asked_by: str = field(default="", compare=False)

    @property
    def width(self) -> int:
        return 3

    @property
    def bucket_count(self) -> int:
        return self.num_buckets + 3

    def entries(self, batch: ModelBatch) -> Entries:
        pairs = pairs_of(batch, self.pairs)
        if (self.left, self.right) == (0.0, 1.0):
            labels = pairs.fractions_for(self.asked_by)
        else:
            labels = pairs.labels_for(self.asked_by)
        with np.errstate(invalid="ignore"):
            place = (pairs.predictions - self.left) / (self.right - self.left)
            buckets = np.clip(place * self.num_buckets + 1, 0, self.num_buckets + 1)
            buckets[np.isnan(buckets)] = self.num_buckets + 2
            parts = (labels, 1 - labels, pairs.predictions)
            values = np.stack([part * pairs.weights for part in parts], axis=1)
        return Entries(values, rows=pairs.rows, buckets=buckets.astype(np.int64))

    def rebin(self, sums: Sums, thresholds: Sequence[float] | Floats) -> Floats:
        """The sums between rising thresholds, one row for each.

        A bucket belongs to the last threshold that its left edge reaches, or to the first one if
        it reaches none. Predictions that are not numbers are left out.
        """
        known = sums.buckets <= self.num_buckets + 1
        buckets = sums.buckets[known]
        edges = (buckets - 1) / self.num_buckets * (self.right - self.left) + self.left
        edges[buckets == 0] = -np.inf
        edges[buckets == self.num_buckets + 1] = np.inf
        places = np.searchsorted(thresholds, edges, side="right") - 1
        bins = np.zeros((len(thresholds), self.width))
        np.add.at(bins, np.maximum(places, 0), sums.values[known])
        return bins

    def not_numbers(self, sums: Sums) -> Floats:
        """The sums of predictions that are not numbers."""
        total: Floats = sums.values[sums.buckets > self.num_buckets + 1].sum(axis=0)
        return total
