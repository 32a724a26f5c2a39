"""kill -9 at any line of a Resolver's and an Importer's work: the user's files stay as they are."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from store_audit import audit

from trainwright import open_store
from trainwright.metadata.internal_properties import NODE_ID
from trainwright.metadata.records import ArtifactState, ExecutionState

KILLING = Path(__file__).parent / "killing"
FILES = (
    "orchestration/lookups/import_lookup.py",
    "orchestration/planning/driver.py",
    "orchestration/planning/planner.py",
    "orchestration/publishing/publisher.py",
    "orchestration/cleanup/recovery.py",
    "orchestration/lookups/resolver_choice.py",
    "metadata/writing.py",
)

SCRIPT = """
from trainwright import Channel, LocalDagRunner, Pipeline
from trainwright.dsl.importer import Importer
from trainwright.dsl.resolver import Resolver
from trainwright.dsl.strategies import LatestArtifactStrategy
from trainwright.types.standard_artifacts import Model

importer = Importer("given", Model)
resolver = Resolver(LatestArtifactStrategy, model=importer.outputs["result"])
LocalDagRunner().run(Pipeline("p", "root", components=[importer, resolver], enable_cache=True))
"""


@pytest.fixture
def run(tmp_path):
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "weights").write_text("mine")
    (tmp_path / "script.py").write_text(SCRIPT)
    counter = tmp_path / "counter"

    def run(kill_at: int | None = None) -> tuple[int, int]:
        """Runs the script, with a kill at that line; returns its exit code and its lines."""
        counter.write_bytes(bytes(8))
        environment = dict(os.environ)
        if kill_at is not None:
            environment["TRAINWRIGHT_TEST_KILL"] = ":".join([str(counter), str(kill_at), *FILES])
            paths = [str(KILLING), *filter(None, [os.environ.get("PYTHONPATH")])]
            environment["PYTHONPATH"] = os.pathsep.join(paths)
        finished = subprocess.run(
            [sys.executable, "script.py"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            timeout=120,
        )
        return finished.returncode, int.from_bytes(counter.read_bytes(), "little")

    return run


@pytest.mark.parametrize("kills", [6, pytest.param(24, marks=pytest.mark.soak)])
def test_the_next_run_finishes_what_was_killed(tmp_path, run, kills):
    root = tmp_path / "root"
    code, lines = run(kill_at=0)
    assert code == 0
    assert lines > kills
    for number in range(kills):
        shutil.rmtree(root)
        kill_at = 1 + number * (lines - 1) // kills
        assert run(kill_at=kill_at)[0] == -signal.SIGKILL, f"line {kill_at}"
        assert run()[0] == 0, f"line {kill_at}"
        assert (tmp_path / "given" / "weights").read_text() == "mine", f"line {kill_at}"
        assert audit(root) == [], f"line {kill_at}"
        with open_store(root / "metadata.db") as store:
            (artifact,) = store.get_artifacts()
            finished = [ExecutionState.COMPLETE, ExecutionState.CACHED]
            done = {one.custom_properties[NODE_ID] for one in store.get_executions(states=finished)}
        assert artifact.state is ArtifactState.LIVE
        assert done == {"Importer", "Resolver"}


def test_of_many_runs_at_once_one_imports(tmp_path, run):
    command = [sys.executable, "script.py"]
    processes = [subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL) for _ in "1234"]
    assert [process.wait(60) for process in processes] == [0, 0, 0, 0]
    assert audit(tmp_path / "root") == []
    with open_store(tmp_path / "root" / "metadata.db") as store:
        assert len(store.get_artifacts()) == 1
