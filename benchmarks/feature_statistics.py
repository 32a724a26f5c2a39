"""Speed of statistics: examples with ten, a hundred and ten thousand columns.

Each measurement is a process of its own that reads the same gzip TFRecords: the decoder alone, ours
with one process and with two, and TFDV if the environment variable TFDV_PYTHON names an interpreter
that has it. Times are without imports; those of ours include the start of its processes. Memory is
that of the whole process tree at its largest.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
from measuring import Figure, PeakMemory, describe, median, run_process

AIM = 1_500_000
FILES = 8
WORDS = np.array([f"word {number}".encode() for number in range(1000)], object)
TFDV = """
import json, sys, time
import tensorflow_data_validation as tfdv
began = time.perf_counter()
tfdv.generate_statistics_from_tfrecord(sys.argv[1] + "/*")
print(json.dumps([time.perf_counter() - began, 0]))
"""


def run(quick: bool) -> list[Figure]:
    if importlib.util.find_spec("tfx_bsl") is None:
        print("feature_statistics: skipped, needs tfx-bsl: pip install 'trainwright[transform]'")
        return []
    scale = 10 if quick else 1
    sizes = ((1_000_000 // scale, 10), (100_000 // scale, 100), (1000 // scale, 10_000))
    figures = []
    for rows, columns in sizes:
        with tempfile.TemporaryDirectory() as directory:
            _write_examples(directory, rows, columns)
            figures += _measure(directory, rows, columns, times=2 if quick else 3)
    return figures


def _measure(directory: str, rows: int, columns: int, times: int) -> list[Figure]:
    values = rows * columns
    decoder = _rates(values, times, [sys.executable, __file__, "decode", directory])[0]
    figures = []
    for processes in (1, 2):
        command = [sys.executable, __file__, str(processes), directory]
        rates, megabytes = _rates(values, times, command)
        figures.append(
            Figure(
                what=f"statistics, {rows:,} rows of {columns:,} columns, {processes} process"
                + ("es" if processes > 1 else ""),
                value=median(rates),
                unit="values/s",
                aim=AIM if columns == 10 and processes == 1 else None,
                is_floor=True,
                remark=f"{describe(rates)}; reading and decoding alone {median(decoder):,.0f}; "
                f"peak memory {megabytes:.0f} MB",
            )
        )
    if os.environ.get("TFDV_PYTHON"):
        command = [os.environ["TFDV_PYTHON"], "-c", TFDV, directory]
        rates, _ = _rates(values, 1, command)
        figures.append(
            Figure(
                what=f"TFDV, {rows:,} rows of {columns:,} columns, Beam's local runner",
                value=rates[0],
                unit="values/s",
            )
        )
    return figures


def _rates(values: int, times: int, command: list[str]) -> tuple[list[float], float]:
    measured = []
    for _ in range(times):
        output = run_process(command).output
        measured.append(json.loads(output.splitlines()[-1]))
    return [values / seconds for seconds, _ in measured], max(peak for _, peak in measured)


def _decode(files: list[str]) -> None:
    from trainwright.data.example_reading.example_files import ExampleFiles

    for _ in ExampleFiles(paths=files).arrow_batches():
        pass


def _generate(processes: int) -> Callable[[list[str]], None]:
    import trainwright.statistics.statistics_pass  # noqa: F401  not a part of what is measured
    from trainwright.engine.local_engine import LocalEngine
    from trainwright.statistics import generate_statistics

    def generate(files: list[str]) -> None:
        generate_statistics(files, engine=LocalEngine(processes))

    return generate


def _write_examples(directory: str, rows: int, columns: int) -> None:
    """Writes files of numbers, integers and words, with a few cells missing."""
    from trainwright.data.example_codec import encode_examples
    from trainwright.data.tfrecord import open_gzip_writer

    source = np.random.default_rng(7)
    part = rows // FILES
    for number in range(FILES):
        with open_gzip_writer(os.path.join(directory, f"data-{number:05}.gz")) as write:
            step = max(1, 200_000 // columns)
            for start in range(0, part, step):
                batch = _make_batch(source, min(step, part - start), columns)
                write(encode_examples(batch).to_pylist())


def _make_batch(source: np.random.Generator, rows: int, columns: int) -> pa.RecordBatch:
    makers = (
        lambda: pa.array(
            source.normal(size=rows).astype(np.float32), mask=source.random(rows) < 0.05
        ),
        lambda: pa.array(source.integers(0, 100, rows)),
        lambda: pa.array(WORDS[source.integers(0, 1000, rows)], pa.binary()),
        lambda: pa.array(source.integers(-(10**12), 10**12, rows)),
        lambda: pa.array(source.random(rows).astype(np.float32)),
    )
    arrays = [makers[number % len(makers)]() for number in range(columns)]
    return pa.RecordBatch.from_arrays(arrays, [f"column{number}" for number in range(columns)])


def main() -> None:
    who, directory = sys.argv[1:]
    files = sorted(str(path) for path in Path(directory).iterdir())
    work = _decode if who == "decode" else _generate(int(who))
    with PeakMemory() as peak:
        began = time.perf_counter()
        work(files)
        seconds = time.perf_counter() - began
    print(json.dumps([seconds, peak.megabytes]))


if __name__ == "__main__":
    main()
