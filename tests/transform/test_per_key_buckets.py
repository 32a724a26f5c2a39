"""The boundaries of many keys on one scale find the bucket that each key's own would."""

from __future__ import annotations

import numpy as np
import pytest

from trainwright.transform.per_key_buckets import join_boundaries


@pytest.mark.parametrize("keys", [1, 2, 7])
def test_a_value_falls_into_the_bucket_of_its_key(keys):
    source = np.random.default_rng(keys)
    boundaries = np.sort(source.normal(scale=10, size=(keys, 4)), axis=1)
    joined, scale, shift, buckets = join_boundaries(boundaries)
    assert joined.shape == (3 * keys + 1,)
    assert buckets == 5
    assert (np.diff(joined) > 0).all()
    for key, row in enumerate(boundaries):
        values = source.uniform(row[0], row[-1], size=50)
        found = np.searchsorted(joined, values * scale[key] + shift[key], side="right")
        expected = np.searchsorted(row, values, side="right")
        # Below the first boundary of a key lie the buckets of the keys before it.
        assert (found - 3 * key == expected).all()


def test_equal_boundaries_are_moved_apart():
    joined, scale, shift, _ = join_boundaries(np.array([[1.0, 1.0, 1.0], [0.0, 2.0, 2.0]]))
    assert (np.diff(joined) > 0).all()
    assert np.isfinite(joined).all()
    assert np.isfinite(scale).all()
    assert np.isfinite(shift).all()
