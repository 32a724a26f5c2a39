"""Parquet files divided into splits of Parquet files, rows as they are."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from trainwright.data.example_writing.examples_output import (
    ReportProgress,
    WrittenExamples,
    output_splits_by_input,
)
from trainwright.data.example_writing.parquet_reader import open_parquet
from trainwright.data.example_writing.shard_writer import split_dir
from trainwright.data.example_writing.splits import HashSplits

# What TFX pickled with on every Python it ran on; fixed, so that rows keep their split.
_PICKLE_PROTOCOL = 4
_BATCH_ROWS = 1 << 14


def divide_parquet(
    input_splits: Mapping[str, Sequence[str]],
    output_dir: str,
    *,
    output_splits: HashSplits | None = None,
    report_progress: ReportProgress | None = None,
) -> WrittenExamples:
    """Writes `<output_dir>/Split-<name>/data_parquet-00000-of-00001.parquet` for each split.

    A row is hashed as TFX hashes it: as the pickle of the dict that it is.

    Raises:
        ValueError: if the files of a split have different columns, or rows should be partitioned
            by a feature, which TFX cannot do for Parquet.
    """
    if output_splits is not None and output_splits.partition_feature:
        raise ValueError(
            "Split by `partition_feature_name` is only supported for FORMAT_TF_EXAMPLE and "
            "FORMAT_TF_SEQUENCE_EXAMPLE payload format."
        )
    rows: dict[str, int] = {}
    for name, division in output_splits_by_input(list(input_splits), output_splits).items():
        rows.update(_divide(input_splits[name], output_dir, division, report_progress, rows))
    return WrittenExamples(rows=rows, shards=dict.fromkeys(rows, 1))


def _divide(
    paths: Iterable[str],
    output_dir: str,
    division: HashSplits,
    report_progress: ReportProgress | None,
    before: Mapping[str, int],
) -> dict[str, int]:
    rows = dict.fromkeys(division.names, 0)
    schema: pa.Schema | None = None
    with ExitStack() as open_files:
        writers: list[Any] = []
        for path in paths:
            source = open_files.enter_context(open_parquet(path))
            if schema is None:
                schema = source.schema_arrow
                writers = [
                    open_files.enter_context(_open_writer(output_dir, split, schema))
                    for split in division.names
                ]
            _check_schema(path, source.schema_arrow, schema)
            for batch in source.iter_batches(_BATCH_ROWS):
                assigned = _assign(batch, division)
                for position, split in enumerate(division.names):
                    own = batch.filter(pa.array(assigned == position))
                    writers[position].write_batch(own)
                    rows[split] += own.num_rows
                if report_progress:
                    report_progress(sum(before.values()) + sum(rows.values()))
    return rows


def _assign(batch: pa.RecordBatch, division: HashSplits) -> Any:
    if len(division.names) == 1:
        return np.zeros(batch.num_rows, np.int64)
    return division.assign_keys(pickle.dumps(row, _PICKLE_PROTOCOL) for row in batch.to_pylist())


def _open_writer(output_dir: str, split: str, schema: pa.Schema) -> pyarrow.parquet.ParquetWriter:
    directory = split_dir(output_dir, split)
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, "data_parquet-00000-of-00001.parquet")
    return pyarrow.parquet.ParquetWriter(path, schema, compression="snappy")


def _check_schema(path: str, schema: pa.Schema, expected: pa.Schema) -> None:
    if not schema.equals(expected):
        raise ValueError(
            f"{path} has other columns than the files before it: expected\n{expected}\ngot\n"
            f"{schema}"
        )
