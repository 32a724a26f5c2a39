"""PhasePass: one pass over the examples that feeds all analyzers of a phase."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from typing import Any

import tensorflow as tf

from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.engine.packing import pack, unpack
from trainwright.engine.passes import AccumulatingPass, ReportUnits, Shard
from trainwright.storage.held_directories import held_temporary
from trainwright.transform.accumulations import from_text
from trainwright.transform.graph_function import GraphFunction, open_function

_SPILL_PREFIX = "trainwright-phase-"


class PhaseAccumulator:
    """The accumulators of a phase's nodes by label, and how many examples they have seen."""

    def __init__(self, by_label: dict[str, Any], examples: int = 0) -> None:
        self.by_label = by_label
        self.examples = examples


class PhasePass(AccumulatingPass[PhaseAccumulator, PhaseAccumulator]):
    """Applies the function of a phase to each batch and gives the results to the analyzers.

    Args:
        function_directory: The SavedModel that computes the tensors of this phase.
        examples: `ExampleFiles` as JSON.
        accumulations: The accumulations, by `accumulations.to_text`.
        spill_directory: Where accumulators put what is too big for memory.
        carries_spilled: Whether accumulators take along what is too big for memory, because who
            merges them cannot see the files of who made them.
    """

    def __init__(
        self,
        function_directory: str,
        examples: Mapping[str, Any],
        accumulations: str,
        spill_directory: str,
        carries_spilled: bool = False,
    ) -> None:
        self._function_directory = function_directory
        self._examples = ExampleFiles.from_json(examples)
        self._accumulations = from_text(accumulations)
        self._spill_directory = spill_directory
        self._carries_spilled = carries_spilled
        self._loaded: GraphFunction | None = None

    @property
    def _function(self) -> GraphFunction:
        # Who only merges need not load it.
        if self._loaded is None:
            outputs = {key for accumulation in self._accumulations for key in accumulation.keys}
            function = open_function(self._function_directory)
            self._loaded = GraphFunction(function, self._examples, outputs)
        return self._loaded

    def create(self) -> PhaseAccumulator:
        # A shard that is tried again must not meet the files of the first try.
        return self._create(tempfile.mkdtemp(dir=self._spill_directory))

    def _create(self, directory: str) -> PhaseAccumulator:
        by_label = {one.label: one.create(directory) for one in self._accumulations}
        return PhaseAccumulator(by_label)

    def run(self, shard: Shard, report: ReportUnits) -> bytes:
        if not self._carries_spilled:
            return super().run(shard, report)
        # The spill directory is the caller's, and may not exist where this shard is read.
        with held_temporary(_SPILL_PREFIX) as own:
            return self._pack_whole(self.add(self._create(own), shard, report))

    def merge_serialized(self, group: Iterable[bytes]) -> bytes:
        if not self._carries_spilled:
            return super().merge_serialized(group)
        with held_temporary(_SPILL_PREFIX) as own:
            accumulator = self._create(own)
            for data in group:
                accumulator = self.merge(accumulator, self._unpack(data, own))
            return self._pack_whole(accumulator)

    def _pack_whole(self, accumulator: PhaseAccumulator) -> bytes:
        blobs = [one.to_cache(accumulator.by_label[one.label]) for one in self._accumulations]
        return pack(accumulator.examples, blobs)

    def add(
        self, accumulator: PhaseAccumulator, shard: Shard, report: ReportUnits
    ) -> PhaseAccumulator:
        for rows, outputs in self._function.batches(shard.config["path"], report):
            arrays = {name: _to_numpy(tensor) for name, tensor in outputs.items()}
            for accumulation in self._accumulations:
                label = accumulation.label
                accumulator.by_label[label] = accumulation.add(
                    accumulator.by_label[label], [arrays[key] for key in accumulation.keys]
                )
            accumulator.examples += rows
        return accumulator

    def merge(self, accumulator: PhaseAccumulator, other: PhaseAccumulator) -> PhaseAccumulator:
        if not other.examples:
            return accumulator
        if not accumulator.examples:
            return other
        accumulator.examples += other.examples
        for accumulation in self._accumulations:
            label = accumulation.label
            accumulator.by_label[label] = accumulation.merge(
                [accumulator.by_label[label], other.by_label[label]]
            )
        return accumulator

    def extract(self, accumulator: PhaseAccumulator) -> PhaseAccumulator:
        return accumulator

    def serialize(self, accumulator: PhaseAccumulator) -> bytes:
        return pack(
            accumulator.examples,
            [
                accumulation.serialize(accumulator.by_label[accumulation.label])
                for accumulation in self._accumulations
            ],
        )

    def deserialize(self, data: bytes) -> PhaseAccumulator:
        return self._unpack(data, self._spill_directory)

    def _unpack(self, data: bytes, directory: str) -> PhaseAccumulator:
        examples, blobs = unpack(data)
        by_label = {
            accumulation.label: accumulation.deserialize(blob, directory)
            for accumulation, blob in zip(self._accumulations, blobs, strict=True)
        }
        return PhaseAccumulator(by_label, examples)


def _to_numpy(tensor: Any) -> Any:
    return tensor.numpy() if isinstance(tensor, tf.Tensor) else tensor
