"""The wheel, installed: what a user gets, not what lies in the checkout.

Under every supported Python, with dependencies of its own, it is tried by `make smoke-pythons`.
"""

import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.not_quick  # makes a tree of thousands of files before it starts anything

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
    # Modules, never packages: the real ones in the same directory must not be written into.
    for name in ("ml_metadata", "tensorflow_data_validation", "tensorflow_model_analysis"):
        assert [file for file in names if file.startswith(name)] == [f"{name}.py"]
    # What is not a module: a build takes it along only where it is told to.
    source = SCRIPTS.parent / "src"
    data = {
        str(path.relative_to(source))
        for path in (source / "trainwright").rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc") and path.name != "ruff.toml"
    }
    assert {"trainwright/html_views/page.css", "trainwright/html_views/page.js"} <= data
    assert data <= set(names)
    environment = Environment.beside_this_one(tmp_path / "venv", wheel)
    smoke_wheel.check(environment, tmp_path)
