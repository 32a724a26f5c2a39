"""Writes one block of rows as one gzip TFRecord shard per split.

A block is the unit of work that goes to a process and the unit that memory is bounded by. Which
rows are in a block depends on the input only, so the shards are the same however many processes
write them. The final name of a shard says how many there are, which is known when all are written:
until then it carries the number of its block, and `name_shards` renames it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from itertools import compress
from typing import Any

import pyarrow as pa

from trainwright.data.column_types import ColumnType, convert_column
from trainwright.data.example_codec import encode_examples
from trainwright.data.splits import HashSplits
from trainwright.data.tfrecord import open_gzip_writer
from trainwright.types.splits import split_directory

# So many cells are encoded at a time: enough to make the cost per column small, and few enough to
# stay in the processor's cache and far below the 2 GiB that an Arrow array can hold.
_CELLS_PER_SLICE = 1 << 17


@dataclass(frozen=True, kw_only=True)
class Block:
    """What to do with a block of rows: everything about it but the rows.

    Args:
      number: the block's position in the input, over all input splits.
      output_dir: where the folder of each split lies.
      column_types: the type of each column, in the order of the columns.
      splits: the output splits that the rows are divided among.
    """

    number: int
    output_dir: str
    column_types: Mapping[str, ColumnType]
    splits: HashSplits

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "output_dir": self.output_dir,
            "column_types": {name: kind.name for name, kind in self.column_types.items()},
            "splits": asdict(self.splits),
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Block:
        splits = fields["splits"]
        return cls(
            number=fields["number"],
            output_dir=fields["output_dir"],
            column_types={name: ColumnType[kind] for name, kind in fields["column_types"].items()},
            splits=HashSplits(
                buckets=tuple((name, count) for name, count in splits["buckets"]),
                partition_feature=splits["partition_feature"],
            ),
        )


def write_block(block: Block, batches: Iterable[pa.RecordBatch]) -> dict[str, int]:
    """Writes the rows of a block, given as text, in their order; returns the rows of each split.

    A split that gets no row of this block gets no shard either.
    """
    rows: Counter[str] = Counter()
    writers: dict[str, Callable[[Sequence[bytes]], None]] = {}
    with ExitStack() as files:
        for batch in _typed_slices(batches, block.column_types):
            for split, examples in _split_examples(batch, block.splits):
                if split not in writers:
                    path = _unfinished_path(block.output_dir, split, block.number)
                    writers[split] = files.enter_context(open_gzip_writer(path))
                writers[split](examples)
                rows[split] += len(examples)
    return dict(rows)


def name_shards(output_dir: str, split: str, block_numbers: Iterable[int]) -> int:
    """Gives the shards of a split their final names, in the order of blocks; returns their number.

    A split without rows gets one shard without records, because readers expect a file.
    """
    unfinished = [_unfinished_path(output_dir, split, number) for number in sorted(block_numbers)]
    if not unfinished:
        unfinished = [_unfinished_path(output_dir, split, 0)]
        with open_gzip_writer(unfinished[0]):
            pass
    for position, path in enumerate(unfinished):
        name = f"data_tfrecord-{position:05d}-of-{len(unfinished):05d}.gz"
        os.rename(path, os.path.join(split_dir(output_dir, split), name))
    return len(unfinished)


def split_dir(output_dir: str, split: str) -> str:
    return os.path.join(output_dir, split_directory(split))


def _unfinished_path(output_dir: str, split: str, block_number: int) -> str:
    return os.path.join(split_dir(output_dir, split), f"unfinished-block-{block_number:05d}.gz")


def _typed_slices(
    batches: Iterable[pa.RecordBatch], column_types: Mapping[str, ColumnType]
) -> Iterator[pa.RecordBatch]:
    rows_per_slice = max(1, _CELLS_PER_SLICE // len(column_types))
    for batch in batches:
        for start in range(0, batch.num_rows, rows_per_slice):
            text = batch.slice(start, rows_per_slice)
            columns = [
                convert_column(text.column(name), kind) for name, kind in column_types.items()
            ]
            yield pa.RecordBatch.from_arrays(columns, names=list(column_types))


def _split_examples(
    batch: pa.RecordBatch, splits: HashSplits
) -> Iterator[tuple[str, Sequence[bytes]]]:
    examples: list[Any] = encode_examples(batch).to_pylist()
    assigned = splits.assign(examples, batch)
    for position, split in enumerate(splits.names):
        own = list(compress(examples, (assigned == position).tolist()))
        if own:
            yield split, own
