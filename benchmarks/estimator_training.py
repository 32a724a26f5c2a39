"""Cost of the Trainer around an Estimator, and of the repairs for today's TensorFlow.

As in trainer_overhead, Trainers and bare scripts that train the same Estimator take turns in one
pipeline. The scripts have imported TensorFlow before they look at the clock.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import tempfile

from measuring import Figure, describe, median
from trainer_overhead import HERE, PENGUINS, BareScript, _read_seconds

from trainwright import LocalDagRunner, Pipeline
from trainwright.components import CsvExampleGen, SchemaGen, StatisticsGen, Trainer
from trainwright.orchestration.events import RunEvent, RunEventKind

MODULE_FILE = os.path.join(HERE, "small_estimator.py")

# TensorFlow and Keras 2 are there already, as in a Trainer's process.
IMPORT = """
import os, time
os.environ["TF_USE_LEGACY_KERAS"] = "1"
import tensorflow as tf
tf.keras.Model
began = time.process_time()
from trainwright._estimator_repairs import offer_estimators
offer_estimators()
tf.estimator.Estimator
print(time.process_time() - began)
"""


def run(quick: bool) -> list[Figure]:
    pairs, steps = (1, 200) if quick else (7, 2000)
    events: list[RunEvent] = []
    with tempfile.TemporaryDirectory() as root:
        pipeline = _make_pipeline(root, pairs, steps)
        LocalDagRunner(observer=events.append, max_parallel=1).run(pipeline)
        ended = [event for event in events if event.kind is RunEventKind.NODE_COMPLETED]
        bare = [_read_seconds(event)["run_fn"] for event in ended if event.node.startswith("Bare")]
    trained = [
        event.at - before.at
        for before, event in itertools.pairwise(ended)
        if event.node.startswith("Trainer") and event.node != "Trainer0"
    ]
    ratios = [node / script for node, script in zip(trained, bare, strict=True)]
    imports = [_measure_import() for _ in range(1 if quick else 5)]
    return [
        Figure(
            what="Trainer's node with an Estimator, beside the bare script",
            value=median(ratios),
            unit="times",
            aim=1.1,
            remark=f"{describe(ratios)}; {median(trained):.2f} s beside {median(bare):.2f} s, "
            f"{steps} steps",
        ),
        Figure(
            what="import of Estimators with their repairs, after TensorFlow's",
            value=median(imports),
            unit="s",
            remark=f"CPU; {describe(imports)}",
        ),
    ]


def _make_pipeline(root: str, pairs: int, steps: int) -> Pipeline:
    example_gen = CsvExampleGen(
        input_base=PENGUINS,
        input_config={"splits": [{"name": name, "pattern": "*.csv"} for name in ("train", "eval")]},
    )
    statistics_gen = StatisticsGen(examples=example_gen.outputs["examples"])
    schema_gen = SchemaGen(statistics=statistics_gen.outputs["statistics"])

    def make_trainer(number: int) -> Trainer:
        return Trainer(
            examples=example_gen.outputs["examples"],
            schema=schema_gen.outputs["schema"],
            module_file=MODULE_FILE,
            train_args={"num_steps": steps},
        ).with_id(f"Trainer{number}")

    nodes = [example_gen, statistics_gen, schema_gen, make_trainer(0)]
    for number in range(1, pairs + 1):
        script = BareScript(
            examples=example_gen.outputs["examples"], script=MODULE_FILE, steps=steps
        ).with_id(f"BareScript{number}")
        nodes += [script, make_trainer(number)]
    for before, node in itertools.pairwise(nodes):
        node.add_upstream_node(before)
    return Pipeline(pipeline_name="estimators", pipeline_root=root, components=nodes)


def _measure_import() -> float:
    printed = subprocess.run(
        [sys.executable, "-c", IMPORT], check=True, capture_output=True, text=True
    ).stdout
    return float(printed.split()[-1])
