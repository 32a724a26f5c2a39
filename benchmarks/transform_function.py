"""The preprocessing function that the transform benchmark measures, and the data it is given."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pyarrow as pa
import tensorflow as tf
import tensorflow_transform as tft
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

FLOATS = ("fare", "distance", "speed", "wait", "tip")
FILES = 8

SCHEMA = text_format.Parse(
    "".join(
        f'feature {{ name: "{name}" type: {kind} presence {{ min_fraction: 1 }} shape {{}} }}'
        for name, kind in [
            *((name, "FLOAT") for name in FLOATS if name != "tip"),
            ("hour", "INT"),
            ("rides", "INT"),
            ("street", "BYTES"),
            ("company", "BYTES"),
            ("label", "INT"),
        ]
    )
    + 'feature { name: "tip" type: FLOAT }',
    schema_pb2.Schema(),
)


def preprocessing_fn(inputs: dict[str, Any]) -> dict[str, Any]:
    """Two phases: buckets of a score need the mean that the first has found."""
    outputs = one_phase_fn(inputs)
    return {**outputs, "fast": tft.bucketize(outputs["speed"], 5)}


def one_phase_fn(inputs: dict[str, Any]) -> dict[str, Any]:
    """Scores, buckets, vocabularies and a missing value filled in, of ten columns."""
    tip = inputs["tip"]
    single = tf.SparseTensor(tip.indices, tip.values, [tip.dense_shape[0], 1])
    scores = {name: tft.scale_to_z_score(inputs[name]) for name in FLOATS if name != "tip"}
    return {
        **scores,
        "tip": tft.scale_to_z_score(tf.squeeze(tf.sparse.to_dense(single, 0.0), axis=1)),
        "hour": tft.scale_to_0_1(inputs["hour"]),
        "rides": tft.bucketize(inputs["rides"], 10),
        "street": tft.compute_and_apply_vocabulary(
            inputs["street"], top_k=5000, num_oov_buckets=3, vocab_filename="street"
        ),
        "company": tft.compute_and_apply_vocabulary(inputs["company"], vocab_filename="company"),
        "label": inputs["label"],
    }


def write_examples(directory: str, rows: int, seed: int = 7) -> None:
    """Writes gzip TFRecords of ten columns."""
    from trainwright.data.example_codec import encode_examples
    from trainwright.data.tfrecord import open_gzip_writer

    os.makedirs(directory, exist_ok=True)
    source = np.random.default_rng(seed)
    part = rows // FILES
    for number in range(FILES):
        path = os.path.join(directory, f"data-{number:05}-of-{FILES:05}.gz")
        with open_gzip_writer(path) as write:
            for start in range(0, part, 20_000):
                batch = _make_batch(source, min(20_000, part - start))
                write(encode_examples(batch).to_pylist())


def _make_batch(source: np.random.Generator, rows: int) -> pa.RecordBatch:
    def words(prefix: str, number: int) -> pa.Array:
        chosen = (source.pareto(1, rows) * 10).astype(int) % number
        return pa.array([f"{prefix} {word}".encode() for word in chosen], pa.binary())

    columns = {name: pa.array(source.gamma(2, 5, rows).astype(np.float32)) for name in FLOATS}
    columns["tip"] = pa.array(
        source.gamma(2, 5, rows).astype(np.float32), mask=source.random(rows) < 0.1
    )
    columns |= {
        "hour": pa.array(source.integers(0, 24, rows)),
        "rides": pa.array(source.integers(0, 10_000, rows)),
        "street": words("street", 20_000),
        "company": words("company", 200),
        "label": pa.array(source.integers(0, 2, rows)),
    }
    return pa.RecordBatch.from_pydict(columns)
