"""Plots of how predictions are spread and how right they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trainwright.evaluation.computation import Floats
from trainwright.evaluation.metrics.binary.confusion_matrices import (
    ConfusionMatrices,
    ThresholdCounts,
    histogram_source,
)
from trainwright.evaluation.metrics.binary.histogram import (
    NEGATIVE,
    POSITIVE,
    PREDICTION,
    Histogram,
)
from trainwright.evaluation.metrics.metric import Metric, Plot, SliceSums
from trainwright.evaluation.metrics.requested import MetricClass, RequestedMetric
from trainwright.evaluation.metrics.scope import Scope
from trainwright.proto.tfma import metrics_for_slice_pb2

_DEFAULT_NUM_BUCKETS = 1000

# The first threshold of a plot: below 0, so that a prediction of exactly 0 is above it.
_BELOW_ZERO = -1e-6


@dataclass(frozen=True, eq=False)
class CalibrationBuckets:
    """Labels and predictions between thresholds: whether they rise together.

    Args:
        thresholds: Where buckets begin; the last one has no end.
        labels: The weighted sum of the labels of each bucket.
        predictions: That of the predictions.
        examples: That of the weights.
    """

    thresholds: Floats
    labels: Floats
    predictions: Floats
    examples: Floats

    def to_plot_data(self) -> metrics_for_slice_pb2.PlotData:
        plot = metrics_for_slice_pb2.PlotData()
        ends = [*self.thresholds[1:], math.inf]
        for index, (start, end) in enumerate(zip(self.thresholds, ends, strict=True)):
            plot.calibration_histogram_buckets.buckets.add(
                lower_threshold_inclusive=float(start),
                upper_threshold_exclusive=float(end),
                total_weighted_label={"value": float(self.labels[index])},
                total_weighted_refined_prediction={"value": float(self.predictions[index])},
                num_weighted_examples={"value": float(self.examples[index])},
            )
        return plot


@dataclass(frozen=True, kw_only=True)
class CalibrationPlot(RequestedMetric):
    """Labels over predictions.

    Args:
        num_buckets: Between `left` and `right`; there is one more at each side.
        left: Where they begin: at the least label that the schema allows, or 0.
        right: Where they end: at the greatest label that the schema allows, or 1.
    """

    is_numeric = False

    num_buckets: int = _DEFAULT_NUM_BUCKETS
    left: float | None = None
    right: float | None = None

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        least, greatest = scope.label_range
        left = next(bound for bound in (self.left, least, 0.0) if bound is not None)
        right = next(bound for bound in (self.right, greatest, 1.0) if bound is not None)
        if left >= right or self.num_buckets < 1:
            raise ValueError(
                f"The plot {self.name!r} has {self.num_buckets} buckets from {left:g} to "
                f"{right:g}. There must be one or more, from left to right."
            )
        histogram = Histogram(
            scope.model_name,
            scope.output_name,
            scope.pair_rule,
            left=left,
            right=right,
            asked_by=self.name,
        )
        steps = np.arange(self.num_buckets + 1)
        thresholds = np.array([-math.inf, *(left + steps * (right - left) / self.num_buckets)])

        def value(sums: SliceSums) -> CalibrationBuckets:
            bins = histogram.rebin(sums[histogram], thresholds)
            return CalibrationBuckets(
                thresholds=thresholds,
                labels=bins[:, POSITIVE],
                predictions=bins[:, PREDICTION],
                examples=bins[:, POSITIVE] + bins[:, NEGATIVE],
            )

        return [Plot(scope.key(self.name), (histogram,), value)]


@dataclass(frozen=True, kw_only=True)
class ConfusionMatrixPlot(RequestedMetric):
    """Confusion matrices at even thresholds, of which ROC and precision-recall curves are drawn.

    Args:
        num_thresholds: Between 0 and 1.
    """

    is_numeric = False

    num_thresholds: int = _DEFAULT_NUM_BUCKETS

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        source = histogram_source(scope, self.name, _plot_thresholds(self.num_thresholds))
        return [Plot(scope.key(self.name), (source.computation,), source.matrices)]


@dataclass(frozen=True, eq=False)
class ScoreDistribution:
    """How many predictions are above each threshold, whatever the label."""

    matrices: ConfusionMatrices

    def to_plot_data(self) -> metrics_for_slice_pb2.PlotData:
        plot = self.matrices.to_plot_data()
        for matrix in plot.confusion_matrix_at_thresholds.matrices:
            matrix.true_negatives += matrix.false_negatives
            matrix.true_positives += matrix.false_positives
            for name in ("false_negatives", "false_positives", "precision", "recall"):
                setattr(matrix, name, 0.0)
        return plot


@dataclass(frozen=True, kw_only=True)
class ScoreDistributionPlot(RequestedMetric):
    """How many predictions are above each of even thresholds.

    Args:
        num_thresholds: Between 0 and 1.
    """

    is_numeric = False

    num_thresholds: int = _DEFAULT_NUM_BUCKETS

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        thresholds = _plot_thresholds(self.num_thresholds)
        counts = ThresholdCounts(
            scope.model_name,
            scope.output_name,
            scope.pair_rule,
            thresholds,
            predictions_as_labels=True,
            asked_by=self.name,
        )

        def value(sums: SliceSums) -> ScoreDistribution:
            return ScoreDistribution(counts.matrices(sums[counts], thresholds))

        return [Plot(scope.key(self.name), (counts,), value)]


def _plot_thresholds(count: int) -> tuple[float, ...]:
    if count < 1:
        raise ValueError(f"a plot needs one threshold or more, and num_thresholds is {count}.")
    return (_BELOW_ZERO, *(number / count for number in range(count + 1)))


METRIC_CLASSES = {
    "CalibrationPlot": MetricClass(CalibrationPlot, "calibration_plot"),
    "ConfusionMatrixPlot": MetricClass(ConfusionMatrixPlot, "confusion_matrix_plot"),
    "ScoreDistributionPlot": MetricClass(ScoreDistributionPlot, "score_distribution_plot"),
}
