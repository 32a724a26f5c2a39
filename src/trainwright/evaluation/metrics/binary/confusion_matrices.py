"""ConfusionMatrices: how often a prediction above a threshold is right, at several thresholds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from trainwright.evaluation.computation import (
    Computation,
    Entries,
    EntryComputation,
    Floats,
    ModelBatch,
    Sums,
)
from trainwright.evaluation.metrics.binary.histogram import (
    DEFAULT_NUM_BUCKETS,
    NEGATIVE,
    POSITIVE,
    Histogram,
)
from trainwright.evaluation.metrics.metric import SliceSums
from trainwright.evaluation.metrics.pairs import PairRule, pairs_of
from trainwright.evaluation.metrics.scope import Scope
from trainwright.proto.tfma import metrics_for_slice_pb2

# Thresholds of a curve begin this far below 0 and end this far above 1: a prediction of exactly 0
# is above the first and one of exactly 1 is not above the last.
EPSILON = 1e-7

# As many as the buckets of a histogram; and as many as Keras has, which writes them all down.
DEFAULT_NUM_THRESHOLDS = DEFAULT_NUM_BUCKETS
_KERAS_NUM_THRESHOLDS = 200


@dataclass(frozen=True, eq=False)
class ConfusionMatrices:
    """Weights of right and wrong predictions, one number for each threshold.

    Args:
        has_nan: Whether there are predictions that are not numbers: they are above no threshold.
    """

    thresholds: tuple[float, ...]
    tp: Floats
    tn: Floats
    fp: Floats
    fn: Floats
    has_nan: bool = False

    def to_proto(self) -> metrics_for_slice_pb2.ConfusionMatrixAtThresholds:
        """As TFMA writes them: without predicted positives precision is 1, recall may be 0."""
        precision = _divide(self.tp, self.tp + self.fp, otherwise=1.0)
        recall = _divide(self.tp, self.tp + self.fn)
        total = self.tp + self.tn + self.fp + self.fn
        columns = {
            "true_positives": self.tp,
            "false_positives": self.fp,
            "true_negatives": self.tn,
            "false_negatives": self.fn,
            "precision": precision,
            "recall": recall,
            "false_positive_rate": _divide(self.fp, self.tn + self.fp),
            "false_omission_rate": _divide(self.fn, self.tn + self.fn, otherwise=np.nan),
            "f1": _divide(2 * precision * recall, precision + recall),
            "accuracy": _divide(self.tp + self.tn, total),
        }
        proto = metrics_for_slice_pb2.ConfusionMatrixAtThresholds()
        for index, threshold in enumerate(self.thresholds):
            numbers = {name: float(column[index]) for name, column in columns.items()}
            proto.matrices.add(threshold=round(threshold, 6), **numbers)
        return proto

    def to_metric_value(self) -> metrics_for_slice_pb2.MetricValue:
        return metrics_for_slice_pb2.MetricValue(confusion_matrix_at_thresholds=self.to_proto())

    def to_plot_data(self) -> metrics_for_slice_pb2.PlotData:
        return metrics_for_slice_pb2.PlotData(confusion_matrix_at_thresholds=self.to_proto())


@dataclass(frozen=True)
class ThresholdCounts(EntryComputation):
    """Positives and negatives by how many of the thresholds their prediction is above.

    Args:
        pairs: Which labels and predictions.
        thresholds: Rising.
        predictions_as_labels: Whether a prediction says how far an example is positive.
        asked_by: The metric that errors are about.
    """

    model_name: str
    output_name: str
    pairs: PairRule
    thresholds: tuple[float, ...]
    predictions_as_labels: bool = False
    asked_by: str = field(default="", compare=False)

    @property
    def width(self) -> int:
        return 2

    @property
    def bucket_count(self) -> int:
        return len(self.thresholds) + 1

    def entries(self, batch: ModelBatch) -> Entries:
        pairs = pairs_of(batch, self.pairs)
        if self.predictions_as_labels:
            labels = pairs.predictions_as_fractions(self.asked_by)
        else:
            labels = pairs.fractions_for(self.asked_by)
        buckets = np.searchsorted(self.thresholds, pairs.predictions, side="left")
        buckets[np.isnan(pairs.predictions)] = 0
        values = np.stack([labels * pairs.weights, (1 - labels) * pairs.weights], axis=1)
        return Entries(values, rows=pairs.rows, buckets=buckets)

    def matrices(self, sums: Sums, thresholds: Sequence[float]) -> ConfusionMatrices:
        """The matrices at these thresholds, in whatever order they are."""
        by_bucket = np.zeros((self.bucket_count, self.width))
        by_bucket[sums.buckets] = sums.values
        above = np.cumsum(by_bucket[::-1], axis=0)[::-1][1:]
        below = np.cumsum(by_bucket, axis=0)[:-1]
        order = np.searchsorted(self.thresholds, thresholds)
        tp, fp = above[order].T
        fn, tn = below[order].T
        return ConfusionMatrices(tuple(thresholds), tp=tp, tn=tn, fp=fp, fn=fn)


@dataclass(frozen=True)
class MatricesSource:
    """What confusion matrices are computed from."""

    computation: Computation
    matrices: Callable[[SliceSums], ConfusionMatrices]


def curve_thresholds(count: int) -> tuple[float, ...]:
    """Evenly spaced thresholds from just below 0 to just above 1."""
    inner = tuple(number / (count - 1) for number in range(1, count - 1))
    return (-EPSILON, *inner, 1 + EPSILON)


def matrices_source(
    scope: Scope,
    asked_by: str,
    *,
    thresholds: tuple[float, ...] | None = None,
    num_thresholds: int | None = None,
) -> MatricesSource:
    """Confusion matrices at given thresholds, or at a number of evenly spaced ones.

    Those that are given are compared with each prediction. For a curve the predictions come from
    a histogram, which all the curves of a scope share.

    Raises:
        ValueError: If both are given.
    """
    if thresholds is not None and _are_curve_thresholds(thresholds, num_thresholds):
        num_thresholds = num_thresholds or len(thresholds)
        thresholds = None
    if thresholds is not None and num_thresholds is not None:
        raise ValueError(
            f"The metric {asked_by!r} has both thresholds and num_thresholds={num_thresholds}. "
            "Leave one of them out."
        )
    if thresholds is not None:
        return _counted_source(scope, asked_by, thresholds)
    if num_thresholds is None:
        num_thresholds = DEFAULT_NUM_THRESHOLDS
    if num_thresholds < 2:
        raise ValueError(
            f"The metric {asked_by!r} has num_thresholds={num_thresholds}, and needs two or more."
        )
    return histogram_source(scope, asked_by, curve_thresholds(num_thresholds))


def histogram_source(scope: Scope, asked_by: str, thresholds: tuple[float, ...]) -> MatricesSource:
    """Confusion matrices at rising thresholds, the first below 0, read from a histogram."""
    histogram = Histogram(scope.model_name, scope.output_name, scope.pair_rule, asked_by=asked_by)
    # What lies on a threshold is not above it, so that its bucket must not begin a bin.
    bin_edges = np.array([edge + EPSILON if edge else edge for edge in thresholds])

    def matrices(sums: SliceSums) -> ConfusionMatrices:
        bins = histogram.rebin(sums[histogram], bin_edges)[:, [POSITIVE, NEGATIVE]]
        above = np.cumsum(bins[::-1], axis=0)[::-1]
        below = np.cumsum(bins, axis=0) - bins
        total = above[0].copy()
        beyond = np.array(thresholds) >= 1 + EPSILON
        above[beyond], below[beyond] = 0, total
        not_numbers = histogram.not_numbers(sums[histogram])[[POSITIVE, NEGATIVE]]
        tp, fp = above.T
        fn, tn = (below + not_numbers).T
        has_nan = bool(not_numbers.any())
        return ConfusionMatrices(thresholds, tp=tp, tn=tn, fp=fp, fn=fn, has_nan=has_nan)

    return MatricesSource(histogram, matrices)


def _counted_source(scope: Scope, asked_by: str, thresholds: tuple[float, ...]) -> MatricesSource:
    rising = tuple(sorted(set(thresholds)))
    counts = ThresholdCounts(
        scope.model_name, scope.output_name, scope.pair_rule, rising, asked_by=asked_by
    )
    return MatricesSource(counts, lambda sums: counts.matrices(sums[counts], thresholds))


def _are_curve_thresholds(thresholds: tuple[float, ...], count: int | None) -> bool:
    """Whether a list of thresholds is what Keras writes down for a number of them."""
    if count is None:
        return len(thresholds) > 1 and thresholds == curve_thresholds(len(thresholds))
    known = count in (DEFAULT_NUM_THRESHOLDS, _KERAS_NUM_THRESHOLDS)
    return known and len(thresholds) == count - 2


def _divide(numerator: Floats, denominator: Floats, otherwise: float = 0.0) -> Floats:
    filled = np.full_like(denominator, otherwise)
    quotient: Floats = np.divide(numerator, denominator, out=filled, where=denominator > 0)
    return quotient
