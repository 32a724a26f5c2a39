"""The processes that write shards end when they should, and say so when they do not."""

import os
import signal
import subprocess
import sys
import time

import pyarrow as pa
import pytest

from trainwright.data.column_types import ColumnType
from trainwright.data.row_formats import TextRows
from trainwright.data.shard_workers import ShardWorkerError, ShardWorkers
from trainwright.data.shard_writer import Block
from trainwright.data.splits import HashSplits

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


def is_running(process_id):
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_block_survives_json():
    block = Block(
        number=3,
        output_dir="somewhere",
        row_format=TextRows({"é": ColumnType.BYTES, "b": ColumnType.UNKNOWN}),
        splits=HashSplits(buckets=(("train", 2), ("eval", 1)), partition_feature="é"),
    )
    assert Block.from_json(block.to_json()) == block


def test_every_block_is_answered(blocks):
    with ShardWorkers(2) as workers:
        answers = {block.number: w.rows for block, w in workers.write_blocks(blocks(7))}
    assert answers == {number: {"all": 2} for number in range(7)}


def test_processes_end_with_the_block(blocks):
    with ShardWorkers(2) as workers:
        list(workers.write_blocks(blocks(1)))
        process_ids = workers.process_ids
    assert not any(map(is_running, process_ids))


def test_processes_end_with_an_exception(blocks):
    def interrupt(workers):
        next(workers.write_blocks(blocks(5)))
        raise KeyboardInterrupt

    workers = ShardWorkers(2)
    process_ids = workers.process_ids
    with pytest.raises(KeyboardInterrupt), workers:
        interrupt(workers)
    assert not any(map(is_running, process_ids))


def test_a_killed_process_is_reported(blocks):
    with ShardWorkers(1) as workers:
        answers = workers.write_blocks(blocks(3))
        next(answers)
        os.kill(workers.process_ids[0], signal.SIGKILL)
        with pytest.raises(
            ShardWorkerError, match=r"was writing block \d of the input, was killed"
        ):
            list(answers)


def test_the_report_of_a_killed_process_says_what_to_do(blocks):
    with ShardWorkers(1) as workers:
        os.kill(workers.process_ids[0], signal.SIGKILL)
        with pytest.raises(ShardWorkerError, match="by SIGKILL. .* fewer processes"):
            list(workers.write_blocks(blocks(1)))


def test_a_block_that_cannot_be_written_is_reported(blocks, tmp_path):
    (tmp_path / "Split-all").rmdir()
    with (
        ShardWorkers(1) as workers,
        pytest.raises(
            ShardWorkerError,
            match="Block 0 of the input could not be written to .*: FileNotFoundError",
        ),
    ):
        list(workers.write_blocks(blocks(1)))


PARENT = """
import os, signal
from trainwright.data.row_formats import TextRows
from trainwright.data.shard_workers import ShardWorkers
workers = ShardWorkers(2)
print(*workers.process_ids, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_processes_do_not_outlive_a_killed_parent():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    parent = subprocess.run([sys.executable, "-c", PARENT], env=environment, stdout=subprocess.PIPE)
    process_ids = [int(process_id) for process_id in parent.stdout.split()]
    assert len(process_ids) == 2
    deadline = time.monotonic() + 20
    while any(map(is_running, process_ids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_running, process_ids))
