"""Accumulators as bytes: what they were afterwards, and nothing that runs when it is read."""

import os
import pickle

import numpy as np
import pytest
from tensorflow_transform import analyzers

from trainwright.engine.packing import pack
from trainwright.transform.accumulations import CombineAccumulation, CombinePerKeyAccumulation

NUMBERS = np.linspace(-3, 7, 500, dtype=np.float32)


class Evil:
    """Leaves a file where it is unpickled."""

    def __init__(self, path):
        self._path = path

    def __reduce__(self):
        return os.mkdir, (self._path,)


def quantiles():
    combiner = analyzers.QuantilesCombiner(
        num_quantiles=4, epsilon=0.01, bucket_numpy_dtype=np.float32
    )
    return CombineAccumulation("quantiles", ["x"], combiner), combiner


def test_a_sketch_is_what_it_was(tmp_path):
    accumulation, combiner = quantiles()
    accumulator = accumulation.add(accumulation.create(""), [NUMBERS])
    data = accumulation.to_cache(accumulator)
    again = accumulation.deserialize(data, str(tmp_path))
    expected = combiner.extract_output(accumulator)
    np.testing.assert_array_equal(combiner.extract_output(again), expected)
    assert b"tfx_bsl" not in data, "the name of a class is a pickle's"


@pytest.mark.parametrize("has_keys", [False, True])
def test_what_others_have_written_is_not_unpickled(tmp_path, has_keys):
    accumulation, combiner = quantiles()
    made = tmp_path / "made"
    forged = pack(None, [pickle.dumps(Evil(str(made)))])
    if has_keys:
        accumulation = CombinePerKeyAccumulation("quantiles", ["key", "x"], combiner)
        forged = pack(None, [b"key", forged])
    with pytest.raises(TypeError, match="expected one that does not pickle"):
        accumulation.deserialize(forged, str(tmp_path))
    assert not made.exists()
