"""Bytes and milliseconds of the digits model before and after rewriting, per target.

The pipeline of examples/digits is run, and its Rewriter's report read: both models are asked about
the same example, one call after the other.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from measuring import REPOSITORY, Figure

from trainwright.components.trainer.rewriting.tfjs_environment import find_tfjs_python
from trainwright.evaluation.models.tfjs_runtime import find_tfjs_runtime

PIPELINE = os.path.join(REPOSITORY, "examples", "digits", "pipeline.py")


def run(quick: bool) -> list[Figure]:
    with tempfile.TemporaryDirectory() as output:
        settings = [
            f"output={output}",
            *(["digits=300", "train_steps=100"] if quick else []),
            *(["tfjs=true"] if _has_tfjs() else []),
        ]
        options = [part for setting in settings for part in ("--set", setting)]
        command = "from trainwright.cli.main import main; main()"
        subprocess.run(
            [sys.executable, "-c", command, "run", PIPELINE, "--quiet", *options],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        (report,) = Path(output).glob("artifacts/Rewriter/report/*/parity.json")
        targets = json.loads(report.read_text())["targets"]
    return [figure for name, found in targets.items() for figure in _figures(name, found)]


def _has_tfjs() -> bool:
    """Whether TF.js models can be made and run here; 3 GB are not installed for a benchmark."""
    try:
        find_tfjs_python()
        find_tfjs_runtime()
    except (RuntimeError, ValueError):
        return False
    return True


def _figures(name: str, found: dict) -> list[Figure]:
    before, after = found["source"], found["rewritten"]
    largest = max(output["largest_absolute"] for output in found["outputs"])
    return [
        Figure(
            what=f"size of the digits model as {name}, beside the SavedModel",
            value=after["size"] / before["size"],
            unit="times",
            remark=f"{after['size'] / 1000:.0f} kB beside {before['size'] / 1000:.0f} kB; differs "
            f"by up to {largest:.2g}",
        ),
        Figure(
            what=f"time for one digit as {name}, beside the SavedModel",
            value=after["milliseconds"] / before["milliseconds"],
            unit="times",
            remark=f"{after['milliseconds']:.3f} ms beside {before['milliseconds']:.3f} ms",
        ),
    ]
