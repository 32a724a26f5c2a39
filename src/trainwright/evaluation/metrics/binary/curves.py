"""Numbers of a whole curve: the area below it, and the best point of it under a condition."""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from trainwright.evaluation.computation import Floats
from trainwright.evaluation.metrics.binary.confusion_matrices import (
    ConfusionMatrices,
    matrices_source,
)
from trainwright.evaluation.metrics.binary.confusion_rates import (
    chosen_thresholds,
    fall_out,
    precision,
    recall,
    specificity,
)
from trainwright.evaluation.metrics.metric import Metric, Plot, SliceSums
from trainwright.evaluation.metrics.requested import MetricClass, RequestedMetric
from trainwright.evaluation.metrics.scope import Scope
from trainwright.evaluation.results import MetricValue

Curve = Literal["ROC", "PR"]
SummationMethod = Literal["interpolation", "majoring", "minoring"]


def _curve_metric(
    scope: Scope,
    name: str,
    thresholds: tuple[float, ...] | None,
    num_thresholds: int | None,
    value: Callable[[ConfusionMatrices], MetricValue],
) -> Metric:
    if num_thresholds is None:
        thresholds = chosen_thresholds(thresholds, scope)
    source = matrices_source(scope, name, thresholds=thresholds, num_thresholds=num_thresholds)

    def value_of_sums(sums: SliceSums) -> MetricValue:
        matrices = source.matrices(sums)
        # The place of a prediction that is not a number on a curve is unknown.
        return float("nan") if matrices.has_nan else value(matrices)

    return Metric(scope.key(name), (source.computation,), value_of_sums)


@dataclass(frozen=True, kw_only=True)
class AUC(RequestedMetric):
    """The area below a curve.

    Args:
        curve: "ROC", true positives over false positives, or "PR", precision over recall.
        summation_method: What lies between two points of the curve: "interpolation" follows it,
            "minoring" takes the lower of the two and "majoring" the higher.
        num_thresholds: How many points the curve has: 10 000 unless told.
        thresholds: The points themselves.
        top_k: Counts the k classes with the highest predictions as predicted.
        class_id: Counts this class against the others.
    """

    curve: Curve = "ROC"
    summation_method: SummationMethod = "interpolation"
    num_thresholds: int | None = None
    thresholds: tuple[float, ...] | None = None
    top_k: int | None = None
    class_id: int | None = None

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        scope = scope.narrowed(self.name, top_k=self.top_k, class_id=self.class_id)

        def value(matrices: ConfusionMatrices) -> MetricValue:
            return area(matrices, self.curve, self.summation_method)

        return [_curve_metric(scope, self.name, self.thresholds, self.num_thresholds, value)]


def area(matrices: ConfusionMatrices, curve: Curve, summation_method: SummationMethod) -> float:
    """The area below a curve whose points are at falling x."""
    if curve == "PR" and summation_method == "interpolation":
        return _interpolated_precision_recall_area(matrices)
    hits = np.nan_to_num(recall(matrices))
    if curve == "ROC":
        x, y = np.nan_to_num(fall_out(matrices)), hits
    else:
        x, y = hits, np.nan_to_num(precision(matrices))
    if summation_method == "interpolation":
        heights = (y[:-1] + y[1:]) / 2
    elif summation_method == "minoring":
        heights = np.minimum(y[:-1], y[1:])
    else:
        heights = np.maximum(y[:-1], y[1:])
    return float(np.nansum((x[:-1] - x[1:]) * heights))


def _interpolated_precision_recall_area(matrices: ConfusionMatrices) -> float:
    """Between two points true positives grow in proportion to predicted ones, not precision.

    See Davis and Goadrich, "The relationship between precision-recall and ROC curves", 2006.
    """
    predicted = matrices.tp + matrices.fp
    gained_hits = matrices.tp[:-1] - matrices.tp[1:]
    gained = np.maximum(predicted[:-1] - predicted[1:], 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = gained_hits / gained
        intercept = matrices.tp[1:] - slope * predicted[1:]
        growth = np.ones_like(gained)
        np.divide(predicted[:-1], predicted[1:], out=growth, where=predicted[1:] != 0)
        positives = np.maximum(matrices.tp[1:] + matrices.fn[1:], 0)
        parts = slope * (gained_hits + intercept * np.log(growth)) / positives
    return float(np.nansum(parts))


@dataclass(frozen=True, kw_only=True)
class _BestPoint(RequestedMetric):
    """The highest value on a curve among the points that meet a condition; 0 if none does.

    Args:
        num_thresholds: How many points the curve has: 10 000 unless told.
        top_k: Counts the k classes with the highest predictions as predicted.
        class_id: Counts this class against the others.
    """

    num_thresholds: int | None = None
    top_k: int | None = None
    class_id: int | None = None

    @property
    @abc.abstractmethod
    def bound(self) -> float | tuple[float, ...]:
        """What the condition asks for; each of several gives one value."""

    @abc.abstractmethod
    def condition(self, matrices: ConfusionMatrices, bound: float) -> np.ndarray:
        """Which points meet it."""

    @abc.abstractmethod
    def height(self, matrices: ConfusionMatrices) -> Floats:
        """The value of each point."""

    def __post_init__(self) -> None:
        for bound in _as_tuple(self.bound):
            if not 0 <= bound <= 1:
                raise ValueError(f"the value {bound:g} is not between 0 and 1.")

    def given_thresholds(self) -> tuple[float, ...] | None:
        return None

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        scope = scope.narrowed(self.name, top_k=self.top_k, class_id=self.class_id)
        thresholds = self.given_thresholds()
        return [_curve_metric(scope, self.name, thresholds, self.num_thresholds, self._best)]

    def _best(self, matrices: ConfusionMatrices) -> MetricValue:
        heights = self.height(matrices)
        best = []
        for bound in _as_tuple(self.bound):
            feasible = heights[self.condition(matrices, bound)]
            known = feasible[~np.isnan(feasible)]
            if known.size:
                best.append(float(known.max()))
            else:
                best.append(float("nan") if feasible.size else 0.0)
        return best[0] if isinstance(self.bound, float) else np.array(best)


def _as_tuple(bound: float | tuple[float, ...]) -> tuple[float, ...]:
    return (bound,) if isinstance(bound, float) else bound


@dataclass(frozen=True, kw_only=True)
class SensitivityAtSpecificity(_BestPoint):
    """The highest recall among points of at least a specificity."""

    specificity: float | tuple[float, ...]

    @property
    def bound(self) -> float | tuple[float, ...]:
        return self.specificity

    def condition(self, matrices: ConfusionMatrices, bound: float) -> np.ndarray:
        return specificity(matrices) >= bound

    def height(self, matrices: ConfusionMatrices) -> Floats:
        return recall(matrices)


@dataclass(frozen=True, kw_only=True)
class SpecificityAtSensitivity(_BestPoint):
    """The highest specificity among points of at least a recall."""

    sensitivity: float | tuple[float, ...]

    @property
    def bound(self) -> float | tuple[float, ...]:
        return self.sensitivity

    def condition(self, matrices: ConfusionMatrices, bound: float) -> np.ndarray:
        return recall(matrices) >= bound

    def height(self, matrices: ConfusionMatrices) -> Floats:
        return specificity(matrices)


@dataclass(frozen=True, kw_only=True)
class PrecisionAtRecall(_BestPoint):
    """The highest precision among points of at least a recall."""

    recall: float | tuple[float, ...]
    thresholds: tuple[float, ...] | None = None

    @property
    def bound(self) -> float | tuple[float, ...]:
        return self.recall

    def given_thresholds(self) -> tuple[float, ...] | None:
        return self.thresholds

    def condition(self, matrices: ConfusionMatrices, bound: float) -> np.ndarray:
        return recall(matrices) >= bound

    def height(self, matrices: ConfusionMatrices) -> Floats:
        return precision(matrices)


@dataclass(frozen=True, kw_only=True)
class ThresholdAtRecall(PrecisionAtRecall):
    """The highest threshold among points of at least a recall."""

    def height(self, matrices: ConfusionMatrices) -> Floats:
        return np.array(matrices.thresholds)


@dataclass(frozen=True, kw_only=True)
class RecallAtPrecision(_BestPoint):
    """The highest recall among points of at least a precision."""

    precision: float

    @property
    def bound(self) -> float:
        return self.precision

    def condition(self, matrices: ConfusionMatrices, bound: float) -> np.ndarray:
        return precision(matrices) >= bound

    def height(self, matrices: ConfusionMatrices) -> Floats:
        return recall(matrices)


@dataclass(frozen=True, kw_only=True)
class RecallAtFalsePositiveRate(_BestPoint):
    """The highest recall among points of at most a false positive rate."""

    false_positive_rate: float

    @property
    def bound(self) -> float:
        return self.false_positive_rate

    def condition(self, matrices: ConfusionMatrices, bound: float) -> np.ndarray:
        return fall_out(matrices) <= bound

    def height(self, matrices: ConfusionMatrices) -> Floats:
        return recall(matrices)


# What Keras writes down of its own AUC and TFMA's does not have, with what leaves it the same.
_KERAS_AUC = {
    "multi_label": (False,),
    "num_labels": (None,),
    "label_weights": (None,),
    "from_logits": (False,),
}

METRIC_CLASSES = {
    "AUC": MetricClass(AUC, "auc", ignored=_KERAS_AUC),
    "AUCPrecisionRecall": MetricClass(AUC, "auc_precision_recall", {"curve": "PR"}),
    "SensitivityAtSpecificity": MetricClass(SensitivityAtSpecificity, "sensitivity_at_specificity"),
    "SpecificityAtSensitivity": MetricClass(SpecificityAtSensitivity, "specificity_at_sensitivity"),
    "PrecisionAtRecall": MetricClass(PrecisionAtRecall, "precision_at_recall"),
    "ThresholdAtRecall": MetricClass(ThresholdAtRecall, "threshold_at_recall"),
    "RecallAtPrecision": MetricClass(RecallAtPrecision, "recall_at_precision"),
    "RecallAtFalsePositiveRate": MetricClass(
        RecallAtFalsePositiveRate, "recall_at_false_positive_rate"
    ),
}
