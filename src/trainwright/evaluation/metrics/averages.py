"""Averages of a metric over classes and over the outputs of a model."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from trainwright.evaluation.computation import (
    Computation,
    Entries,
    EntryComputation,
    Floats,
    ModelBatch,
)
from trainwright.evaluation.metric_keys import MetricKey, SubKey
from trainwright.evaluation.metrics.metric import Metric, SliceSums
from trainwright.evaluation.metrics.pairs import columns_of, example_weights
from trainwright.evaluation.metrics.requested import RequestedMetric
from trainwright.evaluation.metrics.scope import Scope
from trainwright.evaluation.results import MetricValue


@dataclass(frozen=True)
class ClassFrequencies(EntryComputation):
    """How much weight each of some classes has among the labels."""

    model_name: str
    output_name: str
    class_ids: tuple[int, ...]
    weighted: bool

    @property
    def width(self) -> int:
        return len(self.class_ids)

    def entries(self, batch: ModelBatch) -> Entries:
        labels = columns_of(batch, None).labels
        if labels is None:
            raise ValueError("A weighted_macro_average needs labels, and there are none.")
        class_ids = np.array(self.class_ids, dtype=np.int64)
        if labels.shape[1] == 1:
            present = (labels == class_ids).astype(np.float64)
        elif class_ids.max() < labels.shape[1]:
            present = labels[:, class_ids]
        else:
            raise ValueError(
                f"class_weights of a weighted_macro_average name the class {class_ids.max()}, and "
                f"labels have {labels.shape[1]} classes."
            )
        return Entries(present * example_weights(batch, weighted=self.weighted)[:, None])


def macro_average(
    metric: RequestedMetric, scope: Scope, class_weights: Mapping[int, float]
) -> list[Metric]:
    """The mean over classes; each counts as much as the others, or as its weight says.

    Args:
        metric: What is averaged.
        scope: With a macro `aggregation_type`; its sub key is None, or says of how many of the
            classes with the highest predictions.
        class_weights: Which classes there are, and what each counts; empty with top_k.
    """
    sub_keys = _sub_keys(scope, class_weights)
    weights = np.array(
        [1.0 if key.class_id is None else class_weights[key.class_id] for key in sub_keys]
    )
    frequencies: ClassFrequencies | None = None
    if scope.aggregation_type == "weighted_macro_average" and class_weights:
        frequencies = ClassFrequencies(
            scope.model_name, scope.output_name, tuple(class_weights), scope.example_weighted
        )

    def weights_of(sums: SliceSums) -> Floats:
        return weights if frequencies is None else weights * sums[frequencies].total

    parts = [_metrics_of(metric, scope.of_class(key)) for key in sub_keys]
    more = () if frequencies is None else (frequencies,)
    return [
        _average(_key_in(same[0].key, scope), same, weights_of, more)
        for same in zip(*parts, strict=True)
    ]


def output_average(key: MetricKey, metrics: Sequence[Metric], weights: Sequence[float]) -> Metric:
    """The mean of the same metric over several outputs of a model."""
    fixed = np.array(weights)
    return _average(dataclasses.replace(key, output_name=""), metrics, lambda sums: fixed)


def _sub_keys(scope: Scope, class_weights: Mapping[int, float]) -> list[SubKey]:
    if scope.sub_key is not None and scope.sub_key.top_k is not None:
        return [SubKey(k=place + 1) for place in range(scope.sub_key.top_k)]
    if not class_weights:
        raise ValueError(
            f"A {scope.aggregation_type} needs aggregate.class_weights, which say the classes: "
            "class_weights { key: 0 value: 1.0 } and so on, or top_k_list."
        )
    return [SubKey(class_id=class_id) for class_id in class_weights]


def _metrics_of(metric: RequestedMetric, scope: Scope) -> list[Metric]:
    if not metric.is_numeric:
        raise ValueError(
            f"There is no average of {metric.name!r}, which is not a number. Move it to a "
            "metrics_spec without macro_average and weighted_macro_average."
        )
    return [part for part in metric.at(scope) if isinstance(part, Metric)]


def _key_in(key: MetricKey, scope: Scope) -> MetricKey:
    return dataclasses.replace(key, sub_key=scope.sub_key, aggregation_type=scope.aggregation_type)


def _average(
    key: MetricKey,
    metrics: Sequence[Metric],
    weights_of: Callable[[SliceSums], Floats],
    more: tuple[Computation, ...] = (),
) -> Metric:
    computations = dict.fromkeys(
        [computation for metric in metrics for computation in metric.computations] + list(more)
    )

    def value(sums: SliceSums) -> MetricValue:
        weights = weights_of(sums)
        if not weights.sum():
            return float("nan")
        values = np.array([metric.value(sums) for metric in metrics], dtype=np.float64)
        mean = np.tensordot(weights, values, axes=1) / weights.sum()
        return float(mean) if mean.ndim == 0 else mean

    return Metric(
        key, tuple(computations), value, has_interval=all(metric.has_interval for metric in metrics)
    )
