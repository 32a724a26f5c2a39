"""Rates of a confusion matrix: precision, recall and what else is counted at a threshold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from trainwright.evaluation.computation import Floats
from trainwright.evaluation.metrics.binary.confusion_matrices import (
    ConfusionMatrices,
    matrices_source,
)
from trainwright.evaluation.metrics.metric import Metric, Plot, SliceSums
from trainwright.evaluation.metrics.requested import MetricClass, RequestedMetric
from trainwright.evaluation.metrics.scope import Scope
from trainwright.evaluation.results import MetricValue

Rate = Callable[[ConfusionMatrices], Floats]

_DEFAULT_THRESHOLD = 0.5

# Below every prediction that is not exactly nothing.
_LEAST_THRESHOLD = 1e-12


@dataclass(frozen=True, kw_only=True)
class RateAtThresholds(RequestedMetric):
    """A number of a confusion matrix; several numbers if there are several thresholds.

    Args:
        rate: From the matrix to the number.
        thresholds: Above which a prediction is positive: 0.5, and with top_k all of the top k.
        top_k: Counts the k classes with the highest predictions as predicted.
        class_id: Counts this class against the others.
    """

    rate: Rate
    thresholds: float | tuple[float, ...] | None = None
    top_k: int | None = None
    class_id: int | None = None

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        scope = scope.narrowed(self.name, top_k=self.top_k, class_id=self.class_id)
        thresholds = chosen_thresholds(self.thresholds, scope) or (_DEFAULT_THRESHOLD,)
        source = matrices_source(scope, self.name, thresholds=thresholds)

        def value(sums: SliceSums) -> MetricValue:
            values = self.rate(source.matrices(sums))
            return float(values[0]) if len(values) == 1 else values

        return [Metric(scope.key(self.name), (source.computation,), value)]


@dataclass(frozen=True, kw_only=True)
class RateAtThreshold(RequestedMetric):
    """A number of a confusion matrix at one threshold, as `RateAtThresholds` is at several."""

    rate: Rate
    threshold: float | None = None
    top_k: int | None = None
    class_id: int | None = None

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        several = RateAtThresholds(
            name=self.name,
            rate=self.rate,
            thresholds=self.threshold,
            top_k=self.top_k,
            class_id=self.class_id,
        )
        return several.at(scope)


@dataclass(frozen=True, kw_only=True)
class ConfusionMatrixAtThresholds(RequestedMetric):
    """The confusion matrices themselves.

    Args:
        thresholds: Above which a prediction is positive.
        top_k: Counts the k classes with the highest predictions as predicted.
        class_id: Counts this class against the others.
    """

    is_numeric = False

    thresholds: tuple[float, ...]
    top_k: int | None = None
    class_id: int | None = None

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        scope = scope.narrowed(self.name, top_k=self.top_k, class_id=self.class_id)
        source = matrices_source(scope, self.name, thresholds=self.thresholds)
        return [Metric(scope.key(self.name), (source.computation,), source.matrices)]


def chosen_thresholds(
    thresholds: float | tuple[float, ...] | None, scope: Scope
) -> tuple[float, ...] | None:
    """The thresholds that are asked for; with top_k, unless told, one below all predictions."""
    if isinstance(thresholds, float):
        return (thresholds,)
    if thresholds is None and scope.sub_key is not None and scope.sub_key.top_k is not None:
        return (-np.inf,)
    return thresholds


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    """NaN where there is nothing to divide by."""
    missing = np.full(np.shape(denominator), np.nan)
    quotient: Floats = np.divide(numerator, denominator, out=missing, where=denominator > 0)
    return quotient


def precision(matrices: ConfusionMatrices) -> Floats:
    return _ratio(matrices.tp, matrices.tp + matrices.fp)


def recall(matrices: ConfusionMatrices) -> Floats:
    return _ratio(matrices.tp, matrices.tp + matrices.fn)


def specificity(matrices: ConfusionMatrices) -> Floats:
    return _ratio(matrices.tn, matrices.tn + matrices.fp)


def fall_out(matrices: ConfusionMatrices) -> Floats:
    return _ratio(matrices.fp, matrices.fp + matrices.tn)


def miss_rate(matrices: ConfusionMatrices) -> Floats:
    return _ratio(matrices.fn, matrices.fn + matrices.tp)


def negative_predictive_value(matrices: ConfusionMatrices) -> Floats:
    return _ratio(matrices.tn, matrices.tn + matrices.fn)


def false_discovery_rate(matrices: ConfusionMatrices) -> Floats:
    return _ratio(matrices.fp, matrices.fp + matrices.tp)


def false_omission_rate(matrices: ConfusionMatrices) -> Floats:
    return _ratio(matrices.fn, matrices.fn + matrices.tn)


def predicted_positive_rate(matrices: ConfusionMatrices) -> Floats:
    return _ratio(matrices.tp + matrices.fp, _total(matrices))


def predicted_negative_rate(matrices: ConfusionMatrices) -> Floats:
    return _ratio(matrices.tn + matrices.fn, _total(matrices))


def _total(matrices: ConfusionMatrices) -> Floats:
    return matrices.tp + matrices.fp + matrices.tn + matrices.fn


def _accuracy(matrices: ConfusionMatrices) -> Floats:
    return _ratio(matrices.tp + matrices.tn, _total(matrices))


def _prevalence(matrices: ConfusionMatrices) -> Floats:
    return _ratio(matrices.tp + matrices.fn, _total(matrices))


def _prevalence_threshold(matrices: ConfusionMatrices) -> Floats:
    hits, true_negatives = recall(matrices), specificity(matrices)
    gain = hits + true_negatives - 1
    root = np.sqrt(np.maximum(hits * (1 - true_negatives), 0))
    missing = np.full(gain.shape, np.nan)
    quotient: Floats = np.divide(root + true_negatives - 1, gain, out=missing, where=gain != 0)
    return quotient


def _threat_score(matrices: ConfusionMatrices) -> Floats:
    return _ratio(matrices.tp, matrices.tp + matrices.fn + matrices.fp)


def _balanced_accuracy(matrices: ConfusionMatrices) -> Floats:
    return (recall(matrices) + specificity(matrices)) / 2


def _f1_score(matrices: ConfusionMatrices) -> Floats:
    return _ratio(2 * matrices.tp, 2 * matrices.tp + matrices.fp + matrices.fn)


def _matthews_correlation_coefficient(matrices: ConfusionMatrices) -> Floats:
    tp, tn, fp, fn = matrices.tp, matrices.tn, matrices.fp, matrices.fn
    product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return _ratio(tp * tn - fp * fn, np.sqrt(np.maximum(product, 0)))


def _fowlkes_mallows_index(matrices: ConfusionMatrices) -> Floats:
    return np.sqrt(precision(matrices) * recall(matrices))


def _informedness(matrices: ConfusionMatrices) -> Floats:
    return recall(matrices) + specificity(matrices) - 1


def _markedness(matrices: ConfusionMatrices) -> Floats:
    return precision(matrices) + negative_predictive_value(matrices) - 1


def _positive_likelihood_ratio(matrices: ConfusionMatrices) -> Floats:
    return _ratio(recall(matrices), fall_out(matrices))


def _negative_likelihood_ratio(matrices: ConfusionMatrices) -> Floats:
    return _ratio(miss_rate(matrices), specificity(matrices))


def _diagnostic_odds_ratio(matrices: ConfusionMatrices) -> Floats:
    return _ratio(_ratio(matrices.tp, matrices.fn), _ratio(matrices.fp, matrices.tn))


def _true_positives(matrices: ConfusionMatrices) -> Floats:
    return matrices.tp


def _true_negatives(matrices: ConfusionMatrices) -> Floats:
    return matrices.tn


def _false_positives(matrices: ConfusionMatrices) -> Floats:
    return matrices.fp


def _false_negatives(matrices: ConfusionMatrices) -> Floats:
    return matrices.fn


_RATES: dict[str, tuple[str, Rate]] = {
    "TruePositives": ("true_positives", _true_positives),
    "TP": ("tp", _true_positives),
    "TrueNegatives": ("true_negatives", _true_negatives),
    "TN": ("tn", _true_negatives),
    "FalsePositives": ("false_positives", _false_positives),
    "FP": ("fp", _false_positives),
    "FalseNegatives": ("false_negatives", _false_negatives),
    "FN": ("fn", _false_negatives),
    "Precision": ("precision", precision),
    "PPV": ("ppv", precision),
    "Recall": ("recall", recall),
    "TPR": ("tpr", recall),
    "Specificity": ("specificity", specificity),
    "TNR": ("tnr", specificity),
    "FallOut": ("fall_out", fall_out),
    "FPR": ("fpr", fall_out),
    "MissRate": ("miss_rate", miss_rate),
    "FNR": ("fnr", miss_rate),
    "NegativePredictiveValue": ("negative_predictive_value", negative_predictive_value),
    "NPV": ("npv", negative_predictive_value),
    "FalseDiscoveryRate": ("false_discovery_rate", false_discovery_rate),
    "FalseOmissionRate": ("false_omission_rate", false_omission_rate),
    "Prevalence": ("prevalence", _prevalence),
    "PrevalenceThreshold": ("prevalence_threshold", _prevalence_threshold),
    "ThreatScore": ("threat_score", _threat_score),
    "BalancedAccuracy": ("balanced_accuracy", _balanced_accuracy),
    "F1Score": ("f1_score", _f1_score),
    "MatthewsCorrelationCoefficient": (
        "matthews_correlation_coefficient",
        _matthews_correlation_coefficient,
    ),
    "FowlkesMallowsIndex": ("fowlkes_mallows_index", _fowlkes_mallows_index),
    "Informedness": ("informedness", _informedness),
    "Markedness": ("markedness", _markedness),
    "PositiveLikelihoodRatio": ("positive_likelihood_ratio", _positive_likelihood_ratio),
    "NegativeLikelihoodRatio": ("negative_likelihood_ratio", _negative_likelihood_ratio),
    "DiagnosticOddsRatio": ("diagnostic_odds_ratio", _diagnostic_odds_ratio),
    "PredictedPositiveRate": ("predicted_positive_rate", predicted_positive_rate),
}

METRIC_CLASSES = {
    **{
        class_name: MetricClass(RateAtThresholds, name, {"rate": rate})
        for class_name, (name, rate) in _RATES.items()
    },
    "BinaryAccuracy": MetricClass(RateAtThreshold, "binary_accuracy", {"rate": _accuracy}),
    "MaxRecall": MetricClass(
        RateAtThresholds, "max_recall", {"rate": recall, "thresholds": _LEAST_THRESHOLD}
    ),
    "ConfusionMatrixAtThresholds": MetricClass(
        ConfusionMatrixAtThresholds, "confusion_matrix_at_thresholds"
    ),
}
