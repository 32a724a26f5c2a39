"""`trainwright runs` and `trainwright show`: what is in a store, which they never create."""

import contextlib
import json
import os
import re
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from trainwright.cli.main import cli

PIPELINES = """
    import sys

    @component
    def fail(total: int):
        raise KeyError("no such penguin")

    def create_pipeline(name="good"):
        counter = count(start=3)
        if name == "good":
            return make("good", "root", start=3)
        failing = fail(total=counter.outputs["total"])
        return Pipeline(
            name,
            "root",
            components=[counter, failing, double(total=counter.outputs["total"]).with_id("last")],
        )
"""


@pytest.fixture(scope="module")
def runs(shared_scene):
    """A good run, a bad one, then the good one again, all reused; their ids."""
    shared_scene.write(PIPELINES)
    ids = []
    for name in ("good", "bad", "good"):
        finished = shared_scene.call("run", "pipeline.py", "--set", f"name={name}", "--json")
        ids.append(json.loads(finished.stdout.splitlines()[0])["run_id"])
    return ids


@pytest.fixture
def call(shared_scene, runs):
    return shared_scene.call


@pytest.fixture
def root(shared_scene):
    return shared_scene.directory / "root"


def test_runs_are_listed_newest_first(call, runs):
    good, bad, again = runs
    listed = call("runs")
    assert listed.returncode == 0
    lines = listed.stdout.splitlines()
    assert lines[0].split() == ["RUN", "PIPELINE", "STATE", "STARTED", "TIME", "NODES"]
    assert [line.split()[:3] for line in lines[1:]] == [
        [again, "good", "complete"],
        [bad, "bad", "failed"],
        [good, "good", "complete"],
    ]
    assert "2 cached" in lines[1]
    assert "2 complete, 1 failed" in lines[2]
    assert all(" ago " in line or "just now" in line for line in lines[1:])
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--pipeline", "good"], [2, 0]),
        (["--limit", "1"], [2]),
        (["--state", "failed"], [1]),
        (["--state", "complete", "--limit", "1"], [2]),
        (["--state", "complete", "--pipeline", "good"], [2, 0]),
    ],
)
def test_runs_are_chosen(call, runs, arguments, expected):
    listed = json.loads(call("runs", *arguments, "--json").stdout)
    assert [run["run_id"] for run in listed] == [runs[index] for index in expected]


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["--pipeline", "unknown"], "No runs of pipeline 'unknown'.\n"),
        (["--state", "died"], "No died runs.\n"),
        (["--state", "failed", "--pipeline", "good"], "No failed runs of pipeline 'good'.\n"),
    ],
)
def test_no_runs_are_no_error(call, arguments, answer):
    listed = call("runs", *arguments)
    assert (listed.returncode, listed.stdout) == (0, answer)
    assert json.loads(call("runs", *arguments, "--json").stdout) == []


def test_runs_as_json(call, runs):
    again, bad, _ = json.loads(call("runs", "--json").stdout)
    assert {node["node_id"]: node["state"] for node in bad["nodes"]} == {
        "count": "complete",
        "fail": "failed",
        "last": "complete",
    }
    assert 0 < bad["seconds"] < 60
    assert [node["state"] for node in again["nodes"]] == ["cached", "cached"]
    assert [node["seconds"] for node in again["nodes"]] == [None, None]


@pytest.mark.parametrize("form", ["{}", "latest", "beginning"])
def test_a_run_by_the_word_by_its_id_and_by_the_beginning_of_it(call, runs, form):
    wanted = {"latest": "latest", "beginning": runs[2][:-2]}.get(form, runs[2])
    shown = call("show", wanted)
    assert shown.returncode == 0
    assert f"good  run {runs[2]}  complete" in shown.stdout


def test_a_good_run_says_what_was_made_and_why(call, runs, root):
    shown = call("show", runs[0])
    assert shown.returncode == 0
    assert f"good  run {runs[0]}  complete\nstarted " in shown.stdout
    assert f"artifacts in {root}\n" in shown.stdout
    assert "double.twice  Integer 2  1 B\n" in shown.stdout
    assert f"\n  {root}/double/twice/2/value\n" in shown.stdout
    assert "WHY" in shown.stdout
    assert "has not run before" in shown.stdout

    shown = call("show")
    assert [line.split()[1] for line in shown.stdout.splitlines()[4:7]] == [
        "STATE",
        "cached",
        "cached",
    ]
    assert "execution 1" in shown.stdout


def test_a_failed_run_is_exit_code_1(call, runs, root):
    shown = call("show", runs[1])
    assert shown.returncode == 1
    assert f"bad  run {runs[1]}  failed" in shown.stdout
    assert "fail: KeyError: 'no such penguin'" in shown.stdout
    log = root / "fail" / ".system" / "executor_execution" / "4" / "executor.log"
    assert f"  Log: {log}\n" in shown.stdout
    assert call("show", runs[1], "--json").returncode == 1


def test_a_run_as_json(call, runs):
    document = json.loads(call("show", runs[0], "--json").stdout)
    assert document["pipeline"] == "good"
    assert document["seconds"] > 0
    assert [node["node_id"] for node in document["nodes"]] == ["count", "double"]
    first = document["nodes"][0]
    (made,) = first["outputs"]["total"]
    assert made["type"]["name"] == "Integer"
    assert Path(made["uri"]).read_text() == "3"
    assert Path(first["log"]).exists()
    assert "has not run before" in first["reason"]


def test_one_node_with_all_its_details(call, runs, root):
    shown = call("show", runs[0], "--node", "double")
    assert shown.returncode == 0
    facts = dict(line.split(maxsplit=1) for line in shown.stdout.split("\n\n")[0].splitlines())
    assert facts["node"] == "double"
    assert facts["state"] == "complete"
    assert facts["component"] == "__main__.double"
    assert facts["log"] == f"{root}/double/.system/executor_execution/2/executor.log"
    inputs, outputs = shown.stdout.split("\nINPUTS\n")[1].split("\nOUTPUTS\n")
    assert f"total  Integer 1  1 B\n  {root}/count/total/1/value" in inputs
    assert f"twice  Integer 2  1 B\n  {root}/double/twice/2/value" in outputs

    shown = call("show", runs[0], "--node", "count")
    assert "\nPROPERTIES\nstart  3\n" in shown.stdout
    assert "__" not in shown.stdout.split("PROPERTIES")[1]


def test_a_reused_node_says_what_it_reuses(call, runs):
    document = json.loads(call("show", "latest", "--node", "double", "--json").stdout)
    assert document["state"] == "cached"
    assert document["reused_execution_id"] == 2
    assert document["inputs"]["total"][0]["id"] == 1
    assert document["properties"] == {}
    assert "reuses     execution 2\n" in call("show", "latest", "--node", "double").stdout


def test_a_failed_node_is_exit_code_1_and_the_others_are_not(call, runs):
    failed = call("show", runs[1], "--node", "fail")
    assert failed.returncode == 1
    assert "error      KeyError: 'no such penguin'" in failed.stdout
    assert call("show", runs[1], "--node", "count").returncode == 0


def test_what_is_not_there_or_there_twice(call, runs):
    unknown = call("show", "1999")
    assert unknown.returncode == 2
    assert "'1999' matches no run" in unknown.stderr
    assert runs[2] in unknown.stderr
    several = call("show", os.path.commonprefix(runs))
    assert several.returncode == 2
    assert "matches several runs" in several.stderr
    misspelt = call("show", runs[0], "--node", "duble")
    assert misspelt.returncode == 2
    assert "has no node 'duble'; did you mean 'double'?" in misspelt.stderr


def test_properties_that_json_cannot_hold_become_text(scene):
    scene.write(
        """
        from trainwright import InputArtifact, OutputArtifact
        from trainwright.types.standard_artifacts import Model

        @component
        def train(model: OutputArtifact[Model]):
            model.set_float_custom_property("loss", float("nan"))

        pipeline = Pipeline("diverged", "root", components=[train()])
        """
    )
    scene.run_here("pipeline.py")

    def refuse(constant):
        raise AssertionError(constant)

    shown = json.loads(scene.call("show", "--json").stdout, parse_constant=refuse)
    assert shown["nodes"][0]["outputs"]["model"][0]["custom_properties"]["loss"] == "NaN"


def test_run_of_which_no_end_is_known(tmp_path):
    """As a store of the version before has them."""
    script = Path(__file__).parents[1] / "metadata/version_2_store.sql"
    with contextlib.closing(sqlite3.connect(tmp_path / "metadata.db")) as connection:
        connection.executescript(script.read_text())
    shown = CliRunner().invoke(
        cli, ["show", "canceled-1", "--store", str(tmp_path / "metadata.db")]
    )
    assert shown.exit_code == 1
    assert "took" not in shown.output
    assert re.search(r"^started .* ago$", shown.output, re.MULTILINE)
