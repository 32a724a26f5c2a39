"""CSV files to gzip TFRecords of tf.Examples, divided into splits.

The files are read twice: once to check every row and find the types of the columns, once to write.
So nothing is written before the whole input is known to be good. A small input is written by this
process. For a larger one this process only parses, and hands blocks of rows to other processes that
encode, hash, compress and write them.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pyarrow as pa

from trainwright.data.column_types import ColumnType
from trainwright.data.csv_reader import (
    READ_BLOCK_BYTES,
    infer_column_types,
    read_batches,
    read_column_names,
)
from trainwright.data.shard_workers import ShardWorkers
from trainwright.data.shard_writer import Block, name_shards, split_dir, write_block
from trainwright.data.splits import HashSplits, check_split_names

_BLOCK_BYTES = 16 << 20
_INLINE_BYTES = 8 << 20

_BlockOfRows = tuple[Block, list[pa.RecordBatch]]
_WriteBlocks = Callable[[Iterable[_BlockOfRows]], Iterator[tuple[Block, dict[str, int]]]]


@dataclass(frozen=True, kw_only=True)
class ConvertedExamples:
    """What a conversion wrote.

    Args:
      rows: the number of rows of each output split.
      shards: the number of files of each output split.
      column_types: for each input split, the type of each of its columns.
    """

    rows: Mapping[str, int]
    shards: Mapping[str, int]
    column_types: Mapping[str, Mapping[str, ColumnType]]


@dataclass(frozen=True)
class _Input:
    """An input split, checked and ready to be written."""

    paths: Sequence[str]
    column_types: Mapping[str, ColumnType]
    output: HashSplits


def convert_csv_to_examples(
    input_splits: Mapping[str, Sequence[str | os.PathLike[str]]],
    output_dir: str | os.PathLike[str],
    *,
    output_splits: HashSplits | None = None,
    processes: int | None = None,
    report_progress: Callable[[int], None] | None = None,
    block_bytes: int = _BLOCK_BYTES,
    inline_bytes: int = _INLINE_BYTES,
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
      processes: how many processes write a large input; by default one per CPU. With 1, this
        process does everything.
      report_progress: called with the number of rows written so far, after each block.
      block_bytes: how much text a block has, and so roughly how much one shard of each split is
        made from. Also the limit of a row's length, if that is less than 2 MiB.
      inline_bytes: up to this size of all CSV files together, this process does everything.

    Raises:
      CsvError: if a CSV file cannot be read; the message names the file and the line.
      ValueError: if the splits cannot be made from this input.
      ShardWorkerError: if a process dies or cannot write.

    Example:
      convert_csv_to_examples(
          {"all": ["penguins.csv"]},
          "examples",
          output_splits=HashSplits(buckets=(("train", 2), ("eval", 1))),
      )
    """
    paths = {name: [os.fspath(path) for path in files] for name, files in input_splits.items()}
    outputs = _output_splits_by_input(list(paths), output_splits)
    output_dir = os.fspath(output_dir)
    with _block_writer(paths, processes, inline_bytes) as write_blocks:
        inputs = {name: _check_input(paths[name], outputs[name]) for name in paths}
        split_names = [split for output in outputs.values() for split in output.names]
        _make_split_dirs(output_dir, split_names)
        blocks = _blocks(inputs.values(), output_dir, block_bytes)
        rows = _count_rows(write_blocks(blocks), report_progress)
    return ConvertedExamples(
        rows={split: sum(rows[split].values()) for split in split_names},
        shards={split: name_shards(output_dir, split, rows[split]) for split in split_names},
        column_types={name: checked.column_types for name, checked in inputs.items()},
    )


def _output_splits_by_input(
    input_names: list[str], output_splits: HashSplits | None
) -> dict[str, HashSplits]:
    check_split_names(input_names)
    if output_splits is None:
        return {name: HashSplits(buckets=((name, 1),)) for name in input_names}
    if len(input_names) > 1:
        raise ValueError(
            f"There are {len(input_names)} input splits ({', '.join(input_names)}) and an output "
            "split configuration as well: expected one input split to divide. Leave out the output "
            "configuration to keep the input splits, or give all files as one input split."
        )
    return {input_names[0]: output_splits}


@contextmanager
def _block_writer(
    paths: Mapping[str, Sequence[str]], processes: int | None, inline_bytes: int
) -> Iterator[_WriteBlocks]:
    """The way to write blocks that suits the size of the input."""
    if processes is not None and processes < 1:
        raise ValueError(f"processes is {processes}: expected 1 or more.")
    processes = processes or os.cpu_count() or 1
    size = sum(os.path.getsize(path) for files in paths.values() for path in files)
    if processes == 1 or size <= inline_bytes:
        yield lambda blocks: ((block, write_block(block, rows)) for block, rows in blocks)
    else:
        # Entered before the first pass over the input, so that the processes start during it.
        with ShardWorkers(processes) as workers:
            yield workers.write_blocks


def _check_input(paths: Sequence[str], output: HashSplits) -> _Input:
    column_names = read_column_names(paths)
    column_types = infer_column_types(paths, column_names)
    output.check_columns(column_types)
    return _Input(paths, column_types, output)


def _make_split_dirs(output_dir: str, split_names: Iterable[str]) -> None:
    for split in split_names:
        directory = split_dir(output_dir, split)
        os.makedirs(directory, exist_ok=True)
        if os.listdir(directory):
            raise FileExistsError(
                f"{directory} is not empty: shards of two runs would mix. Write to a new folder."
            )


def _blocks(inputs: Iterable[_Input], output_dir: str, block_bytes: int) -> Iterator[_BlockOfRows]:
    number = 0
    for split in inputs:
        for rows in _rows_of_blocks(split, block_bytes):
            block = Block(
                number=number,
                output_dir=output_dir,
                column_types=split.column_types,
                splits=split.output,
            )
            yield block, rows
            number += 1


def _rows_of_blocks(split: _Input, block_bytes: int) -> Iterator[list[pa.RecordBatch]]:
    """Collects batches into blocks, across files, so that many small files make few shards."""
    rows: list[pa.RecordBatch] = []
    size = 0
    read_bytes = min(block_bytes, READ_BLOCK_BYTES)
    for batch in read_batches(split.paths, list(split.column_types), read_bytes):
        rows.append(batch)
        size += batch.nbytes
        if size >= block_bytes:
            yield rows
            rows, size = [], 0
    if rows:
        yield rows


def _count_rows(
    written: Iterable[tuple[Block, dict[str, int]]], report_progress: Callable[[int], None] | None
) -> dict[str, dict[int, int]]:
    """Waits for all blocks; the rows of each split by the number of the block they came from."""
    rows: dict[str, dict[int, int]] = defaultdict(dict)
    done = 0
    for block, rows_of_splits in written:
        for split, count in rows_of_splits.items():
            rows[split][block.number] = count
            done += count
        if report_progress:
            report_progress(done)
    return rows
