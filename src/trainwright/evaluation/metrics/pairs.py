"""Pairs: the labels and predictions of a batch, one beside the other.

A binary classifier or a regression has one pair for each example. With several classes an example
has one for each class, the label being whether it is the example's class, unless a sub key says
which of the classes count. How labels are written is seen in their shape: as wide as the
predictions they are one number for each class, and one number alone is the class's number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trainwright.evaluation.computation import Floats, Integers, ModelBatch
from trainwright.evaluation.metric_keys import SubKey

# What classes count: (class, weight), by rising class.
ClassWeights = tuple[tuple[int, float], ...]

# The class number of a label that the model's vocabulary does not have: it is of no class.
_UNKNOWN_CLASS = -1

# How far a label may be off [0, 1] and still be called rounding.
_ROUNDING = 1e-7


@dataclass(frozen=True)
class PairRule:
    """Which pairs an example gives.

    Args:
        sub_key: Which classes count; None for all.
        aggregated: Whether the pairs of several classes go into one average. The top k classes
            are then all that there are, while otherwise the others stay, predicted as -infinity.
        class_weights: What each class counts; one that is not named counts nothing. None if all
            count one.
        weighted: Whether examples count by their weight.
    """

    sub_key: SubKey | None = None
    aggregated: bool = False
    class_weights: ClassWeights | None = None
    weighted: bool = False


@dataclass(frozen=True)
class Columns:
    """What the pairs are made of: labels and predictions by example and class.

    Labels have one column where they are class numbers or where predictions have one; None where
    the batch has none.
    """

    labels: Floats | None
    predictions: Floats

    @property
    def has_class_numbers(self) -> bool:
        """Whether labels are class numbers beside predictions of several classes."""
        return self.labels is not None and self.labels.shape[1] != self.predictions.shape[1]

    def one_hot(self) -> Columns:
        """The same with one label for each prediction."""
        if self.labels is None or not self.has_class_numbers:
            return self
        classes = self.predictions.shape[1]
        numbers = self.labels[:, 0].astype(np.int64)
        beyond = (numbers >= classes) | (numbers < _UNKNOWN_CLASS)
        if beyond.any():
            raise ValueError(
                f"The label {numbers[beyond][0]} is not a class of the model, which predicts "
                f"{classes} classes: 0 to {classes - 1}."
            )
        return Columns(
            labels=(numbers[:, None] == np.arange(classes)).astype(np.float64),
            predictions=self.predictions,
        )


@dataclass(frozen=True)
class Pairs:
    """Flat labels and predictions, with the weight of each pair.

    Args:
        rows: The example of each pair; None if pair i is of example i.
    """

    labels: Floats | None
    predictions: Floats
    weights: Floats
    rows: Integers | None

    def labels_for(self, metric_name: str) -> Floats:
        """The labels, of which there must be some.

        Raises:
            ValueError: If the batch has none.
        """
        if self.labels is None:
            raise ValueError(
                f"The metric {metric_name!r} needs labels, and there are none. Name them in the "
                "model spec: label_key, or label_keys of a model with several outputs."
            )
        return self.labels

    def fractions_for(self, metric_name: str) -> Floats:
        """The labels as how far an example is positive: 0 to 1.

        Raises:
            ValueError: If a label is outside, as one of a regression is.
        """
        labels = self.labels_for(metric_name)
        outside = _outside_fractions(labels)
        if outside.size:
            raise ValueError(
                f"The metric {metric_name!r} takes labels from 0 to 1, and there is one of "
                f"{outside[0]:g}. If it is a class number, the model must predict one number for "
                "each class; if it is a measurement, choose a metric of regressions, "
                "MeanSquaredError for example."
            )
        return labels

    def predictions_as_fractions(self, metric_name: str) -> Floats:
        """The predictions as how far an example is positive: 0 to 1.

        Raises:
            ValueError: If a prediction is outside, as a logit is.
        """
        outside = _outside_fractions(self.predictions)
        if outside.size:
            raise ValueError(
                f"The metric {metric_name!r} takes predictions from 0 to 1, and there is one of "
                f"{outside[0]:g}."
            )
        return self.predictions


def pairs_of(batch: ModelBatch, rule: PairRule) -> Pairs:
    """The pairs of a batch; those of one rule are made once."""
    return batch.remember(("pairs", rule), lambda: _flatten(batch, rule))


def columns_of(batch: ModelBatch, sub_key: SubKey | None, *, aggregated: bool = False) -> Columns:
    """The labels and predictions of a batch with the classes that the sub key chooses."""
    key = ("columns", sub_key, aggregated)
    return batch.remember(key, lambda: _choose(_all_columns(batch), sub_key, aggregated))


def example_weights(batch: ModelBatch, *, weighted: bool) -> Floats:
    """What each example counts."""
    if not weighted or batch.weights is None:
        return np.ones(batch.size)
    return batch.weights


def _outside_fractions(values: Floats) -> Floats:
    return values[~((values >= -_ROUNDING) & (values <= 1 + _ROUNDING))]


def _flatten(batch: ModelBatch, rule: PairRule) -> Pairs:
    columns = columns_of(batch, rule.sub_key, aggregated=rule.aggregated).one_hot()
    examples, width = columns.predictions.shape
    weights = np.repeat(example_weights(batch, weighted=rule.weighted), width)
    if rule.class_weights is not None:
        class_weights = np.zeros(width)
        for class_id, weight in rule.class_weights:
            if 0 <= class_id < width:
                class_weights[class_id] = weight
        weights = weights * np.tile(class_weights, examples)
    return Pairs(
        labels=None if columns.labels is None else columns.labels.ravel(),
        predictions=columns.predictions.ravel(),
        weights=weights,
        rows=None if width == 1 else np.repeat(np.arange(examples), width),
    )


def _all_columns(batch: ModelBatch) -> Columns:
    if batch.predictions is None:
        raise ValueError(
            "The model's answers have no predictions. Name the output that has them in the model "
            "spec: prediction_key, or prediction_keys of a model with several outputs."
        )
    predictions = _as_columns(batch.predictions)
    if batch.labels is None:
        return Columns(None, predictions)
    labels = _as_columns(batch.labels)
    if labels.shape[1] not in (1, predictions.shape[1]):
        raise ValueError(
            f"There are {labels.shape[1]} labels for each example, and {predictions.shape[1]} "
            "predictions. There must be as many, or one label: the number of the class."
        )
    return Columns(labels, predictions)


def _as_columns(values: npt.NDArray[np.generic]) -> Floats:
    width = math.prod(values.shape[1:])
    return values.reshape(len(values), width).astype(np.float64)


def _choose(columns: Columns, sub_key: SubKey | None, aggregated: bool) -> Columns:
    if sub_key is None:
        return columns
    if sub_key.k is not None:
        chosen = _highest(columns.predictions, sub_key.k)[:, -1:]
        return _take(columns.one_hot(), chosen)
    if sub_key.top_k is not None:
        chosen = np.sort(_highest(columns.predictions, sub_key.top_k), axis=1)
        if aggregated:
            columns = _take(columns.one_hot(), chosen)
        else:
            predictions = np.full_like(columns.predictions, -np.inf)
            kept = np.take_along_axis(columns.predictions, chosen, axis=1)
            np.put_along_axis(predictions, chosen, kept, axis=1)
            columns = Columns(columns.labels, predictions)
    if sub_key.class_id is not None:
        columns = _one_class(columns, sub_key.class_id)
    return columns


def _highest(predictions: Floats, count: int) -> Integers:
    """The classes with the highest predictions, highest first; of equal ones the first."""
    if count > predictions.shape[1]:
        raise ValueError(
            f"The {count} classes with the highest predictions are asked for, by k or top_k, and "
            f"the model predicts {predictions.shape[1]}."
        )
    order: Integers = np.argsort(-predictions, axis=1, kind="stable")
    return order[:, :count]


def _take(columns: Columns, chosen: Integers) -> Columns:
    return Columns(
        labels=None if columns.labels is None else np.take_along_axis(columns.labels, chosen, 1),
        predictions=np.take_along_axis(columns.predictions, chosen, 1),
    )


def _one_class(columns: Columns, class_id: int) -> Columns:
    classes = columns.predictions.shape[1]
    if not 0 <= class_id < classes:
        hint = " Leave the class out: the prediction is one number." if classes == 1 else ""
        raise ValueError(
            f"The class_id {class_id} is not a class of the model, which predicts {classes}: 0 to "
            f"{classes - 1}.{hint}"
        )
    labels = columns.labels
    if labels is not None and columns.has_class_numbers:
        labels = (labels == class_id).astype(np.float64)
    elif labels is not None:
        labels = labels[:, class_id : class_id + 1]
    return Columns(labels, columns.predictions[:, class_id : class_id + 1])
