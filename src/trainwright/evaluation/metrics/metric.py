"""Metric: a function of sums, with a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from trainwright.evaluation.computation import Computation, Sums
from trainwright.evaluation.metric_keys import MetricKey
from trainwright.evaluation.results import MetricValue, PlotValue

# What was added up for one slice, by computation.
SliceSums = Mapping[Computation, Sums]


@dataclass(frozen=True)
class Metric:
    """How a metric of one model is computed.

    Args:
        key: Its name in the results.
        computations: The sums that it needs.
        value: From those sums, for one slice, to the metric.
        has_interval: Whether a bootstrap says something about it, which it does not about counts.
    """

    key: MetricKey
    computations: tuple[Computation, ...]
    value: Callable[[SliceSums], MetricValue]
    has_interval: bool = True


@dataclass(frozen=True)
class Plot:
    """How a plot of one model is computed."""

    key: MetricKey
    computations: tuple[Computation, ...]
    value: Callable[[SliceSums], PlotValue]
