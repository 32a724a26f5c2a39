"""run_transform: analyzes, transforms, and looks at the data before and after."""

from __future__ import annotations

import contextlib
import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tensorflow_metadata.proto.v0 import schema_pb2
from tensorflow_transform.output_wrapper import TFTransformOutput

from trainwright.components.forking import can_fork
from trainwright.components.transform.batch_check import check_batches, read_some_records
from trainwright.components.transform.error_hints import describe_difference, explain
from trainwright.components.transform.materialization import Materialized, materialize
from trainwright.components.transform.preprocessing_function import (
    PreprocessingFunction,
    bind_custom_config,
)
from trainwright.components.transform.request import StatisticsDirectories, TransformRequest
from trainwright.components.transform.splits import SplitFiles
from trainwright.components.transform.stats_options_util import StatsType
from trainwright.components.transform.transform_statistics import (
    choose_options,
    write_anomalies,
    write_statistics,
)
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.engine.choice import engine_for_files, open_engine
from trainwright.engine.engine import Engine
from trainwright.engine.passes import Shard
from trainwright.schemas.anomaly_report import (
    anomaly_table,
    list_anomalies,
    summarize_anomalies,
)
from trainwright.schemas.schema_file import read_schema
from trainwright.transform.analysis import analyze
from trainwright.transform.analyzer_cache import AnalyzerCache, Dataset
from trainwright.transform.graph_function import load_function
from trainwright.transform.transformed_files import payload_format_of_transformed

_logger = logging.getLogger(__name__)

# What the engine's processes import while this one traces the function.
_PRELOAD = ("tensorflow_transform", "trainwright.transform.transform_pass")
# A process with TensorFlow takes seconds to start; this one reads up to this much meanwhile.
_INLINE_BYTES = 16 << 20

ReportProgress = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True)
class Outcome:
    """What there is to say after the work.

    Args:
        examples: The number of transformed examples by split.
        remarks: What the user should look at, in sentences.
    """

    examples: Mapping[str, int]
    remarks: Sequence[str]


def run_transform(
    request: TransformRequest,
    temporary_directory: str,
    report_progress: ReportProgress,
    *,
    engine: str | None = None,
) -> Outcome:
    """Does what is asked for.

    Args:
        request: What to do.
        temporary_directory: For files that are not needed afterwards.
        report_progress: Told how many examples were read so far, by step.
        engine: What runs the passes, by name or URL; the local engine if None.

    Raises:
        ValueError: for what is wrong with the user's function, in its words and lines, or with
            the data; what was raised first is the cause.
    """
    options: Any = {"inline_bytes": _INLINE_BYTES, "preload": _PRELOAD, "can_fork": can_fork}
    with (
        open_engine(engine, **options) as opened,
        engine_for_files(opened, **options) as writing,
    ):
        run = _Run(request, temporary_directory, opened, writing, report_progress)
        run.analyze()
        run.check_batches()
        if request.transformed_directory is None and request.statistics is None:
            return Outcome({}, run.remarks)
        materialized = run.transform()
        if request.statistics is not None:
            run.write_raw_statistics(request.statistics)
            run.write_transformed_statistics(request.statistics, materialized.paths)
        return Outcome(materialized.examples, run.remarks)


class _Run:
    """The steps of one request; each says how long it took."""

    def __init__(
        self,
        request: TransformRequest,
        temporary_directory: str,
        engine: Engine,
        writing_engine: Engine,
        report_progress: ReportProgress,
    ) -> None:
        self._request = request
        self._temporary_directory = temporary_directory
        self._engine = engine
        self._writing_engine = writing_engine
        self._report_progress = report_progress
        self.remarks: list[str] = []
        self._function = PreprocessingFunction(
            bind_custom_config(request.preprocessing_fn, request.custom_config)
        )
        self._examples = request.examples.with_schema(read_schema(request.schema_path))
        self._function_directory = os.path.join(
            request.graph_directory, TFTransformOutput.TRANSFORM_FN_DIR
        )

    def analyze(self) -> None:
        """Writes the transform graph and what the analyzers have gathered."""
        request = self._request
        cache = None
        if request.cache_directory is not None:
            cache = AnalyzerCache(request.earlier_caches, request.cache_directory)
        # Other processes, if any will be needed, start while this one traces the function.
        for split_files in (request.to_analyze, request.to_transform):
            shards = self._examples.at(*_paths(split_files)).shards()
            self._engine.warm_up([Shard.from_json(shard) for shard in shards])
        decoder = self._examples.decoder_files
        with self._step("Analysis"), self._explained():
            analyze(
                self._function,
                self._examples,
                [Dataset(one.name, one.paths, decoder) for one in request.to_analyze],
                request.graph_directory,
                engine=self._engine,
                temporary_directory=self._temporary_directory,
                force_tf_compat_v1=request.force_tf_compat_v1,
                cache=cache,
                report_progress=self._reporter("analyzing"),
            )
        difference = self._function.traces.difference
        if difference is not None:
            self._remark(describe_difference(difference))

    def check_batches(self) -> None:
        """Tries the transform graph on some examples, in batches of different sizes."""
        records = read_some_records(_paths(self._request.to_analyze), self._examples)
        if not records:
            names = ", ".join(one.name for one in self._request.to_analyze)
            self._remark(f"There are no examples in {names}: what was analyzed is nothing.")
            return
        with self._explained():
            graph_function = load_function(self._function_directory, self._examples)
            for remark in check_batches(graph_function, records, self._function):
                self._remark(remark)

    def transform(self) -> Materialized:
        """Writes the transformed examples, to a temporary directory if nobody wants them."""
        directory = self._request.transformed_directory
        with self._step("Transforming"), self._explained():
            materialized = materialize(
                self._request.to_transform,
                directory or os.path.join(self._temporary_directory, "transformed"),
                function_directory=self._function_directory,
                examples=self._examples,
                schema=self._transformed_schema,
                engine=self._writing_engine,
                report_progress=self._reporter("transforming"),
            )
        for split, count in materialized.examples.items():
            if count:
                _logger.info("Split %s: %d examples transformed", split, count)
            else:
                _logger.warning("Split %s has no examples.", split)
        return materialized

    def write_raw_statistics(self, directories: StatisticsDirectories) -> None:
        """Statistics of what was analyzed, as it was before."""
        options = choose_options(StatsType.PRE_TRANSFORM, self._examples.schema, self._updater)
        with self._step("Statistics of raw examples"):
            write_statistics(
                self._examples.at(*_paths(self._request.to_analyze)),
                options,
                statistics_uri=directories.raw_statistics,
                schema_uri=directories.raw_schema,
                engine=self._engine,
                report_progress=self._reporter("statistics"),
            )

    def write_transformed_statistics(
        self, directories: StatisticsDirectories, paths: Sequence[str]
    ) -> None:
        """Statistics of what was transformed, and what in it does not fit its schema."""
        options = choose_options(StatsType.POST_TRANSFORM, self._transformed_schema, self._updater)
        with self._step("Statistics of transformed examples"):
            payload_format = payload_format_of_transformed(self._examples.payload_format)
            statistics = write_statistics(
                ExampleFiles(paths=paths, payload_format=payload_format),
                options,
                statistics_uri=directories.transformed_statistics,
                schema_uri=directories.transformed_schema,
                engine=self._engine,
                report_progress=self._reporter("statistics"),
            )
            anomalies = write_anomalies(statistics, options.schema, directories.anomalies)
        found = list_anomalies(anomalies)
        if found:
            _logger.warning(
                "The transformed examples do not fit their schema:\n%s", anomaly_table(found)
            )
            self.remarks.append(f"anomalies after transforming: {summarize_anomalies(anomalies)}")

    @cached_property
    def _transformed_schema(self) -> schema_pb2.Schema:
        return TFTransformOutput(self._request.graph_directory).transformed_metadata.schema

    @property
    def _updater(self) -> Callable[..., Any] | None:
        updater = self._request.stats_options_updater_fn
        return updater and bind_custom_config(updater, self._request.custom_config)

    def _remark(self, text: str) -> None:
        _logger.warning("%s", text)
        self.remarks.append(text)

    def _reporter(self, name: str) -> Callable[[int], None]:
        return lambda examples: self._report_progress({name: examples})

    @contextlib.contextmanager
    def _step(self, name: str) -> Iterator[None]:
        started = time.monotonic()
        yield
        _logger.info("%s took %.1f s", name, time.monotonic() - started)

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Puts errors into the user's words where these are known."""
        try:
            yield
        except Exception as error:
            explanation = explain(error, self._function, self._examples, self._temporary_directory)
            if explanation is None:
                raise
            raise ValueError(explanation) from error


def _paths(split_files: Sequence[SplitFiles]) -> list[str]:
    return [path for one in split_files for path in one.paths]
