"""Arrow arrays to and from Python and NumPy, without pandas.

`pyarrow.array`, `pyarrow.scalar` and `numpy.asarray` import pandas, where it is installed, to look
for its types. That takes longer than the conversion of a small file; these functions do without.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute

# Columns with fewer cells than this are handled together: a call of a kernel costs as much as the
# work on some hundred cells, and a wide table has few rows in a batch.
FEW_ROWS = 64


def to_numpy(numbers: pa.Array[Any]) -> npt.NDArray[Any]:
    """A view of an array of numbers; what a null cell holds is undefined."""
    buffers = [None, numbers.buffers()[1]]
    without_nulls = pa.Array.from_buffers(
        numbers.type, len(numbers), buffers, null_count=0, offset=numbers.offset
    )
    return np.from_dlpack(without_nulls)


def valid_cells(array: pa.Array[Any]) -> npt.NDArray[np.bool_]:
    """Which cells of an array are not null."""
    flags = pyarrow.compute.is_valid(array).cast(pa.uint8())
    return to_numpy(flags).view(np.bool_)


def from_numpy(numbers: npt.NDArray[Any]) -> pa.Array[Any]:
    buffers = [None, pa.py_buffer(numbers.tobytes())]
    return pa.Array.from_buffers(pa.from_numpy_dtype(numbers.dtype), len(numbers), buffers)


def binary_array(values: Sequence[bytes]) -> pa.Array[Any]:
    lengths = np.fromiter(map(len, values), np.int64, len(values))
    return binary_array_from_lengths(b"".join(values), lengths)


def binary_array_from_lengths(
    data: bytes, lengths: npt.NDArray[np.int64], is_valid: npt.NDArray[np.bool_] | None = None
) -> pa.Array[Any]:
    """The array whose values lie one after the other in `data`; null where not `is_valid`."""
    offsets = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    validity = None
    if is_valid is not None:
        validity = pa.py_buffer(np.packbits(is_valid, bitorder="little").tobytes())
    buffers = [validity, pa.py_buffer(offsets.tobytes()), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.binary(), len(lengths), buffers)


def concatenate(columns: Sequence[pa.Array[Any]]) -> pa.Array[Any]:
    """The cells of columns of one type, column after column; `cut` is the way back."""
    joined: Any = pa.concat_arrays(list(columns))
    return joined


def cut(cells: pa.Array[Any], rows: int) -> list[pa.Array[Any]]:
    """The columns of tables that were concatenated, each cut by its number of rows."""
    return [cells.slice(start, rows) for start in range(0, len(cells), rows)]
