"""Pipelines that another program runs node by node: `trainwright compile` and `execute-node`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from trainwright.history.run_history import find_run
from trainwright.metadata.connection import open_store
from trainwright.metadata.leases import current_lease
from trainwright.orchestration.pipeline_document import read_source, read_store

PIPELINE = """
import os, time
from tfx import v1 as tfx
from trainwright import OutputDict, Parameter, Pipeline, component
from trainwright.types.standard_artifacts import Integer

@component
def source(n: Parameter[int], wait_for: Parameter[str]) -> OutputDict(out=int):
    print("source works", flush=True)
    with open("started", "a") as file:
        file.write("x")
    while wait_for and not os.path.exists(wait_for):
        time.sleep(0.05)
    return {"out": n}

@component
def double(x: int) -> OutputDict(out=int):
    if x < 0:
        raise ValueError(f"{x} is negative")
    return {"out": 2 * x}

@component
def big(x: int) -> OutputDict(out=int):
    return {"out": x}

@component
def report(x: int, before: int = 0) -> OutputDict(out=int):
    return {"out": x + before}

def create_pipeline(n: int = 2, root: str = "root", wait_for: str = ""):
    first = source(n=n, wait_for=wait_for)
    second = double(x=first.outputs["out"])
    with tfx.dsl.Cond(second.outputs["out"].future()[0].value > 100):
        third = big(x=second.outputs["out"])
    latest = tfx.dsl.Resolver(
        strategy_class=tfx.dsl.experimental.LatestArtifactStrategy,
        before=tfx.dsl.Channel(type=Integer),
    ).with_id("latest")
    latest.add_upstream_node(second)
    last = report(x=second.outputs["out"])
    last.add_upstream_node(latest)
    nodes = [first, second, third, latest, last]
    return Pipeline("five", root, components=nodes, enable_cache=True)
"""


def trainwright(*arguments, **options):
    command = [sys.executable, "-m", "trainwright", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("pipeline.py").write_text(textwrap.dedent(PIPELINE))
    return tmp_path


def compiled(*settings, path="pipeline.json"):
    options = [part for setting in settings for part in ("--set", setting)]
    done = trainwright("compile", "pipeline.py", "-o", path, *options)
    assert done.returncode == 0, done.stderr
    return json.loads(Path(path).read_text())


def drive(document, run_id):
    """What an orchestrator does that knows the document alone: the exit codes of the nodes."""
    codes = {}
    for node in document["nodes"]:
        assert all(upstream in codes for upstream in node["upstream"])
        if all(codes[upstream] == 0 for upstream in node["upstream"]):
            done = subprocess.run([*node["command"], "--run", run_id], capture_output=True)
            codes[node["id"]] = done.returncode
        else:
            codes[node["id"]] = None
    return codes


def states_of(root, run_id):
    with open_store(Path(root) / "metadata.db") as store:
        run = find_run(store, run_id)
    return run.state, {node.node_id: node.state for node in run.nodes}


def test_a_loop_over_the_commands_does_what_the_local_runner_does(project):
    document = compiled()
    assert set(drive(document, "first").values()) == {0}
    assert set(drive(document, "second").values()) == {0}
    for _ in range(2):
        done = trainwright("run", "pipeline.py", "--set", "root=other", "--quiet")
        assert done.returncode == 0, done.stderr
    with open_store(project / "other/metadata.db") as store:
        runs = store.get_contexts(type_name="pipeline_run")
    newest, oldest = [states_of("other", run.name) for run in runs]
    assert states_of("root", "first") == oldest
    assert states_of("root", "second") == newest
    state, nodes = oldest
    assert (state, nodes["big"], nodes["report"]) == ("complete", "skipped", "complete")
    assert newest[1]["report"] == "cached"
    # Once more, nothing is done and all is well.
    with open_store(project / "root/metadata.db") as store:
        before = len(store.get_executions())
        assert set(drive(document, "second").values()) == {0}
        assert len(store.get_executions()) == before


def test_the_document_says_what_an_orchestrator_needs(project):
    document = compiled("n=3")
    assert (document["format"], document["version"]) == ("trainwright.pipeline", 1)
    assert document["root"] == str(project / "root")
    assert document["store"] == f"sqlite:///{project}/root/metadata.db"
    assert document["source"] == {
        "file": str(project / "pipeline.py"),
        "settings": {"n": "3"},
        "arguments": [],
        "working_directory": str(project),
    }
    nodes = {node["id"]: node for node in document["nodes"]}
    assert nodes["source"]["properties"] == {"n": 3, "wait_for": ""}
    assert nodes["double"]["inputs"] == {"x": [{"node": "source", "key": "out"}]}
    assert nodes["double"]["upstream"] == ["source"]
    assert nodes["big"]["conditions"]
    assert nodes["report"]["options"]["num_processes"] == 1
    assert nodes["report"]["command"][1:] == [
        *("-m", "trainwright", "execute-node"),
        *(str(project / "pipeline.json"), "report"),
    ]
    assert not (project / "root").exists()


def test_a_node_id_that_would_be_an_option_is_refused(project):
    text = Path("pipeline.py").read_text()
    Path("pipeline.py").write_text(text.replace('.with_id("latest")', '.with_id("--help")'))
    done = trainwright("compile", "pipeline.py")
    assert done.returncode == 2
    assert "The node id '--help' begins with a dash" in done.stderr


def test_a_node_that_fails_is_told_by_the_exit_code_and_finish_notes_it(project):
    document = compiled("n=-1")
    codes = drive(document, "bad")
    assert codes == {"source": 0, "double": 1, "big": None, "latest": None, "report": None}
    early = trainwright("execute-node", "pipeline.json", "report", "--run", "bad")
    assert early.returncode == 2
    assert "report comes after double, which has failed in run bad" in early.stderr
    finished = trainwright("execute-node", "pipeline.json", "--run", "bad", "--finish")
    assert finished.returncode == 1
    assert states_of("root", "bad")[0] == "failed"


def test_a_command_that_was_killed_is_started_again(project):
    document = compiled("wait_for=go")
    command = [*document["nodes"][0]["command"], "--run", "killed"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not Path("started").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    twice = subprocess.run(command, capture_output=True, text=True)
    assert twice.returncode == 2
    assert "source is being executed in run killed by process" in twice.stderr
    process.send_signal(signal.SIGKILL)
    process.wait()
    Path("go").touch()
    assert set(drive(document, "killed").values()) == {0}
    assert Path("started").read_text() == "xx"
    state, nodes = states_of("root", "killed")
    assert (state, nodes["source"]) == ("complete", "complete")
    # Who follows the run hears of its end, once, although no command is the run's own.
    with open_store("root/metadata.db") as store:
        ended_at = store.get_run("killed").ended_at
        again = subprocess.run(command, capture_output=True, text=True)
        assert again.returncode == 0, again.stderr
        assert store.get_run("killed").ended_at == ended_at
    (log,) = Path("root/.system/runs").glob("*/events.jsonl")
    told = [json.loads(line) for line in log.read_text().splitlines()]
    assert [event["state"] for event in told if event["event"] == "run_finished"] == ["complete"]
    assert told[-1]["states"]["source"] == "complete"


def test_a_command_that_is_stopped_cancels_the_run(project):
    document = compiled("wait_for=never")
    command = [*document["nodes"][0]["command"], "--run", "stopped"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not Path("started").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert states_of("root", "stopped")[0] == "running"
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 130
    assert states_of("root", "stopped") == (
        "canceled",
        {**dict.fromkeys(["double", "big", "latest", "report"], "not run"), "source": "canceled"},
    )


def test_a_run_is_canceled_while_none_of_its_commands_is_at_work(project):
    document = compiled()
    command = [*document["nodes"][0]["command"], "--run", "idle"]
    assert subprocess.run(command, capture_output=True).returncode == 0
    canceled = trainwright("cancel", "idle", "--store", project / "root/metadata.db")
    assert canceled.returncode == 0, canceled.stderr
    assert "Run idle of five: canceled." in canceled.stdout
    assert states_of("root", "idle")[0] == "canceled"
    late = trainwright("execute-node", "pipeline.json", "double", "--run", "idle", "--finish")
    assert late.returncode == 2
    finished = trainwright("execute-node", "pipeline.json", "--run", "idle", "--finish")
    assert finished.returncode == 130
    assert "source complete, double canceled" in finished.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pipeline.json", "sauce", "--run", "r"], "no node 'sauce'; did you mean 'source'"),
        (["pipeline.json", "source", "--run", "a b"], "'a b' cannot be the id of a run"),
        (["pipeline.json", "--run", "r"], "Name the NODE to execute, or give --finish"),
        (["pipeline.json", "--run", "r", "--finish"], "There is no"),
        (["pipeline.json", "double", "--run", "r"], "which has not been executed in run r"),
        (["other.json", "source", "--run", "r"], "is not a compiled pipeline"),
        (["later.json", "source", "--run", "r"], "has version 99 of the format, expected 1"),
    ],
)
def test_wrong_questions_end_with_2(project, arguments, message):
    document = compiled()
    Path("other.json").write_text("{}")
    Path("later.json").write_text(json.dumps({**document, "version": 99}))
    done = trainwright("execute-node", *arguments)
    assert done.returncode == 2, done.stderr
    assert message in " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.parametrize(
    "changes",
    [
        {"file": None},
        {"file": "a\0b"},
        {"working_directory": ["/"]},
        {"settings": [["a", "1"]]},
        {"settings": {"a": 1}},
        {"arguments": "abc"},
        {"arguments": [1]},
    ],
)
def test_a_document_of_another_form_does_not_choose_what_runs(changes):
    source = {"file": "/p.py", "settings": {}, "arguments": [], "working_directory": "/"}
    assert read_source({"source": source}).file == "/p.py"
    with pytest.raises(ValueError, match="does not say where it comes from"):
        read_source({"source": {**source, **changes}})


@pytest.mark.parametrize("document", [{}, {"store": None}, {"store": ["x"]}, {"store": ""}])
def test_a_document_without_a_store_makes_none(document):
    with pytest.raises(ValueError, match="names no metadata store"):
        read_store(document)


def test_a_run_that_one_process_runs_is_not_joined(project):
    compiled()
    os.makedirs("root")
    with open_store("root/metadata.db") as store:
        store.register_run("local", pipeline="five", root="root", nodes=[], lease=current_lease())
    for arguments in (["source"], ["--finish"]):
        done = trainwright("execute-node", "pipeline.json", *arguments, "--run", "local")
        assert done.returncode == 2, done.stderr
        assert "is not one whose nodes are executed one by one" in done.stderr
    assert states_of("root", "local")[0] == "running"


def test_a_file_that_has_changed_its_pipeline_is_refused(project):
    compiled()
    Path("pipeline.py").write_text(Path("pipeline.py").read_text().replace('"five"', '"six"'))
    done = trainwright("execute-node", "pipeline.json", "source", "--run", "r")
    assert done.returncode == 2
    assert "has changed since it was compiled: its pipeline is 'six'" in done.stderr
    assert not os.path.exists("root")
