"""Statistics of files and of data frames."""

from __future__ import annotations

import dataclasses
import glob
import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from tensorflow_metadata.proto.v0 import schema_pb2, statistics_pb2

from trainwright.compat.tfdv.files import write_file
from trainwright.compat.tfdv.record_batches import (
    batch_of_frame,
    check_compression,
    read_csv_batches,
)
from trainwright.compat.tfdv.slicing import SliceFunction, generate_slices
from trainwright.compat.tfdv.stats_options import StatsOptions as SlicedStatsOptions
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.engine.passes import Shard
from trainwright.statistics.generate import generate_statistics
from trainwright.statistics.statistics_pass import StatisticsPass
from trainwright.statistics.stats_options import StatsOptions

if TYPE_CHECKING:
    import pyarrow as pa

_Statistics: TypeAlias = statistics_pb2.DatasetFeatureStatisticsList

_logger = logging.getLogger(__name__)


def generate_statistics_from_tfrecord(
    data_location: str,
    output_path: str | None = None,
    stats_options: StatsOptions | None = None,
    pipeline_options: Any | None = None,
) -> _Statistics:
    """The statistics of tf.Examples in TFRecord files.

    Args:
        data_location: A file, or a pattern of several.
        output_path: Where to write them, too, in binary form.
        stats_options: What to compute.
        pipeline_options: Of Beam, in TFDV; refused, since this machine does the work.
    """
    refuse_pipeline_options(pipeline_options)
    return write_statistics(_generate(find_files(data_location), stats_options), output_path)


def generate_statistics_from_csv(
    data_location: str,
    column_names: Sequence[str] | None = None,
    delimiter: str = ",",
    output_path: str | None = None,
    stats_options: StatsOptions | None = None,
    pipeline_options: Any | None = None,
    compression_type: str = "auto",
) -> _Statistics:
    """The statistics of CSV files.

    Args:
        data_location: A file, or a pattern of several.
        column_names: The columns, for files without a header.
        delimiter: What stands between cells.
        output_path: Where to write the statistics, too, in binary form.
        stats_options: What to compute; with `infer_type_from_schema`, its schema says which columns
            are numbers. Otherwise, a column of numbers is one of numbers.
        pipeline_options: Of Beam, in TFDV; refused.
        compression_type: "auto" finds out from the file; "gzip" and "uncompressed" are checked.

    Example: `statistics = generate_statistics_from_csv("data/*.csv")`
    """
    refuse_pipeline_options(pipeline_options)
    files = find_files(data_location)
    check_compression(files, compression_type)
    batches = read_csv_batches(files, column_names, delimiter, types_schema(stats_options))
    return write_statistics(_accumulate(batches, stats_options, data_location), output_path)


def generate_statistics_from_dataframe(
    dataframe: Any, stats_options: StatsOptions | None = None, n_jobs: int = 1
) -> _Statistics:
    """The statistics of a pandas data frame.

    Args:
        dataframe: Its columns are features, booleans as 0 and 1; what is missing in a row, the
            example does not have. Columns that are neither numbers nor text, such as dates, are
            left out.
        stats_options: What to compute.
        n_jobs: At least 1, or -1; one process is enough for what is in memory.
    """
    if n_jobs == 0 or n_jobs < -1:
        raise ValueError(f"Invalid n_jobs parameter {n_jobs}. Should be either -1 or >= 1.")
    if stats_options is not None and stats_options.label_feature is not None:
        _logger.warning(
            "label_feature adds nothing to the statistics of a data frame, as in TFDV: lift is not "
            "computed."
        )
        stats_options = dataclasses.replace(stats_options, label_feature=None)
    return _accumulate([batch_of_frame(dataframe)], stats_options, "the data frame")


class FunctionSlicedPass(StatisticsPass):
    """A pass of this process, which also slices by functions of the user's."""

    def __init__(self, options: StatsOptions, functions: Sequence[SliceFunction]) -> None:
        super().__init__(options.to_json(), ExampleFiles().to_json())
        self._functions = functions

    @property
    def is_sliced(self) -> bool:
        return super().is_sliced or bool(self._functions)

    def slice(self, batch: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
        yield from super().slice(batch)
        yield from generate_slices(batch, self._functions)


def make_pass(stats_options: StatsOptions | None) -> FunctionSlicedPass:
    """The pass that computes statistics with these options in this process."""
    options = StatsOptions() if stats_options is None else StatsOptions.from_any(stats_options)
    if isinstance(options, SlicedStatsOptions):
        return FunctionSlicedPass(options.without_functions(), options.functions)
    return FunctionSlicedPass(options, ())


def _generate(files: Sequence[str], stats_options: StatsOptions | None) -> _Statistics:
    options = None if stats_options is None else StatsOptions.from_any(stats_options)
    if isinstance(options, SlicedStatsOptions) and not options.functions:
        options = options.without_functions()
    if not isinstance(options, SlicedStatsOptions):
        return generate_statistics(files, options)
    sliced = make_pass(options)
    accumulator = sliced.create()
    for path in files:
        sliced.add(accumulator, Shard(name=path, config={"path": path}), lambda records: None)
    return sliced.extract(accumulator)


def _accumulate(
    batches: Iterable[pa.RecordBatch], stats_options: StatsOptions | None, source: str
) -> _Statistics:
    sliced = make_pass(stats_options)
    accumulator = sliced.create()
    first = 0
    for batch in batches:
        sliced.add_batch(accumulator, batch, batch.num_rows, source=source, first=first)
        first += batch.num_rows
    return sliced.extract(accumulator)


def types_schema(stats_options: StatsOptions | None) -> schema_pb2.Schema | None:
    """The schema that says the types of CSV columns, if the options ask for that."""
    if stats_options is None:
        return None
    options = StatsOptions.from_any(stats_options)
    if not options.infer_type_from_schema:
        return None
    if options.schema is None:
        raise ValueError(
            "stats_options has infer_type_from_schema=True and no schema: give it one as schema, "
            "or leave infer_type_from_schema out."
        )
    return options.schema


def find_files(pattern: str) -> list[str]:
    """The files of a pattern, sorted."""
    files = sorted(glob.glob(os.fspath(pattern))) or [os.fspath(pattern)]
    if not os.path.exists(files[0]):
        raise FileNotFoundError(f"There are no files at {pattern!r}.")
    for path in files:
        if os.path.isdir(path):
            inside = os.path.join(path, "*")
            raise IsADirectoryError(
                f"{path!r} is a directory: expected a file, or a pattern of several, such as "
                f"{inside!r}."
            )
    return files


def write_statistics(statistics: _Statistics, output_path: str | None) -> _Statistics:
    """Writes statistics in binary form if there is a path, and returns them."""
    if output_path:
        write_file(output_path, statistics.SerializeToString(deterministic=True))
    return statistics


def refuse_pipeline_options(pipeline_options: Any | None) -> None:
    """Raises ValueError if Beam is to be told something."""
    if pipeline_options is not None:
        raise ValueError(
            "pipeline_options are for Beam, and this machine computes the statistics. Leave them "
            "out."
        )
