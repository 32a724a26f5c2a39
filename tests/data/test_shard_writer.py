"""Blocks of rows as a pass of the engine."""

import pyarrow as pa
import pytest

from trainwright.data.example_writing.bad_records import BadRecords
from trainwright.data.example_writing.column_types import ColumnType
from trainwright.data.example_writing.examples_output import block_writer, write_examples
from trainwright.data.example_writing.row_formats import TextRows
from trainwright.data.example_writing.shard_writer import Block
from trainwright.data.example_writing.splits import HashSplits
from trainwright.engine.engine import ShardError

ROWS = [pa.RecordBatch.from_arrays([pa.array(["1", "2"])], names=["id"])]


@pytest.fixture
def blocks(tmp_path):
    (tmp_path / "Split-all").mkdir()

    def make(count):
        for number in range(count):
            block = Block(
                number=number,
                output_dir=str(tmp_path),
                row_format=TextRows({"id": ColumnType.INT}),
                splits=HashSplits(buckets=(("all", 1),)),
            )
            yield block, ROWS

    return make


@pytest.fixture(params=[1, 2], ids=["inline", "two processes"])
def write_blocks(request):
    with block_writer(size=1, processes=request.param, inline_bytes=0) as write_blocks:
        yield write_blocks


def test_a_block_survives_json():
    block = Block(
        number=3,
        output_dir="somewhere",
        row_format=TextRows({"é": ColumnType.BYTES, "b": ColumnType.UNKNOWN}),
        splits=HashSplits(buckets=(("train", 2), ("eval", 1)), partition_feature="é"),
    )
    assert Block.from_json(block.to_json()) == block


def test_every_block_is_answered_in_order(blocks, write_blocks):
    reported = []
    assert [w.rows for w in write_blocks(blocks(7), reported.append)] == [{"all": 2}] * 7
    assert reported == [2, 4, 6, 8, 10, 12, 14]


def test_blocks_are_made_as_they_are_written(blocks, write_blocks):
    made = []
    written = write_blocks((made.append(block) or block for block in blocks(50)), None)
    next(written)
    # One whose turn it was, two for each of two processes, and the next.
    assert len(made) <= 6
    written.close()


def test_a_block_that_cannot_be_written_is_reported(blocks, tmp_path, write_blocks):
    (tmp_path / "Split-all").rmdir()
    (tmp_path / "Split-all").touch()
    with pytest.raises(
        ShardError, match=r"^Block 0 of the input was tried 2 times and failed: FileExistsError: "
    ):
        list(write_blocks(blocks(1), None))


def test_what_makes_the_blocks_may_fail(tmp_path, blocks, write_blocks):
    def interrupted():
        yield from blocks(2)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_examples(
            write_blocks, interrupted(), str(tmp_path), ["all"], BadRecords(0), report_progress=None
        )
