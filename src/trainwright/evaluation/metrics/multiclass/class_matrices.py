"""Confusion matrices of several classes: which class is taken for which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from trainwright.evaluation.computation import (
    Entries,
    EntryComputation,
    Floats,
    Integers,
    ModelBatch,
    Sums,
)
from trainwright.evaluation.metrics.binary.confusion_matrices import EPSILON, curve_thresholds
from trainwright.evaluation.metrics.metric import Metric, Plot, SliceSums
from trainwright.evaluation.metrics.multiclass.class_pairs import (
    CLASS_PAIRS,
    pair_number,
    pair_of_number,
)
from trainwright.evaluation.metrics.pairs import Columns, columns_of, example_weights
from trainwright.evaluation.metrics.requested import MetricClass, RequestedMetric
from trainwright.evaluation.metrics.scope import Scope
from trainwright.proto.tfma import metrics_for_slice_pb2

# What is predicted if no class is above the threshold.
_NO_CLASS = -1


@dataclass(frozen=True, eq=False)
class ClassMatrices:
    """How often one class was predicted for another, at several thresholds.

    Args:
        thresholds: Below which nothing counts as predicted: the class is then -1.
        cells: For each threshold: of each cell the class of the label, the class that was
            predicted and the weight. Cells rise by class; empty ones are missing.
    """

    thresholds: tuple[float, ...]
    cells: tuple[tuple[tuple[int, int, float], ...], ...]

    def to_proto(self) -> metrics_for_slice_pb2.MultiClassConfusionMatrixAtThresholds:
        proto = metrics_for_slice_pb2.MultiClassConfusionMatrixAtThresholds()
        for threshold, cells in zip(self.thresholds, self.cells, strict=True):
            matrix = proto.matrices.add(threshold=shown_threshold(threshold))
            for actual, predicted, weight in cells:
                matrix.entries.add(
                    actual_class_id=actual,
                    predicted_class_id=predicted,
                    num_weighted_examples=weight,
                )
        return proto

    def to_metric_value(self) -> metrics_for_slice_pb2.MetricValue:
        return metrics_for_slice_pb2.MetricValue(
            multi_class_confusion_matrix_at_thresholds=self.to_proto()
        )

    def to_plot_data(self) -> metrics_for_slice_pb2.PlotData:
        return metrics_for_slice_pb2.PlotData(
            multi_class_confusion_matrix_at_thresholds=self.to_proto()
        )


@dataclass(frozen=True)
class PairCounts(EntryComputation):
    """Base of weights by pair of classes and by how many of the thresholds are below."""

    model_name: str
    output_name: str
    thresholds: tuple[float, ...]
    weighted: bool
    asked_by: str = field(default="", compare=False)

    @property
    def width(self) -> int:
        return 1

    @property
    def levels(self) -> int:
        return len(self.thresholds) + 1


@dataclass(frozen=True)
class ClassCounts(PairCounts):
    """Weights by class of the label, class of the highest prediction, and thresholds below it."""

    @property
    def bucket_count(self) -> int:
        return CLASS_PAIRS * self.levels

    def entries(self, batch: ModelBatch) -> Entries:
        columns = class_columns(batch, self.asked_by)
        assert columns.labels is not None
        if columns.has_class_numbers:
            actual = columns.labels[:, 0].astype(np.int64)
        else:
            actual = columns.labels.argmax(axis=1)
        predicted = columns.predictions.argmax(axis=1)
        highest = np.take_along_axis(columns.predictions, predicted[:, None], axis=1)[:, 0]
        buckets = pair_number(actual, predicted) * self.levels
        buckets += levels_of(highest, self.thresholds)
        return Entries(example_weights(batch, weighted=self.weighted)[:, None], buckets=buckets)

    def matrices(self, sums: Sums) -> ClassMatrices:
        pairs, levels = np.divmod(sums.buckets, self.levels)
        actual, predicted = pair_of_number(pairs)
        cells = []
        for index in range(len(self.thresholds)):
            seen = np.where(levels > index, predicted, _NO_CLASS)
            cells.append(_sum_cells(actual, seen, sums.values[:, 0]))
        return ClassMatrices(self.thresholds, tuple(cells))


def _sum_cells(
    actual: Integers, predicted: Integers, weights: Floats
) -> tuple[tuple[int, int, float], ...]:
    cells, places = np.unique(np.stack([actual, predicted]), axis=1, return_inverse=True)
    totals = np.zeros(cells.shape[1])
    np.add.at(totals, places.reshape(-1), weights)
    return tuple(zip(*cells.tolist(), totals.tolist(), strict=True)) if len(totals) else ()


def class_columns(batch: ModelBatch, metric_name: str) -> Columns:
    """Labels and predictions of several classes.

    Raises:
        ValueError: If there are no labels, or is only one prediction.
    """
    columns = columns_of(batch, None)
    if columns.labels is None:
        raise ValueError(f"The metric {metric_name!r} needs labels, and there are none.")
    if columns.predictions.shape[1] < 2:
        raise ValueError(
            f"The metric {metric_name!r} is of models that predict several classes, and this one "
            "predicts one number. Choose ConfusionMatrixAtThresholds or ConfusionMatrixPlot."
        )
    return columns


def levels_of(predictions: Floats, thresholds: tuple[float, ...]) -> Integers:
    """How many of the rising thresholds each prediction is above."""
    levels: Integers = np.searchsorted(thresholds, predictions, side="left")
    levels[np.isnan(predictions)] = 0
    return levels


def shown_threshold(threshold: float) -> float:
    """The first and the last threshold of a curve are shown as 0 and 1."""
    return {-EPSILON: 0.0, 1 + EPSILON: 1.0}.get(threshold, threshold)


def rising_thresholds(
    thresholds: tuple[float, ...] | None, num_thresholds: int | None, default: float
) -> tuple[float, ...]:
    """The thresholds that are asked for, by list or by number.

    Raises:
        ValueError: If both are given, or there are fewer than two of a number.
    """
    if thresholds is not None and num_thresholds is not None:
        raise ValueError("both thresholds and num_thresholds are given. Leave one of them out.")
    if num_thresholds is not None:
        if num_thresholds < 2:
            raise ValueError(f"num_thresholds is {num_thresholds}, and must be two or more.")
        return curve_thresholds(num_thresholds)
    return tuple(sorted(set(thresholds or (default,))))


@dataclass(frozen=True, kw_only=True)
class MultiClassConfusionMatrixAtThresholds(RequestedMetric):
    """Which class was predicted for which.

    Args:
        thresholds: At or below which the highest prediction counts as none: 0.5 unless told.
    """

    has_sub_keys = False
    is_numeric = False

    thresholds: tuple[float, ...] | None = None

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        counts = _class_counts(scope, self.name, rising_thresholds(self.thresholds, None, 0.5))

        def value(sums: SliceSums) -> ClassMatrices:
            return counts.matrices(sums[counts])

        return [Metric(scope.key(self.name), (counts,), value)]


@dataclass(frozen=True, kw_only=True)
class MultiClassConfusionMatrixPlot(RequestedMetric):
    """Which class was predicted for which, to look at.

    Args:
        thresholds: At or below which the highest prediction counts as none: 0 unless told.
        num_thresholds: Or this number of even ones.
    """

    has_sub_keys = False
    is_numeric = False

    thresholds: tuple[float, ...] | None = None
    num_thresholds: int | None = None

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        thresholds = rising_thresholds(self.thresholds, self.num_thresholds, 0.0)
        counts = _class_counts(scope, self.name, thresholds)

        def value(sums: SliceSums) -> ClassMatrices:
            return counts.matrices(sums[counts])

        return [Plot(scope.key(self.name), (counts,), value)]


def _class_counts(scope: Scope, name: str, thresholds: tuple[float, ...]) -> ClassCounts:
    return ClassCounts(
        scope.model_name, scope.output_name, thresholds, scope.example_weighted, asked_by=name
    )


METRIC_CLASSES = {
    "MultiClassConfusionMatrixAtThresholds": MetricClass(
        MultiClassConfusionMatrixAtThresholds, "multi_class_confusion_matrix_at_thresholds"
    ),
    "MultiClassConfusionMatrixPlot": MetricClass(
        MultiClassConfusionMatrixPlot, "multi_class_confusion_matrix_plot"
    ),
}
