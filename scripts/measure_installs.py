"""Prints how many packages and megabytes the base install and each extra bring.

    python scripts/measure_installs.py                    base and every extra
    python scripts/measure_installs.py base transform     only these

Each goes into a fresh environment of the running Python, at the versions in constraints.txt.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from environments import ROOT, Environment, print_header, print_row

EXTRAS = (
    "transform",
    "tuner",
    "optuna",
    "serve",
    "estimator",
    "tfx",
    "beam",
    "ray",
    "postgres",
    "export",
    "all",
    "dev",
)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure what an install brings.")
    parser.add_argument("names", nargs="*", default=["base", *EXTRAS], metavar="EXTRA")
    names = parser.parse_args(arguments).names

    failures = {}
    print_header("install", "packages", "MB", "seconds")
    for name in names:
        try:
            print_row(f"`{name}`", *_measure(name))
        except RuntimeError as error:
            print_row(f"`{name}`", "does not install", "", "")
            failures[name] = error
    for name, error in failures.items():
        print(f"\n{name}: {error}", file=sys.stderr)
    return 1 if failures else 0


def _measure(name: str) -> tuple[int, int, int]:
    """Packages and megabytes beside a fresh environment's own, and the seconds it took."""
    with tempfile.TemporaryDirectory() as directory:
        environment = Environment.create(Path(directory) / "venv", python=Path(sys.executable))
        before = environment.megabytes()
        start = time.monotonic()
        environment.install(str(ROOT) if name == "base" else f"{ROOT}[{name}]")
        seconds = round(time.monotonic() - start)
        return environment.count_packages(), environment.megabytes() - before, seconds


if __name__ == "__main__":
    sys.exit(main())
