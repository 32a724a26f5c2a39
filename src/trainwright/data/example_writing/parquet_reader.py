"""Parquet files as batches of feature columns."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from trainwright._errors import TrainwrightError
from trainwright.data.example_writing.overflows import Overflows
from trainwright.data.example_writing.parquet_columns import Leaf, find_leaves, to_feature_columns

_logger = logging.getLogger(__name__)

BATCH_BYTES = 2 << 20
_BATCH_ROWS = 1 << 16


class ParquetError(TrainwrightError, ValueError):
    """A Parquet file cannot be read; the message names it."""


def open_parquet(path: str) -> pyarrow.parquet.ParquetFile:
    """The file; raises ParquetError if it is not a Parquet file."""
    try:
        return pyarrow.parquet.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise ParquetError(
            f"{path} cannot be read as Parquet: {_without_full_stop(error)}. If it is not a data "
            "file, name the others: "
            "input_config={'splits': [{'name': 'all', 'pattern': '*.parquet'}]}."
        ) from error


def read_feature_columns(
    path: str,
    leaves: Mapping[str, Leaf] | None = None,
    *,
    rows: int | None = None,
    batch_bytes: int = BATCH_BYTES,
    overflows: Overflows | None = None,
) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yields the rows of a file as the columns that tf.Examples are made from.

    Args:
        path: The file.
        leaves: The features of all files; by default those of this one.
        rows: How many rows a batch has; by default as many as are about `batch_bytes`.
        batch_bytes: How big a batch is, by the sizes that the file notes.
        overflows: Takes numbers that are too large for float32; without it they are logged.

    Returns:
        The number of each batch's first row, and the batch.

    Raises:
        ColumnError: if a column cannot become a feature.
        ParquetError: if the file cannot be read.
        RecordError: if a value cannot be used; the message names the row and the column.
    """
    first_row = 0
    found = Overflows() if overflows is None else overflows
    with open_parquet(path) as file:
        features = find_leaves(file.schema_arrow, path) if leaves is None else leaves
        size = rows or _rows_per_batch(file.metadata, batch_bytes)
        batches = file.iter_batches(batch_size=size)
        while (batch := _next_batch(batches, path, first_row)) is not None:
            yield first_row, to_feature_columns(batch, features, path, first_row, found)
            first_row += batch.num_rows
    if overflows is None:
        for remark in found.in_words():
            _logger.warning("%s", remark)


def _rows_per_batch(metadata: Any, batch_bytes: int) -> int:
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    size = sum(group.total_byte_size for group in groups)
    bytes_per_row = max(1, size // max(1, metadata.num_rows))
    return int(max(1, min(_BATCH_ROWS, batch_bytes // bytes_per_row)))


def _next_batch(
    batches: Iterator[pa.RecordBatch], path: str, first_row: int
) -> pa.RecordBatch | None:
    try:
        return next(batches, None)
    except (pa.ArrowException, OSError) as error:
        raise ParquetError(
            f"{path} cannot be read from row {first_row + 1} on: {_without_full_stop(error)}. The "
            "file was probably cut off or changed after it was written; write it again."
        ) from error


def _without_full_stop(error: Exception) -> str:
    """What Arrow says, which ends some of its sentences with a full stop."""
    return str(error).strip().rstrip(".")
