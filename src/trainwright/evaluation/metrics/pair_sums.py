"""PairSums: weighted sums of what can be said of a label and a prediction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from trainwright.evaluation.computation import Entries, EntryComputation, Floats, ModelBatch
from trainwright.evaluation.metrics.metric import Metric
from trainwright.evaluation.metrics.pairs import PairRule, Pairs, pairs_of
from trainwright.evaluation.metrics.scope import Scope
from trainwright.evaluation.results import MetricValue

# From the pairs of a batch, and the name of the metric for errors, to the numbers of each pair.
Terms = Callable[[Pairs, str], Sequence[Floats]]


@dataclass(frozen=True)
class PairSums(EntryComputation):
    """Sums of a few numbers for each pair, times the pair's weight.

    A pair that counts nothing adds nothing, even if its prediction is not a number.

    Args:
        pairs: Which labels and predictions.
        terms: What is said of a pair; a function of a module, so that it can be pickled.
        count: How many numbers that is.
        asked_by: The metric that errors are about.
    """

    model_name: str
    output_name: str
    pairs: PairRule
    terms: Terms
    count: int
    asked_by: str = field(default="", compare=False)

    @property
    def width(self) -> int:
        return self.count

    def entries(self, batch: ModelBatch) -> Entries:
        pairs = pairs_of(batch, self.pairs)
        with np.errstate(all="ignore"):
            values = np.stack(list(self.terms(pairs, self.asked_by)), axis=1)
            values = np.where(pairs.weights[:, None] == 0, 0, values * pairs.weights[:, None])
        return Entries(values, rows=pairs.rows)


def pair_metric(
    scope: Scope, name: str, terms: Terms, count: int, value: Callable[[Floats], MetricValue]
) -> Metric:
    """A metric that is a function of such sums."""
    sums = PairSums(
        scope.model_name, scope.output_name, scope.pair_rule, terms, count, asked_by=name
    )
    return Metric(
        scope.key(name), (sums,), lambda by_computation: value(by_computation[sums].total)
    )
