"""Rows of CSV files and of data frames as the record batches that statistics are computed of."""

from __future__ import annotations

import csv
import gzip
import logging
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
import pyarrow as pa
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.data.arrow_arrays import from_numpy, valid_cells
from trainwright.data.example_writing.column_types import ColumnType, convert_columns
from trainwright.data.example_writing.csv_reader import (
    infer_column_types,
    read_batches,
    read_column_names,
)

_logger = logging.getLogger(__name__)

_COMPRESSIONS = ("auto", "gzip", "uncompressed")
_GZIP_MAGIC = b"\x1f\x8b"

_TYPES = {
    schema_pb2.INT: ColumnType.INT,
    schema_pb2.FLOAT: ColumnType.FLOAT,
    schema_pb2.BYTES: ColumnType.BYTES,
}

# Columns of a data frame are integers, floats, booleans or text; others have no feature type.
_KINDS = "iufbOSU"


def read_csv_batches(
    files: Sequence[str],
    column_names: Sequence[str] | None = None,
    delimiter: str = ",",
    schema: schema_pb2.Schema | None = None,
) -> Iterator[pa.RecordBatch]:
    """The rows of CSV files; an empty cell is a missing value.

    Args:
        files: The files, in order.
        column_names: The columns, for files without a header.
        delimiter: What stands between cells.
        schema: Says the types of the columns; without it they are found out from all cells.
    """
    with ExitStack() as stack:
        if column_names is not None or delimiter != ",":
            directory = stack.enter_context(tempfile.TemporaryDirectory())
            files = _rewrite(files, column_names, delimiter, directory)
        names = read_column_names(files)
        if schema is None:
            types = infer_column_types(files, names)
        else:
            types = _types_of_schema(names, schema)
        for batch in read_batches(files, names):
            yield _convert(batch, types)


def _convert(batch: pa.RecordBatch, types: Mapping[str, ColumnType]) -> pa.RecordBatch:
    try:
        columns = batch.select(list(types)).columns
        converted = convert_columns(columns, list(types.values())).columns
    except ValueError as error:
        numbers = [name for name, one in types.items() if one in (ColumnType.INT, ColumnType.FLOAT)]
        raise ValueError(
            f"A cell is not a number, and the schema says that the columns {', '.join(numbers)} "
            f"have numbers: {error}. Correct the schema, or leave infer_type_from_schema out."
        ) from error
    return pa.RecordBatch.from_arrays([to_lists(column) for column in converted], names=list(types))


def _types_of_schema(names: Sequence[str], schema: schema_pb2.Schema) -> dict[str, ColumnType]:
    """The types of the columns that the schema knows; the others are left out, as in TFDV."""
    types = {one.name: _TYPES[one.type] for one in schema.feature if one.type in _TYPES}
    left_out = [name for name in names if name not in types]
    if left_out:
        _logger.warning(
            "These columns are left out, because infer_type_from_schema is set and the schema does "
            "not say their types: %s.",
            ", ".join(map(repr, left_out)),
        )
    return {name: types[name] for name in names if name in types}


def _rewrite(
    files: Sequence[str], column_names: Sequence[str] | None, delimiter: str, directory: str
) -> list[str]:
    """Copies with a header and commas."""
    if not isinstance(delimiter, str) or len(delimiter) != 1:
        raise ValueError(f"delimiter is {delimiter!r}: expected one character.")
    copies = []
    for number, path in enumerate(files):
        copy = os.path.join(directory, f"{number:05d}.csv")
        with _open_text(path) as source, open(copy, "w", encoding="utf-8", newline="") as target:
            writer = csv.writer(target, lineterminator="\n")
            if column_names is not None:
                writer.writerow(column_names)
            writer.writerows(_checked_rows(path, source, column_names, delimiter))
        copies.append(copy)
    return copies


def _checked_rows(
    path: str, source: Iterable[str], column_names: Sequence[str] | None, delimiter: str
) -> Iterator[list[str]]:
    """The rows of a file; errors name it, and not its copy."""
    rows = csv.reader(source, delimiter=delimiter)
    columns = column_names
    try:
        for row in rows:
            columns = row if columns is None else columns
            if row and len(row) != len(columns):
                raise ValueError(
                    f"{path}, line {rows.line_num}: this row has {len(row)} cells, and there are "
                    f"{len(columns)} columns ({', '.join(columns)}), with {delimiter!r} between "
                    "cells. The row begins with "
                    f"{delimiter.join(row)[:80]!r}. Check delimiter and column_names."
                )
            if row:
                yield row
    except (csv.Error, UnicodeDecodeError) as error:
        raise ValueError(
            f"{path}, after line {rows.line_num}: {error}. Expected a CSV file in UTF-8."
        ) from error


def _open_text(path: str) -> Any:
    if _is_gzip(path):
        return gzip.open(path, "rt", encoding="utf-8", newline="")
    return open(path, encoding="utf-8", newline="")


def _is_gzip(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(2) == _GZIP_MAGIC


def check_compression(files: Sequence[str], compression_type: str) -> None:
    """Raises ValueError if files are not compressed in the way that is said."""
    if compression_type not in _COMPRESSIONS:
        raise ValueError(
            f"compression_type is {compression_type!r}: expected one of {', '.join(_COMPRESSIONS)}."
        )
    for path in files:
        found = "gzip" if _is_gzip(path) else "uncompressed"
        if compression_type not in ("auto", found):
            raise ValueError(f"{path} is {found}, and compression_type is {compression_type!r}.")


def batch_of_frame(dataframe: Any) -> pa.RecordBatch:
    """The rows of a pandas data frame; its index is not a feature."""
    import pandas as pd

    if not isinstance(dataframe, pd.DataFrame):
        raise TypeError(
            f"dataframe argument is of type {type(dataframe).__name__}. Must be a pandas DataFrame."
        )
    columns: dict[str, Any] = {}
    for position, name in enumerate(map(str, dataframe.columns)):
        series = dataframe.iloc[:, position]
        if isinstance(series.dtype, pd.CategoricalDtype):
            series = series.astype(series.cat.categories.dtype)
        if series.dtype.kind not in _KINDS:
            _logger.warning(
                "The column %r is left out: %s is not a type of a feature.", name, series.dtype
            )
            continue
        array = _to_arrow(name, series)
        if pa.types.is_boolean(array.type):
            array = array.cast(pa.int64())
        columns[name] = to_lists(array)
    return pa.RecordBatch.from_pydict(columns)


def _to_arrow(name: str, series: Any) -> Any:
    try:
        array = pa.Array.from_pandas(series)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        found = sorted({type(value).__name__ for value in series.dropna()})
        raise TypeError(
            f"The column {name!r} has values of the types {', '.join(found)}: expected one type. "
            f"Convert it, for example with dataframe[{name!r}].astype(str)."
        ) from None
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def to_lists(array: Any) -> Any:
    """A list of one value for each row; null where the value is."""
    if pa.types.is_null(array.type) or pa.types.is_list(array.type):
        return array
    # By way of buffers: pyarrow.array would import pandas.
    ends = np.cumsum(valid_cells(array), dtype=np.int64)
    offsets = from_numpy(np.concatenate([np.zeros(1, np.int64), ends]))
    return pa.LargeListArray.from_arrays(offsets, array.drop_null(), mask=array.is_null())
