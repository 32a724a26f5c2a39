"""Errors of a regression, and how far predictions follow labels."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from trainwright.evaluation.computation import Floats
from trainwright.evaluation.metrics.metric import Metric, Plot
from trainwright.evaluation.metrics.pair_sums import Terms, pair_metric
from trainwright.evaluation.metrics.pairs import Pairs
from trainwright.evaluation.metrics.requested import MetricClass, RequestedMetric
from trainwright.evaluation.metrics.scope import Scope


def _known(errors: Floats) -> Sequence[Floats]:
    """The errors and how many they are; what is not a number is left out of both."""
    unknown = np.isnan(errors)
    return np.where(unknown, 0.0, errors), np.where(unknown, 0.0, 1.0)


def _absolute_errors(pairs: Pairs, metric_name: str) -> Sequence[Floats]:
    return _known(np.abs(pairs.labels_for(metric_name) - pairs.predictions))


def _squared_errors(pairs: Pairs, metric_name: str) -> Sequence[Floats]:
    return _known((pairs.labels_for(metric_name) - pairs.predictions) ** 2)


def _percentage_errors(pairs: Pairs, metric_name: str) -> Sequence[Floats]:
    labels = pairs.labels_for(metric_name)
    errors = 100 * np.abs((labels - pairs.predictions) / labels)
    return _known(np.where(labels == 0, np.nan, errors))


def _squared_logarithmic_errors(pairs: Pairs, metric_name: str) -> Sequence[Floats]:
    labels = pairs.labels_for(metric_name)
    return _known((np.log(labels + 1) - np.log(pairs.predictions + 1)) ** 2)


def _mean(totals: Floats) -> float:
    total, count = totals
    return float(total / count) if count else float("nan")


def _root_of_mean(totals: Floats) -> float:
    return math.sqrt(_mean(totals))


@dataclass(frozen=True, kw_only=True)
class MeanError(RequestedMetric):
    """The mean of an error, over what the error is known of."""

    errors: Terms
    mean: Callable[[Floats], float]

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        return [pair_metric(scope, self.name, self.errors, 2, self.mean)]


def _moments(pairs: Pairs, metric_name: str) -> Sequence[Floats]:
    labels, predictions = pairs.labels_for(metric_name), pairs.predictions
    ones = np.ones_like(labels)
    return labels, predictions, labels**2, predictions**2, labels * predictions, ones


def _squared_correlation(totals: Floats) -> float:
    labels, predictions, squared_labels, squared_predictions, products, count = totals
    if count <= 0:
        return float("nan")
    covariance = products - labels * predictions / count
    label_variance = squared_labels - labels**2 / count
    prediction_variance = squared_predictions - predictions**2 / count
    variances = label_variance * prediction_variance
    return float(covariance**2 / variances) if variances > 0 else float("nan")


@dataclass(frozen=True, kw_only=True)
class SquaredPearsonCorrelation(RequestedMetric):
    """The square of the correlation between labels and predictions."""

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        return [pair_metric(scope, self.name, _moments, 6, _squared_correlation)]


# What Keras writes down of its losses of the same names.
_KERAS_LOSS = {"reduction": ("auto", "sum_over_batch_size")}


def _class(name: str, errors: Terms, mean: Callable[[Floats], float] = _mean) -> MetricClass:
    return MetricClass(MeanError, name, {"errors": errors, "mean": mean}, ignored=_KERAS_LOSS)


METRIC_CLASSES = {
    "MeanAbsoluteError": _class("mean_absolute_error", _absolute_errors),
    "MeanSquaredError": _class("mean_squared_error", _squared_errors),
    "MeanAbsolutePercentageError": _class("mean_absolute_percentage_error", _percentage_errors),
    "MeanSquaredLogarithmicError": _class(
        "mean_squared_logarithmic_error", _squared_logarithmic_errors
    ),
    "RootMeanSquaredError": _class("root_mean_squared_error", _squared_errors, _root_of_mean),
    "SquaredPearsonCorrelation": MetricClass(
        SquaredPearsonCorrelation, "squared_pearson_correlation"
    ),
}
