"""StatisticsPass: the statistics of example files as a pass that any engine runs."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np
import pyarrow as pa
from tensorflow_metadata.proto.v0 import statistics_pb2

from trainwright.data.arrow_arrays import from_numpy
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.engine.packing import pack, unpack
from trainwright.engine.passes import AccumulatingPass, ReportUnits, Shard
from trainwright.statistics.dataset_stats import DatasetStats
from trainwright.statistics.lift import LiftFeatures
from trainwright.statistics.schema_hints import SchemaHints
from trainwright.statistics.slices import ALL_EXAMPLES, slice_batch
from trainwright.statistics.slicing_config import SlicingConfig
from trainwright.statistics.stats_options import StatsOptions


class StatisticsAccumulator:
    """The statistics of each slice so far, and how many records they were made from.

    Args:
        whole: The statistics of all examples.
    """

    def __init__(self, whole: DatasetStats) -> None:
        self.records = 0
        self.slices: dict[str, DatasetStats] = {ALL_EXAMPLES: whole}


class StatisticsPass(
    AccumulatingPass[StatisticsAccumulator, statistics_pb2.DatasetFeatureStatisticsList]
):
    """Reads each shard, a file of examples, once.

    Args:
        options_json: `StatsOptions` as JSON.
        examples: How the files are read: `ExampleFiles` as JSON.
    """

    def __init__(self, options_json: str, examples: Mapping[str, Any]) -> None:
        self._options = StatsOptions.from_json(options_json)
        self._hints = SchemaHints.read(self._options.schema)
        self._lift = LiftFeatures.find(self._options, self._hints)
        self._examples = ExampleFiles.from_json(examples)

    def create(self) -> StatisticsAccumulator:
        return StatisticsAccumulator(self._new_stats())

    def _new_stats(self) -> DatasetStats:
        return DatasetStats(self._options, self._hints, self._lift)

    def add(
        self, accumulator: StatisticsAccumulator, shard: Shard, report: ReportUnits
    ) -> StatisticsAccumulator:
        path = shard.config["path"]
        for one in self._examples.at(path).arrow_batches(self._options.desired_batch_size):
            self.add_batch(accumulator, one.batch, one.examples, source=path, first=one.first)
            report(one.examples)
        return accumulator

    def add_batch(
        self,
        accumulator: StatisticsAccumulator,
        batch: pa.RecordBatch,
        records: int,
        *,
        source: str,
        first: int,
    ) -> None:
        """Adds some records of a file, or of another source, the first of which has this number."""
        accumulator.records += records
        examples, batch = self._sample(source, first, records, batch)
        accumulator.slices[ALL_EXAMPLES].add(batch, examples, source)
        for name, part in self.slice(batch):
            self.add_to_slice(accumulator, name, part, source)

    def add_to_slice(
        self, accumulator: StatisticsAccumulator, name: str, batch: pa.RecordBatch, source: str
    ) -> None:
        """Adds examples to the slice of this name, which need not have any yet."""
        if name not in accumulator.slices:
            accumulator.slices[name] = self._new_stats()
        accumulator.slices[name].add(batch, batch.num_rows, source)

    def _sample(
        self, name: str, first: int, records: int, batch: pa.RecordBatch
    ) -> tuple[int, pa.RecordBatch]:
        if self._options.sample_rate is None:
            return records, batch
        # The same records whoever asks: the seed is their place.
        generator = np.random.default_rng([zlib.crc32(name.encode()), first])
        chosen = np.flatnonzero(generator.random(records) < self._options.sample_rate)
        return len(chosen), batch.take(from_numpy(chosen)) if batch.num_columns else batch

    @property
    def is_sliced(self) -> bool:
        """Whether slices are looked for."""
        return self._options.slicing_config is not None

    def slice(self, batch: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The slices of a batch, by their names."""
        if self._options.slicing_config is not None:
            yield from slice_batch(batch, cast(SlicingConfig, self._options.slicing_config))

    def merge(
        self, accumulator: StatisticsAccumulator, other: StatisticsAccumulator
    ) -> StatisticsAccumulator:
        accumulator.records += other.records
        for name, stats in other.slices.items():
            if name in accumulator.slices:
                accumulator.slices[name].merge(stats)
            else:
                accumulator.slices[name] = stats
        return accumulator

    def serialize(self, accumulator: StatisticsAccumulator) -> bytes:
        header: dict[str, Any] = {
            "records": accumulator.records,
            "slices": list(accumulator.slices),
        }
        return pack(header, [stats.serialize() for stats in accumulator.slices.values()])

    def deserialize(self, data: bytes) -> StatisticsAccumulator:
        header, blobs = unpack(data)
        accumulator = self.create()
        accumulator.records = header["records"]
        for name, blob in zip(header["slices"], blobs, strict=True):
            accumulator.slices[name] = DatasetStats.deserialize(
                blob, self._options, self._hints, self._lift
            )
        return accumulator

    def extract(
        self, accumulator: StatisticsAccumulator
    ) -> statistics_pb2.DatasetFeatureStatisticsList:
        whole = accumulator.slices[ALL_EXAMPLES]
        if self._options.sample_rate is None and whole.examples != accumulator.records:
            raise AssertionError(
                f"{accumulator.records} records were read and {whole.examples} were counted."
            )
        result = statistics_pb2.DatasetFeatureStatisticsList()
        result.datasets.append(whole.to_proto(ALL_EXAMPLES if self.is_sliced else ""))
        for name in sorted(set(accumulator.slices) - {ALL_EXAMPLES}):
            result.datasets.append(accumulator.slices[name].to_proto(name))
        return result
