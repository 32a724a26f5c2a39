"""Writes the examples in this folder and what TFDV computes of them.

Run it once with an environment that has tensorflow-data-validation 1.16.1:

    python tests/statistics/golden/make_golden.py

Each case of CASES and SEQUENCE_CASES is a file `<case>.pb` with a DatasetFeatureStatisticsList, a
file `<case>.pbtxt` with the schema that TFDV infers from it, and a file `<case>.json` with TFDV's
own JSON of the options.
"""

from __future__ import annotations

import random
import struct
from pathlib import Path

import apache_beam as beam
import tensorflow as tf
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2
from tfx_bsl.public.proto import slicing_spec_pb2
from tfx_bsl.tfxio import tf_sequence_example_record

import tensorflow_data_validation as tfdv

HERE = Path(__file__).parent
ROWS = 400
WORDS = ["München", "東京", "naïve", "a\tb", "", "emoji 🐧", "x" * 40]

SCHEMA = """
    feature { name: "category" type: INT int_domain { is_categorical: true } }
    feature { name: "flag" type: INT bool_domain {} }
    feature { name: "binary" type: BYTES image_domain {} }
    feature { name: "ragged_int" type: FLOAT }
"""
LIFT_SCHEMA = """
    feature { name: "category" type: INT int_domain { is_categorical: true } }
    feature { name: "flag" type: INT bool_domain {} }
    feature { name: "float" type: FLOAT }
    feature { name: "binary" type: BYTES }
    feature { name: "text" type: BYTES }
    feature { name: "ragged_text" type: BYTES }
    feature { name: "no_values" type: BYTES }
"""
SEQUENCE_SCHEMA = """
    feature { name: "user" type: BYTES }
    feature {
      name: "##SEQUENCE##"
      type: STRUCT
      struct_domain {
        feature { name: "words" type: BYTES }
        feature { name: "clicks" type: INT int_domain { is_categorical: true } }
      }
    }
"""
SLICES = """
    slicing_specs { feature_keys: "category" }
    slicing_specs { feature_keys: "flag" feature_values { key: "category" value: "2" } }
"""
CASES = {
    "values_plain": {},
    "values_schema": {"schema": text_format.Parse(SCHEMA, schema_pb2.Schema())},
    "values_weighted": {"weight_feature": "weight", "weighted_frequency_threshold": 5.0},
    "values_buckets": {
        "num_top_values": 2,
        "num_rank_histogram_buckets": 3,
        "num_values_histogram_buckets": 4,
        "num_histogram_buckets": 7,
        "num_quantiles_histogram_buckets": 5,
        "frequency_threshold": 60,
        "feature_allowlist": ["text", "ragged_int", "float"],
    },
    "values_sketch": {"experimental_use_sketch_based_topk_uniques": True},
    "values_slices": {
        "slicing_config": text_format.Parse(SLICES, slicing_spec_pb2.SlicingConfig()),
        "feature_allowlist": ["category", "flag", "text", "float"],
    },
}
LIFT = text_format.Parse(LIFT_SCHEMA, schema_pb2.Schema())
CASES |= {
    "values_lift": {"schema": LIFT, "label_feature": "category"},
    "values_lift_of_text": {"schema": LIFT, "label_feature": "ragged_text"},
    "values_lift_weighted": {
        "schema": LIFT,
        "label_feature": "flag",
        "weight_feature": "weight",
    },
    "values_lift_slices": {
        "schema": LIFT,
        "label_feature": "text",
        "slicing_config": text_format.Parse(SLICES, slicing_spec_pb2.SlicingConfig()),
    },
}
SEQUENCE_CASES = {
    "sequence": {},
    "sequence_weighted": {"weight_feature": "age"},
    "sequence_lift": {
        "schema": text_format.Parse(SEQUENCE_SCHEMA, schema_pb2.Schema()),
        "label_feature": "user",
    },
}


def feature(values):
    if values and isinstance(values[0], bytes):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
    if values and isinstance(values[0], float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def make_example(number: int, source: random.Random) -> tf.train.Example:
    limits = [-(2**63), 2**63 - 1, 0, 1, -1]
    odd = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1e-30, 3e38]
    columns = {
        "limit": [source.choice(limits)],
        "float": [source.gauss(3, 2)],
        "odd_float": [source.choice(odd) if number % 3 else source.random()],
        "only_nan": [float("nan")],
        "only_infinity": [float("inf")],
        "zeros": [0, 0],
        "category": [source.randint(0, 5)],
        "flag": [number % 2],
        "ragged_int": [source.randint(-50, 50) for _ in range(source.randint(0, 6))],
        "text": [source.choice(WORDS).encode()],
        "unique": [b"user-%d" % number],
        "binary": [struct.pack("<If", source.randint(0, 9), -1.0) + b"\xff\xfe"],
        "weight": [source.random() * 3],
    }
    features = {name: feature(values) for name, values in columns.items()}
    words = [source.choice(WORDS).encode() for _ in range(source.randint(0, 3))]
    features["ragged_text"] = tf.train.Feature(bytes_list=tf.train.BytesList(value=words))
    features["no_values"] = tf.train.Feature()
    if number % 4 == 0:
        features["rare"] = feature([number])
    if number % 5 == 0:
        del features["float"]
    return tf.train.Example(features=tf.train.Features(feature=features))


def make_sequence_example(number: int, source: random.Random) -> tf.train.SequenceExample:
    def steps(make):
        return [feature(make()) for _ in range(source.randint(0, 4))]

    lists = {
        "clicks": steps(lambda: [source.randint(0, 9) for _ in range(source.randint(1, 3))]),
        "prices": steps(lambda: [source.random() * 10]),
        "words": steps(lambda: [source.choice(WORDS).encode()] * source.randint(1, 2)),
    }
    if number % 6 == 0:
        del lists["prices"]
    if number % 7 == 0:
        lists["clicks"].append(tf.train.Feature())
    context = {"user": feature([b"user %d" % (number % 20)]), "age": feature([number % 80])}
    return tf.train.SequenceExample(
        context=tf.train.Features(feature=context),
        feature_lists=tf.train.FeatureLists(
            feature_list={
                name: tf.train.FeatureList(feature=features) for name, features in lists.items()
            }
        ),
    )


def write(path: Path, make) -> str:
    source = random.Random(4)
    with tf.io.TFRecordWriter(str(path), "GZIP") as writer:
        for number in range(ROWS):
            record = make(number, source).SerializeToString(deterministic=True)
            writer.write(record)
    return str(path)


def generate_from_sequence_examples(path: str, output: str, options: tfdv.StatsOptions) -> None:
    tfxio = tf_sequence_example_record.TFSequenceExampleRecord(path, telemetry_descriptors=["test"])
    with beam.Pipeline() as pipeline:
        _ = (
            pipeline
            | tfxio.BeamSource()
            | tfdv.GenerateStatistics(options)
            | tfdv.WriteStatisticsToBinaryFile(output)
        )


def write_schema_and_options(name: str, options: tfdv.StatsOptions) -> None:
    statistics = tfdv.load_stats_binary(str(HERE / f"{name}.pb"))
    text = text_format.MessageToString(tfdv.infer_schema(statistics), as_utf8=True)
    (HERE / f"{name}.pbtxt").write_text(text, encoding="utf-8")
    (HERE / f"{name}.json").write_text(options.to_json())


def main() -> None:
    path = write(HERE / "values.gz", make_example)
    for name, arguments in CASES.items():
        options = tfdv.StatsOptions(**arguments)
        statistics = tfdv.generate_statistics_from_tfrecord(path, stats_options=options)
        (HERE / f"{name}.pb").write_bytes(statistics.SerializeToString(deterministic=True))
        write_schema_and_options(name, options)
    path = write(HERE / "sequence.gz", make_sequence_example)
    for name, arguments in SEQUENCE_CASES.items():
        options = tfdv.StatsOptions(**arguments)
        generate_from_sequence_examples(path, str(HERE / f"{name}.pb"), options)
        write_schema_and_options(name, options)


if __name__ == "__main__":
    main()
