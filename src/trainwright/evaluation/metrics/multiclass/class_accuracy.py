"""Accuracy of the class with the highest prediction, the metric most asked for.

Keras has it too. It is computed here because most evaluations would import Keras for it alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from trainwright.evaluation.computation import Entries, EntryComputation, ModelBatch
from trainwright.evaluation.metrics.metric import Metric, Plot, SliceSums
from trainwright.evaluation.metrics.pairs import columns_of, example_weights
from trainwright.evaluation.metrics.requested import MetricClass, RequestedMetric
from trainwright.evaluation.metrics.scope import Scope


@dataclass(frozen=True)
class RightClasses(EntryComputation):
    """The weight of examples whose class is told right, and that of all examples."""

    model_name: str
    output_name: str
    weighted: bool
    asked_by: str = field(default="", compare=False)

    @property
    def width(self) -> int:
        return 2

    def entries(self, batch: ModelBatch) -> Entries:
        columns = columns_of(batch, None)
        if columns.labels is None:
            raise ValueError(f"The metric {self.asked_by!r} needs labels, and there are none.")
        classes = columns.predictions.shape[1]
        if columns.labels.shape[1] == classes > 1:
            raise ValueError(
                f"The metric {self.asked_by!r}, SparseCategoricalAccuracy, takes class numbers, "
                f"and there is a label for each of {classes} classes. Choose CategoricalAccuracy."
            )
        weights = example_weights(batch, weighted=self.weighted)
        is_right = columns.labels[:, 0] == np.argmax(columns.predictions, axis=1)
        return Entries(np.stack([is_right * weights, weights], axis=1))


@dataclass(frozen=True, kw_only=True)
class SparseCategoricalAccuracy(RequestedMetric):
    """The part of examples whose class, given by its number, has the highest prediction."""

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        chosen = scope.sub_key or scope.aggregation_type
        if chosen:
            raise ValueError(
                f"The metric {self.name!r}, SparseCategoricalAccuracy, is of class numbers, and "
                f"its metrics_spec chooses or averages classes: {chosen}. Move it to a "
                "metrics_spec without binarize and aggregate."
            )
        right = RightClasses(
            scope.model_name, scope.output_name, scope.example_weighted, asked_by=self.name
        )

        def value(sums: SliceSums) -> float:
            right_weight, weight = sums[right].total
            # Keras' mean of nothing is 0.
            return float(right_weight / weight) if weight else 0.0

        return [Metric(scope.key(self.name), (right,), value)]


METRIC_CLASSES = {
    "SparseCategoricalAccuracy": MetricClass(
        SparseCategoricalAccuracy, "sparse_categorical_accuracy"
    ),
}
