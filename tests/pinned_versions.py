"""The versions of constraints.txt."""

from __future__ import annotations

from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CONSTRAINTS = Path(__file__).resolve().parents[1] / "constraints.txt"


def pins(python: str) -> dict[str, str]:
    """The pinned versions, by package, that apply to a Python."""
    found: dict[str, str] = {}
    for line in CONSTRAINTS.read_text().splitlines():
        if line.startswith("#"):
            continue
        pin = Requirement(line)
        if pin.marker is None or pin.marker.evaluate({"python_version": python}):
            assert pin.name not in found, f"{pin.name} has two pins for Python {python}"
            found[canonicalize_name(pin.name)] = next(iter(pin.specifier)).version
    return found
