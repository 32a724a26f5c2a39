"""Speed of `tf_dataset_factory`: examples/s beside a tf.data pipeline tuned by hand.

Both read the same gzip TFRecord shards of ten features, shuffle, batch and then parse. What most
people write, TFRecordDataset with num_parallel_reads, stands beside them. The pipelines take turns,
so that other load on the machine meets all of them alike; the ratio is the median of the ratios of
the rounds. Time counts until the last batch.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from measuring import Figure, median
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright import TensorFlowDatasetOptions
from trainwright.data.example_reading.example_files import ExampleFiles

SCALARS = [*(f"f{number}" for number in range(4)), *(f"i{number}" for number in range(4)), "s0"]
BATCH_SIZE = 256
SHARDS = 8


def run(quick: bool) -> list[Figure]:
    rows, rounds = (20_000, 3) if quick else (200_000, 9)
    pipelines: dict[str, Callable[[str], tf.data.Dataset]] = {
        "tf_dataset_factory": _ours,
        "tuned by hand": _tuned_by_hand,
        "as most people write it": _usual,
    }
    rates: dict[str, list[float]] = {name: [] for name in pipelines}
    with tempfile.TemporaryDirectory() as directory:
        _write_shards(directory, rows)
        for _ in range(rounds):
            for name, pipeline in pipelines.items():
                rates[name].append(_rate(pipeline, directory, rows))
    ratios = [ours / other for ours, other in zip(*list(rates.values())[:2], strict=True)]
    return [
        Figure(
            what="tf_dataset_factory / tf.data tuned by hand",
            value=median(ratios),
            unit="",
            aim=0.95,
            is_floor=True,
            remark=f"{min(ratios):.2f} to {max(ratios):.2f} in {rounds} rounds",
        ),
        *(
            Figure(
                what=f"reading, {name}",
                value=median(values),
                unit="examples/s",
                remark=f"best {max(values):,.0f}",
            )
            for name, values in rates.items()
        ),
    ]


def _rate(pipeline: Callable[[str], tf.data.Dataset], directory: str, rows: int) -> float:
    began = last = time.perf_counter()
    for _ in pipeline(directory):
        last = time.perf_counter()
    return rows / (last - began)


def _ours(directory: str) -> tf.data.Dataset:
    options = TensorFlowDatasetOptions(batch_size=BATCH_SIZE, num_epochs=1, shuffle_seed=1)
    return ExampleFiles.matching(os.path.join(directory, "*"), schema=_make_schema()).tf_dataset(
        options
    )


def _tuned_by_hand(directory: str) -> tf.data.Dataset:
    files = _files(directory)
    records = (
        tf.data.Dataset.from_tensor_slices(files)
        .shuffle(len(files), seed=1)
        .interleave(
            lambda file: tf.data.TFRecordDataset(file, "GZIP"),
            cycle_length=8,
            block_length=32,
            num_parallel_calls=tf.data.AUTOTUNE,
        )
    )
    return _batch_then_parse(records)


def _usual(directory: str) -> tf.data.Dataset:
    return _batch_then_parse(
        tf.data.TFRecordDataset(_files(directory), "GZIP", num_parallel_reads=tf.data.AUTOTUNE)
    )


def _batch_then_parse(records: tf.data.Dataset) -> tf.data.Dataset:
    spec = _feature_spec()
    return (
        records.shuffle(10_000, seed=1)
        .batch(BATCH_SIZE)
        .map(lambda batch: tf.io.parse_example(batch, spec), tf.data.AUTOTUNE)
        .prefetch(tf.data.AUTOTUNE)
    )


def _files(directory: str) -> list[str]:
    return sorted(tf.io.gfile.glob(os.path.join(directory, "*")))


def _feature_spec() -> dict[str, Any]:
    dtypes = {"f": tf.float32, "i": tf.int64, "s": tf.string}
    scalars = {name: tf.io.FixedLenFeature([1], dtypes[name[0]]) for name in SCALARS}
    return {**scalars, "tags": tf.io.VarLenFeature(tf.string)}


def _make_schema() -> schema_pb2.Schema:
    types = {"f": "FLOAT", "i": "INT", "s": "BYTES"}
    features = [
        f'feature {{ name: "{name}" type: {types[name[0]]} presence {{ min_fraction: 1 }} '
        "shape { dim { size: 1 } } }"
        for name in SCALARS
    ]
    features.append('feature { name: "tags" type: BYTES }')
    return text_format.Parse("\n".join(features), schema_pb2.Schema())


def _write_shards(directory: str, rows: int) -> None:
    """Four floats, four integers, a word and up to three tags in each example."""
    random = np.random.default_rng(0)
    for shard in range(SHARDS):
        path = os.path.join(directory, f"data-{shard:05d}-of-{SHARDS:05d}.gz")
        floats = random.normal(size=(rows // SHARDS, 4))
        integers = random.integers(0, 1000, size=(rows // SHARDS, 4))
        with tf.io.TFRecordWriter(path, "GZIP") as writer:
            for row in zip(floats, integers, strict=True):
                writer.write(_make_example(*row).SerializeToString())


def _make_example(floats: Any, integers: Any) -> tf.train.Example:
    example = tf.train.Example()
    feature = example.features.feature
    for number in range(4):
        feature[f"f{number}"].float_list.value.append(floats[number])
        feature[f"i{number}"].int64_list.value.append(integers[number])
    feature["s0"].bytes_list.value.append(b"category%d" % (integers[0] % 20))
    tags = [b"tag%d" % number for number in range(integers[1] % 4)]
    feature["tags"].bytes_list.value.extend(tags)
    return example
