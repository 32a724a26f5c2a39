"""The type of a CSV column, found from its cells by Python's own rules for numbers.

A column is int if every cell is, else float if every cell is a number, else bytes. "Is" means what
Python's `int()` and `float()` accept from bytes (`1_000`, ` 12` and `+5` are ints, `0x10` is not),
because that is how TFX decides, and a column of another type puts other rows into the eval split.
Ordinary spellings are recognised by the batch; only the distinct cells that are left reach Python.
"""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute

from trainwright.data.arrow_arrays import (
    FEW_ROWS,
    concatenate,
    cut,
    from_numpy,
    to_numpy,
    valid_cells,
)

# The kernels are registered at run time, so a type checker cannot know them.
pc: Any = pyarrow.compute


class ColumnType(enum.IntEnum):
    """Ordered: a column has the highest type among its cells. Empty cells have none."""

    UNKNOWN = 0  # no cell has a value
    INT = 1
    FLOAT = 2
    BYTES = 3

    @property
    def arrow_type(self) -> pa.DataType:
        return _ARROW_TYPES[self]


_ARROW_TYPES: dict[ColumnType, pa.DataType] = {
    ColumnType.UNKNOWN: pa.null(),
    ColumnType.INT: pa.int64(),
    ColumnType.FLOAT: pa.float32(),
    ColumnType.BYTES: pa.binary(),
}

# Each form is a subset of what Python accepts. An int of more than 18 digits is left to Python: it
# may lie outside int64, and then the column is bytes.
_ORDINARY_FORMS = (
    (r"\A-?[0-9]{1,18}\z", ColumnType.INT),
    (r"\A-?(?:[0-9]+\.[0-9]*|[0-9]*\.[0-9]+)(?:[eE][+-]?[0-9]+)?\z", ColumnType.FLOAT),
)
_INT64_RANGE = range(-(2**63), 2**63)


def widen_types(so_far: Sequence[ColumnType], columns: Sequence[pa.Array[Any]]) -> list[ColumnType]:
    """The types of columns whose earlier cells had the types `so_far` and go on with `columns`."""
    rows = len(columns[0]) if columns else 0
    if rows >= FEW_ROWS:
        return [_widen_type(*column) for column in zip(so_far, columns, strict=True)]
    types = list(so_far)
    undecided = [n for n, column_type in enumerate(types) if column_type is not ColumnType.BYTES]
    if not rows or not undecided:
        return types
    found = _cell_types(concatenate([columns[number] for number in undecided]))
    for number, highest in zip(undecided, found.reshape(-1, rows).max(axis=1), strict=True):
        types[number] = max(types[number], ColumnType(highest))
    return types


@dataclass(frozen=True)
class ConvertedColumns:
    """Columns of values, and the cells among them that are beyond float32.

    Args:
        columns: The values.
        overflows: The number of the column and the content of each cell that became infinite.
    """

    columns: list[pa.Array[Any]]
    overflows: list[tuple[int, str]]


def convert_columns(
    columns: Sequence[pa.Array[Any]], types: Sequence[ColumnType]
) -> ConvertedColumns:
    """The cells as values of the types, each of which must be that of the whole column."""
    rows = len(columns[0]) if columns else 0
    converted = list(columns)
    overflows: list[tuple[int, str]] = []
    for column_type, numbers in _converted_together(types, rows):
        is_one = len(numbers) == 1
        text = columns[numbers[0]] if is_one else concatenate([columns[n] for n in numbers])
        cells = _convert_column(text, column_type)
        for number, column in zip(numbers, [cells] if is_one else cut(cells, rows), strict=True):
            converted[number] = column
        overflows += [(numbers[n // rows], cell) for n, cell in _find_overflows(text, cells)]
    return ConvertedColumns(converted, overflows)


def _converted_together(
    types: Sequence[ColumnType], rows: int
) -> Iterator[tuple[ColumnType, list[int]]]:
    """Each type and the numbers of columns of it: one at a time, or all if they have few rows."""
    if not 0 < rows < FEW_ROWS:
        yield from ((column_type, [number]) for number, column_type in enumerate(types))
        return
    numbers_of_type = defaultdict(list)
    for number, column_type in enumerate(types):
        numbers_of_type[column_type].append(number)
    yield from numbers_of_type.items()


def _find_overflows(text: pa.Array[Any], cells: pa.Array[Any]) -> Iterator[tuple[int, str]]:
    """The positions and strings of numbers that are infinite and were not written so."""
    if not pa.types.is_float32(cells.type):
        return
    is_infinite = pc.is_inf(cells)
    if not pc.any(is_infinite).as_py():
        return
    is_spelled = pc.match_substring(text, "inf", ignore_case=True)
    for position in pc.indices_nonzero(pc.and_not(is_infinite, is_spelled)).to_pylist():
        yield position, text[position].as_py()


def _widen_type(so_far: ColumnType, cells: pa.Array[Any]) -> ColumnType:
    if so_far is ColumnType.BYTES:
        return so_far
    remaining: Any = cells.drop_null()
    for form, column_type in _ORDINARY_FORMS:
        others = remaining.filter(pc.invert(pc.match_substring_regex(remaining, form)))
        if len(others) < len(remaining):
            so_far = max(so_far, column_type)
        remaining = others
    for cell in remaining.unique():
        so_far = max(so_far, _cell_type(cell.as_py().encode()))
        if so_far is ColumnType.BYTES:
            break
    return so_far


def _cell_types(cells: pa.Array[Any]) -> npt.NDArray[np.int8]:
    """The type of each cell on its own."""
    types = np.full(len(cells), ColumnType.UNKNOWN, np.int8)
    is_left = valid_cells(cells)
    for form, column_type in _ORDINARY_FORMS:
        matches = pc.fill_null(pc.match_substring_regex(cells, form), False)
        has_form = to_numpy(matches.cast(pa.uint8())).view(np.bool_) & is_left
        types[has_form] = column_type
        is_left = is_left & ~has_form
    left: Any = cells.take(from_numpy(np.flatnonzero(is_left)))
    encoded = left.dictionary_encode()
    distinct = [_cell_type(cell.as_py().encode()) for cell in encoded.dictionary]
    types[is_left] = np.array(distinct, np.int8)[to_numpy(encoded.indices)]
    return types


def _convert_column(cells: pa.Array[Any], column_type: ColumnType) -> pa.Array[Any]:
    if column_type is ColumnType.UNKNOWN:
        return pa.nulls(len(cells))
    if column_type is ColumnType.BYTES:
        return cells.cast(pa.binary())
    if column_type is ColumnType.INT:
        return _convert_numbers(cells, int, np.dtype(np.int64))
    doubles = _convert_numbers(cells, float, np.dtype(np.float64))
    # Unchecked, so that a number too large for float32 becomes infinite, as it does in protobuf.
    return doubles.cast(pa.float32(), safe=False)


def _convert_numbers(
    cells: pa.Array[Any], parse: Callable[[bytes], int | float], dtype: np.dtype[Any]
) -> pa.Array[Any]:
    # What Arrow accepts beyond Python, hexadecimal for one, has made the column bytes already.
    try:
        converted: pa.Array[Any] = pc.cast(cells, pa.from_numpy_dtype(dtype))
    except pa.ArrowInvalid:
        encoded: Any = cells.dictionary_encode()
        distinct = np.array([parse(cell.as_py().encode()) for cell in encoded.dictionary], dtype)
        converted = from_numpy(distinct).take(encoded.indices)
    return converted


def _cell_type(cell: bytes) -> ColumnType:
    try:
        return ColumnType.INT if int(cell) in _INT64_RANGE else ColumnType.BYTES
    except ValueError:
        pass
    try:
        float(cell)
    except ValueError:
        return ColumnType.BYTES
    return ColumnType.FLOAT
