"""Columns of any type become flat columns of int64, float32 and bytes."""

import datetime
import decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainwright.data.example_writing.bad_records import RecordError
from trainwright.data.example_writing.overflows import Overflows
from trainwright.data.example_writing.parquet_columns import (
    ColumnError,
    find_leaves,
    merge_leaves,
    to_feature_columns,
)

DAY = datetime.date(1970, 1, 3)
SECOND = datetime.time(0, 0, 1)
DECIMAL = decimal.Decimal


def convert(column, arrow_type=None):
    """The features of a column `x`, by name."""
    array = column if isinstance(column, pa.Array) else pa.array(column, arrow_type)
    batch = pa.RecordBatch.from_arrays([array], names=["x"])
    converted = to_feature_columns(
        batch, find_leaves(batch.schema, "f.parquet"), "f.parquet", 0, Overflows()
    )
    return {name: converted.column(name) for name in converted.schema.names}


@pytest.mark.parametrize(
    ("column", "arrow_type", "expected_type", "expected"),
    [
        ([True, None, False], pa.bool_(), pa.int64(), [1, None, 0]),
        ([1, None, -3], pa.int8(), pa.int64(), [1, None, -3]),
        ([1, None, 2**32 - 1], pa.uint32(), pa.int64(), [1, None, 2**32 - 1]),
        ([1, None, 2**63 - 1], pa.uint64(), pa.int64(), [1, None, 2**63 - 1]),
        (np.array([1, 0.5], np.float16), pa.float16(), pa.float32(), [1.0, 0.5]),
        ([1.5, None, 1e300], pa.float64(), pa.float32(), [1.5, None, float("inf")]),
        (["a", None, "é"], pa.string(), pa.binary(), [b"a", None, "é".encode()]),
        (["a", None], pa.large_string(), pa.binary(), [b"a", None]),
        (["a", None], pa.string_view(), pa.binary(), [b"a", None]),
        ([b"\xff", None], pa.large_binary(), pa.binary(), [b"\xff", None]),
        ([b"\xff", None], pa.binary_view(), pa.binary(), [b"\xff", None]),
        ([b"ab", None], pa.binary(2), pa.binary(), [b"ab", None]),
        ([DECIMAL(5), None], pa.decimal128(20, 0), pa.int64(), [5, None]),
        ([DECIMAL("5.25"), None], pa.decimal128(9, 2), pa.float32(), [5.25, None]),
        ([DECIMAL("5.25"), None], pa.decimal256(50, 2), pa.float32(), [5.25, None]),
        ([7, None], pa.timestamp("us"), pa.int64(), [7, None]),
        ([7, None], pa.timestamp("ns", "Europe/Vienna"), pa.int64(), [7, None]),
        ([DAY, None], pa.date32(), pa.int64(), [2, None]),
        ([DAY, None], pa.date64(), pa.int64(), [2, None]),
        ([SECOND, None], pa.time32("ms"), pa.int64(), [1000, None]),
        ([SECOND, None], pa.time64("us"), pa.int64(), [1_000_000, None]),
        ([3, None], pa.duration("s"), pa.int64(), [3, None]),
        ([None, None], pa.null(), pa.null(), [None, None]),
    ],
)
def test_values(column, arrow_type, expected_type, expected):
    converted = convert(column, arrow_type)["x"]
    assert converted.type == expected_type
    assert converted.to_pylist() == expected


def test_dictionaries_are_decoded():
    assert convert(pa.array(["a", None, "a"]).dictionary_encode())["x"].to_pylist() == [
        b"a",
        None,
        b"a",
    ]


@pytest.mark.parametrize(
    "arrow_type", [pa.list_(pa.int16()), pa.large_list(pa.uint8()), pa.list_view(pa.int64())]
)
def test_lists(arrow_type):
    converted = convert([[1, 2], None, [], [3]], arrow_type)["x"]
    assert converted.type == pa.list_(pa.int64())
    assert [cell or [] for cell in converted.to_pylist()] == [[1, 2], [], [], [3]]


def test_lists_of_fixed_size():
    converted = convert([[1, 2], None, [5, 6]], pa.list_(pa.int16(), 2))["x"]
    assert [cell or [] for cell in converted.to_pylist()] == [[1, 2], [], [5, 6]]


def test_lists_in_lists_have_their_lengths_beside_them():
    columns = convert([[[[1], []], [[2, 3]]], None, [], [[], [[4]]]])
    assert {name: [cell or [] for cell in c.to_pylist()] for name, c in columns.items()} == {
        "x": [[1, 2, 3], [], [], [4]],
        "x_row_lengths_1": [[2, 1], [], [], [0, 1]],
        "x_row_lengths_2": [[1, 0, 2], [], [], [1]],
    }


def test_structs_become_dotted_names():
    columns = convert([{"a": 1, "b": {"c": "x"}}, None, {"a": None, "b": None}])
    assert {name: column.to_pylist() for name, column in columns.items()} == {
        "x.a": [1, None, None],
        "x.b.c": [b"x", None, None],
    }


def test_structs_in_lists():
    arrow_type = pa.list_(pa.struct([("a", pa.int32()), ("b", pa.list_(pa.float32()))]))
    columns = convert([[{"a": 1, "b": [1]}, {"a": 2, "b": []}], None], arrow_type)
    assert {name: [cell or [] for cell in c.to_pylist()] for name, c in columns.items()} == {
        "x.a": [[1, 2], []],
        "x.b": [[1.0], []],
        "x.b_row_lengths_1": [[1, 0], []],
    }


NESTED = st.none() | st.lists(st.lists(st.lists(st.integers(-9, 9), max_size=3), max_size=3))


@settings(deadline=None, max_examples=100)
@given(rows=st.lists(NESTED, max_size=8), start=st.integers(0, 8))
def test_nested_lists_can_be_put_together_again(rows, start):
    array = pa.array(rows, pa.list_(pa.list_(pa.list_(pa.int64())))).slice(start)
    columns = convert(array)
    for position, row in enumerate(rows[start:]):
        values = iter(columns["x"][position].as_py() or [])
        inner = iter(columns["x_row_lengths_2"][position].as_py() or [])
        outer = columns["x_row_lengths_1"][position].as_py() or []
        rebuilt = [[[next(values) for _ in range(next(inner))] for _ in range(n)] for n in outer]
        assert rebuilt == (row or [])
        assert next(values, None) is None


@pytest.mark.parametrize(
    ("column", "arrow_type", "row"),
    [
        ([[1], [2, None]], pa.list_(pa.int64()), 2),
        ([[[1]], [], [[1], None]], pa.list_(pa.list_(pa.int64())), 3),
        ([[], [[1], [None]]], pa.list_(pa.list_(pa.int64())), 2),
        ([[None]], pa.list_(pa.null()), 1),
        ([[{"a": 1}], [None]], pa.list_(pa.struct([("a", pa.int64())])), 2),
    ],
)
def test_a_missing_value_in_a_list_is_refused_with_its_row(column, arrow_type, row):
    with pytest.raises(RecordError) as raised:
        convert(column, arrow_type)
    assert str(raised.value).startswith(
        f"f.parquet, row {row}: a list in the column 'x' contains a missing value"
    )


@pytest.mark.parametrize(
    ("column", "arrow_type"),
    [([2**63], pa.uint64()), ([DECIMAL(10) ** 30], pa.decimal128(38, 0))],
)
def test_a_number_that_is_too_large_is_refused(column, arrow_type):
    with pytest.raises(RecordError, match="from row 1 on: a value of the column 'x' is too large"):
        convert(column, arrow_type)


@pytest.mark.parametrize(
    ("arrow_type", "named"),
    [
        (pa.map_(pa.string(), pa.int64()), "map<string, int64>"),
        (pa.list_(pa.map_(pa.string(), pa.int64())), "map<string, int64>"),
        (pa.month_day_nano_interval(), "month_day_nano_interval"),
        (pa.dense_union([pa.field("a", pa.int64())]), "dense_union"),
    ],
)
def test_a_type_that_has_no_place_is_refused(arrow_type, named):
    with pytest.raises(ColumnError) as raised:
        find_leaves(pa.schema([("x", arrow_type)]), "f.parquet")
    assert str(raised.value).startswith("f.parquet: the column 'x' has the type ")
    assert named in str(raised.value)
    assert "cannot become a feature" in str(raised.value)


@pytest.mark.parametrize(
    "fields",
    [
        [("a", pa.int64()), ("a", pa.int64())],
        [("a.b", pa.int64()), ("a", pa.struct([("b", pa.int64())]))],
        [("a", pa.list_(pa.list_(pa.int64()))), ("a_row_lengths_1", pa.int64())],
    ],
)
def test_two_columns_cannot_become_one_feature(fields):
    with pytest.raises(ColumnError, match="both become the feature"):
        find_leaves(pa.schema(fields), "f.parquet")


def test_no_columns():
    with pytest.raises(ColumnError, match=r"f\.parquet has no columns"):
        find_leaves(pa.schema([]), "f.parquet")


def merge(first, second):
    leaves = find_leaves(pa.schema(first), "one")
    return merge_leaves("one", leaves, "two", pa.schema(second))


def test_files_agree_if_their_features_do():
    first = [("a", pa.int32()), ("b", pa.null()), ("c", pa.list_(pa.null()))]
    second = [("c", pa.list_(pa.string())), ("b", pa.float64()), ("a", pa.int64())]
    merged = merge(first, second)
    assert {name: str(leaf) for name, leaf in merged.items()} == {
        "a": "int64",
        "b": "float",
        "c": "list of binary",
    }


@pytest.mark.parametrize(
    ("second", "complaint"),
    [
        ([("a", pa.float32())], "The column 'a' is int64 in one, but float in two"),
        ([("a", pa.list_(pa.int64()))], "'a' is int64 in one, but list of int64 in two"),
        ([("a", pa.int64()), ("b", pa.int64())], "two has the column 'b', which one does not"),
        ([("b", pa.int64())], "one has the column 'a', which two does not have"),
    ],
)
def test_files_that_do_not_agree_are_named_with_the_column(second, complaint):
    with pytest.raises(ColumnError) as raised:
        merge([("a", pa.int64())], second)
    assert complaint in str(raised.value)


def test_a_column_without_values_takes_the_type_that_another_file_gives_it():
    leaves = find_leaves(pa.schema([("x", pa.list_(pa.list_(pa.int64())))]), "one")
    batch = pa.RecordBatch.from_arrays([pa.nulls(2)], names=["x"])
    converted = to_feature_columns(batch, leaves, "two", 0, Overflows())
    assert converted.schema.types == [pa.list_(pa.int64())] * 2
    assert converted.schema.names == ["x", "x_row_lengths_1"]
