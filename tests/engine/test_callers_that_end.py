"""What becomes of worker processes that hang, when who waits for them is killed or interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from trainwright.engine.passes import PassSpec
from trainwright.testing.engine_contract import JoinWords

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux can do it"),
    pytest.mark.not_quick,  # imports Beam by halves
]

MARK = "TRAINWRIGHT_TEST_MARK"
ENGINES = {
    "local": "LocalEngine(2, inline_bytes=-1)",
    "beam": "BeamEngine(['--runner=FnApiRunner'])",
    "job service": "BeamEngine(['--runner=PortableRunner', '--job_endpoint={job_service}', "
    "'--environment_type=LOOPBACK'])",
}
CALLER = """
import sys, time
sys.path.insert(0, {here!r})
from test_callers_that_end import HANGING
from trainwright.engine.local_engine import LocalEngine
from trainwright.engine.on_beam.beam_engine import BeamEngine
from trainwright.testing.engine_contract import word_shards

try:
    with {engine} as engine:
        engine.accumulate(HANGING, word_shards("a", "b", a={{"begun": {begun!r}}}))
except KeyboardInterrupt:
    print("interrupted", flush=True)
    time.sleep(600)
"""


class Hang(JoinWords):
    """Says that a shard was begun, and never ends it."""

    def add(self, accumulator, shard, report):
        if "begun" in shard.config:
            Path(shard.config["begun"]).touch()
            time.sleep(600)
        return super().add(accumulator, shard, report)


HANGING = PassSpec("test_callers_that_end:Hang", {"separator": "-"})


def marked(mark):
    """The processes that have the mark in their environment."""
    found = set()
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and f"{MARK}={mark}".encode() in entry.joinpath(
                "environ"
            ).read_bytes().split(b"\0"):
                found.add(int(entry.name))
        except OSError:  # it has just ended, or is another user's
            continue
    return found


def wait_until(is_so, seconds=30.0):
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture
def start(tmp_path):
    """Starts a caller, in a group of its own, and waits until its shard hangs."""
    callers = []

    def start(engine, **names):
        if "Beam" in ENGINES[engine]:
            pytest.importorskip("apache_beam", reason="pip install 'trainwright[beam]'")
        mark, begun = uuid.uuid4().hex, str(tmp_path / "begun")
        source = CALLER.format(
            here=os.path.dirname(__file__), engine=ENGINES[engine].format(**names), begun=begun
        )
        caller = subprocess.Popen(
            [sys.executable, "-c", source],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, MARK: mark, "PYTHONPATH": os.pathsep.join(sys.path)},
            start_new_session=True,
        )
        callers.append((caller, mark))
        wait_until(lambda: os.path.exists(begun))
        assert len(marked(mark)) > 1, "there is no worker"
        return caller, mark

    yield start
    for caller, mark in callers:
        for pid in marked(mark):
            os.kill(pid, signal.SIGKILL)
        caller.communicate()


@pytest.mark.parametrize("engine", ["local", "beam"])
def test_a_caller_that_is_killed_leaves_no_process(start, engine):
    caller, mark = start(engine)
    caller.kill()
    caller.wait()
    wait_until(lambda: not marked(mark))


def test_a_caller_of_a_job_service_that_is_killed_leaves_no_process(start, job_service):
    """Its workers are threads of the caller's, which end with it in the midst of a shard."""
    caller, mark = start("job service", job_service=job_service)
    caller.kill()
    caller.wait()
    wait_until(lambda: not marked(mark))


@pytest.mark.parametrize("engine", ["local", "beam"])
def test_ctrl_c_ends_the_worker_that_hangs_and_not_only_with_the_caller(start, engine):
    caller, mark = start(engine)
    os.killpg(caller.pid, signal.SIGINT)
    assert "interrupted\n" in iter(caller.stdout.readline, "")
    wait_until(lambda: marked(mark) == {caller.pid})
