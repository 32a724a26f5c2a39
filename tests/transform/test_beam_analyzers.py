"""Analyzers that are Beam transforms, by what they return."""

from __future__ import annotations

import pytest

pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")
pytest.importorskip("apache_beam", reason="pip install 'trainwright[beam]'")

import tensorflow as tf  # noqa: E402
import tensorflow_transform as tft  # noqa: E402
from battery import each_row  # noqa: E402
from beam_analyzers import Bounds  # noqa: E402
from transform_results import run_ours  # noqa: E402


@pytest.mark.parametrize("main", [None, "least"])
def test_several_outputs_by_tags(rows, paths, tmp_path, main):
    def preprocessing_fn(inputs):
        least, largest = tft.experimental.ptransform_analyzer(
            [inputs["n"]], Bounds(main), [tf.int64, tf.int64], [[], []]
        )
        return {
            "id": inputs["id"],
            "least": each_row(least, inputs),
            "largest": each_row(largest, inputs),
        }

    row = run_ours(preprocessing_fn, paths, tmp_path).rows[0]
    values = [row["n"][0] for row in rows]
    assert (row["least"], row["largest"]) == ([min(values)], [max(values)])


def test_another_number_of_outputs_than_was_declared_is_told(paths, tmp_path):
    def preprocessing_fn(inputs):
        (least,) = tft.experimental.ptransform_analyzer([inputs["n"]], Bounds(), [tf.int64], [[]])
        return {"id": inputs["id"], "least": each_row(least, inputs)}

    with pytest.raises(ValueError, match=r"gave 2 collections\. Expected 1"):
        run_ours(preprocessing_fn, paths, tmp_path)
