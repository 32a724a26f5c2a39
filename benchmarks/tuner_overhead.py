"""Cost of the Tuner per trial: a search of keras_tuner in its node, and the same by itself.

One pipeline searches several times, one node after the other; between the Tuners a node runs the
same search in a script without Trainwright, so that other load on the machine meets both alike.
The models are of Keras 3, the only ones that keras_tuner alone takes. Each search writes down the
time from the end of its first trial to the end of its last.
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

from trainwright import InputArtifact, LocalDagRunner, Parameter, Pipeline, component
from trainwright.components import CsvExampleGen, Tuner
from trainwright.orchestration.events import RunEvent, RunEventKind
from trainwright.types.standard_artifacts import Examples

MODULE_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "small_search.py")
PENGUINS = os.path.join(REPOSITORY, "examples", "penguin", "data")


@component
def BareSearch(
    examples: InputArtifact[Examples],
    script: Parameter[str],
    times: Parameter[str],
    trials: Parameter[int],
) -> None:
    """Searches without Trainwright."""
    subprocess.run([sys.executable, script, times, str(trials)], check=True)


def run(quick: bool) -> list[Figure]:
    pairs, trials = (2, 5) if quick else (3, 12)
    events: list[RunEvent] = []
    with tempfile.TemporaryDirectory() as root:
        nodes = _make_nodes(Path(root), pairs, trials)
        pipeline = Pipeline(pipeline_name="searches", pipeline_root=root, components=nodes)
        LocalDagRunner(observer=events.append, max_parallel=1).run(pipeline)
        tuners, bare = (
            [_read_seconds(Path(root, f"{kind}{number}.json")) for number in range(pairs)]
            for kind in ("Tuner", "BareSearch")
        )
    ended = [event for event in events if event.kind is RunEventKind.NODE_COMPLETED]
    whole = {event.node: event.at - before.at for before, event in itertools.pairwise(ended)}
    added = [here - alone for here, alone in zip(tuners, bare, strict=True)]
    around = [
        whole[f"Tuner{number}"] - trials * seconds
        for number, seconds in enumerate(tuners)
        if number  # the first one waits for TensorFlow
    ]
    return [
        Figure(
            what="a trial in a Tuner minus a trial with keras-tuner alone",
            value=median(added),
            unit="s",
            aim=0.2,
            remark=f"{describe(added)}; {median(tuners):.2f} s beside {median(bare):.2f} s, "
            f"{trials} trials each",
        ),
        Figure(
            what="Tuner's node minus its trials",
            value=median(around),
            unit="s",
            remark=f"{describe(around)}; imports of keras and keras_tuner, the first model",
        ),
    ]


def _make_nodes(root: Path, pairs: int, trials: int) -> list[CsvExampleGen | Tuner]:
    example_gen = CsvExampleGen(
        input_base=PENGUINS,
        input_config={"splits": [{"name": name, "pattern": "*.csv"} for name in ("train", "eval")]},
    )
    examples = example_gen.outputs["examples"]
    nodes = [example_gen]
    for number in range(pairs):
        times = str(root / f"BareSearch{number}.json")
        bare = BareSearch(examples=examples, script=MODULE_FILE, times=times, trials=trials)
        nodes.append(bare.with_id(f"BareSearch{number}"))
        config = {"times": str(root / f"Tuner{number}.json"), "trials": trials}
        tuner = Tuner(examples, module_file=MODULE_FILE, custom_config=config)
        nodes.append(tuner.with_id(f"Tuner{number}"))
    for before, node in itertools.pairwise(nodes):
        node.add_upstream_node(before)
    return nodes


def _read_seconds(path: Path) -> float:
    seconds: float = json.loads(path.read_text())["per_trial"]
    return seconds
