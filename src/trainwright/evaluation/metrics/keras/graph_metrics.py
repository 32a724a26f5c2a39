"""Metrics inside of an EvalSavedModel: those of the Estimator, computed by its own graph.

They are computed without being asked for, as those are that a Keras model was compiled with. Their
variables are sums over examples, as TFMA takes them to be, so that those of batches are added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from trainwright.evaluation.computation import Floats, ModelBatch, StateComputation
from trainwright.evaluation.config.config_completion import includes_default_metrics
from trainwright.evaluation.metric_keys import MetricKey
from trainwright.evaluation.metrics.metric import Metric, SliceSums
from trainwright.evaluation.models.eval_saved_model import TfmaGraph, read_metric_names
from trainwright.evaluation.models.evaluated_model import EVAL_SAVED_MODEL, ModelSource
from trainwright.proto.tfma import config_pb2


@dataclass(frozen=True)
class GraphMetricSums(StateComputation):
    """The variables of all metrics of a graph, one after the other.

    Args:
        model_name: Of the model spec.
        output_name: "": the graph itself knows its outputs.
        path: The directory of the EvalSavedModel.
    """

    model_name: str
    output_name: str
    path: str

    READS_RECORDS_ONLY: ClassVar[bool] = True

    @property
    def width(self) -> int:
        return self._graph.metric_width

    @property
    def _graph(self) -> TfmaGraph:
        graph = TfmaGraph.find(self.path)
        assert graph is not None, "made for graphs alone"
        return graph

    def state(self, batch: ModelBatch) -> Floats:
        assert batch.records is not None
        return self._graph.add_up(batch.records) if batch.size else np.zeros(self.width)

    def values(self, sums: Floats) -> dict[str, float]:
        return self._graph.metric_values(sums)


def graph_metric_keys(
    config: config_pb2.EvalConfig, models: Mapping[str, ModelSource]
) -> list[MetricKey]:
    """What the metrics inside of models are called; none if the config leaves them out."""
    return [MetricKey(name, model) for model, name, _ in _find(config, models)]


def make_graph_metrics(
    config: config_pb2.EvalConfig,
    models: Mapping[str, ModelSource],
    listed: Iterable[MetricKey],
) -> list[Metric]:
    """The metrics inside of models, but for those that the config lists under the same name."""
    taken = set(listed)
    made = []
    for model, name, path in _find(config, models):
        key = MetricKey(name, model)
        if key not in taken:
            sums = GraphMetricSums(model, "", path)
            made.append(Metric(key, (sums,), _value(sums, name)))
    return made


def _find(
    config: config_pb2.EvalConfig, models: Mapping[str, ModelSource]
) -> list[tuple[str, str, str]]:
    """Model, metric and directory of each metric that is inside of a model."""
    if not includes_default_metrics(config):
        return []
    return [
        (model, name, source.path)
        for model, source in models.items()
        if source.factory == EVAL_SAVED_MODEL
        for name in read_metric_names(source.path)
    ]


def _value(computation: GraphMetricSums, name: str) -> Callable[[SliceSums], float]:
    return lambda sums: computation.values(sums[computation].total)[name]
