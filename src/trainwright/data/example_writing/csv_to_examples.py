"""CSV files to gzip TFRecords of tf.Examples, divided into splits.

The files are read twice: once to check every row and find the types of the columns, once to write.
So nothing is written before the whole input is known to be good. A small input is written by this
process. For a larger one this process only parses, and hands blocks of rows to other processes that
encode, hash, compress and write them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from trainwright.data.example_writing.bad_records import BadRecords
from trainwright.data.example_writing.column_types import ColumnType
from trainwright.data.example_writing.csv_diagnosis import find_other_separator
from trainwright.data.example_writing.csv_reader import (
    READ_BLOCK_BYTES,
    infer_column_types,
    read_batches,
    read_column_names,
)
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
from trainwright.data.example_writing.row_formats import TextRows
from trainwright.data.example_writing.splits import HashSplits
from trainwright.engine.engine import Engine


@dataclass(frozen=True, kw_only=True)
class ConvertedExamples(WrittenExamples):
    """What a conversion wrote.

    Args:
      column_types: for each input split, the type of each of its columns.
    """

    column_types: Mapping[str, Mapping[str, ColumnType]]


@dataclass(frozen=True)
class _Input:
    """An input split, checked and ready to be written."""

    paths: Sequence[str]
    column_types: Mapping[str, ColumnType]
    output: HashSplits
    remarks: Sequence[str]


def convert_csv_to_examples(
    input_splits: Mapping[str, Sequence[str | os.PathLike[str]]],
    output_dir: str | os.PathLike[str],
    *,
    output_splits: HashSplits | None = None,
    max_bad_rows: int = 0,
    processes: int | None = None,
    report_progress: ReportProgress | None = None,
    block_bytes: int = BLOCK_BYTES,
    inline_bytes: int = INLINE_BYTES,
    engine: Engine | None = None,
) -> ConvertedExamples:
    """Writes `<output_dir>/Split-<name>/data_tfrecord-<shard>-of-<shards>.gz` for each split.

    Rows keep the order of the files within and across shards. The bytes depend on the input only,
    not on the number of processes. If this raises, the folders of the splits are incomplete and
    should be discarded; if the input is at fault, nothing has been written.

    Args:
      input_splits: the CSV files of each input split, in the order in which they are read.
      output_dir: where to write. The folders of the splits must be empty or not exist.
      output_splits: how to divide the rows of the one input split. Without it, each input split
        is written whole, under its own name.
      max_bad_rows: up to this many rows with too few or too many cells are skipped, logged and
        counted; one more is refused.
      processes: how many processes write a large input; by default one per CPU. With 1, this
        process does everything.
      report_progress: called with the number of rows written so far, after each block.
      block_bytes: how much text a block has, and so roughly how much one shard of each split is
        made from. Also the limit of a row's length, if that is less than 2 MiB.
      inline_bytes: up to this size of all CSV files together, this process does everything.
      engine: what runs the pass over the blocks; by default a `LocalEngine` with these numbers of
        processes and bytes.

    Raises:
      CsvError: if a CSV file cannot be read; the message names the file and the line.
      ValueError: if the splits cannot be made from this input, or too many rows are bad.
      ShardError: if a block cannot be written, or its process dies, twice.

    Example:
      convert_csv_to_examples(
          {"all": ["penguins.csv"]},
          "examples",
          output_splits=HashSplits(buckets=(("train", 2), ("eval", 1))),
      )
    """
    paths = {name: [os.fspath(path) for path in files] for name, files in input_splits.items()}
    outputs = output_splits_by_input(list(paths), output_splits)
    output_dir = os.fspath(output_dir)
    bad_rows = BadRecords(max_bad_rows, noun="rows", argument="max_bad_rows")
    with block_writer(total_size(paths), processes, inline_bytes, engine) as write_blocks:
        inputs = {name: _check_input(paths[name], outputs[name], bad_rows) for name in paths}
        written = write_examples(
            write_blocks,
            _blocks(inputs.values(), output_dir, block_bytes, skips_bad_rows=max_bad_rows > 0),
            output_dir,
            [split for output in outputs.values() for split in output.names],
            bad_rows,
            report_progress,
        )
    return ConvertedExamples(
        rows=written.rows,
        shards=written.shards,
        bad_records=written.bad_records,
        remarks=(
            *(remark for checked in inputs.values() for remark in checked.remarks),
            *written.remarks,
        ),
        column_types={name: checked.column_types for name, checked in inputs.items()},
    )


def _check_input(paths: Sequence[str], output: HashSplits, bad_rows: BadRecords) -> _Input:
    column_names = read_column_names(paths)
    column_types = infer_column_types(
        paths, column_names, on_bad_rows=bad_rows.add if bad_rows.limit else None
    )
    output.check_columns(column_types)
    return _Input(paths, column_types, output, _remarks(paths[0], column_names))


def _remarks(path: str, column_names: Sequence[str]) -> list[str]:
    """What looks wrong though it can be read."""
    other_separator = find_other_separator(path, column_names)
    if other_separator is None:
        return []
    return [f"{path} is read as one column, {column_names[0]!r}. {other_separator}"]


def _blocks(
    inputs: Iterable[_Input], output_dir: str, block_bytes: int, skips_bad_rows: bool
) -> Iterator[BlockOfRows]:
    read = (
        (TextRows(split.column_types), split.output, _read(split, block_bytes, skips_bad_rows))
        for split in inputs
    )
    return make_blocks(read, output_dir, block_bytes, lambda batch: batch.nbytes)


def _read(split: _Input, block_bytes: int, skips_bad_rows: bool) -> Iterable[pa.RecordBatch]:
    return read_batches(
        split.paths,
        list(split.column_types),
        min(block_bytes, READ_BLOCK_BYTES),
        # They were counted when the types were found.
        on_bad_rows=(lambda bad: None) if skips_bad_rows else None,
    )
