"""Rows for preprocessing functions: every kind of input, with what is awkward about it."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.data.tfrecord import open_gzip_writer
from trainwright.proto import example_gen_pb2

ROWS = 240
SHARDS = 3

_REQUIRED = "presence { min_fraction: 1 }"
_SCALAR = f"{_REQUIRED} shape {{}}"

SCHEMA = text_format.Parse(
    f"""
    feature {{ name: "id" type: INT {_SCALAR} }}
    feature {{ name: "x" type: FLOAT {_SCALAR} }}
    feature {{ name: "y" type: FLOAT {_SCALAR} }}
    feature {{ name: "odd" type: FLOAT {_SCALAR} }}
    feature {{ name: "infinite" type: FLOAT {_SCALAR} }}
    feature {{ name: "weight" type: FLOAT {_SCALAR} }}
    feature {{ name: "n" type: INT {_SCALAR} }}
    feature {{ name: "extreme" type: INT {_SCALAR} }}
    feature {{ name: "label" type: INT {_SCALAR} }}
    feature {{ name: "vector" type: FLOAT {_REQUIRED} shape {{ dim {{ size: 3 }} }} }}
    feature {{ name: "word" type: BYTES {_SCALAR} }}
    feature {{ name: "key" type: BYTES {_SCALAR} }}
    feature {{ name: "unicode" type: BYTES {_SCALAR} }}
    feature {{ name: "binary" type: BYTES {_SCALAR} }}
    feature {{ name: "text" type: BYTES {_SCALAR} }}
    feature {{ name: "sparse_x" type: FLOAT }}
    feature {{ name: "sparse_n" type: INT }}
    feature {{ name: "tokens" type: BYTES }}
    feature {{ name: "ragged_x" type: FLOAT }}
    feature {{ name: "ragged_tokens" type: BYTES }}
    feature {{ name: "absent_x" type: FLOAT }}
    feature {{ name: "absent_word" type: BYTES }}
    tensor_representation_group {{
      key: ""
      value {{
        tensor_representation {{
          key: "ragged_x" value {{ ragged_tensor {{ feature_path {{ step: "ragged_x" }} }} }}
        }}
        tensor_representation {{
          key: "ragged_tokens"
          value {{ ragged_tensor {{ feature_path {{ step: "ragged_tokens" }} }} }}
        }}
      }}
    }}
    """,
    schema_pb2.Schema(),
)

SEQUENCE_SCHEMA = text_format.Parse(
    """
    feature { name: "id" type: INT }
    feature { name: "country" type: BYTES }
    feature {
      name: "##SEQUENCE##"
      type: STRUCT
      struct_domain {
        feature { name: "price" type: FLOAT }
        feature { name: "item" type: BYTES }
      }
    }
    tensor_representation_group {
      key: ""
      value {
        tensor_representation {
          key: "id" value { varlen_sparse_tensor { column_name: "id" } }
        }
        tensor_representation {
          key: "country" value { varlen_sparse_tensor { column_name: "country" } }
        }
        tensor_representation {
          key: "price"
          value { ragged_tensor { feature_path { step: "##SEQUENCE##" step: "price" } } }
        }
        tensor_representation {
          key: "item"
          value { ragged_tensor { feature_path { step: "##SEQUENCE##" step: "item" } } }
        }
      }
    }
    """,
    schema_pb2.Schema(),
)

_UNICODE = ["grün", "naïve", "日本語", "emoji 🙂", " space ", "tab\tbed", "e\u0301", "ascii"]
_BINARY = [
    b"\xff\xfe",
    b"line\nbreak",
    b"carriage\rreturn",
    b"",
    b"nul\x00byte",
    b"\x80abc",
    b"plain",
    "ü".encode("latin-1"),
]
_ODD = [np.nan, np.nan, 1.5, -2.5]
_INFINITE = [np.inf, -np.inf, 0.0, 3.0]
# tf.Transform looks for the largest negated value, which the least integer does not have.
_EXTREME = [2**63 - 1, 1 - 2**63, 0, 7]


def make_rows(count: int = ROWS, seed: int = 0) -> list[dict[str, list[Any]]]:
    """The columns of each row. Weights are exact in binary: their sums depend on no order."""
    source = np.random.default_rng(seed)
    rows = []
    for number in range(count):
        word = b"word %d" % min(int(source.zipf(1.6)), 40)
        tokens = [b"t%d" % source.integers(12) for _ in range(source.integers(5))]
        rows.append(
            {
                "id": [number],
                "x": [_single(source.normal(3, 2))],
                "y": [_single(source.exponential())],
                "odd": [_ODD[number % 4]],
                "infinite": [_INFINITE[number % 4]],
                "weight": [float(source.integers(1, 9)) / 4],
                "n": [int(source.integers(-20, 100))],
                "extreme": [_EXTREME[number % 4]],
                "label": [int(source.integers(3)) if number % 3 else len(word) % 2],
                "vector": [_single(value) for value in source.normal(size=3)],
                "word": [word],
                "key": [b"key%d" % source.integers(4)],
                "unicode": [_UNICODE[int(source.integers(8))].encode()],
                "binary": [_BINARY[int(source.integers(8))]],
                "text": [b" ".join(tokens) or b"nothing"],
                "sparse_x": [_single(v) for v in source.normal(size=source.integers(4))],
                "sparse_n": [int(v) for v in source.integers(0, 10, size=source.integers(4))],
                "tokens": tokens,
                "ragged_x": [_single(v) for v in source.normal(size=source.integers(4))],
                "ragged_tokens": tokens[::-1],
            }
        )
    return rows


def make_sequences(count: int = ROWS, seed: int = 0) -> list[bytes]:
    """tf.SequenceExamples: a country and the items of some visits, with their prices."""
    source = np.random.default_rng(seed)
    records = []
    for number in range(count):
        record = tf.train.SequenceExample()
        record.context.feature["id"].int64_list.value.append(number)
        if number % 5:
            record.context.feature["country"].bytes_list.value.append(b"c%d" % (number % 3))
        for _ in range(source.integers(4)):
            items = int(source.integers(3))
            price = record.feature_lists.feature_list["price"].feature.add()
            price.float_list.value.extend(source.exponential(size=items))
            item = record.feature_lists.feature_list["item"].feature.add()
            item.bytes_list.value.extend(b"item %d" % i for i in source.integers(6, size=items))
        records.append(record.SerializeToString())
    return records


def _single(number: float) -> float:
    """The number as an example holds it."""
    return float(struct.unpack("f", struct.pack("f", number))[0])


def encode(row: dict[str, list[Any]]) -> bytes:
    """A row as a tf.Example."""
    example = tf.train.Example()
    for name, values in row.items():
        feature = example.features.feature[name]
        if not values:
            continue
        if isinstance(values[0], bytes):
            feature.bytes_list.value.extend(values)
        elif isinstance(values[0], float):
            feature.float_list.value.extend(values)
        else:
            feature.int64_list.value.extend(values)
    return example.SerializeToString()


def write_shards(records: Sequence[bytes], directory: Path, shards: int = SHARDS) -> list[str]:
    """Writes the records into files, and one more file without any; returns the paths."""
    paths = []
    parts = [records[shard::shards] for shard in range(shards)]
    for number, part in enumerate([*parts, []]):
        paths.append(str(directory / f"data-{number}.gz"))
        with open_gzip_writer(paths[-1]) as write:
            write(list(part))
    return paths


def records_of(schema: schema_pb2.Schema) -> list[bytes]:
    """The rows that the battery's functions for a schema get."""
    return make_sequences() if schema is SEQUENCE_SCHEMA else list(map(encode, make_rows()))


def raw_examples(schema: schema_pb2.Schema = SCHEMA) -> ExampleFiles:
    is_sequence = any(feature.name == "##SEQUENCE##" for feature in schema.feature)
    return ExampleFiles(
        schema=schema,
        payload_format=example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE
        if is_sequence
        else example_gen_pb2.FORMAT_TF_EXAMPLE,
    )
