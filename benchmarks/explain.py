"""Cost of hearing why 200 nodes would run: `trainwright run --explain`, the whole command.

Beside it a bare script that only declares the same pipeline, which no explanation can do without.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import explain_large
from measuring import Figure, describe, median, run_in_turn, trainwright_command

from trainwright import LocalDagRunner

FILE = str(Path(explain_large.__file__))


def run(quick: bool) -> list[Figure]:
    with tempfile.TemporaryDirectory() as root:
        os.environ["EXPLAIN_ROOT"] = root
        LocalDagRunner(observer=lambda event: None).run(explain_large.create_pipeline())
        declare = "import explain_large; explain_large.create_pipeline()"
        os.environ["PYTHONPATH"] = str(Path(FILE).parent)
        commands = {
            "explain": trainwright_command("run", FILE, "--explain"),
            "declare": [sys.executable, "-c", declare],
        }
        costs = run_in_turn(commands, 3 if quick else 9)
    explained = [cost.wall for cost in costs["explain"]]
    declared = median(cost.wall for cost in costs["declare"])
    assert "0 of 200 nodes would run." in costs["explain"][-1].output
    return [
        Figure(
            what=f"`run --explain` of {explain_large.NODES} nodes, the whole command",
            value=median(explained),
            unit="s",
            aim=1.0,
            remark=f"{describe(explained)}; a script that declares the pipeline: {declared:.2f} s",
        )
    ]
