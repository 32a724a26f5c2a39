"""No rows, no files, nothing in a column: a transform graph nevertheless."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
import tensorflow_transform as tft  # noqa: E402
from battery import each_row  # noqa: E402
from transform_data import encode, write_shards  # noqa: E402
from transform_results import run_ours  # noqa: E402

from trainwright.transform.analyzer_cache import Dataset  # noqa: E402


def all_kinds(inputs):
    return {
        "id": inputs["id"],
        "z": tft.scale_to_z_score(inputs["x"]),
        "scaled": tft.scale_to_0_1(inputs["n"]),
        "buckets": tft.bucketize(inputs["x"], 3),
        "word": tft.compute_and_apply_vocabulary(
            inputs["word"], num_oov_buckets=1, vocab_filename="word"
        ),
        "informative": tft.compute_and_apply_vocabulary(
            inputs["word"], labels=inputs["label"], vocab_filename="informative"
        ),
        "per_key": tft.scale_to_z_score_per_key(inputs["x"], inputs["key"]),
        "total": each_row(tft.sum(inputs["n"]), inputs),
        "covariance": each_row(tft.covariance(inputs["vector"], tf.float32), inputs),
        "later": tft.scale_to_0_1(tft.scale_to_z_score(inputs["x"])),
    }


@pytest.mark.parametrize("has_file", [True, False])
def test_nothing_to_analyze(rows, tmp_path, has_file):
    [path, empty] = write_shards([encode(row) for row in rows[:3]], tmp_path, shards=1)
    nothing = Dataset("nothing", [empty] if has_file else [])
    result = run_ours(all_kinds, [path], tmp_path, datasets=[nothing])
    assert sorted(result.rows) == [0, 1, 2]
    assert len(result.files["word"].splitlines()) == 1
    assert {row["total"][0] for row in result.rows.values()} == {0}
    assert all(row["covariance"] == [0.0] * 9 for row in result.rows.values())


def test_an_empty_file_is_transformed_into_one(paths, tmp_path):
    [empty] = write_shards([], tmp_path, shards=0)
    dataset = Dataset("train", paths)
    result = run_ours(all_kinds, [empty], tmp_path, datasets=[dataset])
    assert result.rows == {}


def test_columns_without_values(paths, tmp_path):
    def preprocessing_fn(inputs):
        return {
            "id": inputs["id"],
            "x": tft.scale_to_z_score(inputs["absent_x"]),
            "word": tft.compute_and_apply_vocabulary(
                inputs["absent_word"], vocab_filename="absent_word"
            ),
            "mean": each_row(tft.mean(inputs["absent_x"]), inputs),
            "count": each_row(tft.size(inputs["absent_x"]), inputs),
        }

    result = run_ours(preprocessing_fn, paths, tmp_path)
    row = result.rows[0]
    assert row.get("x", []) == []
    assert row["count"] == [0]
    assert row["mean"] == [0.0] or math.isnan(row["mean"][0])
    assert len(result.files["absent_word"].splitlines()) == 1


def test_not_a_number_is_left_out_and_left_alone(paths, tmp_path):
    def preprocessing_fn(inputs):
        return {"id": inputs["id"], "odd": tft.scale_to_z_score(inputs["odd"])}

    result = run_ours(preprocessing_fn, paths, tmp_path)
    # Of two values that come equally often, each is one standard deviation from the mean.
    found = np.array([result.rows[number]["odd"][0] for number in range(4)])
    np.testing.assert_allclose(found, [np.nan, np.nan, 1.0, -1.0], rtol=1e-6)


def test_a_shard_of_its_own_for_each_key(rows, tmp_path):
    """A key of one shard alone has an accumulator that was never merged."""
    by_key = {}
    for row in rows:
        by_key.setdefault(row["key"][0], []).append(row)
    paths = []
    for number, group in enumerate(by_key.values()):
        directory = tmp_path / str(number)
        directory.mkdir()
        paths += write_shards([encode(row) for row in group], directory, shards=1)[:1]

    def preprocessing_fn(inputs):
        return {
            "id": inputs["id"],
            "z": tft.scale_to_z_score_per_key(inputs["x"], inputs["key"]),
            "buckets": tft.bucketize_per_key(inputs["x"], inputs["key"], 2),
        }

    result = run_ours(preprocessing_fn, paths, tmp_path)
    for group in by_key.values():
        x = np.array([row["x"][0] for row in group])
        found = [result.rows[row["id"][0]]["z"][0] for row in group]
        np.testing.assert_allclose(found, (x - x.mean()) / x.std(), rtol=1e-4, atol=1e-5)
