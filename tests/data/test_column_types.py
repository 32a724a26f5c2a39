"""A column's type and values are what Python's int() and float() make of its cells."""

import math
import struct

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainwright.data.example_writing.column_types import ColumnType, convert_columns, widen_types

INT, FLOAT, BYTES, UNKNOWN = ColumnType.INT, ColumnType.FLOAT, ColumnType.BYTES, ColumnType.UNKNOWN

NUMBERS = (
    st.integers().map(str)
    | st.floats().map(repr)
    | st.floats().map(lambda x: f"{x:.3e}")
    | st.decimals(allow_nan=False, allow_infinity=False).map(str)
)
CELLS = NUMBERS | st.text("0123456789+-._eExXnaif \t\n") | st.text()


def column(*cells):
    return pa.array([cell or None for cell in cells], pa.string())


def type_of(*cells):
    return widen_type(UNKNOWN, column(*cells))


def widen_type(so_far, cells):
    """The type of one column, which must not depend on how many rows are looked at together."""
    [alone] = widen_types([so_far], [cells])
    [_, beside_others] = widen_types([UNKNOWN, so_far], [column(*["x"] * len(cells)), cells])
    [among_many_rows] = widen_types(
        [so_far], [pa.concat_arrays([cells, pa.nulls(64, pa.string())])]
    )
    assert alone is beside_others is among_many_rows
    return alone


def convert_column(cells, column_type):
    """The values of one column, which must not depend on how many rows are converted together."""
    [alone] = convert_columns([cells], [column_type]).columns
    texts = column(*["x"] * len(cells))
    [_, beside_others] = convert_columns([texts, cells], [BYTES, column_type]).columns
    many_rows = pa.concat_arrays([cells, pa.nulls(64, pa.string())])
    [among_many_rows] = convert_columns([many_rows], [column_type]).columns
    assert str(alone) == str(beside_others) == str(among_many_rows.slice(0, len(cells)))
    return alone


def type_by_python(cells):
    """The rule of TFX, a cell at a time."""
    types = [UNKNOWN]
    for cell in filter(None, cells):
        try:
            types.append(INT if -(2**63) <= int(cell.encode()) < 2**63 else BYTES)
        except ValueError:
            try:
                float(cell.encode())
                types.append(FLOAT)
            except ValueError:
                types.append(BYTES)
    return max(types)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("12", INT),
        ("-12", INT),
        ("+5", INT),
        (" 12", INT),
        ("12\t", INT),
        ("1_000", INT),
        ("007", INT),
        ("9223372036854775807", INT),
        ("-9223372036854775808", INT),
        ("000000000000000000000000001", INT),
        ("9223372036854775808", BYTES),
        ("99999999999999999999999", BYTES),
        ("0x10", BYTES),
        ("1__0", BYTES),
        ("٣", BYTES),
        ("-", BYTES),
        ("1e5", FLOAT),
        ("1.", FLOAT),
        (".5", FLOAT),
        ("-1.5E-3", FLOAT),
        ("+1.5", FLOAT),
        (" 1.5 ", FLOAT),
        ("1_0.5", FLOAT),
        ("99999999999999999999999.", FLOAT),
        ("1e400", FLOAT),
        ("nan", FLOAT),
        ("-NaN", FLOAT),
        ("inf", FLOAT),
        ("-Infinity", FLOAT),
        ("nan(1)", BYTES),
        ("1e", BYTES),
        (".", BYTES),
        ("1.5f", BYTES),
        ("0x1p3", BYTES),
        ("1,5", BYTES),
        ("NA", BYTES),
        ("true", BYTES),
        (" ", BYTES),
        ("1\x00", BYTES),
    ],
)
def test_type_of_a_cell(cell, expected):
    assert type_of(cell) is expected
    assert type_by_python([cell]) is expected


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ((), UNKNOWN),
        (("", ""), UNKNOWN),
        (("", "1"), INT),
        (("1", "1.5"), FLOAT),
        (("1.5", "1"), FLOAT),
        (("1", "x"), BYTES),
        (("1.5", "99999999999999999999"), BYTES),
    ],
)
def test_type_of_a_column_is_its_highest(cells, expected):
    assert type_of(*cells) is expected


@settings(deadline=None)
@given(cells=st.lists(CELLS), more=st.lists(CELLS))
def test_types_follow_python_over_batches(cells, more):
    assert widen_type(type_of(*cells), column(*more)) is type_by_python(cells + more)


@settings(deadline=None)
@given(cells=st.lists(NUMBERS | st.just("") | st.sampled_from([" 1", "+2.5", "1_0", "-nan"])))
def test_values_are_pythons(cells):
    column_type = type_of(*cells)
    converted = convert_column(column(*cells), column_type)
    assert converted.type == column_type.arrow_type
    for cell, value in zip(cells, converted.to_pylist(), strict=True):
        assert_same_value(cell, value, column_type)


def assert_same_value(cell, value, column_type):
    if not cell:
        assert value is None
    elif column_type is INT:
        assert value == int(cell)
    elif column_type is FLOAT:
        with np.errstate(over="ignore"):
            assert struct.pack("f", value) == np.float32(float(cell)).tobytes()
    else:
        assert value == cell.encode()


def test_one_odd_spelling_does_not_change_the_others():
    cells = column("1", " 2", "", "3_0", "-4")
    assert convert_column(cells, INT).to_pylist() == [1, 2, None, 30, -4]


def test_numbers_beyond_float32_are_infinite():
    values = convert_column(column("1e39", "-1e39", "1e400", "1e-50"), FLOAT).to_pylist()
    assert values == [math.inf, -math.inf, math.inf, 0.0]


@pytest.mark.parametrize("rows", [4, 100])
def test_numbers_that_became_infinite_are_told_from_infinities(rows):
    cells = column("1e39", "-Infinity", "1.5", *[""] * (rows - 4), "-1e400")
    texts = column(*["1e39"] * rows)
    converted = convert_columns([texts, cells, cells], [BYTES, FLOAT, FLOAT])
    assert converted.overflows == [(1, "1e39"), (1, "-1e400"), (2, "1e39"), (2, "-1e400")]


def test_a_sliced_column_converts_its_own_rows():
    cells = column("1", "2", "", " 4").slice(1)
    assert convert_column(cells, INT).to_pylist() == [2, None, 4]
    assert convert_column(cells, BYTES).to_pylist() == [b"2", None, b" 4"]
    assert convert_column(cells, UNKNOWN).to_pylist() == [None] * 3
