"""A run that reads files before a node starts, for ever if need be, can be stopped."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from trainwright import Importer, LocalDagRunner, Pipeline
from trainwright.history.run_history import list_runs
from trainwright.metadata.connection import open_store
from trainwright.orchestration.events import RunEventKind
from trainwright.orchestration.local_dag_runner import RunCanceled
from trainwright.orchestration.planning import lookup_stop
from trainwright.orchestration.planning.file_digests import digest_of
from trainwright.orchestration.planning.lookup_stop import LookupStopped, interruptible, stoppable
from trainwright.orchestration.publishing import manifest
from trainwright.orchestration.publishing.manifest import list_files
from trainwright.orchestration.run_result import NodeState
from trainwright.types.standard_artifacts import Model

# Nobody reads a terabyte before the signal comes; on disk it takes no room.
TERABYTE = 1 << 40

SCRIPT = """
import sys, threading
from trainwright import Channel, Importer, LocalDagRunner, Pipeline, Resolver
from trainwright.components import CsvExampleGen
from trainwright.components.example_gen.driver import FileBasedDriver
from trainwright.dsl.resolver_strategy import ResolverStrategy
from trainwright.types.standard_artifacts import Model


class WaitingDriver(FileBasedDriver):
    def resolve_exec_properties(self, exec_properties, pipeline_info, component_info):
        print("READING", flush=True)
        threading.Event().wait()


class WaitingStrategy(ResolverStrategy):
    def resolve_artifacts(self, store, input_dict):
        print("READING", flush=True)
        threading.Event().wait()


class WaitingExampleGen(CsvExampleGen):
    DRIVER_CLASS = WaitingDriver


node = {
    "import": lambda: Importer("data/large.csv", Model),
    "digest": lambda: CsvExampleGen("data"),
    "driver": lambda: WaitingExampleGen("data"),
    "strategy": lambda: Resolver(strategy_class=WaitingStrategy, model=Channel(type=Model)),
}[sys.argv[1]]()
LocalDagRunner(observer=lambda event: None).run(Pipeline("p", "root", components=[node]))
"""


@pytest.fixture
def large_file(tmp_path):
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "large.csv"
    path.touch()
    os.truncate(path, TERABYTE)
    return path


def wait_until_open(pid, path):
    """Until the process reads the file."""
    deadline = time.monotonic() + 60
    while True:
        with contextlib.suppress(FileNotFoundError):
            if any(path.samefile(link) for link in Path(f"/proc/{pid}/fd").iterdir()):
                return
        assert time.monotonic() < deadline, "it did not happen in a minute"


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize(
    ("node", "number"),
    [
        ("import", signal.SIGTERM),
        ("import", signal.SIGINT),
        ("digest", signal.SIGTERM),
        ("driver", signal.SIGTERM),
        ("driver", signal.SIGINT),
        ("strategy", signal.SIGTERM),
    ],
)
def test_a_signal_stops_a_look_up(tmp_path, large_file, node, number):
    (tmp_path / "script.py").write_text(SCRIPT)
    process = subprocess.Popen(
        [sys.executable, "script.py", node],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if node in ("driver", "strategy"):
        assert process.stdout.readline() == "READING\n"
    else:
        wait_until_open(process.pid, large_file)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert "RunCanceled: Pipeline run" in errors
    with open_store(tmp_path / "root" / "metadata.db") as store:
        assert [run.state for run in list_runs(store)] == ["canceled"]
        assert store.get_executions() == []


@pytest.mark.not_quick  # takes seconds
def test_asking_for_a_cancel_stops_a_look_up(tmp_path, large_file):
    root = tmp_path / "root"

    def cancel(event):
        """As `trainwright cancel` does it."""
        if event.kind is RunEventKind.RUN_STARTED:
            with open_store(root / "metadata.db") as store:
                store.update_run(event.data["run_id"], cancel=True)

    pipeline = Pipeline("p", str(root), components=[Importer(str(large_file), Model)])
    with pytest.raises(RunCanceled) as stopped:
        LocalDagRunner(observer=cancel).run(pipeline)
    assert stopped.value.result.states["Importer"] is NodeState.CANCELED


@pytest.mark.parametrize("read", [digest_of, list_files], ids=["digest", "manifest"])
def test_a_read_that_does_not_come_back_is_stopped(tmp_path, monkeypatch, read):
    """As of /proc/kmsg, which claims to be a file; a pipe that nobody writes to stands for it."""
    os.mkfifo(tmp_path / "never")
    monkeypatch.setattr(manifest, "check_not_special", lambda path: None)
    previous = signal.signal(signal.SIGALRM, lambda *unused: lookup_stop.interrupt())
    signal.setitimer(signal.ITIMER_REAL, 0.2, 0.2)
    try:
        with pytest.raises(LookupStopped), stoppable(lambda: False):
            read(str(tmp_path / "never"))
        with stoppable(lambda: False):
            lookup_stop.interrupt()  # nothing is being read any more
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def test_what_was_interruptible_stays_so_after_a_read_in_it(tmp_path):
    (tmp_path / "file").write_text("x")
    with stoppable(lambda: False), interruptible():
        digest_of(str(tmp_path / "file"))
        with pytest.raises(LookupStopped):
            lookup_stop.interrupt()
