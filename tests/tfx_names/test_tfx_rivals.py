"""A TFX or ML Metadata that is installed beside this project is spoken of."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import trainwright
from trainwright import _rivals
from trainwright.cli.commands import doctor

SOURCES = str(Path(trainwright.__file__).parents[1])


@pytest.fixture
def packages(tmp_path):
    """A directory of installed packages, which all are innocent."""
    directory = tmp_path / "lib" / "site-packages"
    for name in ("tfx_bsl-1.17.1.dist-info", "ml_dtypes-0.5.dist-info", "tfx", "~fx-1.0.dist-info"):
        (directory / name).mkdir(parents=True)
    return directory


def test_none_is_found_among_innocent_packages(packages):
    assert _rivals.installed_rivals([str(packages), str(packages / "no" / "site-packages")]) == {}


@pytest.mark.parametrize(
    ("directory", "name", "version"),
    [
        ("tfx-1.15.1.dist-info", "tfx", "1.15.1"),
        ("ml_pipelines_sdk-1.15.1.dist-info", "ml-pipelines-sdk", "1.15.1"),
        ("ml_metadata-1.15.0.dist-info", "ml-metadata", "1.15.0"),
        ("tfx-1.16.0.dev0.egg-info", "tfx", "1.16.0.dev0"),
    ],
)
def test_a_rival_is_found(packages, directory, name, version):
    (packages / directory).mkdir()
    assert _rivals.installed_rivals([str(packages)]) == {name: version}


def test_the_first_import_warns_once(packages, run_script):
    (packages / "tfx-1.15.1.dist-info").mkdir()
    (packages / "ml_metadata-1.15.0.dist-info").mkdir()
    source = f"""
    import sys
    sys.path.append({str(packages)!r})
    import tfx
    from tfx import v1
    import tfx.components
    """
    stderr = run_script(source, PYTHONPATH=SOURCES).stderr
    assert stderr.count("UserWarning") == 1
    assert "script.py:4: UserWarning: Installed beside Trainwright" in stderr
    assert "tfx 1.15.1" in stderr
    assert "ml-metadata 1.15.0" in stderr
    assert "pip uninstall" in stderr


def test_without_a_rival_nothing_is_said(run_script):
    chosen = {"TF_USE_LEGACY_KERAS": "1"}  # or else a line says which Keras it is
    assert run_script("import tfx", PYTHONPATH=SOURCES, **chosen).stderr == ""


def test_doctor_sees_the_same(packages, monkeypatch):
    (packages / "tfx-1.15.1.dist-info").mkdir()
    monkeypatch.setattr("sys.path", [str(packages), *sys.path])
    found = {item.subject: item for item in doctor.examine()}
    assert found["tfx"].is_problem
    assert found["tfx"].found.startswith("1.15.1, ")
    assert "pip uninstall tfx" in found["tfx"].advice


def test_looking_does_not_import_the_machinery_of_installed_packages():
    """`importlib.metadata` takes longer to import than everything else in `import tfx`."""
    code = "import sys, tfx; print('importlib.metadata' in sys.modules)"
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert finished.stdout == "False\n", finished.stderr
