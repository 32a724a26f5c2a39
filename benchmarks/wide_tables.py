"""Growth of ExampleGens' time with the number of columns: three rows, ever wider.

Each conversion runs in a process of its own, on one CPU. What counts is the CPU time for a cell,
which must not grow with the columns; the time of the same process with three columns, mostly
imports, is taken off. A block that is read at once holds only one or two rows of the widest table,
so that a cell costs up to three times as much there, and no more however wide it is.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from measuring import Figure, describe, median, run_process

ROWS = 3
WIDTHS = (1_000, 20_000, 100_000)
MOST_MICROSECONDS = 60.0


def run(quick: bool) -> list[Figure]:
    figures = []
    for kind in ("csv", "parquet"):
        for columns in WIDTHS[: 2 if quick else None]:
            # A Parquet file of that many columns takes Arrow itself minutes to write.
            if kind == "csv" or columns <= 20_000:
                figures.append(_figure(kind, columns, times=1 if quick else 3))
    return figures


def _figure(kind: str, columns: int, times: int) -> Figure:
    with tempfile.TemporaryDirectory() as directory:
        files = {width: _write(kind, Path(directory), width) for width in (3, columns)}
        costs: dict[int, list[float]] = {width: [] for width in files}
        for number in range(times):
            for width, path in files.items():
                output = os.path.join(directory, f"{width}-{number}")
                cost = run_process([sys.executable, __file__, kind, str(path), output])
                costs[width].append(cost.cpu)
    seconds = [cpu - median(costs[3]) for cpu in costs[columns]]
    cells = ROWS * columns
    return Figure(
        what=f"{kind} of {columns:,} columns, {ROWS} rows: CPU for a cell",
        value=median(seconds) / cells * 1e6,
        unit="µs",
        aim=MOST_MICROSECONDS,
        remark=f"{describe(seconds)}: {median(seconds):.2f} s for all cells",
    )


def _write(kind: str, directory: Path, columns: int) -> Path:
    path = directory / f"{columns}.{kind}"
    names = [f"column_{number}" for number in range(columns)]
    cells = [[_cell(number, row) for number in range(columns)] for row in range(ROWS)]
    if kind == "csv":
        lines = [names, *([str(cell) for cell in row] for row in cells)]
        path.write_text("".join(",".join(line) + "\n" for line in lines))
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table(dict(zip(names, zip(*cells, strict=True), strict=True))), path)
    return path


def _cell(number: int, row: int) -> int | float | str:
    kinds: tuple[int | float | str, ...] = (number * row, number / 2 + row, f"text {number % 7}")
    return kinds[number % 3]


def _convert(kind: str, path: str, output: str) -> None:
    from trainwright.data.example_writing.csv_to_examples import convert_csv_to_examples
    from trainwright.data.example_writing.parquet_to_examples import convert_parquet_to_examples
    from trainwright.data.example_writing.splits import HashSplits

    convert = convert_csv_to_examples if kind == "csv" else convert_parquet_to_examples
    splits = HashSplits(buckets=(("train", 2), ("eval", 1)))
    convert({"all": [path]}, output, output_splits=splits, processes=1)


if __name__ == "__main__":
    _convert(*sys.argv[1:])
