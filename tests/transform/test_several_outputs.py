"""Values of one tensor are never taken for those of another that comes from the same operation.

TensorFlow's arithmetic optimizer does that where parsing, splitting or unstacking gives several.
"""

from __future__ import annotations

import pytest

pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")

import tensorflow as tf  # noqa: E402
import tensorflow_transform as tft  # noqa: E402
from battery import each_row  # noqa: E402
from google.protobuf import text_format  # noqa: E402
from tensorflow_metadata.proto.v0 import schema_pb2  # noqa: E402
from transform_data import encode, write_shards  # noqa: E402
from transform_results import run_ours  # noqa: E402

ROWS = [
    {"id": [0], "d": [3], "e": [40], "pair": [2.0, 9.0, -3.0, -7.0]},
    {"id": [1], "d": [5], "e": [60], "pair": [1.0, 4.0, 8.0, 6.0]},
]
DENSE = "presence { min_fraction: 1 } shape {"
SCHEMA = f"""
    feature {{ name: "d" type: INT {DENSE} }} }}
    feature {{ name: "e" type: INT {DENSE} }} }}
    feature {{ name: "id" type: INT {DENSE} }} }}
    feature {{ name: "pair" type: FLOAT {DENSE} dim {{ size: 4 }} }} }}
"""
SPARSE = 'feature { name: "some" type: INT }'


def least_of_each(inputs):
    return {name: each_row(tft.min(inputs[name]), inputs) for name in ("d", "e")}


def least_of_a_column(inputs):
    columns = tf.unstack(tf.cast(inputs["pair"], tf.int64), axis=1)
    return {"least": each_row(tft.min(columns[1]), inputs)}


def negated_half(inputs):
    _, half = tf.split(inputs["pair"], 2, axis=1)
    return {"negated": tf.reduce_max(-half, axis=1)}


def positive_half(inputs):
    _, half = tf.split(inputs["pair"], 2, axis=1)
    return {"positive": tf.reduce_max(tf.nn.relu(half), axis=1)}


def analyzed_half(inputs):
    _, half = tf.split(inputs["pair"], 2, axis=1)
    return {"most": each_row(tft.max(tf.reduce_max(tf.zeros_like(half) - half, 1)), inputs)}


@pytest.fixture(params=["dense alone", "beside a sparse feature"])
def schema(request):
    text = SCHEMA if request.param == "dense alone" else SCHEMA + SPARSE
    return text_format.Parse(text, schema_pb2.Schema())


@pytest.fixture
def path(tmp_path):
    rows = [{**row, "some": [7] * row["id"][0]} for row in ROWS]
    return write_shards([encode(row) for row in rows], tmp_path, shards=1)[0]


@pytest.mark.parametrize("force_tf_compat_v1", [False, True])
def test_each_feature_has_its_own_minimum(schema, path, tmp_path, force_tf_compat_v1):
    found = transform(least_of_each, path, tmp_path, schema, force_tf_compat_v1)
    assert found == [{"d": [3], "e": [40]}] * 2


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (least_of_a_column, [{"least": [4]}, {"least": [4]}]),
        (negated_half, [{"negated": [7.0]}, {"negated": [-6.0]}]),
        (positive_half, [{"positive": [0.0]}, {"positive": [8.0]}]),
        (analyzed_half, [{"most": [7.0]}, {"most": [7.0]}]),
    ],
)
def test_user_code_reduces_what_it_was_given(path, tmp_path, function, expected):
    schema = text_format.Parse(SCHEMA, schema_pb2.Schema())
    assert transform(function, path, tmp_path, schema) == expected


def transform(function, path, directory, schema, force_tf_compat_v1=False):
    """The rows that a preprocessing function makes, without their ids."""
    result = run_ours(
        lambda inputs: {"id": inputs["id"], **function(inputs)},
        [path],
        directory,
        schema=schema,
        force_tf_compat_v1=force_tf_compat_v1,
    )
    rows = [result.rows[number] for number in (0, 1)]
    return [{name: row[name] for name in row if name != "id"} for row in rows]
