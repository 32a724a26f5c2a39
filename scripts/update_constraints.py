"""Writes constraints.txt: the versions at which the project is tested.

    python scripts/update_constraints.py

Asks pip, under each supported Python, what it would install for the base, `transform` and `dev`
together, and merges the answers. All four Pythons must be on this machine.
"""

from __future__ import annotations

import json
import sys
import tempfile
from itertools import groupby
from pathlib import Path

from environments import CONSTRAINTS, PYTHON_VERSIONS, ROOT, find_pythons, run

EXTRAS = "dev,transform"
HEADER = f"""\
# The versions that are tested together, for the base install and its extras {EXTRAS}:
#     pip install -c constraints.txt 'trainwright[transform]'
# Written by scripts/update_constraints.py.
"""


def main() -> int:
    pythons = find_pythons()
    missing = [version for version in PYTHON_VERSIONS if version not in pythons]
    if missing:
        raise SystemExit(f"Python {', '.join(missing)} not found: its pins would be lost.")
    resolved = {}
    for version, python in pythons.items():
        print(f"Python {version}: resolving", flush=True)
        resolved[version] = _resolve(python)
    lines = _merge(resolved)
    CONSTRAINTS.write_text(HEADER + "\n".join(lines) + "\n")
    print(f"wrote {CONSTRAINTS.name}: {len(lines)} pins")
    return 0


def _resolve(python: Path) -> dict[str, str]:
    """The version of each package that pip would install, by the package's normal name."""
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory) / "report.json"
        pip = [python, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet"]
        run([*pip, "--report", report, f"{ROOT}[{EXTRAS}]"])
        installed = json.loads(report.read_text())["install"]
    found = {
        item["metadata"]["name"].lower().replace("_", "-").replace(".", "-"): item["metadata"][
            "version"
        ]
        for item in installed
    }
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
