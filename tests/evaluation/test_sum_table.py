"""SumTable: sums by slice and bucket, of examples and of replicates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainwright.evaluation.computation import (
    Entries,
    EntryComputation,
    ModelBatch,
    StateComputation,
)
from trainwright.evaluation.slices.slicing import Memberships
from trainwright.evaluation.sum_table import SumTable


@dataclass(frozen=True)
class Means(EntryComputation):
    """Of each example its prediction and one."""

    model_name: str = ""
    output_name: str = ""
    width = 2

    def entries(self, batch):
        return Entries(np.stack([batch.predictions, np.ones(batch.size)], axis=1))


@dataclass(frozen=True)
class ClassHistogram(EntryComputation):
    """Of each class of each example one, in the bucket of its prediction's tenth."""

    model_name: str = ""
    output_name: str = ""
    width = 1
    bucket_count = 10

    def entries(self, batch):
        rows, classes = np.indices(batch.predictions.shape)
        buckets = (batch.predictions * 10).astype(np.int64).ravel()
        # In another order than the rows, which must not matter.
        order = np.argsort(classes.ravel(), kind="stable")
        return Entries(np.ones((len(order), 1)), rows.ravel()[order], buckets[order])


@dataclass(frozen=True)
class Largest(StateComputation):
    """Counts examples, all at once."""

    model_name: str = ""
    output_name: str = ""
    width = 1

    def state(self, batch):
        return np.array([float(batch.size)])


def batch_of(predictions):
    values = np.array(predictions, float)
    return ModelBatch(labels=None, predictions=values, weights=None, size=len(values))


def memberships(*pairs):
    slices, rows = zip(*sorted(pairs), strict=True)
    return Memberships(np.array(slices), np.array(rows))


def test_sums_are_by_slice():
    table = SumTable(Means())
    table.add(batch_of([1, 2, 4]), memberships((0, 0), (0, 1), (0, 2), (3, 1)))
    table.add(batch_of([8]), memberships((3, 0)))
    assert table.sums(0).total.tolist() == [7, 3]
    assert table.sums(3).total.tolist() == [10, 2]
    assert table.sums(1).values.tolist() == []


def test_entries_of_several_classes_go_to_all_slices_of_their_example():
    table = SumTable(ClassHistogram())
    table.add(batch_of([[0.05, 0.95], [0.15, 0.05]]), memberships((0, 0), (0, 1), (1, 1)))
    assert table.sums(0).buckets.tolist() == [0, 1, 9]
    assert table.sums(0).values.ravel().tolist() == [2, 1, 1]
    assert table.sums(1).buckets.tolist() == [0, 1]


@pytest.mark.parametrize("computation", [Means(), Largest()])
def test_a_replicate_counts_examples_as_often_as_they_were_drawn(computation):
    table = SumTable(computation, copies=3)
    counts = np.array([[0, 2], [1, 1], [3, 0]])
    table.add(batch_of([1, 2, 4]), memberships((0, 0), (0, 1), (0, 2)), counts)
    assert table.sums(0, 0).total[-1] == 3
    assert table.sums(0, 1).total[-1] == 4
    assert table.sums(0, 2).total[-1] == 3


def test_infinity_that_was_not_drawn_counts_nothing():
    table = SumTable(Means(), copies=2)
    table.add(batch_of([np.inf, 2]), memberships((0, 0), (0, 1)), np.array([[0], [1]]))
    assert table.sums(0, 1).total.tolist() == [2, 1]


def test_a_table_survives_its_bytes_and_other_slice_numbers():
    first, second = SumTable(ClassHistogram()), SumTable(ClassHistogram())
    first.add(batch_of([[0.05]]), memberships((0, 0)))
    second.add(batch_of([[0.05], [0.55]]), memberships((0, 0), (1, 1)))
    arrived = SumTable.deserialize(second.serialize(), ClassHistogram())
    first.merge(arrived, [4, 0])
    assert first.sums(0).buckets.tolist() == [0, 5]
    assert first.sums(4).buckets.tolist() == [0]


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=6), min_size=1, max_size=6))
def test_sums_agree_with_a_loop(batches):
    table = SumTable(ClassHistogram())
    expected: dict = {}
    for tenths in batches:
        members = [(row % 2, row) for row in range(len(tenths))]
        table.add(batch_of([[tenth / 10 + 0.05] for tenth in tenths]), memberships(*members))
        for number, row in members:
            key = (number, tenths[row])
            expected[key] = expected.get(key, 0) + 1
    found = {
        (number, bucket): value
        for number in (0, 1)
        for bucket, (value,) in zip(
            table.sums(number).buckets.tolist(), table.sums(number).values.tolist(), strict=True
        )
    }
    assert found == expected
