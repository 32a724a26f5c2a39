"""An object store that is away for longer than it is waited for, or that denies what it allowed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from object_store import ObjectStore
from store_audit import audit_objects, find_repeated

from trainwright import LocalDagRunner, OutputDict, Parameter, Pipeline, component
from trainwright.metadata.connection import sqlite_metadata_connection_config
from trainwright.orchestration.run_result import PipelineRunError
from trainwright.storage import objects


@pytest.fixture
def server(monkeypatch, tmp_path):
    monkeypatch.setenv("TRAINWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with ObjectStore() as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        yield server


@component
def count(marker: Parameter[str], seconds: Parameter[float] = 2.0) -> OutputDict(total=int):
    """Says that it works, and gives its test the time to do what it is about."""
    import time
    from pathlib import Path

    is_first = not Path(marker).exists()
    Path(marker).touch()
    time.sleep(seconds if is_first else 0)
    return {"total": 1}


@component
def add(total: int) -> OutputDict(more=int):
    return {"more": total + 1}


def pipeline(root, directory, retries=0):
    config = sqlite_metadata_connection_config(str(directory / "metadata.db"))
    counted = count(marker=str(directory / "begun")).with_retries(retries)
    nodes = [counted, add(total=counted.outputs["total"])]
    return Pipeline("outage", root, config, nodes, enable_cache=True)


def when_begun(directory, do):
    """Has something done as soon as the first node is at work."""

    def watch():
        while not (directory / "begun").exists():
            time.sleep(0.02)
        do()

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


def test_a_store_that_stays_away_fails_the_node_and_the_next_run_finishes(
    server, tmp_path, monkeypatch
):
    root = f"s3://{server.create_bucket()}/root"
    monkeypatch.setenv("TRAINWRIGHT_STORAGE_TIMEOUT", "1")
    away = when_begun(tmp_path, server.freeze)
    try:
        failure = "count failed with StorageUnreachableError"
        with pytest.raises(PipelineRunError, match=failure) as raised:
            LocalDagRunner().run(pipeline(root, tmp_path))
    finally:
        away.join()
        server.thaw()
    assert {id: state.value for id, state in raised.value.result.states.items()} == {
        "count": "failed",
        "add": "skipped",
    }
    result = LocalDagRunner().run(pipeline(root, tmp_path))
    assert objects.read(result["add"].more.uri) == b"2"
    store = tmp_path / "metadata.db"
    assert audit_objects(store, root) + find_repeated(store) == []


def test_a_node_that_may_be_tried_again_is_when_the_store_is_back(server, tmp_path, monkeypatch):
    root = f"s3://{server.create_bucket()}/root"
    monkeypatch.setenv("TRAINWRIGHT_STORAGE_TIMEOUT", "1")

    def be_away():
        server.freeze()
        time.sleep(8)
        server.thaw()

    away = when_begun(tmp_path, be_away)
    try:
        result = LocalDagRunner().run(pipeline(root, tmp_path, retries=9))
    finally:
        away.join()
        server.thaw()
    assert objects.read(result["add"].more.uri) == b"2"


def test_rights_that_end_in_the_middle_fail_the_node_in_words(tmp_path, monkeypatch):
    monkeypatch.setenv("TRAINWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    with ObjectStore(free_requests=14) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        root = f"s3://{server.create_bucket()}/root"
        with pytest.raises(PipelineRunError, match="StoragePermissionError.* the store denies it"):
            LocalDagRunner().run(pipeline(root, tmp_path))


SCRIPT = """
    import sys
    from trainwright.metadata.connection import sqlite_metadata_connection_config
    from trainwright import OutputDict, Parameter, Pipeline, component

    @component
    def count(marker: Parameter[str]) -> OutputDict(total=int):
        import time
        from pathlib import Path
        Path(marker).touch()
        time.sleep(5)
        return {"total": 1}

    config = sqlite_metadata_connection_config("metadata.db")
    pipeline = Pipeline("stopped", sys.argv[1], config, [count(marker="begun")])
"""


@pytest.mark.parametrize("times", [1, 2])
def test_a_run_can_be_stopped_while_the_store_does_not_answer(server, tmp_path, times):
    """With the time that it has by itself: each question to the store could take half a minute."""
    root = f"s3://{server.create_bucket()}/root"
    (tmp_path / "pipeline.py").write_text(textwrap.dedent(SCRIPT))
    command = [sys.executable, "-m", "trainwright", "run", "pipeline.py", "--", root]
    run = subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    when_begun(tmp_path, server.freeze).join()
    try:
        began = time.monotonic()
        for _ in range(times):
            os.kill(run.pid, signal.SIGINT)
            time.sleep(0.5)
        _, told = run.communicate(timeout=120)
        assert run.returncode == 130, told
        assert "Traceback" not in told
        assert time.monotonic() - began < 60
    finally:
        server.thaw()
        run.kill()


def test_work_that_a_killed_run_of_a_store_that_is_gone_has_left_is_in_nobodys_way(
    server, tmp_path
):
    root = f"s3://{server.create_bucket()}/root"
    (tmp_path / "pipeline.py").write_text(textwrap.dedent(SCRIPT))
    command = [sys.executable, "-m", "trainwright", "run", "pipeline.py", "--", root]
    run = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL, start_new_session=True)
    when_begun(tmp_path, lambda: os.killpg(run.pid, signal.SIGKILL)).join()
    run.wait()
    (tmp_path / "metadata.db").unlink()
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    assert "Traceback" not in finished.stderr


def test_commands_say_that_the_store_does_not_answer(server, tmp_path, monkeypatch):
    root = f"s3://{server.create_bucket()}/root"
    (tmp_path / "begun").touch()
    for number in range(2):
        nodes = [add(total=count(marker=str(tmp_path / "begun"), seconds=number).outputs["total"])]
        config = sqlite_metadata_connection_config(str(tmp_path / "metadata.db"))
        LocalDagRunner().run(Pipeline("outage", root, config, nodes))
    (tmp_path / "pipeline.py").write_text(textwrap.dedent(SCRIPT))
    monkeypatch.setenv("TRAINWRIGHT_STORAGE_TIMEOUT", "1")
    monkeypatch.setenv("TRAINWRIGHT_STORE", str(tmp_path / "metadata.db"))

    def told(*arguments):
        command = [sys.executable, "-m", "trainwright", *arguments]
        finished = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
        )
        assert "Traceback" not in finished.stderr
        return finished.returncode, " ".join((finished.stdout + finished.stderr).split())

    server.freeze()
    try:
        code, words = told("explain", "pipeline.py", "--root", root, "--", "elsewhere")
        assert (code, f"pipeline_root '{root}' cannot be used: " in words) == (2, True), words
        assert "does not answer" in words
        for command in (["logs", "add"], ["gc", "--keep", "1", "--yes"]):
            code, words = told(*command)
            assert (code, "does not answer" in words) == (2, True), words
        for command in (["show", "latest", "add"], ["artifacts", "1"]):
            code, words = told(*command)
            assert code == 0
            assert "of unknown size: the store does not answer" in words
    finally:
        server.thaw()


def test_explain_looks_at_the_root_and_leaves_nothing_there(server, tmp_path):
    root = f"s3://{server.create_bucket()}/root"
    runner, planned = LocalDagRunner(), pipeline(root, tmp_path)
    assert [one.node_id for one in runner.explain(planned)] == ["count", "add"]
    assert list(objects.list_tree(root)) == []
    with pytest.raises(ValueError, match="there is no bucket 'no-such-bucket'"):
        runner.explain(pipeline("s3://no-such-bucket/root", tmp_path))
    with pytest.raises(ValueError, match="pipeline_root '/proc/root-of-tests' cannot be written"):
        runner.explain(pipeline("/proc/root-of-tests", tmp_path))
