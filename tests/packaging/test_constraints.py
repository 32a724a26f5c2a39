"""constraints.txt: one allowed version of each requirement, for every supported Python."""

from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pinned_versions import pins

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = ("3.10", "3.11", "3.12", "3.13")


@pytest.mark.parametrize("extra", ["", "dev", "transform"])
@pytest.mark.parametrize("python", PYTHONS)
def test_each_requirement_has_a_pin_that_it_allows(python, extra):
    pinned = pins(python)
    required = [
        requirement
        for requirement in map(Requirement, metadata.requires("trainwright") or [])
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra})
    ]
    assert required
    for requirement in required:
        version = pinned.get(canonicalize_name(requirement.name))
        assert version is not None, f"no pin for {requirement.name}"
        assert requirement.specifier.contains(version), f"{requirement} is pinned to {version}"


def test_a_pin_is_split_where_pythons_differ(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    import update_constraints

    resolved = {
        "3.10": {"same": "1", "differs": "1", "backport": "5"},
        "3.11": {"same": "1", "differs": "2"},
        "3.12": {"same": "1", "differs": "2"},
        "3.13": {"same": "1", "differs": "3"},
    }
    assert update_constraints._merge(resolved) == [
        "backport==5",
        'differs==1; python_version < "3.11"',
        'differs==2; python_version >= "3.11" and python_version < "3.13"',
        'differs==3; python_version >= "3.13"',
        "same==1",
    ]
