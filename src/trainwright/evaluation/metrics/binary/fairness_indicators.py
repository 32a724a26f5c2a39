"""Fairness indicators: the rates that are compared between slices, at several thresholds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trainwright.evaluation.metrics.binary.confusion_matrices import matrices_source
from trainwright.evaluation.metrics.binary.confusion_rates import (
    Rate,
    fall_out,
    false_discovery_rate,
    false_omission_rate,
    miss_rate,
    precision,
    predicted_negative_rate,
    predicted_positive_rate,
    recall,
    specificity,
)
from trainwright.evaluation.metrics.metric import Metric, Plot, SliceSums
from trainwright.evaluation.metrics.requested import MetricClass, RequestedMetric
from trainwright.evaluation.metrics.scope import Scope

_RATES: dict[str, Rate] = {
    "false_positive_rate": fall_out,
    "false_negative_rate": miss_rate,
    "true_positive_rate": recall,
    "true_negative_rate": specificity,
    "positive_rate": predicted_positive_rate,
    "negative_rate": predicted_negative_rate,
    "false_discovery_rate": false_discovery_rate,
    "false_omission_rate": false_omission_rate,
    "precision": precision,
    "recall": recall,
}


@dataclass(frozen=True, kw_only=True)
class FairnessIndicators(RequestedMetric):
    """Ten rates at each threshold, called such as fairness_indicators_metrics/recall@0.5.

    Args:
        thresholds: Above which a prediction is positive.
    """

    thresholds: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        source = matrices_source(scope, self.name, thresholds=self.thresholds)

        def value(rate: Rate, index: int) -> Callable[[SliceSums], float]:
            return lambda sums: float(rate(source.matrices(sums))[index])

        # All thresholds are written with as many digits as the longest of them.
        digits = max(1, *(len(str(threshold)) - len("0.") for threshold in self.thresholds))
        return [
            Metric(
                scope.key(f"{self.name}/{rate_name}@{threshold:.{digits}f}"),
                (source.computation,),
                value(rate, index),
            )
            for index, threshold in enumerate(self.thresholds)
            for rate_name, rate in _RATES.items()
        ]


METRIC_CLASSES = {
    "FairnessIndicators": MetricClass(FairnessIndicators, "fairness_indicators_metrics"),
}
