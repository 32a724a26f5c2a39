"""Parquet files to gzip TFRecords of tf.Examples, divided into splits.

The schemas of all files are looked at before anything is written. Then this process decodes the
files, batch by batch, and blocks of rows are encoded, hashed, compressed and written, by other
processes if the input is large.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute

from trainwright._suggest import did_you_mean
from trainwright.data.example_writing.bad_records import BadRecords, RecordError
from trainwright.data.example_writing.examples_output import (
    BLOCK_BYTES,
    INLINE_BYTES,
    BlockOfRows,
    ReportProgress,
    WrittenExamples,
    block_writer,
    make_blocks,
    output_splits_by_input,
    total_size,
    write_examples,
)
from trainwright.data.example_writing.overflows import Overflows
from trainwright.data.example_writing.parquet_columns import (
    ColumnError,
    Leaf,
    find_leaves,
    merge_leaves,
)
from trainwright.data.example_writing.parquet_reader import (
    BATCH_BYTES,
    ParquetError,
    open_parquet,
    read_feature_columns,
)
from trainwright.data.example_writing.row_formats import ColumnRows
from trainwright.data.example_writing.splits import HashSplits
from trainwright.engine.engine import Engine

# The kernels are registered at run time, so a type checker cannot know them.
pc: Any = pyarrow.compute

# A Parquet file holds more rows in as many bytes than a CSV file, but they are read faster.
_INLINE_BYTES = 2 * INLINE_BYTES


@dataclass(frozen=True)
class _Input:
    """An input split, checked and ready to be written."""

    paths: Sequence[str]
    leaves: Mapping[str, Leaf]
    output: HashSplits


def convert_parquet_to_examples(
    input_splits: Mapping[str, Sequence[str | os.PathLike[str]]],
    output_dir: str | os.PathLike[str],
    *,
    output_splits: HashSplits | None = None,
    processes: int | None = None,
    report_progress: ReportProgress | None = None,
    block_bytes: int = BLOCK_BYTES,
    inline_bytes: int = _INLINE_BYTES,
    engine: Engine | None = None,
) -> WrittenExamples:
    """Writes `<output_dir>/Split-<name>/data_tfrecord-<shard>-of-<shards>.gz` for each split.

    Rows keep the order of the files within and across shards. The bytes depend on the input only,
    not on the number of processes. If this raises, the folders of the splits are incomplete and
    should be discarded; if a schema is at fault, nothing has been written.

    Args:
      input_splits: the Parquet files of each input split, in the order in which they are read.
      output_dir: where to write. The folders of the splits must be empty or not exist.
      output_splits: how to divide the rows of the one input split. Without it, each input split
        is written whole, under its own name.
      processes: how many processes write a large input; by default one per CPU. With 1, this
        process does everything.
      report_progress: called with the number of rows written so far, after each block.
      block_bytes: how many bytes of Arrow columns a block has, and so roughly how much one shard
        of each split is made from.
      inline_bytes: up to this size of all files together, this process does everything.
      engine: what runs the pass over the blocks; by default a `LocalEngine` with these numbers of
        processes and bytes.

    Raises:
      ColumnError: if a column cannot become a feature, or the files do not agree.
      ParquetError: if a file cannot be read.
      RecordError: if a value cannot be used; the message names the file, the row and the column.
      ShardError: if a block cannot be written, or its process dies, twice.

    Example:
      convert_parquet_to_examples(
          {"all": ["penguins.parquet"]},
          "examples",
          output_splits=HashSplits(buckets=(("train", 2), ("eval", 1))),
      )
    """
    paths = {name: [os.fspath(path) for path in files] for name, files in input_splits.items()}
    outputs = output_splits_by_input(list(paths), output_splits)
    output_dir = os.fspath(output_dir)
    overflows = Overflows()
    with block_writer(total_size(paths), processes, inline_bytes, engine) as write_blocks:
        inputs = [_check_input(paths[name], outputs[name]) for name in paths]
        return write_examples(
            write_blocks,
            _blocks(inputs, output_dir, block_bytes, overflows),
            output_dir,
            [split for output in outputs.values() for split in output.names],
            BadRecords(0),
            report_progress,
            overflows,
        )


def _check_input(paths: Sequence[str], output: HashSplits) -> _Input:
    leaves: dict[str, Leaf] = {}
    rows = 0
    for path in paths:
        with open_parquet(path) as file:
            rows += file.metadata.num_rows
            schema = file.schema_arrow
        leaves = (
            merge_leaves(paths[0], leaves, path, schema) if leaves else find_leaves(schema, path)
        )
    if not rows:
        raise ParquetError(f"{', '.join(paths)}: there are no rows. Expected at least one.")
    if output.partition_feature is not None:
        _check_partition_feature(output.partition_feature, leaves, paths[0])
    return _Input(paths, leaves, output)


def _check_partition_feature(name: str, leaves: Mapping[str, Leaf], path: str) -> None:
    if name not in leaves:
        raise ColumnError(
            f"{path} has no column {name!r} to partition by{did_you_mean(name, leaves)}"
        )
    value_type = leaves[name].value_type
    if pa.types.is_null(value_type):
        raise ColumnError(
            f"{path}: the partition feature {name!r} does not contain any value. Partition by a "
            "column that has values."
        )
    if pa.types.is_float32(value_type):
        raise ColumnError(
            f"{path}: the partition feature {name!r} is a float column: only bytes and int64 "
            "features can partition rows. Partition by such a column, or by none."
        )


def _blocks(
    inputs: Iterable[_Input], output_dir: str, block_bytes: int, overflows: Overflows
) -> Iterator[BlockOfRows]:
    batch_bytes = min(block_bytes, BATCH_BYTES)
    read = (
        (ColumnRows(), split.output, _read_batches(split, batch_bytes, overflows))
        for split in inputs
    )
    return make_blocks(read, output_dir, block_bytes, lambda batch: batch.nbytes)


def _read_batches(
    split: _Input, batch_bytes: int, overflows: Overflows
) -> Iterator[pa.RecordBatch]:
    for path in split.paths:
        for first_row, columns in read_feature_columns(
            path, split.leaves, batch_bytes=batch_bytes, overflows=overflows
        ):
            _check_partition_values(columns, split.output.partition_feature, path, first_row)
            yield columns


def _check_partition_values(
    columns: pa.RecordBatch, feature: str | None, path: str, first_row: int
) -> None:
    if feature is None:
        return
    column: Any = columns.column(feature)
    is_missing = column.is_null()
    if pa.types.is_list(column.type):
        is_missing = pc.equal(pc.fill_null(pc.list_value_length(column), 0), 0)
    position = pc.index(is_missing, True).as_py()
    if position >= 0:
        raise RecordError(
            f"{path}, row {first_row + position + 1}: the partition feature {feature!r} has no "
            "value: expected one in every row."
        )
