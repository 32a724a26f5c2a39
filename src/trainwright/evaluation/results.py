"""Results of an evaluation: the metrics and plots of each slice."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from trainwright.evaluation.metric_keys import MetricKey, SliceKey

if TYPE_CHECKING:
    from trainwright.proto.tfma import metrics_for_slice_pb2


class StructuredValue(Protocol):
    """A metric that is more than numbers in a row: confusion matrices, for example."""

    def to_metric_value(self) -> metrics_for_slice_pb2.MetricValue: ...


class PlotValue(Protocol):
    """The data of a plot."""

    def to_plot_data(self) -> metrics_for_slice_pb2.PlotData: ...


@dataclass(frozen=True)
class BoundedValue:
    """A number with its confidence interval.

    Args:
        value: The metric of the examples as they are.
        lower_bound: Where the interval begins.
        upper_bound: Where it ends.
        mean: Of the replicates.
        standard_deviation: Of the replicates.
        replicates: How many there are.
    """

    value: float
    lower_bound: float
    upper_bound: float
    mean: float
    standard_deviation: float
    replicates: int

    def __float__(self) -> float:
        return self.value


MetricValue = float | npt.NDArray[np.float64] | BoundedValue | StructuredValue


@dataclass
class SliceResult:
    """The metrics and plots of one slice, those of candidate and baseline side by side.

    With a baseline there is, beside each number of the candidate, its change from the baseline's
    under `key.diff()`.
    """

    slice_key: SliceKey
    examples: int = 0
    metrics: dict[MetricKey, MetricValue] = field(default_factory=dict)
    plots: dict[MetricKey, PlotValue] = field(default_factory=dict)
