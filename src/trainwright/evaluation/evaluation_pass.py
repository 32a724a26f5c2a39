"""EvaluationPass: metrics of models over example files, as a pass that any engine runs."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from google.protobuf import json_format, text_format
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.data.graph_optimizer import disable_arithmetic_optimizer
from trainwright.engine.engine import InvalidInputError
from trainwright.engine.packing import pack, unpack
from trainwright.engine.passes import AccumulatingPass, ReportUnits, Shard
from trainwright.evaluation.batches.example_batch import ExampleBatch
from trainwright.evaluation.batches.features import FeatureReader
from trainwright.evaluation.batches.model_batches import label_keys
from trainwright.evaluation.computation import Computation
from trainwright.evaluation.intervals import REPLICATES, draw_counts
from trainwright.evaluation.metrics.keras.compiled import make_compiled_metrics
from trainwright.evaluation.metrics.keras.graph_metrics import make_graph_metrics
from trainwright.evaluation.metrics.registry import make_metrics
from trainwright.evaluation.models.evaluated_model import (
    EvaluatedModel,
    ModelSource,
    read_compiled_models,
)
from trainwright.evaluation.slices.slice_results import EvaluationSums, make_results
from trainwright.evaluation.slices.slicing import SliceNumbers, find_memberships
from trainwright.evaluation.slices.slicing_specs import slice_specs
from trainwright.evaluation.sum_table import SumTable
from trainwright.proto.tfma import config_pb2

if TYPE_CHECKING:
    from trainwright.data.example_reading.untyped_features import UntypedFeatures
    from trainwright.evaluation.slices.slice_results import Evaluation

# A batch has up to this many examples: enough for a model to be fast, and little memory.
_BATCH_ROWS = 4096


@dataclass
class EvaluationAccumulator:
    """What was added up so far.

    Args:
        tables: The sums of each computation.
        slices: The numbers that the tables know slices by.
        slice_examples: How many examples a slice has, by its number.
        examples: How many were read.
        features: Which features were found, of those that were looked for.
        nan_predictions: By model: how many examples it returned NaN for, and where the first is.
        failures: Why a computation that the evaluation can do without was given up.
    """

    tables: dict[Computation, SumTable]
    slices: SliceNumbers = field(default_factory=SliceNumbers)
    slice_examples: dict[int, int] = field(default_factory=dict)
    examples: int = 0
    features: set[str] = field(default_factory=set)
    nan_predictions: dict[str, tuple[int, str]] = field(default_factory=dict)
    failures: dict[Computation, str] = field(default_factory=dict)


class EvaluationPass(AccumulatingPass[EvaluationAccumulator, "Evaluation"]):
    """Reads each shard, a file of examples, once; asks all models about each batch.

    Args:
        eval_config_json: The complete `EvalConfig`.
        models: `ModelSource`s as JSON, by the name of their model spec; none if predictions are
            features of the examples.
        examples: How the files are read: `ExampleFiles` as JSON.
        schema_text: The schema of the examples as text; "" if there is none.
    """

    def __init__(
        self,
        eval_config_json: str,
        models: Mapping[str, Mapping[str, Any]],
        examples: Mapping[str, Any],
        schema_text: str = "",
    ) -> None:
        self._config = json_format.Parse(eval_config_json, config_pb2.EvalConfig())
        self._sources = {name: ModelSource(**source) for name, source in models.items()}
        self._examples = ExampleFiles.from_json(examples)
        self._specs = slice_specs(self._config)
        schema = text_format.Parse(schema_text, schema_pb2.Schema()) if schema_text else None
        self._metrics, self._plots = make_metrics(self._config, schema)
        compiled = make_compiled_metrics(
            self._config, read_compiled_models(self._config, self._sources)
        )
        listed = [metric.key for metric in self._metrics]
        self._metrics += compiled.metrics
        self._metrics += make_graph_metrics(self._config, self._sources, listed)
        self._left_out = compiled.left_out
        # Nobody has asked for these by name: without them the rest is still worth having.
        self._dispensable = compiled.without_thresholds(self._config)
        sizes = [spec.inference_batch_size for spec in self._config.model_specs]
        self._batch_rows = min([size for size in sizes if size > 0], default=_BATCH_ROWS)
        self._has_intervals = self._config.options.compute_confidence_intervals.value
        needed = [one.computations for one in self._metrics]
        needed += [one.computations for one in self._plots]
        self._computations = list(dict.fromkeys(itertools.chain.from_iterable(needed)))

    @cached_property
    def _models(self) -> dict[str, EvaluatedModel]:
        """Loaded where the first shard is read: the process that only merges needs none."""
        return {
            spec.name: self._sources[spec.name].load(spec)
            for spec in self._config.model_specs
            if spec.name in self._sources
        }

    @cached_property
    def _features(self) -> UntypedFeatures:
        return self._examples.features()

    @property
    def _copies(self) -> int:
        return 1 + (REPLICATES if self._has_intervals else 0)

    def create(self) -> EvaluationAccumulator:
        return EvaluationAccumulator(
            {each: SumTable(each, self._copies) for each in self._computations}
        )

    def add(
        self, accumulator: EvaluationAccumulator, shard: Shard, report: ReportUnits
    ) -> EvaluationAccumulator:
        disable_arithmetic_optimizer()
        reader: FeatureReader | None = None
        first = 0
        for records in self._examples.at(shard.config["path"]).batches(self._batch_rows):
            try:
                if reader is None:
                    reader = FeatureReader(self._features_needed(records), self._features)
                self._add_batch(accumulator, self._make_batch(records, reader, shard.name, first))
            except ValueError as error:
                # A label that is not there, a metric that does not fit: so it stays.
                raise InvalidInputError(str(error)) from error
            first += len(records)
            report(len(records))
        return accumulator

    def _make_batch(
        self, records: list[bytes], reader: FeatureReader, shard_name: str, first: int
    ) -> ExampleBatch:
        import tensorflow as tf

        serialized = tf.constant(records, tf.string)
        return ExampleBatch(
            records=records,
            serialized=serialized,
            columns=reader.read(records, serialized),
            features=self._features,
            model_specs=self._config.model_specs,
            models=self._models,
            shard_name=shard_name,
            first_record=first,
        )

    def _features_needed(self, records: list[bytes]) -> set[str]:
        names = self._features.names(records)
        needed = {name for spec in self._specs for name in spec.features}
        for spec in self._config.model_specs:
            needed |= label_keys(spec)
            if not self._sources:
                needed |= {spec.prediction_key, *spec.prediction_keys.values()} - {""}
        for model in self._models.values():
            needed |= model.features_needed(names)
        return needed

    def _add_batch(self, accumulator: EvaluationAccumulator, batch: ExampleBatch) -> None:
        size = len(batch.records)
        columns = batch.columns_to_slice_by()
        memberships = find_memberships(self._specs, columns, size, accumulator.slices)
        counts = None
        if self._has_intervals:
            counts = draw_counts(batch.shard_name, batch.first_record, size)
        for computation, table in accumulator.tables.items():
            if computation in accumulator.failures:
                continue
            try:
                table.add(batch.for_computation(computation), memberships, counts)
            except ValueError as error:
                if computation not in self._dispensable:
                    raise
                accumulator.failures[computation] = str(error)
        _count(accumulator.slice_examples, *np.unique(memberships.slices, return_counts=True))
        accumulator.examples += size
        accumulator.features |= set(columns)
        _add_nan_predictions(accumulator, batch.nan_predictions)

    def merge(
        self, accumulator: EvaluationAccumulator, other: EvaluationAccumulator
    ) -> EvaluationAccumulator:
        numbers = [accumulator.slices.number(key) for key in other.slices.keys]
        for computation, table in accumulator.tables.items():
            table.merge(other.tables[computation], numbers)
        _count(
            accumulator.slice_examples,
            [numbers[number] for number in other.slice_examples],
            other.slice_examples.values(),
        )
        accumulator.examples += other.examples
        accumulator.features |= other.features
        _add_nan_predictions(accumulator, other.nan_predictions)
        accumulator.failures = {**other.failures, **accumulator.failures}
        return accumulator

    def extract(self, accumulator: EvaluationAccumulator) -> Evaluation:
        failures = accumulator.failures
        metrics = [one for one in self._metrics if failures.keys().isdisjoint(one.computations)]
        if failures and not metrics and not self._plots:
            raise InvalidInputError(next(iter(failures.values())))
        return make_results(
            self._config,
            self._specs,
            metrics,
            self._plots,
            EvaluationSums(
                tables=accumulator.tables,
                slice_keys=accumulator.slices.keys,
                slice_examples=[
                    accumulator.slice_examples.get(number, 0)
                    for number in range(len(accumulator.slices.keys))
                ],
                replicates=self._copies - 1,
                examples=accumulator.examples,
                features=frozenset(accumulator.features),
                nan_predictions=accumulator.nan_predictions,
            ),
            left_out=[*self._left_out, *self._given_up(failures)],
        )

    def _given_up(self, failures: Mapping[Computation, str]) -> Iterator[str]:
        """A sentence for each reason why metrics are not computed."""
        for why in dict.fromkeys(failures.values()):
            computations = {each for each in failures if failures[each] == why}
            names = [
                str(metric.key)
                for metric in self._metrics
                if not computations.isdisjoint(metric.computations)
            ]
            yield f"Not computed: {', '.join(names)}. {why}"

    def serialize(self, accumulator: EvaluationAccumulator) -> bytes:
        header = {
            "slices": accumulator.slices.keys,
            "slice_examples": list(accumulator.slice_examples.items()),
            "examples": accumulator.examples,
            "features": sorted(accumulator.features),
            "nan_predictions": accumulator.nan_predictions,
            "failures": [
                [self._computations.index(computation), why]
                for computation, why in accumulator.failures.items()
            ],
        }
        return pack(header, [table.serialize() for table in accumulator.tables.values()])

    def deserialize(self, data: bytes) -> EvaluationAccumulator:
        header, blobs = unpack(data)
        accumulator = EvaluationAccumulator(
            {
                computation: SumTable.deserialize(blob, computation, self._copies)
                for computation, blob in zip(self._computations, blobs, strict=True)
            }
        )
        for key in header["slices"]:
            accumulator.slices.number(tuple((name, value) for name, value in key))
        accumulator.slice_examples = dict(header["slice_examples"])
        accumulator.examples = header["examples"]
        accumulator.features = set(header["features"])
        accumulator.nan_predictions = {
            name: (count, place) for name, (count, place) in header["nan_predictions"].items()
        }
        accumulator.failures = {self._computations[index]: why for index, why in header["failures"]}
        return accumulator


def _count(counts: dict[int, int], slices: Iterable[int], examples: Iterable[int]) -> None:
    for number, more in zip(slices, examples, strict=True):
        counts[int(number)] = counts.get(int(number), 0) + int(more)


def _add_nan_predictions(
    accumulator: EvaluationAccumulator, found: Mapping[str, tuple[int, str]]
) -> None:
    for model, (count, place) in found.items():
        before, first_place = accumulator.nan_predictions.get(model, (0, place))
        accumulator.nan_predictions[model] = (before + count, first_place)
