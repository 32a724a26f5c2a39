"""Speed at which CSV files become examples: CsvExampleGen on ten mixed columns.

The same file goes through the node of a real pipeline (LocalDagRunner, the time that it reports
for the node) and through the executor alone, called in a process of its own. Memory is that of the
whole process tree at its largest. TFX's CsvExampleGen does 2 000 rows/s.
"""

from __future__ import annotations

import csv
import io
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from measuring import Figure, PeakMemory, describe, median, run_process

from trainwright import LocalDagRunner, Pipeline
from trainwright.components import CsvExampleGen
from trainwright.components.example_gen.csv_example_gen.executor import Executor
from trainwright.orchestration.events import RunEvent, RunEventKind
from trainwright.types.standard_artifacts import Examples

COLUMNS = ("id", "age", "income", "city", "flag", "code", "big", "day", "ratio", "comment")
CITIES = ("New York", "Berlin", "東京", "São Paulo", 'quote"d', "Paris, TX", "")
WORDS = ("alpha", "beta", "gamma", "delta")
AIM = 100_000
TFX_ROWS_PER_SECOND = 2_000


def run(quick: bool) -> list[Figure]:
    figures = []
    for rows, aim in ((15_000, None), (50_000 if quick else 1_000_000, AIM)):
        with tempfile.TemporaryDirectory() as directory:
            data = os.path.join(directory, "data")
            os.mkdir(data)
            write_csv(os.path.join(data, "rows.csv"), rows)
            figures += _figures(directory, rows, aim, times=2 if quick else 5)
    return figures


def _figures(directory: str, rows: int, aim: float | None, times: int) -> list[Figure]:
    node, alone = [], []
    for number in range(times):
        output = os.path.join(directory, str(number))
        node.append(_run_pipeline(f"{directory}/data", output))
        alone.append(_run_executor_in_own_process(f"{directory}/data", f"{output}-alone"))
    return [
        _rate_of(f"CsvExampleGen, {rows:,} rows, the node", rows, node, aim),
        _rate_of(f"CsvExampleGen, {rows:,} rows, the executor alone", rows, alone, aim),
    ]


def _rate_of(
    what: str, rows: int, measured: list[tuple[float, float]], aim: float | None
) -> Figure:
    rates = [rows / seconds for seconds, _ in measured]
    peak = max(megabytes for _, megabytes in measured)
    return Figure(
        what=what,
        value=median(rates),
        unit="rows/s",
        aim=aim,
        is_floor=True,
        remark=f"{describe(rates)}; {median(rates) / TFX_ROWS_PER_SECOND:.0f} times TFX; "
        f"{median(seconds for seconds, _ in measured):.2f} s; peak memory {peak:.0f} MB",
    )


def _run_pipeline(data: str, output: str) -> tuple[float, float]:
    events: list[RunEvent] = []
    pipeline = Pipeline(
        pipeline_name="csv", pipeline_root=output, components=[CsvExampleGen(input_base=data)]
    )
    with PeakMemory() as peak:
        LocalDagRunner(observer=events.append).run(pipeline)
    [completed] = [event for event in events if event.kind is RunEventKind.NODE_COMPLETED]
    return completed.data["seconds"], peak.megabytes


def _run_executor_in_own_process(data: str, output: str) -> tuple[float, float]:
    cost = run_process([sys.executable, __file__, data, output])
    seconds, megabytes = json.loads(cost.output.splitlines()[-1])
    return seconds, megabytes


def _run_executor(data: str, output: str) -> tuple[float, float]:
    examples = Examples()
    examples.uri = output
    properties = dict(CsvExampleGen(input_base=data).exec_properties)
    with PeakMemory() as peak:
        began = time.perf_counter()
        Executor().Do({}, {"examples": [examples]}, properties)
        seconds = time.perf_counter() - began
    return seconds, peak.megabytes


def write_csv(path: str, rows: int) -> None:
    """Rows that repeat after 20 000, except for their id."""
    source = random.Random(1)
    repeated = [_random_cells(source) for _ in range(min(rows, 20_000))]
    with Path(path).open("w", encoding="utf-8") as file:
        file.write(",".join(COLUMNS) + "\n")
        for number in range(rows):
            file.write(f"{number},{repeated[number % len(repeated)]}")


def _random_cells(source: random.Random) -> str:
    """All cells but the id, as a line of CSV."""
    line = io.StringIO()
    cells = [
        source.choice(["", source.randint(18, 90)]),
        f"{source.uniform(1e3, 9e4):.2f}",
        source.choice(CITIES),
        source.randint(0, 1),
        source.choice("ABCD") + str(source.randint(1, 9)),
        source.randint(-(10**12), 10**12),
        f"2026-{source.randint(1, 12):02d}-{source.randint(1, 28):02d}",
        repr(source.random()),
        " ".join(source.choices(WORDS, k=source.randint(1, 6))),
    ]
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


if __name__ == "__main__":
    print(json.dumps(_run_executor(sys.argv[1], sys.argv[2])))
