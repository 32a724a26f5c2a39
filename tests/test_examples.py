"""The examples, as `make demo` runs them: models that a server could load."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from documented_output import assert_lines_are_printed, block

pytestmark = pytest.mark.usefixtures("warm_scripts")

REPOSITORY = Path(__file__).resolve().parent.parent


def call_example(
    output: Path,
    *arguments: str,
    pipeline: str = "penguin/pipeline.py",
    settings: Sequence[str],
    as_json: bool = True,
) -> str:
    """Calls `trainwright run` for an example; returns what it printed."""
    command = [
        *command_of(pipeline),
        *(["--json"] if as_json else []),
        *arguments,
        *settings_of(output, settings),
    ]
    finished = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    return finished.stdout


def command_of(pipeline: str) -> list[str]:
    main = "from trainwright.cli.main import main; main()"
    return [sys.executable, "-c", main, "run", str(REPOSITORY / "examples" / pipeline)]


def settings_of(output: Path, settings: Iterable[str]) -> list[str]:
    return [part for setting in (f"output={output}", *settings) for part in ("--set", setting)]


def run_on_terminal(output: Path) -> str:
    """Runs the penguin example on a terminal; returns what it shows."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*command_of("penguin/pipeline.py"), *settings_of(output, ())],
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    )
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # how Linux says that the other end is closed
        while read := os.read(ours, 65536):
            shown += read
    os.close(ours)
    assert process.wait() == 0, shown.decode()
    return re.sub(rb"\x1b(\[[0-9;?]*[A-Za-z]|\]8;.*?\x1b\\)", b"", shown).decode()


def run_example(
    output: Path, *settings: str, pipeline: str = "penguin/pipeline.py"
) -> dict[str, dict]:
    """Runs an example and returns the events of its nodes' ends."""
    return ends_of(call_example(output, pipeline=pipeline, settings=settings))


def ends_of(printed: str) -> dict[str, dict]:
    """The events of nodes' ends among those of a complete run."""
    events = [json.loads(line) for line in printed.splitlines()]
    assert events[-1]["state"] == "complete"
    ends = ("node_completed", "node_cached")
    return {event["node"]: event for event in events if event["event"] in ends}


def nodes_that(ends: dict[str, dict], event: str) -> set[str]:
    return {node for node, end in ends.items() if end["event"] == event}


def test_three_runs_train_then_compare_with_the_baseline_then_reuse_everything(tmp_path):
    import tensorflow as tf

    shown = run_on_terminal(tmp_path)
    names = {
        "/home/ada/trainwright/examples/penguin/output": str(tmp_path),
        "examples/penguin/": str(REPOSITORY / "examples" / "penguin") + "/",
    }
    assert_lines_are_printed(block("README.md", "✓  CsvExampleGen"), shown, names)
    (told,) = tmp_path.glob("artifacts/.system/runs/*/events.jsonl")
    first = ends_of(told.read_text())
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

    explained = call_example(tmp_path, "--explain", settings=["train_steps=500"], as_json=False)
    assert_lines_are_printed(block("README.md", "NODE  "), explained)

    # Now there is a model to compare with: the same one.
    second = run_example(tmp_path)
    assert nodes_that(second, "node_cached") == {"CsvExampleGen", "ImportSchemaGen", "Trainer"}
    assert second["Evaluator"]["outputs"] != first["Evaluator"]["outputs"]
    blessing = Path(second["Evaluator"]["outputs"]["blessing"][0])
    assert [path.name for path in blessing.iterdir()] == ["BLESSED"]

    # Resolving is asking the store; all the others are reused.
    third = run_example(tmp_path)
    assert nodes_that(third, "node_completed") == {"LatestBlessedModel"}
    assert third["Pusher"]["outputs"] == second["Pusher"]["outputs"]


def test_a_pipeline_with_transform_is_reused_but_for_the_comparison(tmp_path):
    taxi = {
        "pipeline": "taxi/pipeline.py",
        "settings": ["rows=3000", "train_steps=200", "eval_steps=10"],
    }
    first = run_example(tmp_path, *taxi["settings"], pipeline=taxi["pipeline"])
    assert nodes_that(first, "node_cached") == set()
    assert files_of(first["Evaluator"], "blessing") == ["BLESSED"]
    assert len(list((tmp_path / "serving_model").iterdir())) == 1

    # What the next run does is known without doing it: there is a model to compare with now.
    explained = json.loads(call_example(tmp_path, "--explain", **taxi))
    would_run = {one["node_id"] for one in explained if one["will_run"]}
    assert would_run == {"LatestBlessedModel", "Evaluator", "Pusher"}


def test_the_full_penguin_pipeline_with_everything_on_runs_twice(tmp_path):
    everything = ["train_steps=60", "everything=true"]
    first = run_example(tmp_path, *everything, pipeline="penguin/full_pipeline.py")
    assert nodes_that(first, "node_cached") == set()
    assert files_of(first["Tuner"], "best_hyperparameters") == ["best_hyperparameters.txt"]
    assert files_of(first["InfraValidator"], "blessing") == ["INFRA_BLESSED"]
    assert files_of(first["Evaluator"], "blessing") == ["BLESSED"]
    assert files_of(first["BulkInferrer"], "output_examples") == ["Split-field"]
    assert files_of(first["ExampleDiff"], "example_diff_result") == [
        "SplitPair-field_eval",
        "SplitPair-field_train",
    ]
    assert len(list((tmp_path / "serving_model").iterdir())) == 1

    # There is a model to compare with now; what comes after the comparison is done anew.
    second = run_example(tmp_path, *everything, pipeline="penguin/full_pipeline.py")
    assert nodes_that(second, "node_completed") == {
        "LatestBlessedModel",
        "Evaluator",
        "Pusher",
        "BulkInferrer",
    }
    assert files_of(second["Evaluator"], "blessing") == ["BLESSED"]


def files_of(end: dict, key: str) -> list[str]:
    """The names in the directory of an output."""
    (directory,) = map(Path, end["outputs"][key])
    return sorted(path.name for path in directory.iterdir())


def test_a_model_for_devices_is_compared_evaluated_and_pushed(tmp_path):
    ends = run_example(tmp_path, "digits=400", "train_steps=150", pipeline="digits/pipeline.py")
    compared = json.loads(Path(ends["Rewriter"]["outputs"]["report"][0], "parity.json").read_text())
    assert set(compared["targets"]) == {"onnx", "litert", "litert_full_integer"}
    sizes = {key: found["rewritten"]["size"] for key, found in compared["targets"].items()}
    assert sizes["litert_full_integer"] < sizes["litert"] / 2
    pushed = {
        path.parent.parent.name: path.name
        for path in tmp_path.glob("*_model/*/*")
        if path.is_file()
    }
    assert pushed["onnx_model"] == "model.onnx"
    assert pushed["device_model"] == pushed["quantized_model"] == "tflite"
    assert "server_model" in pushed
