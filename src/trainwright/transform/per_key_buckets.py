"""Bucket boundaries of many keys as one list, so that one lookup finds the bucket of any key."""

from __future__ import annotations

import numpy as np

# Boundaries of a key are at least this part of their range apart.
_LEAST_STEP = 1e-6


def join_boundaries(
    boundaries: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Joins the boundaries of each key, a row, by giving each key an interval of length one.

    Key number k gets the interval from k to k + 1: its first boundary lies at k and its last at
    k + 1, where those of the next key begin.

    Returns:
        The boundaries of all keys on that scale; what the values of each key are multiplied by and
        what is added to them; and the number of buckets of a key.

    >>> two_keys = np.array([[0.0, 1.0, 2.0], [4.0, 5.0, 6.0]])
    >>> joined, scale, shift, buckets = join_boundaries(two_keys)
    >>> joined.round(3).tolist(), scale.tolist(), shift.tolist(), int(buckets)
    ([0.0, 0.5, 1.0, 1.5, 2.0], [0.5, 0.5], [0.0, -1.0], 4)
    """
    rows = _strictly_increasing(boundaries)
    buckets = np.array(rows.shape[1] + 1, dtype=np.int64)
    lowest, highest = rows.min(axis=1), rows.max(axis=1)
    extent = highest - lowest
    scale = np.divide(1.0, extent, out=np.ones_like(extent), where=extent != 0)
    shift = np.arange(scale.size, dtype=np.float32) - lowest * scale
    inner = rows[:, 1:] * scale[:, np.newaxis] + shift[:, np.newaxis]
    return np.insert(inner.flatten(), 0, 0.0), scale, shift, buckets


def _strictly_increasing(boundaries: np.ndarray) -> np.ndarray:
    """The rows with equal neighbours moved apart a little."""
    first = boundaries[:, :1]
    least = _LEAST_STEP * (boundaries[:, -1:] - first)
    least[least <= 0] = _LEAST_STEP
    steps = np.maximum(np.diff(boundaries, axis=1), least)
    return np.concatenate([first, first + np.cumsum(steps, axis=1)], axis=1)
