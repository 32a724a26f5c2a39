"""Speed of taking over TFRecord files: ImportExampleGen beside a script with TensorFlow alone.

Both read the same gzip file of tf.Examples with ten features, and write gzip TFRecords. Divided by
hash, every record is parsed, serialized deterministically and hashed, as TFX does; kept as they
are, records are only checked. Each is measured in a process of its own, without its imports.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator

from measuring import Figure, PeakMemory, describe, median, run_process

from trainwright.components import ImportExampleGen
from trainwright.components.example_gen.import_example_gen.executor import Executor
from trainwright.data.example_messages import example_class
from trainwright.data.tfrecord import open_gzip_writer
from trainwright.types.standard_artifacts import Examples

AIM = 100_000
WORDS = ("alpha", "beta", "gamma", "delta")
KEPT = {"splits": [{"name": "train", "pattern": "a*"}, {"name": "eval", "pattern": "b*"}]}


def run(quick: bool) -> list[Figure]:
    records = 30_000 if quick else 300_000
    times = 2 if quick else 3
    with tempfile.TemporaryDirectory() as directory:
        data = os.path.join(directory, "data")
        os.mkdir(data)
        _write_examples(os.path.join(data, "a.gz"), records)
        _write_examples(os.path.join(data, "b.gz"), 1)
        return [
            _figure(directory, way, what, records, times)
            for way, what in (("hashed", "divided by hash"), ("kept", "input splits kept"))
        ]


def _figure(directory: str, way: str, what: str, records: int, times: int) -> Figure:
    ours, bare = [], []
    for number in range(times):
        output = os.path.join(directory, f"{way}-{number}")
        ours.append(_run_in_own_process("ours", way, f"{directory}/data", output))
        bare.append(_run_in_own_process("bare", way, f"{directory}/data", f"{output}-bare"))
    rates = [records / seconds for seconds, _ in ours]
    bare_rate = median(records / seconds for seconds, _ in bare)
    return Figure(
        what=f"ImportExampleGen, {records:,} records, {what}, the executor alone",
        value=median(rates),
        unit="records/s",
        aim=AIM,
        is_floor=True,
        remark=f"{describe(rates)}; {median(rates) / bare_rate:.1f} times TensorFlow alone "
        f"({bare_rate:,.0f}); peak memory {max(megabytes for _, megabytes in ours):.0f} MB",
    )


def _run_in_own_process(who: str, way: str, data: str, output: str) -> tuple[float, float]:
    cost = run_process([sys.executable, __file__, who, way, data, output])
    seconds, megabytes = json.loads(cost.output.splitlines()[-1])
    return seconds, megabytes


def _run_executor(way: str, data: str, output: str) -> None:
    examples = Examples()
    examples.uri = output
    node = ImportExampleGen(data, input_config=KEPT if way == "kept" else None)
    Executor().Do({}, {"examples": [examples]}, dict(node.exec_properties))


def _run_tensorflow(way: str, data: str, output: str) -> None:
    import tensorflow as tf

    writers = {}
    for split in ("train", "eval"):
        os.makedirs(os.path.join(output, split))
        path = os.path.join(output, split, "data.gz")
        writers[split] = tf.io.TFRecordWriter(path, tf.io.TFRecordOptions("GZIP"))
    for name, split in (("a.gz", "train"), ("b.gz", "eval")):
        # In batches, which is many times as fast as record by record.
        dataset = tf.data.TFRecordDataset(os.path.join(data, name), "GZIP").batch(1024).prefetch(2)
        for batch in dataset.as_numpy_iterator():
            for record in batch:
                if way == "hashed":
                    message = tf.train.Example.FromString(record)
                    key = message.SerializeToString(deterministic=True)
                    bucket = int(hashlib.sha256(key).hexdigest(), 16) % 3
                    split = "train" if bucket < 2 else "eval"
                writers[split].write(record)
    for writer in writers.values():
        writer.close()


def _write_examples(path: str, records: int) -> None:
    with open_gzip_writer(path) as write:
        write(list(_serialized_examples(records)))


def _serialized_examples(records: int) -> Iterator[bytes]:
    source = random.Random(1)
    for number in range(records):
        example = example_class()()
        feature = example.features.feature
        for name in ("age", "flag", "big"):
            feature[name].int64_list.value.append(source.randint(0, 10**6))
        for name in ("income", "ratio"):
            feature[name].float_list.value.append(source.random())
        for name in ("city", "code", "day", "comment"):
            text = " ".join(source.choices(WORDS, k=source.randint(1, 4)))
            feature[name].bytes_list.value.append(text.encode())
        feature["id"].int64_list.value.append(number)
        yield example.SerializeToString()


def main() -> None:
    who, way, data, output = sys.argv[1:]
    if who == "bare":
        import tensorflow  # noqa: F401  not a part of what is measured
    work = _run_executor if who == "ours" else _run_tensorflow
    with PeakMemory() as peak:
        began = time.perf_counter()
        work(way, data, output)
        seconds = time.perf_counter() - began
    print(json.dumps([seconds, peak.megabytes]))


if __name__ == "__main__":
    main()
