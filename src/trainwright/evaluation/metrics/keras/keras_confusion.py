"""Keras' metrics of confusion matrices, of sums that are taken for all slices at once.

Their variables count predictions above thresholds. So does a histogram whose buckets lie between
the thresholds, which is one pass over a batch, where Keras would be called for every slice of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from trainwright.evaluation.computation import (
    Entries,
    EntryComputation,
    Floats,
    Integers,
    ModelBatch,
    Sums,
)
from trainwright.evaluation.metrics.arguments import snake_case
from trainwright.evaluation.metrics.keras.keras_metrics import (
    VARIABLES_LOCK,
    keras_inputs,
    result_of,
)
from trainwright.evaluation.metrics.keras.keras_objects import KerasObject
from trainwright.evaluation.metrics.pairs import PairRule
from trainwright.evaluation.results import MetricValue

_RATES = ("true_positives", "false_positives", "true_negatives", "false_negatives")
_COUNTS = ("TruePositives", "FalsePositives", "TrueNegatives", "FalseNegatives")
_CLASSES = (
    *_COUNTS,
    *("AUC", "Precision", "Recall", "PrecisionAtRecall", "RecallAtPrecision"),
    *("SensitivityAtSpecificity", "SpecificityAtSensitivity"),
)
# Arguments that make it a metric of something else than pairs of a label and a prediction.
_OTHER_PAIRS = ("class_id", "top_k", "multi_label", "label_weights", "_from_logits")


@dataclass(frozen=True)
class KerasConfusion(EntryComputation):
    """How much the positive and the negative examples weigh between two thresholds."""

    model_name: str
    output_name: str
    described: KerasObject
    rule: PairRule
    asked_by: str = field(default="", compare=False)

    @staticmethod
    def can_compute(described: KerasObject) -> bool:
        """Whether a metric is one of confusion matrices, of each prediction by itself."""
        if not described.is_of_keras or described.class_name not in _CLASSES:
            return False
        metric = described.make()
        others = [getattr(metric, name, None) for name in _OTHER_PAIRS]
        # By identity: label weights are an array.
        return all(value is None or value is False for value in others)

    @property
    def width(self) -> int:
        return 2

    @property
    def bucket_count(self) -> int:
        return len(self._thresholds) + 1

    @property
    def _thresholds(self) -> npt.NDArray[np.float32]:
        """In the order that the metric has them."""
        return np.asarray(self.described.make().thresholds, np.float32).ravel()

    @property
    def _is_even(self) -> bool:
        return bool(getattr(self.described.make(), "_thresholds_distributed_evenly", False))

    def entries(self, batch: ModelBatch) -> Entries:
        inputs = keras_inputs(batch, self.rule, self.described, self.asked_by)
        if inputs.labels.shape != inputs.predictions.shape:
            raise ValueError(
                f"The metric {self.asked_by!r} compares each prediction with a label, and examples "
                f"have {inputs.labels.shape[1]} labels and {inputs.predictions.shape[1]} "
                "predictions."
            )
        predictions, columns = inputs.predictions.ravel(), inputs.predictions.shape[1]
        if np.any((predictions < 0) | (predictions > 1)):
            raise ValueError(
                f"The metric {self.asked_by!r} takes predictions from 0 to 1, and there are some "
                f"from {np.nanmin(predictions):g} to {np.nanmax(predictions):g}."
            )
        weights = np.repeat(inputs.weights, columns)
        # Keras takes parts of labels where thresholds are even, and elsewhere what is not 0 as 1.
        labels = inputs.labels.ravel() if self._is_even else (inputs.labels.ravel() != 0)
        values = np.stack([weights * labels, weights * (1.0 - labels)], axis=1)
        # A prediction that is NaN is on no side of a threshold, and makes the metric NaN.
        values[np.isnan(predictions) & (weights != 0)] = np.nan
        rows = np.repeat(np.arange(batch.size), columns)
        return Entries(values, rows=rows, buckets=self._buckets(predictions))

    def _buckets(self, predictions: Floats) -> Integers:
        """How many thresholds each prediction is above."""
        clean = np.nan_to_num(predictions)
        thresholds = self._thresholds
        if self._is_even:
            # Keras' own arithmetic, so that a prediction on a threshold falls to the same side.
            steps: Integers = np.ceil(clean * np.float32(len(thresholds) - 1)).astype(np.int64)
            return np.maximum(steps, 1)
        return np.searchsorted(np.sort(thresholds), clean, side="left").astype(np.int64)

    def result(self, sums: Sums) -> Mapping[str, MetricValue]:
        """What the metric says, by what is added to its name."""
        metric = self.described.make()
        histogram = np.zeros((self.bucket_count, 2))
        histogram[sums.buckets] = sums.values
        if np.isnan(histogram).any():
            return dict.fromkeys(result_of(metric), np.nan)
        above = histogram.sum(axis=0) - np.cumsum(histogram, axis=0)[:-1]
        order = np.argsort(np.argsort(self._thresholds, kind="stable"), kind="stable")
        true_positives, false_positives = above[order].T
        positives, negatives = histogram.sum(axis=0)
        rates = (
            *(true_positives, false_positives),
            *(negatives - false_positives, positives - true_positives),
        )
        with VARIABLES_LOCK:
            for name, values in zip(_RATES, rates, strict=True):
                variable = _variable(metric, self.described.class_name, name)
                if variable is not None:
                    variable.assign(values.astype(np.float32).reshape(tuple(variable.shape)))
            return result_of(metric)


def _variable(metric: Any, class_name: str, rate: str) -> Any:
    """The variable of a metric that holds a rate; None if it has none."""
    if class_name in _COUNTS:
        return metric.accumulator if snake_case(class_name) == rate else None
    return getattr(metric, rate, None)
