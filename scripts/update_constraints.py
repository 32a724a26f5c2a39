"""Writes constraints.txt: the versions at which the project is tested.

    python scripts/update_constraints.py

Asks pip, under each supported Python, what it would install for the base, its extras but for
`avro` and `postgres`, the documentation site and the images of deploy/Dockerfile together, and
merges the answers.
All four Pythons must be on this machine.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from itertools import groupby
from pathlib import Path

from environments import CONSTRAINTS, PYTHON_VERSIONS, ROOT, Environment, find_pythons, run

EXTRAS = "dev,transform,tuner,optuna,serve,estimator,export,beam,ray,storage"
# What `make docs` installs, in an environment of its own.
DOCUMENTATION = ("mkdocs-material", "mkdocstrings[python]")
# What deploy/Dockerfile installs beside the project and its extras.
IMAGES = ("apache-beam[gcp]", "ray[default]")
HEADER = f"""\
# The versions that are tested together, for the base install and its extras {EXTRAS},
# and for what deploy/Dockerfile adds:
#     pip install -c constraints.txt 'trainwright[transform]'
# Written by scripts/update_constraints.py.
"""


def main() -> int:
    pythons = find_pythons()
    missing = [version for version in PYTHON_VERSIONS if version not in pythons]
    if missing:
        raise SystemExit(f"Python {', '.join(missing)} not found: its pins would be lost.")
    resolved = {}
    with tempfile.TemporaryDirectory() as directory:
        pip = _newest_pip(Path(directory) / "venv")
        for version, python in pythons.items():
            print(f"Python {version}: resolving", flush=True)
            report = Path(directory) / f"{version}.json"
            resolved[version] = _resolve([*pip, "--python", python], report)
    lines = _merge(resolved)
    CONSTRAINTS.write_text(HEADER + "\n".join(lines) + "\n")
    print(f"wrote {CONSTRAINTS.name}: {len(lines)} pins")
    return 0


def _newest_pip(directory: Path) -> list[str | Path]:
    """The command of a pip of today: one that came with Python searches far longer."""
    environment = Environment.create(directory, python=Path(sys.executable))
    pip = [environment.python, "-m", "pip", "--disable-pip-version-check"]
    run([*pip, "install", "--quiet", "--upgrade", "pip"])
    return pip


def _resolve(pip: list[str | Path], report: Path) -> dict[str, str]:
    """The version of each package that pip would install, by the package's normal name."""
    install = [*pip, "install", "--dry-run", "--ignore-installed", "--quiet"]
    run([*install, "--report", report, f"{ROOT}[{EXTRAS}]", *DOCUMENTATION, *IMAGES])
    found = {}
    for item in json.loads(report.read_text())["install"]:
        name = re.sub(r"[-_.]+", "-", item["metadata"]["name"]).lower()
        found[name] = item["metadata"]["version"]
    del found["trainwright"]
    return found


def _merge(resolved: dict[str, dict[str, str]]) -> list[str]:
    """One line per package, or one per range of Pythons where they need different versions."""
    lines = []
    for name in sorted({name for packages in resolved.values() for name in packages}):
        pins = [
            (python, packages[name]) for python, packages in resolved.items() if name in packages
        ]
        # Runs of neighbouring Pythons with the same version: (first Python, version).
        runs = [(next(run)[0], version) for version, run in groupby(pins, key=lambda pin: pin[1])]
        for index, (first, version) in enumerate(runs):
            bounds = []
            if index > 0:
                bounds.append(f'python_version >= "{first}"')
            if index + 1 < len(runs):
                bounds.append(f'python_version < "{runs[index + 1][0]}"')
            lines.append("; ".join([f"{name}=={version}", *filter(None, [" and ".join(bounds)])]))
    return lines


if __name__ == "__main__":
    sys.exit(main())
