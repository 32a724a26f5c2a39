"""CPU seconds of starting: importing trainwright, tfx or its family, and `runs`.

They are compared with an interpreter that does nothing. The store that `trainwright runs` reads
holds 30 runs of a pipeline of four nodes.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from measuring import Figure, ProcessCost, describe, median, run_in_turn, trainwright_command
from store import fill_with_runs


def run(quick: bool) -> list[Figure]:
    with tempfile.TemporaryDirectory() as directory:
        store = str(Path(directory) / "metadata.db")
        fill_with_runs(store, runs=30)
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "python -c 'import trainwright'": [sys.executable, "-c", "import trainwright"],
            "python -c 'from tfx import v1'": [sys.executable, "-c", "from tfx import v1"],
            **{
                f"python -c 'import {name}'": [sys.executable, "-c", f"import {name}"]
                for name in ("tensorflow_data_validation", "tensorflow_model_analysis")
            },
            "trainwright runs": trainwright_command("runs", "--store", store),
        }
        costs = run_in_turn(commands, times=3 if quick else 15)
    aims = {
        "python -c 'import trainwright'": 0.3,
        "python -c 'from tfx import v1'": 0.1,
        "python -c 'import tensorflow_data_validation'": 0.5,
        "python -c 'import tensorflow_model_analysis'": 0.5,
        "trainwright runs": 0.6,
    }
    return [_figure(name, values, aims.get(name)) for name, values in costs.items()]


def _figure(name: str, costs: list[ProcessCost], aim: float | None) -> Figure:
    cpu = [cost.cpu for cost in costs]
    return Figure(
        what=f"`{name}`, CPU",
        value=median(cpu),
        unit="s",
        aim=aim,
        remark=f"{describe(cpu)}; wall {median(cost.wall for cost in costs):.2f} s",
    )
