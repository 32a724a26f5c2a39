"""Speed of converting Parquet files: ParquetExampleGen beside a script with TensorFlow alone.

Both read the same file of ten columns, one of them a list, and write gzip TFRecords divided by
hash. The script makes a tf.train.Example of each row, as TFX does. Each is measured in a process of
its own, without its imports.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import sys
import tempfile
import time

from measuring import Figure, PeakMemory, describe, median, run_process

from trainwright.components import ParquetExampleGen
from trainwright.components.example_gen.parquet_example_gen.executor import Executor
from trainwright.types.standard_artifacts import Examples

AIM = 100_000
WORDS = ("alpha", "beta", "gamma", "delta")


def run(quick: bool) -> list[Figure]:
    rows = 30_000 if quick else 300_000
    ours, bare = [], []
    with tempfile.TemporaryDirectory() as directory:
        data = os.path.join(directory, "data")
        os.mkdir(data)
        _write_parquet(os.path.join(data, "rows.parquet"), rows)
        for number in range(2 if quick else 5):
            output = os.path.join(directory, str(number))
            ours.append(_run_in_own_process("ours", data, output))
            bare.append(_run_in_own_process("bare", data, f"{output}-bare"))
    rates = [rows / seconds for seconds, _ in ours]
    bare_rate = median(rows / seconds for seconds, _ in bare)
    return [
        Figure(
            what=f"ParquetExampleGen, {rows:,} rows, the executor alone",
            value=median(rates),
            unit="rows/s",
            aim=AIM,
            is_floor=True,
            remark=f"{describe(rates)}; {median(rates) / bare_rate:.1f} times TensorFlow alone "
            f"({bare_rate:,.0f}); peak memory {max(megabytes for _, megabytes in ours):.0f} MB",
        )
    ]


def _run_in_own_process(who: str, data: str, output: str) -> tuple[float, float]:
    cost = run_process([sys.executable, __file__, who, data, output])
    seconds, megabytes = json.loads(cost.output.splitlines()[-1])
    return seconds, megabytes


def _run_executor(data: str, output: str) -> None:
    examples = Examples()
    examples.uri = output
    properties = dict(ParquetExampleGen(data).exec_properties)
    Executor().Do({}, {"examples": [examples]}, properties)


def _run_tensorflow(data: str, output: str) -> None:
    import pyarrow.parquet as pq
    import tensorflow as tf

    from trainwright.components.example_gen.dict_examples import dict_to_example

    writers = {}
    for split in ("train", "eval"):
        os.makedirs(os.path.join(output, split))
        path = os.path.join(output, split, "data.gz")
        writers[split] = tf.io.TFRecordWriter(path, tf.io.TFRecordOptions("GZIP"))
    for batch in pq.ParquetFile(os.path.join(data, "rows.parquet")).iter_batches():
        for row in batch.to_pylist():
            record = dict_to_example(row).SerializeToString(deterministic=True)
            bucket = int(hashlib.sha256(record).hexdigest(), 16) % 3
            writers["train" if bucket < 2 else "eval"].write(record)
    for writer in writers.values():
        writer.close()


def _write_parquet(path: str, rows: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    source = random.Random(1)
    numbers = range(rows)
    columns = {
        "id": pa.array(numbers),
        "age": pa.array([source.choice([None, source.randint(18, 90)]) for _ in numbers]),
        "income": pa.array([source.uniform(1e3, 9e4) for _ in numbers]),
        "flag": pa.array([source.random() < 0.5 for _ in numbers]),
        "big": pa.array([source.randint(-(10**12), 10**12) for _ in numbers]),
        "ratio": pa.array([source.random() for _ in numbers], pa.float32()),
        "city": pa.array([source.choice(WORDS) for _ in numbers]),
        "code": pa.array([f"{source.choice('ABCD')}{source.randint(1, 9)}" for _ in numbers]),
        "comment": pa.array(
            [" ".join(source.choices(WORDS, k=source.randint(1, 6))) for _ in numbers]
        ),
        "scores": pa.array([[source.random()] * source.randint(0, 4) for _ in numbers]),
    }
    pq.write_table(pa.table(columns), path)


def main() -> None:
    who, data, output = sys.argv[1:]
    if who == "bare":
        import tensorflow  # noqa: F401  not a part of what is measured
    work = _run_executor if who == "ours" else _run_tensorflow
    with PeakMemory() as peak:
        began = time.perf_counter()
        work(data, output)
        seconds = time.perf_counter() - began
    print(json.dumps([seconds, peak.megabytes]))


if __name__ == "__main__":
    main()
