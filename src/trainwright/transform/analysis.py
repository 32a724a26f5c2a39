"""analyze: from raw examples and a preprocessing function to a transform graph."""

from __future__ import annotations

import json
import logging
import os
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import tensorflow as tf
from tensorflow_transform import nodes
from tensorflow_transform.output_wrapper import TFTransformOutput
from tensorflow_transform.tf_metadata import dataset_metadata, metadata_io

from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.engine.engine import Engine, ReportProgress
from trainwright.engine.passes import PassSpec, Shard
from trainwright.transform.accumulations import Accumulation, to_text
from trainwright.transform.analyzer_cache import AnalyzerCache, Dataset, entry_name
from trainwright.transform.beam_nodes import Collection, TensorBatches
from trainwright.transform.graph_function import keep_function
from trainwright.transform.merging import MergingVisitor
from trainwright.transform.phases import Phase, find_phases
from trainwright.transform.saved_functions import (
    CompatV1Functions,
    PreprocessingFn,
    SavedFunctions,
    TracedFunctions,
)

_logger = logging.getLogger(__name__)

# Up to this size of its vocabularies the function stays in memory for transforming.
_MOST_BYTES_KEPT = 16 << 20

_PHASE = "trainwright.transform.phase_pass:PhasePass"


def analyze(
    preprocessing_fn: PreprocessingFn,
    examples: ExampleFiles,
    datasets: Sequence[Dataset],
    output_directory: str,
    *,
    engine: Engine,
    temporary_directory: str,
    force_tf_compat_v1: bool = False,
    cache: AnalyzerCache | None = None,
    report_progress: ReportProgress | None = None,
) -> None:
    """Computes what the analyzers in a preprocessing function ask for and writes the function with
    it as a transform graph, which `tft.TFTransformOutput` reads.

    The data is read once for each phase of analyzers. The result depends on the function, the
    files and their order, and not on the engine or the number of its processes.

    Args:
        preprocessing_fn: The user's function, from raw tensors to transformed ones.
        examples: How the examples are parsed.
        datasets: What to look at.
        output_directory: Where the transform graph goes.
        engine: What runs the passes.
        temporary_directory: For files that are not needed afterwards.
        force_tf_compat_v1: Whether the function is traced as one of TensorFlow 1.
        cache: What earlier analyses have gathered from the same datasets.
        report_progress: Told how many examples were read so far, in all phases together.

    Raises:
        ShardError: if a file cannot be read.
    """
    analysis = _Analysis(examples, datasets, engine, temporary_directory, cache, report_progress)
    flavour = CompatV1Functions if force_tf_compat_v1 else TracedFunctions
    functions = flavour(preprocessing_fn, examples.parser().type_specs(), temporary_directory)
    constants, assets = analysis.run(functions)
    function_directory = os.path.join(output_directory, TFTransformOutput.TRANSFORM_FN_DIR)
    metadata, function = functions.save(function_directory, constants, assets)
    if function is not None and _total_size(constants, assets) <= _MOST_BYTES_KEPT:
        keep_function(function_directory, examples, function)
    _write_metadata(
        output_directory, TFTransformOutput.TRANSFORMED_METADATA_DIR, metadata, functions.asset_map
    )
    raw_metadata = dataset_metadata.DatasetMetadata(examples.schema)
    _write_metadata(output_directory, TFTransformOutput.RAW_METADATA_DIR, raw_metadata, {})


class _Analysis:
    """The phases of one analysis, one after the other."""

    def __init__(
        self,
        examples: ExampleFiles,
        datasets: Sequence[Dataset],
        engine: Engine,
        directory: str,
        cache: AnalyzerCache | None,
        report_progress: ReportProgress | None,
    ) -> None:
        self._examples = examples
        self._datasets = datasets
        self._engine = engine
        self._directory = directory
        self._cache = cache
        self._report_progress = report_progress
        self._examples_read = 0

    def run(self, functions: SavedFunctions) -> tuple[dict[str, tf.Tensor], set[str]]:
        """The constants that stand for the analyzers' tensors, and those that are paths of files,
        by the names of the tensors."""
        vocabularies = tempfile.mkdtemp(dir=self._directory)
        merging = MergingVisitor(functions.graph, vocabularies)
        traverser = nodes.Traverser(merging)
        constants: dict[str, tf.Tensor] = {}
        assets: set[str] = set()
        for phase in find_phases(functions.graph, functions.inputs):
            function = _PhaseFunction(functions, phase, constants)
            merging.read = None
            if phase.has_beam_transforms:
                merging.read = partial(self._tensor_batches, function.directory)
            merging.accumulated.update(self._accumulate(phase, function))
            for sink in phase.sinks:
                value = traverser.visit_value_node(sink.future)
                if isinstance(value, Collection):
                    value = value.only(sink.tensor.name)
                constants[sink.tensor.name] = tf.constant(value, sink.tensor.dtype)
                if sink.is_asset_filepath:
                    assets.add(sink.tensor.name)
        return constants, assets

    def _accumulate(self, phase: Phase, function: _PhaseFunction) -> dict[str, list[Any]]:
        """What each analyzer gathered, by label: one accumulator for each dataset."""
        gathered: dict[str, list[Any]] = {
            accumulation.label: [] for accumulation in phase.accumulations
        }
        for dataset in self._datasets:
            entries = self._cache_entries(phase)
            cached = self._read_cache(dataset, entries, phase.accumulations)
            missing = [one for one in phase.accumulations if one.label not in cached]
            found = cached | self._pass_over(dataset, missing, function)
            for accumulation in missing:
                entry = entries.get(accumulation.label)
                if self._cache is not None and entry is not None:
                    data = accumulation.to_cache(found[accumulation.label])
                    self._cache.put(dataset, entry, data)
            for label, accumulators in gathered.items():
                accumulators.append(found[label])
        return gathered

    def _pass_over(
        self, dataset: Dataset, accumulations: Sequence[Accumulation], function: _PhaseFunction
    ) -> dict[str, Any]:
        if not accumulations:
            return {}
        shards = [Shard.from_json(one) for one in self._examples.at(*dataset.paths).shards()]
        spec = PassSpec(
            _PHASE,
            {
                "function_directory": function.directory,
                "examples": self._examples.to_json(),
                "accumulations": to_text(accumulations),
                "spill_directory": self._directory,
                "carries_spilled": not self._engine.shares_filesystem,
            },
            files=[("function_directory",), ("examples", "data_view")],
        )
        before = self._examples_read
        report = self._report_progress
        gathered = self._engine.accumulate(
            spec, shards, report and (lambda read: report(before + read))
        )
        _logger.info("%s: %d examples analyzed", dataset.name, gathered.examples)
        self._examples_read += gathered.examples
        by_label: dict[str, Any] = gathered.by_label
        return by_label

    def _cache_entries(self, phase: Phase) -> dict[str, str | None]:
        """The names of cache entries by label; what depends on other analyzers has none, because
        these give something else when there is more data."""
        if self._cache is None or phase.number > 0:
            return {}
        return {one.label: entry_name(one, phase.paths) for one in phase.accumulations}

    def _read_cache(
        self,
        dataset: Dataset,
        entries: dict[str, str | None],
        accumulations: Sequence[Accumulation],
    ) -> dict[str, Any]:
        found = {}
        for accumulation in accumulations:
            entry = entries.get(accumulation.label)
            data = self._cache.find(dataset, entry) if self._cache and entry else None
            if data is not None:
                found[accumulation.label] = accumulation.deserialize(data, self._directory)
        if found:
            _logger.info(
                "%s: %d of %d analyzers have been through it before",
                dataset.name,
                len(found),
                len(accumulations),
            )
        return found

    def _tensor_batches(self, function_directory: str, keys: tuple[str, ...]) -> TensorBatches:
        paths = [path for dataset in self._datasets for path in dataset.paths]
        return TensorBatches(keys, function_directory, self._examples.to_json(), paths)


class _PhaseFunction:
    """What computes the outputs of a phase, saved when somebody needs it."""

    def __init__(
        self, functions: SavedFunctions, phase: Phase, constants: Mapping[str, tf.Tensor]
    ) -> None:
        self._functions = functions
        self._phase = phase
        self._constants = constants
        self._directory: str | None = None

    @property
    def directory(self) -> str:
        if self._directory is None:
            self._directory = self._functions.save_phase(self._phase, self._constants)
        return self._directory


def _total_size(constants: Mapping[str, tf.Tensor], assets: set[str]) -> int:
    """How big the vocabularies are."""
    return sum(os.path.getsize(constants[name].numpy()) for name in assets)


def _write_metadata(
    output_directory: str, name: str, metadata: Any, asset_map: dict[str, str]
) -> None:
    directory = os.path.join(output_directory, name)
    metadata_io.write_metadata(metadata, directory)
    if asset_map:
        with open(os.path.join(directory, TFTransformOutput.ASSET_MAP), "w") as file:
            json.dump(asset_map, file)
