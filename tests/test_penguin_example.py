"""The penguin example, as `make demo` runs it: a model that a server could load."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent


def run_example(output: Path) -> dict[str, dict]:
    """Runs the example and returns the events of its nodes' ends."""
    finished = subprocess.run(
        [
            sys.executable,
            "-c",
            "from trainwright.cli.main import main; main()",
            "run",
            str(REPOSITORY / "examples/penguin/pipeline.py"),
            "--json",
            "--set",
            f"output={output}",
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    events = [json.loads(line) for line in finished.stdout.splitlines()]
    assert events[-1]["state"] == "complete"
    ends = ("node_completed", "node_cached")
    return {event["node"]: event for event in events if event["event"] in ends}


def test_the_pushed_model_tells_species_and_a_rerun_reuses_everything(tmp_path):
    import tensorflow as tf

    first = run_example(tmp_path)
    assert {event["event"] for event in first.values()} == {"node_completed"}
    (pushed,) = (tmp_path / "serving_model").iterdir()
    signature = tf.saved_model.load(str(pushed)).signatures["serving_default"]

    def penguin(bill_length, bill_depth, flipper_length, body_mass):
        floats = {"bill_length_mm": bill_length, "bill_depth_mm": bill_depth}
        ints = {"flipper_length_mm": flipper_length, "body_mass_g": body_mass}
        feature = {
            name: tf.train.Feature(float_list=tf.train.FloatList(value=[value]))
            for name, value in floats.items()
        } | {
            name: tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))
            for name, value in ints.items()
        }
        return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()

    adelie, gentoo = penguin(38.8, 18.3, 190, 3700), penguin(47.5, 15.0, 217, 5100)
    logits = signature(tf.constant([adelie, gentoo]))["logits"]
    assert tf.argmax(logits, axis=1).numpy().tolist() == [0, 2]

    second = run_example(tmp_path)
    assert {event["event"] for event in second.values()} == {"node_cached"}
    assert second["Pusher"]["outputs"] == first["Pusher"]["outputs"]
