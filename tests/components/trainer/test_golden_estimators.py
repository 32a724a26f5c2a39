"""Seeded Estimators give the figures of TensorFlow 2.15 (`scripts/golden_estimators.py`)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SCRIPT = HERE.parents[2] / "scripts" / "golden_estimators.py"
GOLDEN = json.loads((HERE / "golden_estimators.json").read_text())

# The largest difference that was seen is 1.2e-7: float32, summed in another order.
TOLERANCE = 1e-6


def check(path: Path, *names: str) -> None:
    subprocess.run(
        [sys.executable, str(SCRIPT), str(path), *names],
        env={**os.environ, "TF_USE_LEGACY_KERAS": "1"},
        check=True,
        timeout=600,
    )
    found = json.loads(path.read_text())
    assert GOLDEN["tensorflow"].startswith("2.15.")
    assert not found["tensorflow"].startswith("2.15.")
    for name in names or GOLDEN["figures"]:
        golden, figures = GOLDEN["figures"][name], found["figures"][name]
        assert figures["metrics"] == pytest.approx(golden["metrics"], abs=TOLERANCE), name
        assert figures["predictions"].keys() == golden["predictions"].keys()
        for key, values in golden["predictions"].items():
            assert figures["predictions"][key] == pytest.approx(values, abs=TOLERANCE), name


def test_some_estimators_agree_with_tensorflow_2_15(tmp_path):
    check(tmp_path / "figures.json", "wide and deep", "model_fn")


@pytest.mark.reference
def test_all_estimators_agree_with_tensorflow_2_15(tmp_path):
    check(tmp_path / "figures.json")
