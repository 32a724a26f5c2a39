"""Following a run by its event log, whatever becomes of the run and of the log."""

import dataclasses
import os
import threading

import pytest

from trainwright.history import logs
from trainwright.history.errors import NotInHistoryError
from trainwright.history.logs import follow_run, state_of_run
from trainwright.metadata.connection import open_store
from trainwright.metadata.leases import STALE_SECONDS, current_lease
from trainwright.metadata.records import RunNode, RunState
from trainwright.orchestration.event_log import EventLog
from trainwright.orchestration.events import (
    NodeProgress,
    NodeStarted,
    NodeWarning,
    RunFinished,
)

FINISHED = RunFinished(
    state="complete",
    seconds=1.0,
    summary="",
    notes=[],
    pages={},
    warnings=[],
    skipped={},
    states={"a": "complete"},
)


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setattr(logs, "_FILE_SECONDS", 0.01)
    monkeypatch.setattr(logs, "_STORE_SECONDS", 0.05)
    with open_store(tmp_path / "metadata.db") as store:
        yield store


@pytest.fixture
def begin(store, tmp_path):
    """Registers a run and begins its event log."""

    def begin(**lease):
        run = store.register_run(
            "run-1",
            pipeline="p",
            root=str(tmp_path / "root"),
            nodes=[RunNode(node_id="a")],
            lease=dataclasses.replace(current_lease(), **lease),
        )
        return EventLog.begin(run, store.location)

    return begin


def followed(store):
    _, events = follow_run(store, "run-1")
    return [event for event in events if event is not None]


def test_events_come_as_they_are_told_until_the_last(store, begin):
    log = begin()
    first = NodeWarning(node="a", message="first")
    log(first)
    _, events = follow_run(store, "latest")
    assert next(events) == first
    assert next(events) is None, "nothing new, but the run goes on"
    second = NodeProgress(node="a", progress={"step": 1})
    log(second)
    seen = [event for event in (next(events) for _ in range(3)) if event is not None]
    assert seen[0] == second
    store.update_run("run-1", state=RunState.COMPLETE)
    threading.Timer(0.05, log, [FINISHED]).start()
    assert [event for event in events if event is not None] == [FINISHED]


def test_a_run_that_goes_on_is_followed_beyond_an_end_that_somebody_wrote(store, begin):
    """Commands of an orchestrator can go on with a run that was finished."""
    log = begin()
    log(FINISHED)
    warning = NodeWarning(node="a", message="goes on")
    log(warning)
    _, events = follow_run(store, "run-1")
    assert [next(events) for _ in range(3)] == [FINISHED, warning, None]
    store.update_run("run-1", state=RunState.COMPLETE)
    log(FINISHED)
    assert [event for event in events if event is not None] == [FINISHED]


@pytest.mark.parametrize(
    "lease",
    [{"process_started_at": 1.5}, {"host": "elsewhere"}],
    ids=["killed here", "silent on another host"],
)
def test_following_ends_when_the_lease_is_dead(store, begin, monkeypatch, lease):
    warning = NodeWarning(node="a", message="last words")
    begin(**lease)(warning)
    now = store.now()
    monkeypatch.setattr(store, "now", lambda: now + STALE_SECONDS + 1)
    assert followed(store) == [warning]
    assert state_of_run(store, store.get_run("run-1")) == "died"


def test_following_ends_with_the_run_if_its_last_event_could_not_be_written(store, begin):
    warning = NodeWarning(node="a", message="then the disk was full")
    log = begin()
    log(warning)
    store.update_run("run-1", state=RunState.FAILED)
    assert followed(store) == [warning]
    os.remove(log.path)
    assert followed(store) == []


def test_a_log_outside_of_the_root_is_not_opened(store, begin, tmp_path):
    """Node code can write to the event log; who follows must not be led to other files."""
    log = begin()
    inside = tmp_path / "root/a/.system/executor_execution/1/executor.log"
    (tmp_path / "root/link").symlink_to(tmp_path)
    paths = [str(inside), "/etc/passwd", f"{tmp_path}/root/../secret", f"{tmp_path}/root/link/x"]
    paths += [f"{tmp_path}/root/a\0b", f"{tmp_path}/root/a\ud800b"]
    for path in paths:
        log(NodeStarted(node="a", execution_id=1, reason="", log=path))
    store.update_run("run-1", state=RunState.COMPLETE)
    log(FINISHED)
    assert [event.log for event in followed(store)[:-1]] == [str(inside)] + [""] * 5


def test_a_run_without_an_event_log(store, tmp_path):
    store.register_run("run-1", pipeline="p", root="", nodes=[], lease=current_lease())
    with pytest.raises(NotInHistoryError, match="Run run-1 has no event log"):
        follow_run(store, "run-1")
    with pytest.raises(NotInHistoryError, match="matches no run"):
        follow_run(store, "run-2")
