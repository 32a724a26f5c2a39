"""Events of a run: their form, several observers, and the log that others can follow."""

import json
import math
import os
import shutil
import warnings

import pytest

from trainwright import LocalDagRunner, OutputArtifact, Pipeline, component, open_store
from trainwright.metadata.records import Lease, RunRecord
from trainwright.orchestration import event_log, events
from trainwright.orchestration.cleanup.garbage import collect, plan_collection
from trainwright.orchestration.event_log import EventLog, find_event_log, read_events
from trainwright.orchestration.events import (
    ExecutionRecovered,
    NodeCompleted,
    NodeProgress,
    NodeSkipped,
    NodeStarted,
    NodeWarning,
    RunEvent,
    RunEventKind,
    RunFinished,
)
from trainwright.types.standard_artifacts import Integer

SAMPLES = {
    "str": "text \x1b[2J",
    "int": 3,
    "bool": True,
    "float": 1.5,
    "str | None": "x",
    "list[str]": ["a"],
    "list[str] | None": ["a"],
    "dict[str, str]": {"a": "b"},
    "dict[str, list[str]]": {"a": ["b"]},
    "dict[str, Any]": {"step": 1, "loss": 0.5, "text": "x"},
}


def sample(kind):
    """An event of the kind with every field set."""
    made = events._CLASSES[kind]
    hints = {name: made.__annotations__[name] for name in events._own_fields(kind)}
    named = {
        one.__name__ if isinstance(one, type) else one: value for one, value in SAMPLES.items()
    }
    return made(node="Trainer", at=5.0, **{name: named[hint] for name, hint in hints.items()})


@pytest.mark.parametrize("kind", RunEventKind)
def test_every_event_comes_back_from_json(kind):
    event = sample(kind)
    assert event.kind is kind
    document = json.loads(json.dumps(event.to_json()))
    assert document["event"] == kind.value
    assert RunEvent.from_json(document) == event
    assert RunEvent.from_json({**document, "from a later version": 1}).at == 5.0 or (
        kind is RunEventKind.NODE_PROGRESS
    )
    assert RunEvent.of(kind, "Trainer", event.data, at=5.0) == event


def test_observers_of_before_find_what_they_look_for():
    event = NodeCompleted(node="Trainer", execution_id=3, seconds=1.5, outputs={"model": ["/m"]})
    assert (event.kind, event.node) == (RunEventKind.NODE_COMPLETED, "Trainer")
    assert event.data == {"execution_id": 3, "seconds": 1.5, "outputs": {"model": ["/m"]}}
    assert "reason" not in event.data
    assert NodeSkipped(node="a", because_of=["b"]).data == {"because_of": ["b"]}
    problemless = ExecutionRecovered(
        execution_id=1, of_node="a", is_published=True, is_ended=True, problem=None
    )
    assert problemless.data["problem"] is None
    assert RunEvent.from_json(problemless.to_json()).problem is None


@pytest.mark.parametrize(
    "document",
    [
        [],
        {"event": "node_exploded", "at": 1.0},
        {"event": ["node_started"], "at": 1.0},
        {"event": "node_started", "at": 1.0, "node": "a"},
        {"event": "node_warning", "at": "now", "node": "a", "message": "x"},
        {"event": "node_warning", "at": 1.0, "node": 5, "message": "x"},
        {"event": "node_warning", "at": 1.0, "node": "a", "message": ["x"]},
        {
            "event": "node_failed",
            "at": 1.0,
            "error": "",
            "headline": "",
            "traceback": "",
            "kept": 1,
        },
        {"event": "run_stopping", "at": math.nan},
        {"event": "run_stopping", "at": 1e308},
        {"event": "run_stopping", "at": -1e18},
        {"event": "run_stopping", "at": 10**400},
        {
            "event": "node_completed",
            "at": 1.0,
            "execution_id": 1,
            "seconds": 10**400,
            "outputs": {},
        },
        {
            "event": "node_progress",
            "at": 1.0,
            "node": "a",
            "loss": json.loads("[" * 500 + "]" * 500),
        },
    ],
)
def test_what_is_not_an_event_is_refused(document):
    with pytest.raises(ValueError, match="event|nested"):
        RunEvent.from_json(document)


# Several observers


@component
def work(total: OutputArtifact[Integer]):
    print("\x1b[31mworking\x1b[0m")
    total.value = 1


def pipeline(tmp_path, name="p"):
    return Pipeline(name, str(tmp_path / "root"), components=[work()])


def test_an_observer_that_raises_neither_ends_the_run_nor_silences_the_others(tmp_path):
    told, others = [], []

    def failing(event):
        told.append(event.kind)
        raise ZeroDivisionError("no chart today")

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        runner = LocalDagRunner(observer=[failing, others.append])
        assert runner.run(pipeline(tmp_path)).is_success
    assert told == [event.kind for event in others]
    assert told[-1] is RunEventKind.RUN_FINISHED
    # What other tests have left may be collected meanwhile, which is a ResourceWarning.
    ours = [str(one.message) for one in caught if one.category is RuntimeWarning]
    assert len(ours) == len(told)
    assert "The observer failing raised ZeroDivisionError: no chart today" in ours[0]


# The event log


def run_of(tmp_path, run_id="2026-11-18T16:27:35.1", **facts):
    lease = Lease(host="h", pid=7, process_started_at=2.5)
    given = {"id": 1, "pipeline": "p", "root": str(tmp_path / "root"), "started_at": 1.0, **facts}
    return RunRecord(run_id=run_id, lease=lease, **given)


def lines_of(path):
    with open(path, "rb") as file:
        return file.read().splitlines()


def test_a_run_leaves_what_it_told(tmp_path):
    told = []
    result = LocalDagRunner(observer=told.append).run(pipeline(tmp_path))
    with open_store(tmp_path / "root" / "metadata.db") as store:
        path = find_event_log(store.get_run(result.run_id))
    assert path.startswith(str(tmp_path / "root" / ".system" / "runs"))
    with open(path, "rb") as file:
        assert list(read_events(file.read())) == told
    assert isinstance(told[-1], RunFinished)


@pytest.mark.parametrize(
    "run_id",
    ["../../escape", ".", "..", "", "a/b\0c", ".hidden", "x" * 5000, "Größe \U0001f427~+1"],
)
def test_any_run_id_is_a_directory_below_the_root(tmp_path, run_id):
    run = run_of(tmp_path, run_id)
    log = EventLog.begin(run, str(tmp_path / "metadata.db"))
    log(NodeWarning(node="a", message="b"))
    assert find_event_log(run) == log.path
    runs = tmp_path / "root" / ".system" / "runs"
    assert os.path.dirname(os.path.dirname(log.path)) == str(runs)
    assert len(list(runs.iterdir())) == 1
    assert not next(runs.iterdir()).name.startswith(".")


def test_runs_of_one_id_in_two_stores_have_each_their_log(tmp_path):
    first, second = run_of(tmp_path), run_of(tmp_path, started_at=2.0)
    paths = [EventLog.begin(run, str(tmp_path / "metadata.db")).path for run in (first, second)]
    assert paths == [find_event_log(first), find_event_log(second)]
    assert paths[0] != paths[1]
    assert find_event_log(run_of(tmp_path, started_at=3.0)) is None
    assert find_event_log(run_of(tmp_path, "2026-11-18T16:27:35")) is None


def test_progress_is_thinned_the_longer_a_node_runs(tmp_path):
    log = EventLog.begin(run_of(tmp_path), "metadata.db")
    log(NodeStarted(node="a", execution_id=1, reason="", log="", at=0.0))
    a_day = 24 * 3600
    for step in range(a_day * 2):
        log(NodeProgress(node="a", progress={"step": step}, at=step / 2))
    lines = lines_of(log.path)
    steps = [json.loads(line)["step"] for line in lines[1:]]
    assert steps[:4] == [0, 2, 4, 6]
    assert len(steps) < 1000
    assert steps[-1] > a_day * 2 * 0.98


def test_a_line_is_whole_or_left_out(tmp_path, monkeypatch):
    log = EventLog.begin(run_of(tmp_path), "metadata.db")
    write = os.write
    log(NodeWarning(node="a", message="first"))
    monkeypatch.setattr(os, "write", lambda descriptor, content: write(descriptor, content[:20]))
    log(NodeWarning(node="a", message="cut by a full disk"))
    monkeypatch.undo()
    log(NodeWarning(node="a", message="x" * 10**6 + "\x1b[2J"))
    with open(log.path, "rb") as file:
        content = file.read()
    assert b"\x1b" not in content
    assert len(content) < 2 * event_log._LONGEST_TEXT
    first, third = read_events(content)
    assert first.message == "first"
    assert third.message.startswith("xxx")


def test_a_pipe_in_the_place_of_the_log_does_not_hold_the_run(tmp_path):
    log = EventLog.begin(run_of(tmp_path), "metadata.db")
    os.mkfifo(log.path)
    with pytest.raises(OSError, match="expected a plain file, found a named pipe"):
        log(NodeWarning(node="a", message="b"))


def test_a_run_without_a_place_for_its_log_goes_on(tmp_path):
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / ".system").write_text("in the way")
    with pytest.warns(RuntimeWarning, match="Nobody can follow run"):
        assert LocalDagRunner(observer=[]).run(pipeline(tmp_path)).is_success


@pytest.mark.parametrize("linked", [".system", ".system/runs"])
def test_nothing_is_written_where_a_link_leads(tmp_path, linked):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    log = EventLog.begin(run_of(tmp_path), "metadata.db")
    link = tmp_path / "root" / linked
    link.rename(tmp_path / "moved")
    link.symlink_to(elsewhere)
    with pytest.warns(RuntimeWarning, match=r"cannot be written .*expected no link on the way"):
        assert LocalDagRunner(observer=[]).run(pipeline(tmp_path)).is_success
    assert list(elsewhere.rglob("*events*")) == []

    link.unlink()
    link.symlink_to(tmp_path / "moved")
    assert find_event_log(run_of(tmp_path)) == log.path, "readers may follow links"
    assert EventLog.find(run_of(tmp_path)) is None


def test_gc_removes_the_logs_of_runs_that_are_not_kept(tmp_path):
    root = tmp_path / "root"
    for _ in range(3):
        LocalDagRunner(observer=[]).run(pipeline(tmp_path))
    foreign = run_of(tmp_path)
    EventLog.begin(foreign, "elsewhere.db")
    with open_store(root / "metadata.db") as store:
        runs = store.get_runs()
        paths = [find_event_log(run) for run in runs]
        copy = tmp_path / "copy.db"
        shutil.copy(root / "metadata.db", copy)
        with open_store(copy) as copied:
            plan = plan_collection(copied, "p", keep=1)
            collect(copied, plan)
        assert all(map(os.path.exists, paths)), "a copy leaves alone what the original has made"
        assert any("of which this one is a copy" in one.reason for one in plan.left)
        collect(store, plan_collection(store, "p", keep=1))
        assert [os.path.exists(path) for path in paths] == [True, False, False]
        assert find_event_log(foreign) is not None
        assert plan_collection(store, "p", keep=1).is_empty
