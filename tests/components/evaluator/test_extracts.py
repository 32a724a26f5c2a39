"""Extracts: parts of a batch put together again, and columns of all that TFMA has for features."""

from __future__ import annotations

from collections import namedtuple

import numpy as np
import pytest

from trainwright.components.evaluator.extracts import ROW, merge_extracts, of_model, to_column

Sparse = namedtuple("Sparse", ["values", "indices", "dense_shape"])
Ragged = namedtuple("Ragged", ["values", "nested_row_splits"])


def batch(rows, **values):
    return {ROW: np.array(rows)[:, np.newaxis], **values}


class TestMerge:
    def test_a_batch_that_stayed_whole_is_itself(self):
        labels = np.array([1, 0])
        assert merge_extracts([batch([0, 1], labels=labels)], 2)["labels"] is labels

    def test_batches_come_back_in_the_order_of_their_rows(self):
        parts = [
            batch([2, 0], predictions={"a": np.array([[2.0, 2.5], [0.0, 0.5]])}),
            batch([1], predictions={"a": np.array([[1.0, 1.5]])}),
        ]
        merged = merge_extracts(parts, 3)
        assert merged["predictions"]["a"].tolist() == [[0.0, 0.5], [1.0, 1.5], [2.0, 2.5]]

    def test_examples_by_themselves_become_a_batch(self):
        parts = [
            {ROW: np.array([1]), "features": {"town": np.array([b"Ulm"]), "tags": None}},
            {ROW: np.array([0]), "features": {"town": np.array([b"Bonn", b"Ulm"]), "tags": None}},
        ]
        merged = merge_extracts(parts, 2)["features"]
        assert to_column(merged["town"]).row_splits.tolist() == [0, 2, 3]
        assert to_column(merged["town"]).values.tolist() == [b"Bonn", b"Ulm", b"Ulm"]
        assert merged["tags"] is None

    def test_sparse_features_are_split_too(self):
        tags = Sparse(np.array([b"a", b"b"]), np.array([[1, 0], [1, 1]]), np.array([2, 2]))
        merged = merge_extracts([batch([1, 0], tags=tags)], 2)
        assert [list(row) for row in merged["tags"]] == [[b"a", b"b"], []]

    def test_lost_examples_are_told(self):
        with pytest.raises(ValueError, match="returned 1 examples of 2: expected each of them"):
            merge_extracts([batch([0])], 2)

    def test_a_lost_number_is_told(self):
        with pytest.raises(ValueError, match="Let it change a copy of its argument"):
            merge_extracts([{"predictions": np.array([1.0])}], 1)


class TestColumns:
    @pytest.mark.parametrize(
        "value",
        [
            [np.array([b"a", b"b"]), None, np.array([b"c"])],
            np.array([np.array([b"a", b"b"]), None, np.array([b"c"])], dtype=object),
            [["a", "b"], [], ["c"]],
            Ragged(np.array([b"a", b"b", b"c"]), [np.array([0, 2, 2, 3])]),
            Ragged(np.array([b"a", b"b", b"c"]), [np.array([0, 1, 1, 2]), np.array([0, 2, 3])]),
            Sparse(
                np.array([b"a", b"b", b"c"], dtype=object),
                np.array([[0, 0], [0, 1], [2, 0]]),
                np.array([3, 2]),
            ),
        ],
    )
    def test_features_of_any_length(self, value):
        column = to_column(value)
        assert column.values.tolist() == [b"a", b"b", b"c"]
        assert column.values.dtype == object
        assert column.row_splits.tolist() == [0, 2, 2, 3]

    def test_dense_features(self):
        column = to_column(np.array([[1.0, 2.0], [3.0, 4.0]]))
        assert column.row_splits.tolist() == [0, 2, 4]


def test_the_part_of_a_model():
    assert of_model({"candidate": 1, "baseline": 2}, "baseline") == 2
    assert of_model({"likes": 1}, "") == {"likes": 1}
    rows = [{"candidate": 0.5}, {"candidate": 0.7}]
    assert of_model(rows, "candidate").tolist() == [0.5, 0.7]
