"""Time of a run that has nothing to do: the penguin pipeline, once more, all cached.

`trainwright run examples/penguin/pipeline.py` runs once in full and then, cached, in turn with an
interpreter that does nothing. The figure is the wall time of the whole process.
"""

from __future__ import annotations

import os
import sys
import tempfile

from measuring import (
    REPOSITORY,
    Figure,
    describe,
    median,
    run_in_turn,
    run_process,
    trainwright_command,
)

PIPELINE = os.path.join(REPOSITORY, "examples", "penguin", "pipeline.py")


def run(quick: bool) -> list[Figure]:
    with tempfile.TemporaryDirectory() as output:
        command = trainwright_command("run", PIPELINE, "--set", f"output={output}")
        full = run_process(command)
        run_process(command)  # has a blessed model to compare with, for the first time
        run_process(command)  # and that one's own blessing to find
        costs = run_in_turn(
            {"python": [sys.executable, "-c", "pass"], "rerun": command}, times=3 if quick else 11
        )
    for cost in costs["rerun"]:
        if "(6 cached)" not in cost.output:
            raise RuntimeError(f"Not everything was cached:\n{cost.output}")
    wall = [cost.wall for cost in costs["rerun"]]
    python = [cost.wall for cost in costs["python"]]
    return [
        Figure(
            what="penguin pipeline, all cached, wall",
            value=median(wall),
            unit="s",
            aim=1.0,
            remark=f"{describe(wall)}; CPU {median(c.cpu for c in costs['rerun']):.2f} s",
        ),
        Figure(what="of it the interpreter alone", value=median(python), unit="s"),
        Figure(what="penguin pipeline, nothing cached, wall", value=full.wall, unit="s"),
    ]
