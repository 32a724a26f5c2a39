"""Coefficient of discrimination (Tjur): predictions of positives above those of negatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trainwright.evaluation.computation import Floats
from trainwright.evaluation.metrics.metric import Metric, Plot
from trainwright.evaluation.metrics.pair_sums import pair_metric
from trainwright.evaluation.metrics.pairs import Pairs
from trainwright.evaluation.metrics.requested import MetricClass, RequestedMetric
from trainwright.evaluation.metrics.scope import Scope


def _by_label(pairs: Pairs, metric_name: str) -> Sequence[Floats]:
    labels, predictions = pairs.labels_for(metric_name), pairs.predictions
    return labels, 1 - labels, labels * predictions, (1 - labels) * predictions


def _difference(totals: Floats) -> float:
    positives, negatives, of_positives, of_negatives = totals
    if positives == 0 or negatives == 0:
        return float("nan")
    return float(of_positives / positives - of_negatives / negatives)


def _ratio(totals: Floats) -> float:
    positives, negatives, of_positives, of_negatives = totals
    if positives == 0 or negatives == 0 or of_negatives == 0:
        return float("nan")
    return float((of_positives / positives) / (of_negatives / negatives))


@dataclass(frozen=True, kw_only=True)
class Discrimination(RequestedMetric):
    """Compares the mean prediction of positives with that of negatives."""

    comparison: Callable[[Floats], float]

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        return [pair_metric(scope, self.name, _by_label, 4, self.comparison)]


METRIC_CLASSES = {
    "CoefficientOfDiscrimination": MetricClass(
        Discrimination, "coefficient_of_discrimination", {"comparison": _difference}
    ),
    "RelativeCoefficientOfDiscrimination": MetricClass(
        Discrimination, "relative_coefficient_of_discrimination", {"comparison": _ratio}
    ),
}
