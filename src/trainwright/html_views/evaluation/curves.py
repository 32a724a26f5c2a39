"""Curves from the data of plots: ROC, precision-recall and calibration, as points from 0 to 1."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from trainwright.html_views.numbers import counted, number
from trainwright.proto.tfma import metrics_for_slice_pb2

# Buckets that would be nearer than the eye parts them are put together.
MOST_BUCKETS = 25

_MARKED = tuple(step / 10 for step in range(1, 10))
_Matrix = metrics_for_slice_pb2.ConfusionMatrixAtThresholds.ConfusionMatrixAtThreshold
_Rate = Callable[[_Matrix], float]


class Point(NamedTuple):
    """A place on a chart."""

    x: float
    y: float


class Mark(NamedTuple):
    """A dot on a curve: its place, how large it is from 0 to 1, and what it says."""

    x: float
    y: float
    size: float
    words: str


class Curve(NamedTuple):
    """The points of a curve in their order, and the dots on it."""

    points: Sequence[Point]
    marks: Sequence[Mark]


def roc_curve(matrices: Iterable[_Matrix]) -> Curve | None:
    """Recall against the false positive rate; None if all examples are of one class.

    Example: `roc_curve(data.confusion_matrix_at_thresholds.matrices).points[0]`
    """
    return _threshold_curve(
        matrices, _false_positive_rate, _recall, "false positive rate {x}, recall {y}"
    )


def precision_recall_curve(matrices: Iterable[_Matrix]) -> Curve | None:
    """Precision against recall; None if no example is positive.

    Example: `precision_recall_curve(data.confusion_matrix_at_thresholds.matrices)`
    """
    return _threshold_curve(matrices, _recall, _precision, "recall {x}, precision {y}")


class Bucket(NamedTuple):
    """Examples with about the same prediction: how many, and the sums of both."""

    examples: float
    labels: float
    predictions: float

    @property
    def prediction(self) -> float:
        return self.predictions / self.examples

    @property
    def label(self) -> float:
        return self.labels / self.examples


def merge_buckets(
    buckets: metrics_for_slice_pb2.CalibrationHistogramBuckets,
) -> list[Bucket]:
    """The buckets that have examples, at most `MOST_BUCKETS`, by the prediction.

    Example: `merge_buckets(data.calibration_histogram_buckets)[0].examples`
    """
    filled = [
        Bucket(
            bucket.num_weighted_examples.value,
            bucket.total_weighted_label.value,
            bucket.total_weighted_refined_prediction.value,
        )
        for bucket in buckets.buckets
        if bucket.num_weighted_examples.value > 0
    ]
    filled = [bucket for bucket in filled if all(map(math.isfinite, bucket))]
    if not filled:
        return []
    predictions = [bucket.prediction for bucket in filled]
    low, high = min(predictions), max(predictions)
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    merged: dict[int, Bucket] = {}
    for bucket in filled:
        share = (bucket.prediction - low) / (high - low) if high > low else 0.0
        place = min(int(share * MOST_BUCKETS), MOST_BUCKETS - 1)
        before = merged.get(place, Bucket(0.0, 0.0, 0.0))
        merged[place] = Bucket(*(a + b for a, b in zip(before, bucket, strict=True)))
    return [merged[place] for place in sorted(merged)]


def calibration_curve(buckets: Sequence[Bucket]) -> Curve | None:
    """The mean label against the mean prediction; dots are as large as their buckets are full.

    Example: `calibration_curve(merge_buckets(data.calibration_histogram_buckets))`
    """
    if not buckets:
        return None
    fullest = max(bucket.examples for bucket in buckets)
    marks = [
        Mark(
            bucket.prediction,
            bucket.label,
            math.sqrt(bucket.examples / fullest),
            f"prediction {number(bucket.prediction)}, label {number(bucket.label)}, "
            f"{_examples(bucket.examples)}",
        )
        for bucket in buckets
    ]
    return Curve([Point(mark.x, mark.y) for mark in marks], marks)


def _examples(count: float) -> str:
    if count.is_integer():
        return counted(int(count), "example")
    return f"weight {number(count)}"


def _threshold_curve(matrices: Iterable[_Matrix], x: _Rate, y: _Rate, words: str) -> Curve | None:
    points: list[tuple[float, Point]] = []
    for matrix in sorted(matrices, key=lambda matrix: matrix.threshold):
        place = Point(x(matrix), y(matrix))
        if math.isfinite(place.x) and math.isfinite(place.y):
            points.append((matrix.threshold, place))
    if len(points) < 2:
        return None
    marks = []
    for wanted in _MARKED:
        threshold, place = _nearest(points, wanted)
        if abs(threshold - wanted) < 0.05:
            said = words.format(x=number(round(place.x, 4)), y=number(round(place.y, 4)))
            size = 1.0 if wanted == 0.5 else 0.0
            marks.append(Mark(*place, size, f"threshold {number(round(threshold, 4))}: {said}"))
    return Curve([place for _, place in points], list(dict.fromkeys(marks)))


def _nearest(points: Sequence[tuple[float, Point]], wanted: float) -> tuple[float, Point]:
    """The point whose threshold is nearest; they are sorted by it."""
    place = bisect_left(points, wanted, key=lambda pair: pair[0])
    return min(points[max(place - 1, 0) : place + 1], key=lambda pair: abs(pair[0] - wanted))


def _recall(matrix: _Matrix) -> float:
    return _part(matrix.true_positives, matrix.false_negatives)


def _false_positive_rate(matrix: _Matrix) -> float:
    return _part(matrix.false_positives, matrix.true_negatives)


def _precision(matrix: _Matrix) -> float:
    return _part(matrix.true_positives, matrix.false_positives)


def _part(some: float, others: float) -> float:
    return some / (some + others) if some + others > 0 else math.nan
