"""Runs the benchmarks, prints their figures and appends them to RESULTS.md.

    python benchmarks/run.py                 all of them
    python benchmarks/run.py startup store   these
    python benchmarks/run.py --quick         with less data; nothing is written down

Each benchmark is a file here with a function `run(quick)` that returns figures. It runs in an
interpreter of its own, so that what one has imported does not weigh on the next.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import importlib
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measuring import Figure

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
BENCHMARKS = (
    "startup",
    "cached_rerun",
    "node_overhead",
    "ray_node",
    "explain",
    "trainer_overhead",
    "tuner_overhead",
    "estimator_training",
    "store",
    "postgres_store",
    "store_queries",
    "garbage_collection",
    "object_storage",
    "mlmd_files",
    "dataset",
    "csv_example_gen",
    "import_example_gen",
    "parquet_example_gen",
    "wide_tables",
    "feature_statistics",
    "engines",
    "scaling",
    "transform",
    "transform_nodes",
    "graph_optimizer",
    "evaluator",
    "bulk_inferrer",
    "rewriting",
    "serving",
    "whole_pipelines",
)


def main() -> None:
    arguments = _parse_arguments()
    if arguments.child:
        _be_child(arguments.names[0], arguments.quick)
        return
    load_before = _load_average()
    figures = []
    for name in arguments.names or BENCHMARKS:
        began = time.monotonic()
        print(f"{name} ...", end="", file=sys.stderr, flush=True)
        figures += _run_in_own_process(name, arguments.quick)
        print(f" {time.monotonic() - began:.0f} s", file=sys.stderr)
    section = _format_section(figures, load_before, _load_average())
    print(section)
    if not arguments.quick:
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(f"\n{section}")


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Run the benchmarks.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}")
    parser.add_argument("--quick", action="store_true", help="less data; nothing is written down")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in BENCHMARKS:
            parser.error(f"{name!r} is not a benchmark; there are {', '.join(BENCHMARKS)}.")
    return arguments


def _run_in_own_process(name: str, quick: bool) -> list[Figure]:
    command = [sys.executable, __file__, "--child", name, *(["--quick"] if quick else [])]
    with tempfile.TemporaryDirectory() as state:
        # Runs are remembered as "the last" in here, not in the user's home.
        environment = {**os.environ, "XDG_STATE_HOME": state, "TF_CPP_MIN_LOG_LEVEL": "2"}
        output = subprocess.run(
            command, env=environment, check=True, stdout=subprocess.PIPE, text=True
        ).stdout
    # Libraries may print as well; the figures are the last line.
    return [Figure(**fields) for fields in json.loads(output.splitlines()[-1])]


def _be_child(name: str, quick: bool) -> None:
    figures: list[Figure] = importlib.import_module(name).run(quick)
    print(json.dumps([dataclasses.asdict(figure) for figure in figures]))


def _format_section(figures: list[Figure], load_before: str, load_after: str) -> str:
    versions = [
        f"{name} {importlib.metadata.version(name)}" for name in ("trainwright", "tensorflow")
    ]
    versions.insert(1, f"Python {platform.python_version()}")
    lines = [
        f"## {datetime.datetime.now():%Y-%m-%d %H:%M}",
        "",
        f"{', '.join(versions)}; {_cpu_model()}, {os.cpu_count()} cores; "
        f"load average {load_before} before, {load_after} after",
        "",
        "| what | measured | aim | ratio, remark |",
        "|---|---|---|---|",
        *(figure.as_table_row() for figure in figures),
    ]
    return "\n".join(lines) + "\n"


def _cpu_model() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _load_average() -> str:
    return f"{os.getloadavg()[0]:.1f}"


if __name__ == "__main__":
    main()
