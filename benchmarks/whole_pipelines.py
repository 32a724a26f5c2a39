"""Whole pipelines: the penguins in CPU seconds beside a bare script, penguins and taxi beside TFX.

Every run is a first run: nothing is reused. CPU seconds are those of all processes. TFX's figures
were measured with TFX 1.21 on a machine of this kind, with nodes that do the same.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import tempfile

from measuring import REPOSITORY, Figure, describe, median, run_process, trainwright_command

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(REPOSITORY, "examples")
# What the pipelines with statistics, schema, Transform, Trainer and Evaluator take in TFX.
TFX_SECONDS = {"penguin/full_pipeline.py": 71.0, "taxi/pipeline.py": 95.0}
MOST_TIMES_THE_SCRIPT = 1.3


def run(quick: bool) -> list[Figure]:
    times = 1 if quick else 5
    pipeline, script = [], []
    for _ in range(times):  # in turn, so that other load meets both alike
        with tempfile.TemporaryDirectory() as directory:
            pipeline.append(_run_pipeline("penguin/pipeline.py", directory))
        with tempfile.TemporaryDirectory() as directory:
            command = [sys.executable, os.path.join(HERE, "bare_penguin.py"), directory]
            script.append(run_process(command))
    ratios = [ours.cpu / bare.cpu for ours, bare in zip(pipeline, script, strict=True)]
    figures = [
        Figure(
            what="penguin pipeline, CPU, times a bare script that does the same",
            value=median(ratios),
            unit="",
            aim=MOST_TIMES_THE_SCRIPT,
            remark=f"{describe(ratios)}; {median(one.cpu for one in pipeline):.1f} s beside "
            f"{median(one.cpu for one in script):.1f} s of CPU, wall "
            f"{median(one.wall for one in pipeline):.1f} s beside "
            f"{median(one.wall for one in script):.1f} s",
        )
    ]
    if importlib.util.find_spec("tensorflow_transform") is None:
        print("whole_pipelines: without TFX's, for which: pip install 'trainwright[transform]'")
        return figures
    for name, tfx_seconds in TFX_SECONDS.items():
        seconds = []
        for _ in range(1 if quick else 3):
            with tempfile.TemporaryDirectory() as directory:
                seconds.append(_run_pipeline(name, directory).wall)
        figures.append(
            Figure(
                what=f"examples/{name}, first run, wall",
                value=median(seconds),
                unit="s",
                aim=tfx_seconds,
                remark=f"{describe(seconds)}; TFX {tfx_seconds:g} s",
            )
        )
    return figures


def _run_pipeline(name: str, directory: str):
    path = os.path.join(EXAMPLES, name)
    return run_process(trainwright_command("run", path, "--set", f"output={directory}"))
