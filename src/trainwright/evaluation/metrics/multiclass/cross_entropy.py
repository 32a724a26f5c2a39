"""Cross-entropies of TFMA's own; those of Keras are spelled with a small e: Crossentropy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from trainwright.evaluation.computation import Entries, EntryComputation, Floats, ModelBatch
from trainwright.evaluation.metric_keys import SubKey
from trainwright.evaluation.metrics.metric import Metric, Plot, SliceSums
from trainwright.evaluation.metrics.pairs import columns_of, example_weights
from trainwright.evaluation.metrics.requested import MetricClass, RequestedMetric
from trainwright.evaluation.metrics.scope import Scope

Kind = Literal["binary", "categorical"]


@dataclass(frozen=True)
class CrossEntropySums(EntryComputation):
    """The weighted sum of the examples' cross-entropies, and that of their weights."""

    model_name: str
    output_name: str
    kind: Kind
    from_logits: bool
    label_smoothing: float
    sub_key: SubKey | None
    aggregated: bool
    weighted: bool
    asked_by: str = field(default="", compare=False)

    @property
    def width(self) -> int:
        return 2

    def entries(self, batch: ModelBatch) -> Entries:
        columns = columns_of(batch, self.sub_key, aggregated=self.aggregated).one_hot()
        if columns.labels is None:
            raise ValueError(f"The metric {self.asked_by!r} needs labels, and there are none.")
        weights = example_weights(batch, weighted=self.weighted)
        entropy = _binary if self.kind == "binary" else _categorical
        with np.errstate(divide="ignore", invalid="ignore"):
            entropies = entropy(
                columns.labels, columns.predictions, self.from_logits, self.label_smoothing
            )
            values = np.stack([np.where(weights == 0, 0, entropies * weights), weights], axis=1)
        return Entries(values)


def _binary(labels: Floats, predictions: Floats, from_logits: bool, smoothing: float) -> Floats:
    labels = labels * (1 - smoothing) + 0.5 * smoothing
    if from_logits:
        tails = np.log1p(np.exp(-np.abs(predictions)))
        entropies = np.maximum(predictions, 0) - predictions * labels + tails
    else:
        entropies = -_product_with_log(labels, predictions)
        entropies -= _product_with_log(1 - labels, 1 - predictions)
    mean: Floats = entropies.mean(axis=1)
    return mean


def _product_with_log(factors: Floats, values: Floats) -> Floats:
    """factor * log(value), which is 0 where the factor is, whatever the logarithm."""
    return np.where((factors == 0) & (values >= 0), 0.0, factors * np.log(values))


def _categorical(
    labels: Floats, predictions: Floats, from_logits: bool, smoothing: float
) -> Floats:
    labels = labels * (1 - smoothing) + smoothing / predictions.shape[1]
    if from_logits:
        predictions = np.exp(predictions - predictions.max(axis=1, keepdims=True))
    shares = predictions / predictions.sum(axis=1, keepdims=True)
    # A class that is predicted as impossible is left out, as TFMA leaves it out.
    logarithms = np.where(shares <= 0, 0.0, np.log(shares))
    entropies: Floats = -(labels * logarithms).sum(axis=1)
    return entropies


@dataclass(frozen=True, kw_only=True)
class CrossEntropy(RequestedMetric):
    """The mean cross-entropy of labels and predictions.

    Args:
        kind: Whether each class is predicted by itself or one of several.
        from_logits: Whether predictions are logits and not probabilities.
        label_smoothing: How far labels are moved towards being undecided, 0 to 1.
    """

    kind: Kind
    from_logits: bool = False
    label_smoothing: float = 0.0

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        if scope.class_weights is not None:
            raise ValueError(
                f"The metric {self.name!r} is of whole examples, so that classes cannot be "
                "weighted. Move it to a metrics_spec without aggregate.class_weights."
            )
        entropies = CrossEntropySums(
            scope.model_name,
            scope.output_name,
            self.kind,
            self.from_logits,
            self.label_smoothing,
            scope.sub_key,
            scope.aggregation_type is not None,
            scope.example_weighted,
            asked_by=self.name,
        )

        def value(sums: SliceSums) -> float:
            total, count = sums[entropies].total
            with np.errstate(divide="ignore", invalid="ignore"):
                return float(np.divide(total, count))

        return [Metric(scope.key(self.name), (entropies,), value)]


_KERAS_LOSS = {"reduction": ("auto", "sum_over_batch_size")}

METRIC_CLASSES = {
    "BinaryCrossEntropy": MetricClass(
        CrossEntropy, "binary_crossentropy", {"kind": "binary"}, ignored=_KERAS_LOSS
    ),
    "CategoricalCrossEntropy": MetricClass(
        CrossEntropy, "categorical_crossentropy", {"kind": "categorical"}, ignored=_KERAS_LOSS
    ),
}
