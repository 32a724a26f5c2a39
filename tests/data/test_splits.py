"""Rows go to the splits that TFX's rule gives them."""

import bisect
import hashlib
import itertools

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tensorflow.core.example import feature_pb2

from trainwright.data.example_codec import encode_examples
from trainwright.data.example_writing.column_types import ColumnType
from trainwright.data.example_writing.splits import HashSplits

TRAIN_EVAL = HashSplits(buckets=(("train", 2), ("eval", 1)))


def split_by_tfx_rule(key, counts):
    ends = list(itertools.accumulate(counts))
    return bisect.bisect(ends, int(hashlib.sha256(key).hexdigest(), 16) % ends[-1])


@settings(deadline=None)
@given(
    keys=st.lists(st.binary(max_size=20), max_size=20),
    counts=st.lists(st.integers(1, 10) | st.integers(1, 2**32 - 1), min_size=1, max_size=5),
)
def test_keys_follow_the_rule(keys, counts):
    splits = HashSplits(buckets=tuple((str(i), count) for i, count in enumerate(counts)))
    expected = [split_by_tfx_rule(key, counts) for key in keys]
    assert splits.assign_keys(keys).tolist() == expected


def test_key_is_the_whole_row():
    batch = pa.RecordBatch.from_arrays([pa.array(range(100))], names=["id"])
    examples = encode_examples(batch).to_pylist()
    expected = [split_by_tfx_rule(example, [2, 1]) for example in examples]
    assert TRAIN_EVAL.assign(examples, batch).tolist() == expected
    assert set(expected) == {0, 1}


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pa.array([1, 2, None, 1, -1] * 5), "int64_list"),
        (pa.array([b"a", b"b", None, b"", b"a"] * 5), "bytes_list"),
    ],
)
def test_key_is_the_partition_feature(column, kind):
    batch = pa.RecordBatch.from_arrays([column, pa.array(range(25))], names=["user", "id"])
    splits = HashSplits(buckets=(("a", 3), ("b", 2), ("c", 2)), partition_feature="user")
    keys = []
    for cell in column.to_pylist():
        feature = feature_pb2.Feature()
        getattr(feature, kind).value.extend([] if cell is None else [cell])
        getattr(feature, kind).SetInParent()
        keys.append(feature.SerializeToString(deterministic=True))
    expected = [split_by_tfx_rule(key, [3, 2, 2]) for key in keys]
    assert splits.assign(encode_examples(batch).to_pylist(), batch).tolist() == expected


def test_one_split_gets_every_row():
    batch = pa.RecordBatch.from_arrays([pa.array([1, 2])], names=["id"])
    splits = HashSplits(buckets=(("all", 7),))
    assert splits.assign(encode_examples(batch).to_pylist(), batch).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("feature", "column_types", "message"),
    [
        ("usr", {"user": ColumnType.INT}, "no column 'usr' to partition by; did you mean 'user'"),
        ("x", {"x": ColumnType.FLOAT}, "only bytes and int64 features can partition"),
        ("x", {"x": ColumnType.UNKNOWN}, "'x' does not contain any value"),
    ],
)
def test_partition_features_that_are_refused(feature, column_types, message):
    splits = HashSplits(buckets=(("train", 1), ("eval", 1)), partition_feature=feature)
    with pytest.raises(ValueError, match=message):
        splits.check_columns(column_types)


@pytest.mark.parametrize("column_type", [ColumnType.INT, ColumnType.BYTES])
def test_partition_features_that_are_accepted(column_type):
    splits = HashSplits(buckets=(("train", 1), ("eval", 1)), partition_feature="x")
    splits.check_columns({"x": column_type})


@pytest.mark.parametrize(
    ("buckets", "message"),
    [
        ((), "no splits"),
        ((("train", 0),), "'train' has 0 hash buckets: expected 1 or more"),
        ((("train", 1), ("train", 2)), "'train' is used more than once"),
        ((("", 1),), "A split has no name"),
        ((("a/b", 1),), "alphanumeric .* got 'a/b' instead"),
    ],
)
def test_splits_that_are_refused(buckets, message):
    with pytest.raises(ValueError, match=message):
        HashSplits(buckets=buckets)
