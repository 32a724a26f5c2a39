"""Counts of examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trainwright.evaluation.computation import Entries, EntryComputation, ModelBatch
from trainwright.evaluation.metrics.metric import Metric, Plot
from trainwright.evaluation.metrics.pairs import example_weights
from trainwright.evaluation.metrics.requested import MetricClass, RequestedMetric
from trainwright.evaluation.metrics.scope import Scope


@dataclass(frozen=True)
class ExampleWeights(EntryComputation):
    """The sum of the examples' weights, or their number."""

    model_name: str
    output_name: str
    weighted: bool

    @property
    def width(self) -> int:
        return 1

    def entries(self, batch: ModelBatch) -> Entries:
        return Entries(example_weights(batch, weighted=self.weighted)[:, None])


@dataclass(frozen=True, kw_only=True)
class ExampleCount(RequestedMetric):
    """The sum of the examples' weights; their number where they have none."""

    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        weights = ExampleWeights(scope.model_name, scope.output_name, scope.example_weighted)
        return [
            Metric(
                scope.key(self.name),
                (weights,),
                lambda sums: float(sums[weights].total[0]),
                has_interval=False,
            )
        ]


METRIC_CLASSES = {
    "ExampleCount": MetricClass(ExampleCount, "example_count"),
    "WeightedExampleCount": MetricClass(ExampleCount, "weighted_example_count"),
}
