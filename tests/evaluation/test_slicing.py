"""Slices: which examples belong to which."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainwright.evaluation.batches.features import FeatureColumn
from trainwright.evaluation.slices.slicing import SliceNumbers, SliceSpec, find_memberships
from trainwright.proto.tfma import config_pb2


def column(rows, dtype=object):
    lengths = [len(row) for row in rows]
    values = np.array(list(itertools.chain.from_iterable(rows)), dtype)
    return FeatureColumn(values, np.r_[0, np.cumsum(lengths)].astype(np.int64))


def members(specs, columns, size):
    """The rows of each slice."""
    numbers = SliceNumbers()
    found = find_memberships(specs, columns, size, numbers)
    rows: dict = {}
    for number, row in zip(found.slices.tolist(), found.rows.tolist(), strict=True):
        rows.setdefault(numbers.keys[number], []).append(row)
    return rows


COLUMNS = {
    "company": column([[b"Blue"], [b"Top"], [], [b"Blue", b"Top"]]),
    "hour": column([[7], [7], [8], [8]], np.int64),
    "fare": column([[2.5], [], [2.5], [4.0]], np.float32),
}


def test_all_examples_belong_to_the_slice_without_columns():
    assert members([SliceSpec()], COLUMNS, 4) == {(): [0, 1, 2, 3]}


def test_an_example_belongs_to_the_slice_of_each_of_its_values():
    assert members([SliceSpec(("company",))], COLUMNS, 4) == {
        (("company", "Blue"),): [0, 3],
        (("company", "Top"),): [1, 3],
    }


def test_columns_are_crossed_and_named_in_order():
    spec = SliceSpec.from_proto(config_pb2.SlicingSpec(feature_keys=["hour", "company"]))
    assert members([spec], COLUMNS, 4) == {
        (("company", "Blue"), ("hour", 7)): [0],
        (("company", "Top"), ("hour", 7)): [1],
        (("company", "Blue"), ("hour", 8)): [3],
        (("company", "Top"), ("hour", 8)): [3],
    }


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"hour": "8"}, {(("hour", 8),): [2, 3]}),
        ({"fare": "2.5"}, {(("fare", 2.5),): [0, 2]}),
        ({"company": "Top", "hour": "7"}, {(("company", "Top"), ("hour", 7)): [1]}),
        ({"hour": "nine"}, {}),
        ({"company": "Red"}, {}),
        ({"driver": "Ada"}, {}),
    ],
)
def test_values_choose_examples(values, expected):
    spec = SliceSpec.from_proto(config_pb2.SlicingSpec(feature_values=values))
    assert members([spec], COLUMNS, 4) == expected


def test_numbers_in_text_are_found_by_their_number():
    spec = SliceSpec.from_proto(config_pb2.SlicingSpec(feature_values={"zip": "60601"}))
    assert members([spec], {"zip": column([[b"60601"], [b"60602"]])}, 2) == {(("zip", 60601),): [0]}


def test_two_specs_of_one_slice_count_an_example_once():
    named = SliceSpec((), (("hour", 7),))
    assert members([SliceSpec(("hour",)), named], COLUMNS, 4)[(("hour", 7),)] == [0, 1]


def test_a_value_that_comes_twice_counts_once():
    columns = {"tag": column([[b"a", b"a"], [b"b"]])}
    assert members([SliceSpec(("tag",))], columns, 2)[(("tag", "a"),)] == [0]


def test_a_feature_in_keys_and_values_is_refused():
    with pytest.raises(ValueError, match="names hour in feature_keys and in feature_values"):
        SliceSpec.from_proto(
            config_pb2.SlicingSpec(feature_keys=["hour"], feature_values={"hour": "7"})
        )


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(ValueError, match=r"'raw' has the value b'\\xff', which is not UTF-8"):
        members([SliceSpec(("raw",))], {"raw": column([[b"\xff"]])}, 1)


rows_of_text = st.lists(st.sampled_from([b"x", b"y", b"z"]), max_size=3)
rows_of_numbers = st.lists(st.integers(0, 2), max_size=2)


@given(st.lists(st.tuples(rows_of_text, rows_of_numbers), min_size=1, max_size=8))
def test_crosses_agree_with_a_loop_over_examples(rows):
    columns = {
        "text": column([text for text, _ in rows]),
        "number": column([number for _, number in rows], np.int64),
    }
    expected: dict = {}
    for row, (texts, numbers) in enumerate(rows):
        for number, text in itertools.product(set(numbers), set(texts)):
            expected.setdefault((("number", number), ("text", text.decode())), []).append(row)
    assert members([SliceSpec(("number", "text"))], columns, len(rows)) == expected


def test_a_spec_covers_its_slices():
    spec = SliceSpec(("hour",), (("company", "Blue"),))
    assert spec.covers((("company", "Blue"), ("hour", 7)))
    assert not spec.covers((("company", "Top"), ("hour", 7)))
    assert not spec.covers((("hour", 7),))
    assert SliceSpec().covers(())
