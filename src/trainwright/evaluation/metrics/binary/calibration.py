"""Calibration: the mean prediction beside the mean label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trainwright.evaluation.computation import Floats
from trainwright.evaluation.metrics.metric import Metric, Plot
from trainwright.evaluation.metrics.pair_sums import Terms, pair_metric
from trainwright.evaluation.metrics.pairs import Pairs
from trainwright.evaluation.metrics.requested import MetricClass, RequestedMetric
from trainwright.evaluation.metrics.scope import Scope


def _labels(pairs: Pairs, metric_name: str) -> Sequence[Floats]:
    labels = pairs.labels_for(metric_name)
    return labels, np.ones_like(labels)


def _predictions(pairs: Pairs, metric_name: str) -> Sequence[Floats]:
    return pairs.predictions, np.ones_like(pairs.predictions)


def _predictions_and_labels(pairs: Pairs, metric_name: str) -> Sequence[Floats]:
    return pairs.predictions, pairs.labels_for(metric_name)


def _quotient(totals: Floats) -> float:
    """NaN where the denominator is as good as nothing."""
    numerator, denominator = totals
    return float("nan") if np.isclose(denominator, 0.0) else float(numerator / denominator)


@dataclass(frozen=True, kw_only=True)
class QuotientOfSums(RequestedMetric):
    """The quotient of two sums over labels, predictions and weights."""

    terms: Terms

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        return [pair_metric(scope, self.name, self.terms, 2, _quotient)]


METRIC_CLASSES = {
    "MeanLabel": MetricClass(QuotientOfSums, "mean_label", {"terms": _labels}),
    "MeanPrediction": MetricClass(QuotientOfSums, "mean_prediction", {"terms": _predictions}),
    "Calibration": MetricClass(QuotientOfSums, "calibration", {"terms": _predictions_and_labels}),
}
