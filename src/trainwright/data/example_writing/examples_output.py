"""Steps common to all conversions to examples: splits, the engine's pass, shards and counts."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from trainwright.data.example_writing.bad_records import BadRecords, RecordError
from trainwright.data.example_writing.overflows import Overflows
from trainwright.data.example_writing.row_formats import RowFormat
from trainwright.data.example_writing.shard_writer import (
    Block,
    WrittenBlock,
    name_shards,
    split_dir,
)
from trainwright.data.example_writing.splits import HashSplits, check_split_names
from trainwright.engine.engine import Engine, InvalidInputError
from trainwright.engine.local_engine import LocalEngine
from trainwright.engine.passes import PassSpec, ShardStream
from trainwright.processes.progress import ReportProgress as ReportProgress

# How much of the input a block has, and so roughly how much one shard of each split is made from.
BLOCK_BYTES = 16 << 20
# Up to this size of all files together, the calling process does everything.
INLINE_BYTES = 8 << 20

BlockOfRows = tuple[Block, Any]
Rows = TypeVar("Rows")
# Writes blocks and gives what became of each, in their order.
WriteBlocks = Callable[
    [Iterable[BlockOfRows], ReportProgress | None], Generator[WrittenBlock, None, None]
]

_MODULE = "trainwright.data.example_writing.shard_writer"
_WRITING = PassSpec(f"{_MODULE}:BlockPass")


@dataclass(frozen=True, kw_only=True)
class WrittenExamples:
    """What a conversion wrote.

    Args:
      rows: the number of rows of each output split.
      shards: the number of files of each output split.
      bad_records: how many rows or records were left out, because that was allowed.
      remarks: what the user should know of the data, in sentences.
    """

    rows: Mapping[str, int]
    shards: Mapping[str, int]
    bad_records: int = 0
    remarks: Sequence[str] = ()


def output_splits_by_input(
    input_names: list[str], output_splits: HashSplits | None
) -> dict[str, HashSplits]:
    """How each input split is divided; without `output_splits` each is kept whole."""
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
def block_writer(
    size: int,
    processes: int | None,
    inline_bytes: int = INLINE_BYTES,
    engine: Engine | None = None,
) -> Iterator[WriteBlocks]:
    """The way to write blocks of an input of `size` bytes: by an engine, or by one of its own.

    Enter it before the input is looked at, so that the engine's processes start meanwhile.
    """
    with ExitStack() as stack:
        chosen = engine or stack.enter_context(
            LocalEngine(processes, inline_bytes=inline_bytes, preload=[_MODULE])
        )
        chosen.warm_up(ShardStream((), size))
        yield partial(_write_blocks, chosen, size)


def _write_blocks(
    engine: Engine,
    size: int,
    blocks: Iterable[BlockOfRows],
    report_progress: ReportProgress | None,
) -> Generator[WrittenBlock, None, None]:
    shards = ShardStream((block.to_shard(rows) for block, rows in blocks), size)
    try:
        for written in engine.run(_WRITING, shards, report_progress):
            yield WrittenBlock.from_json(json.loads(written))
    except RecordError:
        raise
    except InvalidInputError as error:  # what other processes make of a RecordError
        raise RecordError(str(error)) from None


def total_size(paths: Mapping[str, Sequence[str]]) -> int:
    return sum(os.path.getsize(path) for files in paths.values() for path in files)


def make_blocks(
    inputs: Iterable[tuple[RowFormat, HashSplits, Iterable[Rows]]],
    output_dir: str,
    block_bytes: int,
    size_of: Callable[[Rows], int],
) -> Iterator[BlockOfRows]:
    """Collects rows into numbered blocks, across files, so that many small files make few shards.

    Args:
      inputs: for each input split the format of its rows, how they are divided, and the rows as
        they are read: some at a time.
      output_dir: where the blocks are written.
      block_bytes: a block is full when it has this many bytes.
      size_of: the bytes of what is read at a time.
    """
    number = 0
    for row_format, splits, read in inputs:
        for rows in _grouped(read, block_bytes, size_of):
            block = Block(
                number=number, output_dir=output_dir, row_format=row_format, splits=splits
            )
            yield block, rows
            number += 1


def _grouped(
    read: Iterable[Rows], block_bytes: int, size_of: Callable[[Rows], int]
) -> Iterator[list[Rows]]:
    rows: list[Rows] = []
    size = 0
    for some in read:
        rows.append(some)
        size += size_of(some)
        if size >= block_bytes:
            yield rows
            rows, size = [], 0
    if rows:
        yield rows


def write_examples(
    write_blocks: WriteBlocks,
    blocks: Iterable[BlockOfRows],
    output_dir: str,
    split_names: Sequence[str],
    bad_records: BadRecords,
    report_progress: ReportProgress | None,
    overflows: Overflows | None = None,
) -> WrittenExamples:
    """Writes all blocks and names their shards.

    Args:
      write_blocks: the way to write them.
      blocks: what to write, numbered from 0.
      output_dir: where the folders of the splits are made.
      split_names: all output splits.
      bad_records: takes what is left out.
      report_progress: called with the number of rows so far.
      overflows: takes numbers that became infinite, if they are counted before the blocks, too.

    Raises:
      TooManyBadRecordsError: as soon as more rows are bad than allowed.
    """
    _make_split_dirs(output_dir, split_names)
    rows: dict[str, dict[int, int]] = defaultdict(dict)
    overflows = Overflows() if overflows is None else overflows
    # Closed at once if a record is one too many: nobody waits for the blocks that are under way.
    with closing(write_blocks(blocks, report_progress)) as all_written:
        for number, written in enumerate(all_written):
            bad_records.add(written.bad)
            overflows.merge(written.overflows)
            for split, count in written.rows.items():
                rows[split][number] = count
    return WrittenExamples(
        rows={split: sum(rows[split].values()) for split in split_names},
        shards={split: name_shards(output_dir, split, rows[split]) for split in split_names},
        bad_records=len(bad_records.found),
        remarks=tuple(overflows.in_words()),
    )


def _make_split_dirs(output_dir: str, split_names: Iterable[str]) -> None:
    for split in split_names:
        directory = split_dir(output_dir, split)
        os.makedirs(directory, exist_ok=True)
        if os.listdir(directory):
            raise FileExistsError(
                f"{directory} is not empty: shards of two runs would mix. Write to a new folder."
            )
