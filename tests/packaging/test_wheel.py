"""The wheel, installed: what a user gets, not what lies in the checkout.

Under every supported Python, with dependencies of its own, it is tried by `make smoke-pythons`.
"""

import sys
import zipfile
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture(scope="module")
def smoke_wheel():
    sys.path.insert(0, str(SCRIPTS))
    try:
        import smoke_wheel

        yield smoke_wheel
    finally:
        sys.path.remove(str(SCRIPTS))


def test_the_installed_wheel_runs_a_pipeline(smoke_wheel, tmp_path):
    from environments import Environment

    wheel = smoke_wheel.build_wheel(tmp_path / "dist")
    names = zipfile.ZipFile(wheel).namelist()
    # A module, never a package: TFMA in the same directory is one, and must not be written into.
    assert [name for name in names if name.startswith("tensorflow_model_analysis")] == [
        "tensorflow_model_analysis.py"
    ]
    environment = Environment.beside_this_one(tmp_path / "venv", wheel)
    smoke_wheel.check(environment, tmp_path)
