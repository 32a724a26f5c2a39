"""Files of transformed examples: the same rows give the same bytes."""

from __future__ import annotations

import pyarrow as pa
import pytest

pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")

import tensorflow as tf  # noqa: E402
from google.protobuf import text_format  # noqa: E402
from tensorflow_metadata.proto.v0 import schema_pb2  # noqa: E402
from tfx_bsl.coders import example_coder  # noqa: E402

from trainwright.transform.transformed_files import open_transformed_file  # noqa: E402

NUMBERS = pa.array([[1, 2], [], [3]], pa.large_list(pa.int64()))
TEXTS = pa.array([[b"x"], [b"", b"yy"], [b"z"]], pa.large_list(pa.large_binary()))
REALS = pa.array([[0.5], [1.5], []], pa.list_(pa.float32()))
MISSING = pa.array([[1], None, [2]], pa.large_list(pa.int64()))
RAGGED = pa.array([[[1], [2, 3]], [], [[4]]], pa.large_list(pa.large_list(pa.int64())))
SCHEMA = text_format.Parse(
    """
    feature { name: "n" type: INT } feature { name: "text" type: BYTES }
    feature { name: "real" type: FLOAT }
    """,
    schema_pb2.Schema(),
)
RAGGED_SCHEMA = text_format.Parse(
    """
    feature { name: "n" type: INT } feature { name: "lengths" type: INT }
    tensor_representation_group { key: "" value { tensor_representation {
      key: "r" value { ragged_tensor {
        feature_path { step: "n" } partition { row_length: "lengths" } } } } } }
    """,
    schema_pb2.Schema(),
)
# A column of one ragged dimension looks like any other list, and its feature has another name.
ONE_RAGGED_SCHEMA = text_format.Parse(
    """
    feature { name: "r$ragged_values" type: INT }
    tensor_representation_group { key: "" value { tensor_representation {
      key: "r" value { ragged_tensor { feature_path { step: "r$ragged_values" } } } } } }
    """,
    schema_pb2.Schema(),
)


def write(path, columns, schema=SCHEMA):
    batch = pa.RecordBatch.from_pydict(columns)
    with open_transformed_file(str(path), schema, batch.schema) as write_batch:
        assert write_batch(batch) == 3
    records = list(tf.data.TFRecordDataset(str(path), "GZIP").as_numpy_iterator())
    return [tf.train.Example.FromString(record) for record in records], records, batch


@pytest.mark.parametrize(
    ("columns", "schema"),
    [
        ({"text": TEXTS, "n": NUMBERS, "real": REALS}, SCHEMA),
        ({"n": MISSING}, SCHEMA),
        ({"r": RAGGED}, RAGGED_SCHEMA),
        ({"r": NUMBERS}, ONE_RAGGED_SCHEMA),
    ],
)
def test_examples_are_those_of_tfx_bsl(tmp_path, columns, schema):
    found, _, batch = write(tmp_path / "a.gz", columns, schema)
    theirs = example_coder.RecordBatchToExamplesEncoder(schema).encode(batch)
    assert found == [tf.train.Example.FromString(record) for record in theirs]


def test_features_are_in_one_order(tmp_path):
    columns = {f"feature_{number}": NUMBERS for number in range(40)}
    schema = schema_pb2.Schema()
    for name in columns:
        schema.feature.add(name=name, type=schema_pb2.INT)
    found, records, _ = write(tmp_path / "a.gz", columns, schema)
    assert records == [example.SerializeToString(deterministic=True) for example in found]
