"""The import contracts of pyproject.toml speak of all that is there."""

import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_each_component_is_in_the_contract_that_keeps_them_apart():
    toml = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    settings = toml.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    [contract] = [one for one in contracts if one["type"] == "independence"]
    components = (ROOT / "src" / "trainwright" / "components").glob("*/component.py")
    assert sorted(contract["modules"]) == sorted(
        f"trainwright.components.{path.parent.name}" for path in components
    )
