"""ValueCounts: exact up to a limit, estimates within their bounds beyond it."""

from __future__ import annotations

import pyarrow as pa
import pytest
from tensorflow_metadata.proto.v0 import statistics_pb2

from trainwright.statistics import value_counts
from trainwright.statistics.stats_options import StatsOptions
from trainwright.statistics.value_counts import ValueCounts

OPTIONS = StatsOptions(num_top_values=3)


def to_proto(counts):
    result = statistics_pb2.StringStatistics()
    counts.add_to_proto(result, OPTIONS)
    return result


def strings(numbers):
    return pa.array([b"value %d" % number for number in numbers], pa.large_binary())


def fill(numbers, batch=1000):
    counts = ValueCounts(OPTIONS, has_weights=False)
    for start in range(0, len(numbers), batch):
        counts.add(strings(numbers[start : start + batch]), None)
    return counts


def test_ties_go_to_the_larger_value():
    result = to_proto(fill([1, 2, 2, 3, 3, 4]))
    assert [(top.value, top.frequency) for top in result.top_values] == [
        ("value 3", 2),
        ("value 2", 2),
        ("value 4", 1),
    ]
    assert result.unique == 4


def test_exact_with_many_values_and_merges():
    numbers = [number % 30_000 for number in range(90_000)] + [7] * 5
    whole = fill(numbers)
    parts = ValueCounts(OPTIONS, has_weights=False)
    for part in (numbers[:50_000], numbers[50_000:]):
        parts.merge(ValueCounts.deserialize(fill(part).serialize()))
    assert whole.is_exact
    assert to_proto(whole) == to_proto(parts)
    assert to_proto(whole).unique == 30_000
    assert to_proto(whole).top_values[0].frequency == 8


@pytest.mark.parametrize("parts", [1, 3])
def test_estimates_keep_their_bounds(parts, monkeypatch):
    monkeypatch.setattr(value_counts, "EXACT_VALUES", 5000)
    unique = 60_000
    numbers = list(range(unique)) + [5] * 9000 + [17] * 6000
    counts = ValueCounts(OPTIONS, has_weights=False)
    size = len(numbers) // parts + 1
    for start in range(0, len(numbers), size):
        part = fill(numbers[start : start + size])
        counts.merge(ValueCounts.deserialize(part.serialize()))
    result = to_proto(counts)
    assert not counts.is_exact
    # Three standard errors of the k minimum values.
    assert abs(result.unique - unique) < 3 * unique / 128
    bound = len(numbers) / 1024
    assert [top.value for top in result.top_values[:2]] == ["value 5", "value 17"]
    assert abs(result.top_values[0].frequency - 9001) <= bound
    assert abs(result.top_values[1].frequency - 6001) <= bound


def test_exact_counts_move_into_estimates(monkeypatch):
    exact = fill([1] * 400 + [2] * 300)
    monkeypatch.setattr(value_counts, "EXACT_VALUES", 100)
    estimated = fill(list(range(30_000)))
    exact.merge(estimated)
    assert not exact.is_exact
    tops = {top.value: top.frequency for top in to_proto(exact).top_values}
    assert abs(tops["value 1"] - 401) <= 30
    assert abs(tops["value 2"] - 301) <= 30


def test_long_values_count_by_bytes():
    long = pa.array([bytes([65 + number % 26]) * 2**20 for number in range(20)], pa.large_binary())
    counts = ValueCounts(OPTIONS, has_weights=False)
    counts.add(long, None)
    counts.serialize()
    assert not counts.is_exact
    assert to_proto(counts).unique == 20
