"""The type of a CSV column, found from its cells by Python's own rules for numbers.

A column is int if every cell is, else float if every cell is a number, else bytes. "Is" means what
Python's `int()` and `float()` accept from bytes (`1_000`, ` 12` and `+5` are ints, `0x10` is not),
because that is how TFX decides, and a column of another type puts other rows into the eval split.
Ordinary spellings are recognised by the batch; only the distinct cells that are left reach Python.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute

from trainwright.data.arrow_arrays import from_numpy

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


def widen_type(so_far: ColumnType, cells: pa.Array[Any]) -> ColumnType:
    """The type of a column whose earlier cells had type `so_far` and which goes on with `cells`."""
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


def convert_column(cells: pa.Array[Any], column_type: ColumnType) -> pa.Array[Any]:
    """The cells as values of `column_type`, which must be that of the whole column."""
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
