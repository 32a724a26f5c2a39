"""Cost of the Trainer around training: its node beside the same `run_fn` in a bare script.

One pipeline trains several times, one node after the other, and between the Trainers a node starts
the bare script, so that other load on the machine meets both alike. The script has imported
TensorFlow before it looks at the clock. A Trainer's time is that from the end of the node before
it to its own end, so that the driver and the publisher are in it. The first Trainer has to wait for
the process that has imported TensorFlow; that wait is given apart.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from measuring import REPOSITORY, Figure, describe, median

from trainwright import (
    InputArtifact,
    LocalDagRunner,
    OutputArtifact,
    Parameter,
    Pipeline,
    component,
)
from trainwright.components import CsvExampleGen, Trainer
from trainwright.orchestration.events import RunEvent, RunEventKind
from trainwright.types.standard_artifacts import Examples, Model, ModelRun

HERE = os.path.dirname(os.path.abspath(__file__))
MODULE_FILE = os.path.join(HERE, "small_training.py")
PENGUINS = os.path.join(REPOSITORY, "examples", "penguin", "data")
STEPS = 100


@component
def BareScript(
    examples: InputArtifact[Examples],
    script: Parameter[str],
    steps: Parameter[int],
    model: OutputArtifact[Model],
    model_run: OutputArtifact[ModelRun],
) -> None:
    """Trains without Trainwright."""
    command = [sys.executable, script, examples.uri, model.uri, model_run.uri, str(steps)]
    subprocess.run(command, check=True)


def run(quick: bool) -> list[Figure]:
    pairs = 2 if quick else 9
    events: list[RunEvent] = []
    with tempfile.TemporaryDirectory() as root:
        pipeline = _make_pipeline(root, pairs)
        LocalDagRunner(observer=events.append, max_parallel=1).run(pipeline)
        ended = [event for event in events if event.kind is RunEventKind.NODE_COMPLETED]
        inside = {event.node: _read_seconds(event) for event in ended}
    nodes = {event.node: event.at - before.at for before, event in itertools.pairwise(ended)}
    numbers = range(1, pairs + 1)
    warm = [nodes[f"Trainer{number}"] for number in numbers]
    bare = [inside[f"BareScript{number}"]["run_fn"] for number in numbers]
    added = [trainer - script for trainer, script in zip(warm, bare, strict=True)]
    around = [
        nodes[f"Trainer{number}"] - inside[f"Trainer{number}"]["run_fn"] for number in numbers
    ]
    cold = nodes["Trainer0"] - inside["Trainer0"]["run_fn"]
    cpu = {
        kind: median(inside[f"{kind}{number}"]["run_fn_cpu"] for number in numbers)
        for kind in ("Trainer", "BareScript")
    }
    imports = [inside[f"BareScript{number}"]["import"] for number in numbers]
    return [
        Figure(
            what="Trainer's node minus the bare script's `run_fn`",
            value=median(added),
            unit="s",
            aim=0.1,
            remark=f"{describe(added)}; {median(warm):.2f} s beside {median(bare):.2f} s; CPU of "
            f"`run_fn` {cpu['Trainer']:.2f} s beside {cpu['BareScript']:.2f} s",
        ),
        Figure(
            what="Trainer's node minus the `run_fn` in it",
            value=median(around),
            unit="s",
            aim=0.1,
            remark=describe(around),
        ),
        Figure(
            what="wait of the first Trainer for TensorFlow",
            value=cold - median(around),
            unit="s",
            remark=f"once a run; the script's own import takes {median(imports):.1f} s each time",
        ),
    ]


def _make_pipeline(root: str, pairs: int) -> Pipeline:
    example_gen = CsvExampleGen(
        input_base=PENGUINS, input_config={"splits": [{"name": "all", "pattern": "*.csv"}]}
    )
    nodes = [example_gen, _make_trainer(example_gen, 0)]
    for number in range(1, pairs + 1):
        script = BareScript(
            examples=example_gen.outputs["examples"],
            script=os.path.join(HERE, "bare_training.py"),
            steps=STEPS,
        ).with_id(f"BareScript{number}")
        nodes += [script, _make_trainer(example_gen, number)]
    for before, node in itertools.pairwise(nodes):
        node.add_upstream_node(before)
    return Pipeline(pipeline_name="trainers", pipeline_root=root, components=nodes)


def _make_trainer(example_gen: CsvExampleGen, number: int) -> Trainer:
    return Trainer(
        examples=example_gen.outputs["examples"],
        module_file=MODULE_FILE,
        train_args={"num_steps": STEPS},
    ).with_id(f"Trainer{number}")


def _read_seconds(event: RunEvent) -> dict[str, float]:
    """What the training itself wrote down, if the node trained."""
    if "model_run" not in event.data["outputs"]:
        return {}
    [directory] = event.data["outputs"]["model_run"]
    seconds: dict[str, float] = json.loads((Path(directory) / "seconds.json").read_text())
    return seconds
