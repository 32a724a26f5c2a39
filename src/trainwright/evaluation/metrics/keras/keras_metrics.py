"""Keras metrics and losses of a model, in numbers that can be added up."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from trainwright.evaluation.computation import (
    Computation,
    Entries,
    EntryComputation,
    Floats,
    Integers,
    ModelBatch,
    StateComputation,
)
from trainwright.evaluation.metrics.keras.keras_objects import KerasObject, to_numpy
from trainwright.evaluation.metrics.metric import Metric, Plot, SliceSums
from trainwright.evaluation.metrics.pairs import PairRule, columns_of, example_weights, pairs_of
from trainwright.evaluation.metrics.requested import RequestedMetric
from trainwright.evaluation.metrics.scope import Scope
from trainwright.evaluation.results import MetricValue

_SPARSE = "Sparse"

# A process has one metric of a kind, whose variables are set and read again.
VARIABLES_LOCK = threading.RLock()

# Keras' metrics of one-hot labels, which class numbers would be mistaken for.
_ONE_HOT = frozenset(
    {
        "CategoricalAccuracy",
        "CategoricalCrossentropy",
        "CategoricalFocalCrossentropy",
        "CategoricalHinge",
        "TopKCategoricalAccuracy",
    }
)


@dataclass(frozen=True)
class KerasInputs:
    """What a Keras metric is given: two columns or more of labels and predictions."""

    labels: Floats
    predictions: Floats
    weights: Floats
    rows: Integers | None = None


def keras_inputs(
    batch: ModelBatch, rule: PairRule, described: KerasObject, asked_by: str
) -> KerasInputs:
    """What a Keras metric is given of a batch.

    Raises:
        ValueError: If there are no labels, or they have another form than the metric takes.
    """
    if rule.aggregated:
        pairs = pairs_of(batch, rule)
        labels: Floats | None = pairs.labels_for(asked_by)[:, None]
        predictions, weights, rows = pairs.predictions[:, None], pairs.weights, pairs.rows
    else:
        columns = columns_of(batch, rule.sub_key)
        labels, predictions, rows = columns.labels, columns.predictions, None
        weights = example_weights(batch, weighted=rule.weighted)
    if labels is None:
        raise ValueError(f"The metric {asked_by!r} needs labels, and there are none.")
    _check_label_form(described, asked_by, labels.shape[1], predictions.shape[1])
    single = np.float32
    return KerasInputs(labels.astype(single), predictions.astype(single), weights, rows)


def _check_label_form(described: KerasObject, asked_by: str, labels: int, classes: int) -> None:
    if described.class_name.startswith(_SPARSE) and labels == classes > 1:
        other = described.class_name.removeprefix(_SPARSE)
        raise ValueError(
            f"The metric {asked_by!r}, {described.class_name}, takes class numbers, and there is a "
            f"label for each of {classes} classes. Choose {other}."
        )
    if described.class_name in _ONE_HOT and described.is_of_keras and labels != classes:
        raise ValueError(
            f"The metric {asked_by!r}, {described.class_name}, takes one label for each of "
            f"{classes} classes, and labels are class numbers. Choose "
            f"{_SPARSE}{described.class_name}."
        )


@dataclass(frozen=True)
class KerasMean(EntryComputation):
    """The weighted sum of what a Keras function says of each example, and that of the weights.

    Args:
        counts_examples: Whether the second sum is of the examples, whatever they weigh, as that
            of a loss in training is.
    """

    model_name: str
    output_name: str
    described: KerasObject
    rule: PairRule
    counts_examples: bool = False
    asked_by: str = field(default="", compare=False)

    @property
    def width(self) -> int:
        return 2

    def entries(self, batch: ModelBatch) -> Entries:
        inputs = keras_inputs(batch, self.rule, self.described, self.asked_by)
        function = self.described.example_function()
        assert function is not None
        values = to_numpy(_call(self.asked_by, function, inputs.labels, inputs.predictions))
        if values.ndim == 0 or len(values) != len(inputs.weights):
            raise ValueError(
                f"The metric {self.asked_by!r} should give a value for each of "
                f"{len(inputs.weights)} examples, and gives the shape {values.shape}."
            )
        # Several values of an example count as their mean.
        values = values.reshape(len(values), -1).mean(axis=1) if values.size else inputs.weights
        weighted = np.where(inputs.weights == 0, 0, values * inputs.weights)
        counts = np.ones_like(weighted) if self.counts_examples else inputs.weights
        return Entries(np.stack([weighted, counts], axis=1), rows=inputs.rows)


@dataclass(frozen=True)
class KerasState(StateComputation):
    """The variables of a Keras metric, one after the other."""

    model_name: str
    output_name: str
    described: KerasObject
    rule: PairRule
    asked_by: str = field(default="", compare=False)

    @property
    def width(self) -> int:
        return len(self._variables())

    def state(self, batch: ModelBatch) -> Floats:
        metric = self.described.make()
        if not batch.size:
            return np.zeros(self.width)
        inputs = keras_inputs(batch, self.rule, self.described, self.asked_by)
        if self.described.is_built_late and inputs.predictions.shape[1] != 1:
            raise ValueError(
                f"The metric {self.asked_by!r} is of one prediction for each example, and there "
                f"are {inputs.predictions.shape[1]}. Choose classes with binarize.class_ids."
            )
        # What weighs nothing adds nothing, and may be what a metric cannot take, as NaN is.
        counts = inputs.weights != 0
        if not counts.any():
            return np.zeros(self.width)
        with VARIABLES_LOCK:
            metric.reset_state()
            _call(
                self.asked_by,
                metric.update_state,
                inputs.labels[counts],
                inputs.predictions[counts],
                sample_weight=inputs.weights[counts].astype(np.float32),
            )
            return self._variables()

    def result(self, variables: Floats) -> Mapping[str, MetricValue]:
        """What the metric says with these variables, by what is added to its name."""
        metric = self.described.make()
        sizes = [int(np.prod(variable.shape)) for variable in metric.variables]
        parts = np.split(variables, np.cumsum(sizes)[:-1])
        with VARIABLES_LOCK:
            for variable, part in zip(metric.variables, parts, strict=True):
                variable.assign(part.reshape(tuple(variable.shape)).astype(_type_of(variable)))
            return result_of(metric)

    def _variables(self) -> Floats:
        parts = [to_numpy(variable).ravel() for variable in self.described.make().variables]
        return np.concatenate(parts) if parts else np.zeros(0)


def _type_of(variable: Any) -> Any:
    """The type of a variable's numbers, of either Keras."""
    return getattr(variable.dtype, "as_numpy_dtype", variable.dtype)


def result_of(metric: Any) -> dict[str, MetricValue]:
    """What a metric says: its value under "", or several under "/" and their names."""
    result = metric.result()
    named = result if isinstance(result, dict) else {None: result}
    values: dict[str, MetricValue] = {}
    for name, value in named.items():
        number = to_numpy(value)
        values["" if name is None else f"/{name}"] = float(number) if number.size == 1 else number
    return values


def _call(asked_by: str, function: Callable[..., Any], *arguments: Floats, **options: Any) -> Any:
    try:
        return function(*arguments, **options)
    except Exception as error:
        shapes = " and ".join(str(argument.shape) for argument in arguments)
        raise ValueError(
            f"The Keras metric {asked_by!r} fails with labels and predictions of the shapes "
            f"{shapes}: {error}"
        ) from error


@dataclass(frozen=True, kw_only=True)
class KerasMetric(RequestedMetric):
    """A metric or a loss of Keras, its own or a user's."""

    described: KerasObject

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        chosen = scope.sub_key or scope.aggregation_type
        if self.described.class_name.startswith(_SPARSE) and chosen:
            raise ValueError(
                f"The metric {self.name!r}, {self.described.class_name}, is of class numbers, and "
                f"its metrics_spec chooses or averages classes: {chosen}. Move it to a "
                "metrics_spec without binarize and aggregate."
            )
        where = (scope.model_name, scope.output_name, self.described, scope.pair_rule)
        if self.described.example_function() is not None:
            mean = KerasMean(*where, asked_by=self.name)
            return [Metric(scope.key(self.name), (mean,), mean_of(mean))]
        state = KerasState(*where, asked_by=self.name)
        return [
            Metric(scope.key(self.name + suffix), (state,), value_of_state(state, suffix))
            for suffix in result_of(self.described.make())
        ]


def mean_of(mean: Computation) -> Callable[[SliceSums], float]:
    """From the two sums to the mean."""

    def value(sums: SliceSums) -> float:
        total, count = sums[mean].total
        # Keras' mean of nothing is 0.
        return float(total / count) if count else 0.0

    return value


def value_of_state(state: KerasState, suffix: str) -> Callable[[SliceSums], MetricValue]:
    """From the sums of a metric's variables to what it says."""
    return lambda sums: state.result(sums[state].total)[suffix]
