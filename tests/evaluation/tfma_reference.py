"""TFMA itself, in the Python that TRAINWRIGHT_TFMA_PYTHON names, beside our sources."""

from __future__ import annotations

import json
import os
import subprocess
import textwrap
from pathlib import Path
from typing import Any

import pytest

import trainwright

SOURCES = str(Path(trainwright.__file__).parents[1])
VARIABLE = "TRAINWRIGHT_TFMA_PYTHON"


def run_with_tfma(source: str, *arguments: object, timeout: int = 300, **environment: str) -> Any:
    """Runs a script that prints JSON on its last line; skips the test where TFMA is missing."""
    python = os.environ.get(VARIABLE)
    if not python:
        pytest.skip(f"{VARIABLE} names no Python that has TFMA")
    finished = subprocess.run(
        [python, "-c", textwrap.dedent(source), *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": SOURCES, "TF_CPP_MIN_LOG_LEVEL": "3", **environment},
        timeout=timeout,
    )
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout.splitlines()[-1])
