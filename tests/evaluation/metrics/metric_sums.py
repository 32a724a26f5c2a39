"""Metrics of a batch in a test: what the pass over files does, in a few lines."""

from __future__ import annotations

import numpy as np
from google.protobuf import json_format

from trainwright.evaluation.computation import (
    Computation,
    EntryComputation,
    ModelBatch,
    StateComputation,
    Sums,
)
from trainwright.evaluation.metrics.metric import Metric, Plot
from trainwright.evaluation.metrics.registry import make_metrics
from trainwright.proto.tfma import config_pb2


def config_of(*specs: dict, models: list[dict] | None = None) -> config_pb2.EvalConfig:
    """An EvalConfig of MetricsSpecs as JSON."""
    models = models or [{"label_key": "label"}]
    return json_format.ParseDict(
        {"model_specs": models, "metrics_specs": list(specs)}, config_pb2.EvalConfig()
    )


def metric_spec(class_name: str, config: str = "", **options) -> dict:
    return {"metrics": [{"class_name": class_name, "config": config}], **options}


def batch_of(labels, predictions, weights=None) -> ModelBatch:
    predictions = np.asarray(predictions)
    return ModelBatch(
        labels=None if labels is None else np.asarray(labels),
        predictions=predictions,
        weights=None if weights is None else np.asarray(weights, np.float64),
        size=len(predictions),
    )


def add_up(computation: Computation, batches: list[ModelBatch]) -> Sums:
    """The sums of a computation over batches, which are all of one slice."""
    totals: dict[int, np.ndarray] = {}
    for batch in batches:
        if isinstance(computation, StateComputation):
            values, buckets = computation.state(batch)[None, :], np.zeros(1, np.int64)
        else:
            assert isinstance(computation, EntryComputation)
            entries = computation.entries(batch)
            values = entries.values
            buckets = entries.buckets if entries.buckets is not None else np.zeros(len(values), int)
            rows = np.arange(batch.size) if entries.rows is None else entries.rows
            assert values.shape == (len(rows), computation.width)
            assert len(rows) == 0 or 0 <= rows.min() <= rows.max() < batch.size
        assert values.shape[1] == computation.width
        for bucket, row in zip(buckets.tolist(), values, strict=True):
            assert 0 <= bucket < computation.bucket_count
            totals[bucket] = totals.get(bucket, 0) + row
    order = sorted(totals)
    rows = np.array([totals[bucket] for bucket in order])
    return Sums(np.array(order, np.int64), rows.reshape(len(order), computation.width))


def evaluate(config: config_pb2.EvalConfig, *batches: ModelBatch) -> dict[Metric | Plot, object]:
    """The value of every metric and plot, of one model's batches."""
    metrics, plots = make_metrics(config)
    needed = {each for one in (*metrics, *plots) for each in one.computations}
    sums = {computation: add_up(computation, list(batches)) for computation in needed}
    return {one: one.value(sums) for one in (*metrics, *plots)}


def values_of(config: config_pb2.EvalConfig, *batches: ModelBatch) -> dict[str, object]:
    """The values by name alone."""
    return {str(one.key): value for one, value in evaluate(config, *batches).items()}


def value_of(class_name: str, batch: ModelBatch, config: str = "", **options):
    """The one value of one metric."""
    (value,) = values_of(config_of(metric_spec(class_name, config, **options)), batch).values()
    return value
