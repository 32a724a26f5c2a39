"""Runs that die, wait for each other, or lose their store: nothing is lost or done twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from store_audit import audit

from trainwright import LocalDagRunner, OutputDict, Parameter, Pipeline, component, open_store
from trainwright.metadata import contexts, leases
from trainwright.metadata.internal_properties import RUN_ID
from trainwright.metadata.records import ExecutionState, Lease
from trainwright.metadata.store import MetadataError, StoreUnavailableError
from trainwright.orchestration import heartbeat, pipeline_run
from trainwright.orchestration.events import RunEventKind
from trainwright.orchestration.local_dag_runner import RunCanceled
from trainwright.orchestration.publishing.publisher import Publisher
from trainwright.orchestration.running import run_record, store_patience

# They are about processes: what is tried is what a run starts and ends itself.
pytestmark = pytest.mark.own_zygotes


@component
def work(seconds: Parameter[float], ledger: Parameter[str]) -> OutputDict(out=int):
    """Notes in a ledger that it was run."""
    with open(ledger, "a") as file:
        file.write("x")
    time.sleep(seconds)
    return {"out": 42}


def working(tmp_path: Path, seconds: float = 0.0, enable_cache: bool = True) -> Pipeline:
    node = work(seconds=seconds, ledger=str(tmp_path / "ledger"))
    return Pipeline("p", str(tmp_path / "root"), components=[node], enable_cache=enable_cache)


def times_worked(tmp_path: Path) -> int:
    ledger = tmp_path / "ledger"
    return len(ledger.read_text()) if ledger.exists() else 0


def wait_until(condition, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def test_a_result_that_could_not_be_published_is_published_by_the_next_run(tmp_path, monkeypatch):
    def break_down(self, *unused):
        raise MetadataError("The store is gone.")

    monkeypatch.setattr(Publisher, "publish", break_down)
    with pytest.raises(MetadataError, match="The store is gone"):
        LocalDagRunner().run(working(tmp_path))
    monkeypatch.undo()
    events = []
    result = LocalDagRunner(observer=events.append).run(working(tmp_path))
    assert times_worked(tmp_path) == 1
    assert result.states["work"].value == "cached"
    recovered = [event.data for event in events if event.kind is RunEventKind.EXECUTION_RECOVERED]
    assert [(one["execution_id"], one["of_node"]) for one in recovered] == [(1, "work")]
    assert recovered[0]["is_published"]
    assert audit(tmp_path / "root") == []


def test_a_result_whose_files_were_lost_is_not_published(tmp_path, monkeypatch):
    monkeypatch.setattr(
        Publisher, "publish", lambda self, *unused: (_ for _ in ()).throw(MetadataError("gone"))
    )
    with pytest.raises(MetadataError):
        LocalDagRunner().run(working(tmp_path))
    monkeypatch.undo()
    (tmp_path / "root/work/out/1/value").write_text("4")
    result = LocalDagRunner().run(working(tmp_path))
    assert times_worked(tmp_path) == 2
    assert result.states["work"].value == "complete"
    assert audit(tmp_path / "root") == []


class FlakyStore:
    """Calls a store whose connection breaks, before or after a call has had its effect."""

    def __init__(self, store, method: str, breaks: int, after: bool) -> None:
        self._store = store
        self._method = method
        self._breaks = breaks
        self._after = after

    def __getattr__(self, name: str):
        value = getattr(self._store, name)
        if name != self._method:
            return value

        def call(*arguments, **options):
            if self._breaks and not self._after:
                self._breaks -= 1
                raise StoreUnavailableError("The connection was lost.")
            result = value(*arguments, **options)
            if self._breaks:
                self._breaks -= 1
                raise StoreUnavailableError("The connection was lost.")
            return result

        return call

    def __enter__(self):
        self._store.__enter__()
        return self

    def __exit__(self, *arguments):
        return self._store.__exit__(*arguments)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(
    "method", ["register_execution", "publish_execution", "fail_execution", "get_executions"]
)
def test_a_run_outlives_a_lost_connection(tmp_path, monkeypatch, method, after):
    """Also if the change was made and only the answer was lost."""

    def open_flaky(config):
        return FlakyStore(open_store(config), method, breaks=1, after=after)

    pipeline = working(tmp_path)
    if method == "fail_execution":
        pipeline = Pipeline("p", str(tmp_path / "root"), components=[fail()], enable_cache=True)
    elif method == "get_executions":
        # Recovery, which comes first, is not part of it.
        monkeypatch.setattr(run_record, "recover", lambda *unused: [])
    monkeypatch.setattr(pipeline_run, "open_store", open_flaky)
    events = []
    runner = LocalDagRunner(observer=events.append)
    if method == "fail_execution":
        with pytest.raises(RuntimeError, match="no good"):
            runner.run(pipeline)
    else:
        assert runner.run(pipeline).is_success
        assert times_worked(tmp_path) == 1
    assert [event.kind for event in events].count(RunEventKind.STORE_LOST) == 1
    monkeypatch.undo()
    if method != "fail_execution":
        LocalDagRunner().run(working(tmp_path))
        assert times_worked(tmp_path) == 1
    else:
        with pytest.raises(RuntimeError, match="no good"):
            LocalDagRunner().run(pipeline)
    assert audit(tmp_path / "root") == []


@component
def fail() -> OutputDict(out=int):
    raise ValueError("no good")


def test_a_store_that_stays_away_ends_the_run_with_its_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(store_patience, "STORE_PATIENCE_SECONDS", 1.0)
    monkeypatch.setattr(
        pipeline_run,
        "open_store",
        lambda config: FlakyStore(open_store(config), "publish_execution", 99, after=False),
    )
    with pytest.raises(StoreUnavailableError, match="The connection was lost"):
        LocalDagRunner().run(working(tmp_path))
    monkeypatch.undo()
    assert LocalDagRunner().run(working(tmp_path)).states["work"].value == "cached"
    assert times_worked(tmp_path) == 1


SCRIPT = """
    import sys, time
    from trainwright import LocalDagRunner, OutputDict, Parameter, Pipeline, component

    @component
    def work(seconds: Parameter[float]) -> OutputDict(out=int):
        with open("ledger", "a") as file:
            file.write("x")
        time.sleep(seconds if seconds < 100 or len(open("ledger").read()) == 1 else 0)
        return {"out": 42}

    node = work(seconds=float(sys.argv[1]))
    pipeline = Pipeline("p", "root", components=[node], enable_cache=sys.argv[2] == "on")
    LocalDagRunner().run(pipeline)
"""


class Script:
    """Runs of one script, side by side."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._path = directory / "script.py"
        self._path.write_text(textwrap.dedent(SCRIPT))

    def start(self, seconds: float, cache: str = "on") -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, str(self._path), str(seconds), cache],
            cwd=self._directory,
            stderr=subprocess.PIPE,
            text=True,
        )


def finish(process: subprocess.Popen[str]) -> str:
    _, stderr = process.communicate(timeout=120)
    assert process.returncode == 0, stderr
    return stderr


def test_the_same_work_started_twice_is_done_once(tmp_path):
    script = Script(tmp_path)
    first = script.start(8)  # on a busy machine, the second takes seconds to begin
    wait_until(lambda: times_worked(tmp_path) == 1)
    second = script.start(8)
    said = finish(second)
    finish(first)
    assert times_worked(tmp_path) == 1
    assert "work: waits for execution 1 on " in said
    assert "work: cached, reuses execution 1" in said
    assert audit(tmp_path / "root") == []


def test_eight_runs_started_at_once_do_the_work_once(tmp_path):
    script = Script(tmp_path)
    for process in [script.start(1) for _ in range(8)]:
        finish(process)
    assert times_worked(tmp_path) == 1
    assert audit(tmp_path / "root") == []


def test_work_that_others_wait_for_is_taken_over_when_its_run_dies(tmp_path):
    script = Script(tmp_path)
    first = script.start(1000)
    wait_until(lambda: times_worked(tmp_path) == 1)
    second = script.start(1000)
    while "work: waits for execution 1 on " not in (said := second.stderr.readline()):
        assert said, "the second run ended without waiting"
    first.kill()
    first.communicate()
    assert "work: started (execution 2)" in finish(second)
    assert audit(tmp_path / "root") == []


def test_without_a_cache_both_do_the_work_and_say_so(tmp_path):
    script = Script(tmp_path)
    first = script.start(3, cache="off")
    wait_until(lambda: times_worked(tmp_path) == 1)
    said = finish(script.start(3, cache="off"))
    finish(first)
    assert times_worked(tmp_path) == 2
    assert "goes on at the same time; what is not cached is done by both" in said
    assert audit(tmp_path / "root") == []


def run_in_thread(pipeline: Pipeline) -> tuple[threading.Thread, list[BaseException]]:
    raised: list[BaseException] = []

    def run() -> None:
        try:
            LocalDagRunner(observer=lambda event: None).run(pipeline)
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, raised


@pytest.mark.not_quick
def test_a_run_stops_when_the_store_says_so(tmp_path, monkeypatch):
    """As `trainwright cancel` asks for it from another host."""
    monkeypatch.setattr(heartbeat, "_LISTEN_SECONDS", 0.05)
    thread, raised = run_in_thread(working(tmp_path, seconds=600))
    wait_until(lambda: times_worked(tmp_path) == 1)
    with open_store(tmp_path / "root/metadata.db") as store:
        (run,) = store.get_contexts(type_name=contexts.PIPELINE_RUN)
        store.update_run(run.name, cancel=True)
        thread.join(30)
        assert isinstance(raised[0], RunCanceled)
        assert store.get_context(run.key).custom_properties["state"] == "canceled"
        assert store.get_execution(1).state is ExecutionState.CANCELED


@pytest.mark.not_quick
def test_a_run_that_another_took_for_dead_gives_up_what_was_taken(tmp_path, monkeypatch):
    monkeypatch.setattr(heartbeat, "_LISTEN_SECONDS", 0.05)
    monkeypatch.setattr(heartbeat, "HEARTBEAT_SECONDS", 0.05)
    thread, raised = run_in_thread(working(tmp_path, seconds=600))
    wait_until(lambda: times_worked(tmp_path) == 1)
    with open_store(tmp_path / "root/metadata.db") as store:
        store.fail_execution(1, state=ExecutionState.FAILED, custom_properties={})
    thread.join(30)
    assert "took the one that ran it for dead" in str(raised[0])


@pytest.mark.not_quick
def test_leases_and_the_run_itself_are_kept_alive(tmp_path, monkeypatch):
    monkeypatch.setattr(heartbeat, "_LISTEN_SECONDS", 0.05)
    monkeypatch.setattr(heartbeat, "HEARTBEAT_SECONDS", 0.05)
    thread, raised = run_in_thread(working(tmp_path, seconds=1))
    wait_until(lambda: times_worked(tmp_path) == 1)
    with open_store(tmp_path / "root/metadata.db") as store:
        before = store.get_execution(1).lease.heartbeat_at
        wait_until(lambda: store.get_execution(1).lease.heartbeat_at > before, 10)
        (run,) = store.get_contexts(type_name=contexts.PIPELINE_RUN)
        assert run.custom_properties["heartbeat_at"] > run.created_at
    thread.join(30)
    assert raised == []


def register_on_another_host(tmp_path: Path, monkeypatch, heartbeat_age: float) -> None:
    """Leaves execution 1 as a run on another host would, heard of this many seconds ago."""
    pipeline = working(tmp_path)
    lease = Lease(host="elsewhere", pid=1, process_started_at=1.0, heartbeat_at=0.0)
    from trainwright.orchestration.planning import driver

    monkeypatch.setattr(driver, "current_lease", lambda: lease)
    monkeypatch.setattr(
        Publisher, "publish", lambda self, *unused: (_ for _ in ()).throw(MetadataError("gone"))
    )
    with pytest.raises(MetadataError):
        LocalDagRunner(observer=lambda event: None).run(pipeline)
    monkeypatch.undo()
    (tmp_path / "root/work/.system/executor_execution/1/result.json").unlink()
    import sqlite3

    with sqlite3.connect(tmp_path / "root/metadata.db") as connection:
        connection.execute(
            "UPDATE executions SET lease_heartbeat_at = ?", (time.time() - heartbeat_age,)
        )


def test_an_execution_on_another_host_is_dead_when_its_heart_stopped(tmp_path, monkeypatch):
    register_on_another_host(tmp_path, monkeypatch, heartbeat_age=leases.STALE_SECONDS + 1)
    (forecast,) = LocalDagRunner().explain(working(tmp_path))
    assert forecast.reason == "execution 1 was left behind by a run that died"
    events = []
    LocalDagRunner(observer=events.append).run(working(tmp_path))
    assert RunEventKind.EXECUTION_RECOVERED in [event.kind for event in events]
    with open_store(tmp_path / "root/metadata.db") as store:
        assert store.get_execution(1).state is ExecutionState.FAILED
    assert audit(tmp_path / "root") == []


def test_an_execution_on_another_host_is_waited_for_while_its_heart_beats(tmp_path, monkeypatch):
    register_on_another_host(tmp_path, monkeypatch, heartbeat_age=leases.STALE_SECONDS - 3)
    events = []
    began = time.monotonic()
    LocalDagRunner(observer=events.append).run(working(tmp_path))
    assert time.monotonic() - began > 2
    waiting = [event.data for event in events if event.kind is RunEventKind.NODE_WAITING]
    assert waiting == [{"execution_id": 1, "host": "elsewhere"}]
    assert audit(tmp_path / "root") == []


def test_a_killed_zygote_fails_its_node_and_the_next_run_goes_on(tmp_path):
    script = Script(tmp_path)
    runner = script.start(1000)
    wait_until(lambda: times_worked(tmp_path) == 1)
    children = Path(f"/proc/{runner.pid}/task/{runner.pid}/children").read_text().split()
    for pid in children:
        os.kill(int(pid), signal.SIGKILL)
    _, stderr = runner.communicate(timeout=60)
    assert runner.returncode == 1
    assert "work: FAILED with WorkerDied: the node's process was killed by signal 9" in stderr
    finish(script.start(1000))
    assert audit(tmp_path / "root") == []


def test_executions_say_which_run_they_belong_to(tmp_path):
    result = LocalDagRunner(observer=lambda event: None).run(working(tmp_path))
    with open_store(tmp_path / "root/metadata.db") as store:
        assert store.get_execution(1).custom_properties[RUN_ID] == result.run_id
