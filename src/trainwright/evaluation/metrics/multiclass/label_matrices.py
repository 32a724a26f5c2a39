"""Confusion matrices of several labels: how each class is predicted where another one is true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trainwright.evaluation.computation import (
    Entries,
    Floats,
    ModelBatch,
    Sums,
)
from trainwright.evaluation.metrics.metric import Metric, Plot, SliceSums
from trainwright.evaluation.metrics.multiclass.class_matrices import (
    PairCounts,
    class_columns,
    levels_of,
    rising_thresholds,
    shown_threshold,
)
from trainwright.evaluation.metrics.multiclass.class_pairs import (
    CLASS_PAIRS,
    pair_number,
    pair_of_number,
)
from trainwright.evaluation.metrics.pairs import example_weights
from trainwright.evaluation.metrics.requested import MetricClass, RequestedMetric
from trainwright.evaluation.metrics.scope import Scope
from trainwright.proto.tfma import metrics_for_slice_pb2


@dataclass(frozen=True, eq=False)
class LabelMatrices:
    """A confusion matrix for each class, among the examples that another class is true of.

    Args:
        thresholds: Above which a class counts as predicted.
        classes: Pairs of the class that is true and the class that the matrix is of, rising.
        weights: By pair, threshold, whether the class is true and whether it is predicted.
    """

    thresholds: tuple[float, ...]
    classes: tuple[tuple[int, int], ...]
    weights: Floats

    def to_plot_data(self) -> metrics_for_slice_pb2.PlotData:
        plot = metrics_for_slice_pb2.PlotData()
        matrices = plot.multi_label_confusion_matrix_at_thresholds.matrices
        for index, threshold in enumerate(self.thresholds):
            matrix = matrices.add(threshold=shown_threshold(threshold))
            for (actual, predicted), weights in zip(self.classes, self.weights, strict=True):
                (tn, fp), (fn, tp) = weights[index].tolist()
                matrix.entries.add(
                    actual_class_id=actual,
                    predicted_class_id=predicted,
                    false_negatives=fn,
                    true_negatives=tn,
                    false_positives=fp,
                    true_positives=tp,
                )
        return plot


@dataclass(frozen=True)
class LabelCounts(PairCounts):
    """Weights by pair of classes, thresholds below the second, and whether that one is true."""

    @property
    def bucket_count(self) -> int:
        return CLASS_PAIRS * self.levels * 2

    def entries(self, batch: ModelBatch) -> Entries:
        columns = class_columns(batch, self.asked_by).one_hot()
        assert columns.labels is not None
        labels = columns.labels != 0
        rows, actual = np.nonzero(labels)
        classes = labels.shape[1]
        seen = levels_of(columns.predictions.ravel(), self.thresholds).reshape(labels.shape)
        of_class = pair_number(np.repeat(actual, classes), np.tile(np.arange(classes), len(rows)))
        buckets = (of_class * self.levels + seen[rows].ravel()) * 2 + labels[rows].ravel()
        rows = np.repeat(rows, classes)
        weights = example_weights(batch, weighted=self.weighted)[rows]
        return Entries(weights[:, None], rows=rows, buckets=buckets)

    def matrices(self, sums: Sums) -> LabelMatrices:
        rest, is_true = np.divmod(sums.buckets, 2)
        pairs, levels = np.divmod(rest, self.levels)
        actual, predicted = pair_of_number(pairs)
        classes, places = np.unique(np.stack([actual, predicted]), axis=1, return_inverse=True)
        places = places.reshape(-1)
        weights = np.zeros((classes.shape[1], len(self.thresholds), 2, 2))
        for index in range(len(self.thresholds)):
            is_predicted = (levels > index).astype(np.int64)
            np.add.at(weights[:, index], (places, is_true, is_predicted), sums.values[:, 0])
        return LabelMatrices(
            self.thresholds, tuple((first, second) for first, second in classes.T.tolist()), weights
        )


@dataclass(frozen=True, kw_only=True)
class MultiLabelConfusionMatrixPlot(RequestedMetric):
    """How each class is predicted where another one is true.

    Args:
        thresholds: Above which a class counts as predicted: 0.5 unless told.
        num_thresholds: Or this number of even ones.
    """

    has_sub_keys = False
    is_numeric = False

    thresholds: tuple[float, ...] | None = None
    num_thresholds: int | None = None

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        thresholds = rising_thresholds(self.thresholds, self.num_thresholds, 0.5)
        counts = LabelCounts(
            scope.model_name,
            scope.output_name,
            thresholds,
            scope.example_weighted,
            asked_by=self.name,
        )

        def value(sums: SliceSums) -> LabelMatrices:
            return counts.matrices(sums[counts])

        return [Plot(scope.key(self.name), (counts,), value)]


METRIC_CLASSES = {
    "MultiLabelConfusionMatrixPlot": MetricClass(
        MultiLabelConfusionMatrixPlot, "multi_label_confusion_matrix_plot"
    ),
}
