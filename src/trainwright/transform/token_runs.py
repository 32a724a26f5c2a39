"""Token runs: vocabularies in files, sorted by token, which are merged without being in memory.

A run is an Arrow file with the tokens in order and a value for each. Runs are merged range by
range: each range of tokens is cut out of all runs and summed at once.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

# How many rows of all runs are merged at once, about.
_ROWS_PER_RANGE = 200_000


def write_run(tokens: pa.Array[Any], values: pa.Array[Any], directory: str) -> str:
    """Writes tokens, sorted here, and their values; returns the path of the file."""
    table = pa.table({"token": tokens, "value": values}).sort_by("token")
    return write_rows(table, directory)


def write_rows(table: pa.Table, directory: str) -> str:
    """Writes a table into a new file; returns its path."""
    descriptor, path = tempfile.mkstemp(".arrow", dir=directory)
    with os.fdopen(descriptor, "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table.combine_chunks())
    del table
    pa.default_memory_pool().release_unused()
    return path


class Run:
    """A file of rows, which stay in the file until they are looked at.

    Args:
        path: What `write_rows` returned.
    """

    def __init__(self, path: str) -> None:
        with open(path, "rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        with pa.ipc.open_file(pa.py_buffer(self._map)) as reader:
            self.rows = (
                reader.get_batch(0)
                if reader.num_record_batches
                else pa.RecordBatch.from_pylist([], reader.schema)
            )

    def forget(self) -> None:
        """Gives back the memory of what was looked at; looking again reads the file again."""
        self._map.madvise(mmap.MADV_DONTNEED)


def merge_runs(paths: Sequence[str]) -> Iterator[pa.Table]:
    """Yields the rows of all runs, in ranges of ascending tokens; a token is in one range alone.

    A range has a token as often as there are runs with it.
    """
    files = [Run(path) for path in paths]
    runs = [file.rows for file in files]
    starts = [0] * len(runs)
    for splitter in [*_splitters(runs), None]:
        ends = [
            run.num_rows if splitter is None else _first_not_below(run.column(0), splitter, start)
            for run, start in zip(runs, starts, strict=True)
        ]
        slices = [
            run.slice(start, end - start)
            for run, start, end in zip(runs, starts, ends, strict=True)
            if end > start
        ]
        if slices:
            yield pa.Table.from_batches(slices)
        for file in files:
            file.forget()
        starts = ends


def _splitters(runs: Sequence[pa.RecordBatch]) -> list[Any]:
    """Tokens that cut the runs into ranges of about the same size."""
    ranges = sum(run.num_rows for run in runs) // _ROWS_PER_RANGE
    if ranges < 1:
        return []
    sampled = sorted(
        run.column(0)[run.num_rows * part // (ranges + 1)].as_py()
        for run in runs
        for part in range(1, ranges + 1)
        if run.num_rows
    )
    return sorted({sampled[len(sampled) * part // (ranges + 1)] for part in range(1, ranges + 1)})


def _first_not_below(tokens: pa.Array[Any], splitter: Any, start: int) -> int:
    return bisect_left(
        range(len(tokens)), splitter, lo=start, key=lambda index: tokens[index].as_py()
    )
