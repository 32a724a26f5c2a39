"""Processes of a node end with it, in sessions of their own, too; a hangup stops a run."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from store_audit import audit

from trainwright import LocalDagRunner, Parameter, Pipeline, component, open_store
from trainwright.metadata.records import ExecutionState

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's subreapers")


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(condition, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def pids_in(directory: Path) -> list[int]:
    return [int(path.name) for path in directory.iterdir()]


@component
def start_daemons(directory: Parameter[str]):
    """Leaves a session of its own behind, and a daemon whose parent is gone already."""
    child = subprocess.Popen(["sleep", "600"], start_new_session=True)
    Path(directory, str(child.pid)).touch()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            Path(directory, str(os.getpid())).touch()
            os.execvp("sleep", ["sleep", "600"])
        os._exit(0)
    wait_until(lambda: len(os.listdir(directory)) == 2)


@component
def bystander(directory: Parameter[str]):
    """Has a process in a session of its own, and looks at it when the other node's are gone."""
    child = subprocess.Popen(["sleep", "600"], start_new_session=True)
    wait_until(lambda: len(pids_in(Path(directory))) == 2)
    wait_until(lambda: not any(map(is_running, pids_in(Path(directory)))))
    assert child.poll() is None


def test_daemons_end_with_their_node_and_nobody_elses_do(tmp_path):
    started = tmp_path / "started"
    started.mkdir()
    nodes = [start_daemons(directory=str(started)), bystander(directory=str(started))]
    pipeline = Pipeline("p", str(tmp_path / "root"), components=nodes)
    LocalDagRunner(max_parallel=2, observer=lambda event: None).run(pipeline)
    assert len(pids_in(started)) == 2
    assert not any(map(is_running, pids_in(started)))


SCRIPT = """
    import os, subprocess, time
    from pathlib import Path
    from trainwright import LocalDagRunner, Pipeline, component

    @component
    def work():
        child = subprocess.Popen(["sleep", "600"], start_new_session=True)
        Path("started", str(child.pid)).touch()
        Path("started", str(os.getpid())).touch()
        time.sleep(600)

    LocalDagRunner().run(Pipeline("p", "root", components=[work()]))
"""


@pytest.fixture
def start(tmp_path):
    """Starts the script; returns when its node runs."""
    (tmp_path / "started").mkdir()
    (tmp_path / "script.py").write_text(textwrap.dedent(SCRIPT))

    def run(**options) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "script.py"],
            cwd=tmp_path,
            # The tests themselves may run under nohup, which children inherit.
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
            **options,
        )
        wait_until(lambda: len(pids_in(tmp_path / "started")) == 2)
        return process

    return run


def child_of(pid: int) -> int:
    (child,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(child)


@pytest.mark.parametrize("victim", ["runner", "keeper", "zygote"])
def test_daemons_end_when_what_is_above_their_node_is_killed(tmp_path, start, victim):
    process = start(stderr=subprocess.DEVNULL)
    keeper = child_of(process.pid)
    pid = {"runner": process.pid, "keeper": keeper, "zygote": child_of(keeper)}[victim]
    os.kill(pid, signal.SIGKILL)
    process.wait(60)
    wait_until(lambda: not any(map(is_running, pids_in(tmp_path / "started"))))


@pytest.mark.parametrize("terminal", ["gone", "none"])
def test_a_hangup_stops_a_run_like_sigterm(tmp_path, start, terminal):
    """Also if it comes because the terminal is gone, and nothing can be written to it."""
    if terminal == "gone":
        ours, theirs = pty.openpty()
        process = start(stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        os.close(ours)
    else:
        process = start(stderr=subprocess.DEVNULL)
    process.send_signal(signal.SIGHUP)
    assert process.wait(60) != 0
    assert not any(map(is_running, pids_in(tmp_path / "started")))
    with open_store(tmp_path / "root/metadata.db") as store:
        assert store.get_execution(1).state is ExecutionState.CANCELED
    assert audit(tmp_path / "root") == []


def test_a_run_under_nohup_goes_on(tmp_path, run_script):
    """nohup lets its program ignore hangups; that is not to be undone."""
    source = """
        import os, signal
        from trainwright import LocalDagRunner, Parameter, Pipeline, component

        @component
        def hang_up(runner: Parameter[int]):
            os.kill(runner, signal.SIGHUP)

        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        pipeline = Pipeline("p", "root", components=[hang_up(runner=os.getpid())])
        print(LocalDagRunner().run(pipeline).state)
    """
    assert run_script(source).stdout == "complete\n"
