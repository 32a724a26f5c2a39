"""The Python that runs tensorflowjs: it cannot be installed beside the TensorFlow of this project.

tensorflowjs 4.22, the last release, needs TensorFlow 2.19 and a Python up to 3.12. So it runs in an
environment of its own, which is given or made on request, and is asked by a subprocess.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from trainwright._imports import is_installed
from trainwright.evaluation.models.tfjs_runtime import TFJS_VERSION, cache_directory

PYTHON_VARIABLE = "TRAINWRIGHT_TFJS_PYTHON"

# tensorflowjs says too little of what it needs: later ones of these cannot be imported together.
_REQUIREMENTS = (
    f"tensorflowjs=={TFJS_VERSION}",
    "tensorflow==2.19.0",
    "tf-keras==2.19.0",
    "tensorflow-decision-forests==1.12.0",
    "ydf==0.11.0",
    "setuptools<81",
)
_PYTHONS = ("python3.12", "python3.11", "python3.10")
_NEWEST_PYTHON = (3, 12)

_logger = logging.getLogger(__name__)


def find_tfjs_python(python: str | None = None, *, make_environment: bool = False) -> str:
    """The interpreter to run tensorflowjs with.

    Args:
        python: An interpreter that has it; else `TRAINWRIGHT_TFJS_PYTHON`, else this one, else that
            of an environment that was made before.
        make_environment: Whether to make that environment if there is none.

    Raises:
        RuntimeError: if there is none.
    """
    given = python or os.environ.get(PYTHON_VARIABLE)
    if given:
        return _check_given(given, "python" if python else PYTHON_VARIABLE)
    if is_installed("tensorflowjs"):
        return sys.executable
    environment = environment_directory()
    interpreter = environment / "bin" / "python"
    if interpreter.exists():
        return str(interpreter)
    if make_environment:
        _make(environment)
        return str(interpreter)
    raise RuntimeError(
        "tensorflowjs is not installed. Please install [tfjs] extra dependencies to use "
        f"tfjs_rewriter. Here that is an environment of its own, because tensorflowjs "
        f"{TFJS_VERSION} needs TensorFlow 2.19 and Python up to 3.12. Either let one be made, "
        f"once, in {environment}: TFJSRewriter(name, make_environment=True), or make_environment "
        "of the Rewriter's target; or name the Python of one that has it: TFJSRewriter(name, "
        f"python='/path/to/bin/python') or the environment variable {PYTHON_VARIABLE}."
    )


def environment_directory() -> Path:
    """Where the environment is made."""
    return cache_directory() / f"tfjs-{TFJS_VERSION}"


def _check_given(python: str, where: str) -> str:
    found = shutil.which(python)
    if found is None:
        raise RuntimeError(f"{where} is {python!r}, which is not a program that can be run.")
    look = "import importlib.util as u, sys; sys.exit(u.find_spec('tensorflowjs') is None)"
    if subprocess.run([found, "-c", look], env=clean_environment(), check=False).returncode:
        raise RuntimeError(
            f"tensorflowjs is not installed for the Python that {where} names, {found}. Install it "
            f"there: {found} -m pip install {' '.join(_REQUIREMENTS)}"
        )
    return found


def clean_environment() -> dict[str, str]:
    """The variables for another Python: without what points this one to its packages."""
    dropped = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return {**kept, "TF_USE_LEGACY_KERAS": "1", "TF_CPP_MIN_LOG_LEVEL": "2"}


def _make(environment: Path) -> None:
    """Makes the environment, under another name until it is whole."""
    python = _find_base_python()
    _logger.warning(
        "Making an environment for tensorflowjs in %s, once; it takes some minutes and 3 GB.",
        environment,
    )
    environment.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix="temp-", dir=environment.parent))
    try:
        pip = [str(unfinished / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        _run([python, "-m", "venv", str(unfinished)])
        # A pip that came with Python gives up looking for versions that fit.
        _run([*pip, "--upgrade", "pip"])
        _run([*pip, *_REQUIREMENTS])
        try:
            unfinished.rename(environment)
        except OSError:
            # Whoever else was making one was faster: theirs is as good.
            if not environment.exists():
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _find_base_python() -> str:
    """A Python that tensorflowjs can be installed for: this one, or one on PATH."""
    look = "import sys; print(*sys.version_info[:2])"
    for name in (sys.executable, *_PYTHONS):
        found = shutil.which(name)
        if found is None:
            continue
        asked = subprocess.run(
            [found, "-c", look],
            env=clean_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if asked.returncode == 0 and tuple(map(int, asked.stdout.split())) <= _NEWEST_PYTHON:
            return found
    raise RuntimeError(
        f"tensorflowjs {TFJS_VERSION} needs a Python up to 3.12, and there is none of "
        f"{', '.join(_PYTHONS)} on PATH. Install one of them, or give the Python of an environment "
        f"that has tensorflowjs: TFJSRewriter(name, python=...) or {PYTHON_VARIABLE}."
    )


def _run(command: list[str]) -> None:
    done = subprocess.run(
        command, env=clean_environment(), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(
            f"The environment for tensorflowjs could not be made: {' '.join(command)} ended with "
            f"{done.returncode}.\n{done.stderr[-2000:]}"
        )
