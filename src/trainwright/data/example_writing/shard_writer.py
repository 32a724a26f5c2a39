"""Writes one block of rows as one gzip TFRecord shard per split.

A block is what a pass of the engine takes at a time, and the unit that memory is bounded by. Which
rows are in a block depends on the input only, so the shards are the same however many processes
write them. The final name of a shard says how many there are, which is known when all are written:
until then it carries the number of its block, and `name_shards` renames it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from itertools import compress
from typing import Any

from trainwright.data.example_writing.bad_records import BadRecord
from trainwright.data.example_writing.overflows import Overflows
from trainwright.data.example_writing.row_formats import ColumnRows, RowFormat, TextRows
from trainwright.data.example_writing.serialized_rows import SerializedRows
from trainwright.data.example_writing.splits import HashSplits
from trainwright.data.tfrecord import open_gzip_frame_writer, open_gzip_writer
from trainwright.engine.passes import MappingPass, ReportUnits, Shard, ShardData
from trainwright.types.splits import split_directory

_FORMATS: dict[str, type[RowFormat]] = {
    row_format.KIND: row_format for row_format in (ColumnRows, SerializedRows, TextRows)
}


@dataclass(frozen=True, kw_only=True)
class Block:
    """What to do with a block of rows: everything about it but the rows.

    Args:
      number: the block's position in the input, over all input splits.
      output_dir: where the folder of each split lies.
      row_format: what the rows are.
      splits: the output splits that the rows are divided among.
    """

    number: int
    output_dir: str
    row_format: RowFormat
    splits: HashSplits

    def to_shard(self, rows: Any) -> Shard:
        """The block with its rows, as `BlockPass` takes it."""
        return Shard(
            name=f"Block {self.number} of the input",
            config=self.to_json(),
            data=_Rows(self.row_format, rows),
            writes=("output_dir",),
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "output_dir": self.output_dir,
            "kind": self.row_format.KIND,
            "row_format": self.row_format.to_json(),
            "splits": asdict(self.splits),
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Block:
        splits = fields["splits"]
        return cls(
            number=fields["number"],
            output_dir=fields["output_dir"],
            row_format=_FORMATS[fields["kind"]].from_json(fields["row_format"]),
            splits=HashSplits(
                buckets=tuple((name, count) for name, count in splits["buckets"]),
                partition_feature=splits["partition_feature"],
            ),
        )


@dataclass(frozen=True, kw_only=True)
class WrittenBlock:
    """What became of a block: how many rows each split has, what was left out or is infinite."""

    rows: Mapping[str, int]
    bad: tuple[BadRecord, ...] = ()
    overflows: Overflows = field(default_factory=Overflows)

    def to_json(self) -> dict[str, Any]:
        return {
            "rows": dict(self.rows),
            "bad": [record.to_json() for record in self.bad],
            "overflows": self.overflows.to_json(),
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> WrittenBlock:
        return cls(
            rows=fields["rows"],
            bad=tuple(BadRecord(**record) for record in fields["bad"]),
            overflows=Overflows.from_json(fields["overflows"]),
        )


@dataclass(frozen=True)
class _Rows(ShardData):
    row_format: RowFormat
    rows: Any

    def pack(self) -> memoryview:
        return memoryview(self.row_format.pack(self.rows))


class BlockPass(MappingPass):
    """Writes blocks; says of each what `WrittenBlock.to_json` says."""

    def write(self, shard: Shard, report: ReportUnits) -> Mapping[str, Any]:
        block = Block.from_json(shard.config)
        if isinstance(shard.data, _Rows):
            rows = shard.data.rows
        else:
            rows = block.row_format.unpack(bytes(shard.packed_data))
        written = write_block(block, rows)
        report(sum(written.rows.values()))
        return written.to_json()


def write_block(block: Block, rows: Any) -> WrittenBlock:
    """Writes the rows of a block in their order.

    A split that gets no row of this block gets no shard either. What an earlier call for the same
    block has left is written over.
    """
    counts: Counter[str] = Counter()
    bad: list[BadRecord] = []
    overflows = Overflows()
    writers: dict[str, Callable[[bytes], None]] = {}
    with ExitStack() as files:
        for encoded in block.row_format.encode(rows, block.splits):
            bad += encoded.bad
            overflows.merge(encoded.overflows)
            for position, split in enumerate(block.splits.names):
                own = list(compress(encoded.records, (encoded.assigned == position).tolist()))
                if not own:
                    continue
                if split not in writers:
                    path = _unfinished_path(block.output_dir, split, block.number)
                    # The caller has made it, but may have done so on another disk.
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    writers[split] = files.enter_context(open_gzip_frame_writer(path))
                writers[split](encoded.frames(own))
                counts[split] += len(own)
    return WrittenBlock(rows=dict(counts), bad=tuple(bad), overflows=overflows)


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
