"""Rows in, rows out: none more and none less, in the order of the file."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")

import tensorflow as tf  # noqa: E402
import tensorflow_transform as tft  # noqa: E402
from transform_data import SCHEMA, encode, write_shards  # noqa: E402
from transform_results import run_ours  # noqa: E402

from trainwright.data.example_reading import example_files  # noqa: E402
from trainwright.engine.engine import ShardError  # noqa: E402


def test_rows_keep_their_order_over_batches(rows, tmp_path, monkeypatch):
    monkeypatch.setattr(example_files, "_PARSED_ROWS", 7)
    [path, _] = write_shards([encode(row) for row in rows[:50]], tmp_path, shards=1)
    result = run_ours(lambda inputs: {"id": inputs["id"], "x": inputs["x"]}, [path], tmp_path)
    assert list(result.rows) == list(range(50))
    assert [row["x"] for row in result.rows.values()] == [row["x"] for row in rows[:50]]


def test_values_come_through_bit_by_bit(paths, rows, tmp_path):
    names = ["odd", "infinite", "extreme", "unicode", "binary", "tokens", "vector"]
    result = run_ours(
        lambda inputs: {name: inputs[name] for name in ["id", *names]}, paths, tmp_path
    )
    for row in rows:
        found = result.rows[row["id"][0]]
        for name in names:
            np.testing.assert_array_equal(found.get(name, []), row[name])


@pytest.mark.parametrize("make", [tf.reduce_sum, lambda x: tf.concat([x, x], 0)])
def test_an_output_that_does_not_have_a_row_for_each_example_is_told(paths, tmp_path, make):
    def preprocessing_fn(inputs):
        return {"id": inputs["id"], "wrong": tf.reshape(make(inputs["x"]), [-1])}

    with pytest.raises((ShardError, ValueError), match=r"rows|number of|column|length|became"):
        run_ours(preprocessing_fn, paths, tmp_path)


def test_an_example_that_does_not_fit_the_schema_names_the_file(tmp_path):
    [path, _] = write_shards([encode({"id": [1], "x": [b"text"]})], tmp_path, shards=1)
    schema = type(SCHEMA)()
    schema.feature.extend(f for f in SCHEMA.feature if f.name in ("id", "x"))
    with pytest.raises(ShardError, match=r"data-0\.gz.*x"):
        run_ours(
            lambda inputs: {"id": inputs["id"], "x": tft.scale_to_0_1(inputs["x"])},
            [path],
            tmp_path,
            schema=schema,
        )
