"""Analyzers that wait for others: chains as long as one likes, beside NumPy."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")

import tensorflow as tf  # noqa: E402
import tensorflow_transform as tft  # noqa: E402
from transform_results import run_ours  # noqa: E402


def column(result, name):
    return np.array([result.rows[number][name] for number in sorted(result.rows)])[:, 0]


def standardized(values):
    return (values - values.mean()) / values.std()


def four_phases(inputs):
    one = tft.scale_to_z_score(inputs["x"])
    two = tft.scale_to_z_score(one**3)
    three = tft.scale_to_z_score(tf.abs(two))
    four = tft.scale_to_0_1(three)
    word = tft.compute_and_apply_vocabulary(inputs["word"], vocab_filename="word")
    again = tft.compute_and_apply_vocabulary(word // 2, vocab_filename="again")
    thrice = tft.compute_and_apply_vocabulary(again // 2, vocab_filename="thrice")
    return {
        "id": inputs["id"],
        "one": one,
        "two": two,
        "three": three,
        "four": four,
        "thrice": thrice,
        "mean_of_ids": tft.scale_to_0_1(tf.cast(thrice, tf.float32)),
    }


@pytest.mark.parametrize("force_tf_compat_v1", [False, True])
def test_four_phases(paths, rows, tmp_path, force_tf_compat_v1):
    result = run_ours(four_phases, paths, tmp_path, force_tf_compat_v1=force_tf_compat_v1)
    x = np.array([row["x"][0] for row in rows])
    one = standardized(x)
    two = standardized(one**3)
    three = standardized(abs(two))
    four = (three - three.min()) / (three.max() - three.min())
    for name, expected in {"one": one, "two": two, "three": three, "four": four}.items():
        np.testing.assert_allclose(column(result, name), expected, rtol=1e-3, atol=1e-4)
    assert sorted(result.files) == ["again", "thrice", "word"]
    thrice = column(result, "thrice")
    np.testing.assert_allclose(column(result, "mean_of_ids"), thrice / thrice.max(), rtol=1e-5)


def test_an_analyzer_in_a_function_of_tensorflow(paths, rows, tmp_path):
    def preprocessing_fn(inputs):
        smallest = tft.min(inputs["x"])

        @tf.function
        def shift(values):
            return tf.cond(smallest < 0.0, lambda: values - smallest, lambda: values)

        return {"id": inputs["id"], "shifted": tft.scale_to_0_1(shift(inputs["x"]))}

    result = run_ours(preprocessing_fn, paths, tmp_path)
    x = np.array([row["x"][0] for row in rows])
    expected = (x - x.min()) / (x.max() - x.min())
    np.testing.assert_allclose(column(result, "shifted"), expected, rtol=1e-4, atol=1e-5)
