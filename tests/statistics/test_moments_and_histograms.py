"""Moments and histograms beside what NumPy computes of all values at once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainwright.engine.packing import pack, unpack
from trainwright.statistics.histograms import (
    every_nth,
    median,
    quantiles_histogram,
    standard_histogram,
)
from trainwright.statistics.moments import Moments

NUMBERS = st.lists(st.floats(-1e6, 1e6), max_size=30)


@given(parts=st.lists(NUMBERS, min_size=1, max_size=5))
def test_moments_of_parts_are_those_of_the_whole(parts):
    moments = Moments()
    for part in parts:
        other = Moments()
        other.add(np.array(part))
        moments.merge(Moments(*other.to_json()))
    whole = np.array([number for part in parts for number in part])
    assert moments.weight == whole.size
    if whole.size:
        assert math.isclose(moments.mean, whole.mean(), rel_tol=1e-9, abs_tol=1e-6)
        assert math.isclose(moments.standard_deviation, whole.std(), rel_tol=1e-6, abs_tol=1e-4)


def test_moments_do_not_cancel():
    moments = Moments()
    for _ in range(10):
        moments.add(np.array([1e12, 1e12 + 1, 1e12 + 2]))
    assert math.isclose(moments.variance, 2 / 3, rel_tol=1e-6)


def test_weighted_moments_are_those_of_repeated_numbers():
    numbers, times = np.array([1.0, 5.0, -2.0]), np.array([3.0, 1.0, 0.0])
    moments = Moments()
    moments.add(numbers, times)
    moments.add(numbers, np.zeros(3))
    repeated = np.repeat(numbers, times.astype(int))
    assert math.isclose(moments.mean, repeated.mean())
    assert math.isclose(moments.variance, repeated.var())


@given(numbers=st.lists(st.integers(-20, 20), min_size=1, max_size=60))
def test_histograms_lose_nothing(numbers):
    ordered = np.sort(np.array(numbers, float))
    cumulative = np.arange(1, len(numbers) + 1, dtype=float)
    if len(numbers) == 1:
        ordered, cumulative = np.repeat(ordered, 2), np.array([1.0, 1.0])
    histogram = standard_histogram(
        ordered, cumulative, finite_min=ordered[0], finite_max=ordered[-1], buckets=7
    )
    for made in (histogram, quantiles_histogram(ordered, cumulative)):
        total = sum(bucket.sample_count for bucket in made.buckets)
        assert math.isclose(total, len(numbers), rel_tol=1e-9)
        assert made.buckets[0].low_value == ordered[0]
        assert made.buckets[-1].high_value == ordered[-1]


def test_without_finite_numbers_there_is_one_bucket():
    infinite = np.array([math.inf, math.inf])
    histogram = standard_histogram(
        infinite, np.array([4.0, 4.0]), finite_min=math.inf, finite_max=-math.inf, buckets=10
    )
    assert [bucket.sample_count for bucket in histogram.buckets] == [4]


def test_a_range_too_wide_for_floating_point_has_no_buckets():
    histogram = standard_histogram(
        np.array([-1.7e308, 1.7e308]),
        np.array([1.0, 2.0]),
        finite_min=-1.7e308,
        finite_max=1.7e308,
        buckets=10,
    )
    assert not histogram.buckets


@pytest.mark.parametrize(("numbers", "expected"), [([1, 2, 9], 2), ([1, 2, 4, 9], 3), ([5], 5)])
def test_median(numbers, expected):
    assert median(np.array(numbers, float)) == expected


def test_every_nth_keeps_both_ends():
    boundaries, cumulative = every_nth(np.arange(101.0), np.arange(101.0), 10)
    assert boundaries.tolist() == cumulative.tolist() == list(range(0, 101, 10))


@given(blobs=st.lists(st.binary(max_size=20), max_size=4))
def test_packing(blobs):
    assert unpack(pack({"a": [1, math.inf]}, blobs)) == ({"a": [1, math.inf]}, blobs)
