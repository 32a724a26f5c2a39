"""The contract of a launcher as tests, which the test class of every launcher inherits.

class TestLocalLauncher(LauncherContract):
    @pytest.fixture
    def launcher(self):
        launcher = LocalLauncher()
        yield launcher
        launcher.close()

The processes that it starts must see the files of the tests.
"""

from __future__ import annotations

import itertools
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.dsl.pipeline import Pipeline
from trainwright.metadata.records import ExecutionRecord, ExecutionState, TypeRecord
from trainwright.orchestration.launching.launcher import Launcher, RunningNode
from trainwright.orchestration.launching.node_request import NodeRequest, RequestMaker
from trainwright.orchestration.planning.node_plan import StartedNode
from trainwright.orchestration.publishing import layout
from trainwright.orchestration.publishing.publisher import EarlierAttempts
from trainwright.orchestration.publishing.result_file import read_result, take_failure
from trainwright.types.artifact import Artifact
from trainwright.types.component_spec import ChannelParameter, ComponentSpec, ExecutionParameter

# Longer than any process needs to start, on a machine that is busy.
_PATIENCE_SECONDS = 120.0


class Words(Artifact):
    """What the nodes of these tests make: a directory with a file for each process."""

    TYPE_NAME = "Words"


class TroubledExecutor(BaseExecutor):
    """Writes a file named after its rank, after it has done what the process of that rank should.

    `trouble` has an action for each rank that has one: "raise", "die", "exit", "write" into every
    open file, or "live" on until it is ended, which the growing file `alive-<rank>` shows.
    """

    USES_RANKS = True

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        rank, directory = self.context.rank, output_dict["words"][0].uri
        print(f"This is {rank} of {self.context.num_processes}.", flush=True)
        self.context.report_progress({"rank": rank})
        trouble = exec_properties["trouble"].get(str(rank), "")
        if trouble == "raise":
            raise ValueError(f"rank {rank} was told to")
        if trouble == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if trouble == "exit":
            os._exit(7)
        if trouble == "write":
            _write_everywhere()
        while trouble == "live":
            with open(f"{exec_properties['alive']}-{rank}", "a") as file:
                file.write(".")
            time.sleep(0.05)
        Path(directory, str(rank)).write_text(os.environ.get("TROUBLE", ""))


def _write_everywhere() -> None:
    for fd in range(3, 64):
        try:
            os.write(fd, b"not a message")
        except OSError:
            continue


class TroubledSpec(ComponentSpec):
    PARAMETERS: ClassVar[Any] = {
        "trouble": ExecutionParameter(type=dict),
        "alive": ExecutionParameter(type=str),
    }
    INPUTS: ClassVar[Any] = {}
    OUTPUTS: ClassVar[Any] = {"words": ChannelParameter(type=Words)}


class Troubled(BaseComponent):
    SPEC_CLASS = TroubledSpec
    EXECUTOR_SPEC = ExecutorClassSpec(TroubledExecutor)

    def __init__(self, trouble: dict[str, str], alive: str) -> None:
        super().__init__(spec=TroubledSpec(trouble=trouble, alive=alive))


MakeRequest = Callable[..., NodeRequest]


def request_maker(directory: Path) -> MakeRequest:
    """What makes requests of nodes below a directory, numbered from 1."""
    numbers = itertools.count(1)
    root = str(directory / "root")

    def make(
        trouble: dict[int, str] | None = None, processes: int = 1, **environment: str
    ) -> NodeRequest:
        troubles = {str(rank): what for rank, what in (trouble or {}).items()}
        node = Troubled(troubles, str(directory / "alive"))
        node.with_processes(processes).with_environment(**environment)
        number = next(numbers)
        output = Words()
        output.uri = layout.output_uri(root, node.id, "words", str(number), Words)
        started = StartedNode(
            node=node,
            execution=ExecutionRecord(
                id=number, type=TypeRecord(name="Troubled"), state=ExecutionState.RUNNING
            ),
            directory=layout.execution_directory(root, node.id, str(number)),
            token=f"{number:032}",
            input_dict={},
            output_dict={"words": [output]},
            exec_properties={"trouble": troubles, "alive": str(directory / "alive")},
            earlier=EarlierAttempts(outputs={}, state=""),
            reason="",
        )
        pipeline = Pipeline("troubled", root, components=[node])
        maker = RequestMaker(
            pipeline=pipeline, run_id="run", store_location=str(directory), root=root
        )
        return maker.make(started)

    return make


class LauncherContract:
    """What a launcher promises: see `Launcher` and `NodeProcess`."""

    # Whether progress arrives; a launcher that only starts commands hears of ends alone.
    HEARS_PROGRESS = True

    @pytest.fixture
    def launcher(self) -> Iterator[Launcher]:
        """The launcher under test; to be closed after the test."""
        raise pytest.UsageError("Define a fixture `launcher` in the test class of your launcher.")

    @pytest.fixture
    def make_request(self, tmp_path: Path) -> MakeRequest:
        """Makes the request of a node whose processes are in the given trouble."""
        return request_maker(tmp_path)

    def test_a_node_that_completes_has_a_result_and_a_log(
        self, launcher: Launcher, make_request: MakeRequest
    ) -> None:
        running = launcher.launch(make_request())
        assert launcher.running == [running]
        outcome = _outcome(launcher, running)
        assert outcome["ok"], outcome
        [manifest] = outcome["manifests"]["words"]
        assert list(manifest) == ["0"]
        assert "This is 0 of 1." in Path(running.log).read_text()
        assert not running.is_stopped
        assert not running.fault
        launcher.forget(running)
        assert launcher.running == []

    def test_progress_is_heard(self, launcher: Launcher, make_request: MakeRequest) -> None:
        if not self.HEARS_PROGRESS:
            pytest.skip("this launcher hears of ends alone")
        running = launcher.launch(make_request(processes=2))
        assert _outcome(launcher, running)["ok"]
        running.take_progress()
        assert running.progress == {"rank": 0}

    def test_the_environment_of_a_node_is_its_own(
        self, launcher: Launcher, make_request: MakeRequest
    ) -> None:
        nodes = [launcher.launch(make_request(TROUBLE=value)) for value in ("a", "b")]
        assert [_written(launcher, running) for running in nodes] == ["a", "b"]

    def test_an_exception_is_told(self, launcher: Launcher, make_request: MakeRequest) -> None:
        running = launcher.launch(make_request({0: "raise"}))
        error = _outcome(launcher, running)["error"]
        assert (error["type"], error["message"]) == ("ValueError", "rank 0 was told to")

    @pytest.mark.parametrize(("trouble", "status"), [("die", -signal.SIGKILL), ("exit", 7)])
    def test_how_a_process_ended_is_told(
        self, launcher: Launcher, make_request: MakeRequest, trouble: str, status: int
    ) -> None:
        running = launcher.launch(make_request({0: trouble}))
        assert "error" not in _outcome(launcher, running)
        assert running.exit_status == status
        assert not running.was_lost
        assert not running.may_wake_up

    def test_what_is_not_a_message_does_no_harm(
        self, launcher: Launcher, make_request: MakeRequest
    ) -> None:
        running, other = [launcher.launch(make_request(what)) for what in ({0: "write"}, {})]
        assert _outcome(launcher, running)["ok"] or running.fault
        assert _outcome(launcher, other)["ok"]

    def test_a_signal_is_for_one_node(
        self, launcher: Launcher, make_request: MakeRequest, tmp_path: Path
    ) -> None:
        running = launcher.launch(make_request({0: "live"}))
        _wait_until(launcher, (tmp_path / "alive-0").exists)
        other = launcher.launch(make_request())
        running.signal(signal.SIGTERM)
        assert not _outcome(launcher, running)["ok"]
        assert running.exit_status == -signal.SIGTERM
        assert not running.is_stopped
        running.signal(signal.SIGKILL)  # which may come late
        assert _outcome(launcher, other)["ok"]

    def test_all_nodes_can_be_stopped(
        self, launcher: Launcher, make_request: MakeRequest, tmp_path: Path
    ) -> None:
        nodes = [launcher.launch(make_request({0: "live", 1: "live"}, 2)) for _ in range(2)]
        _wait_until(launcher, (tmp_path / "alive-1").exists)
        launcher.signal_all(signal.SIGTERM)
        for running in nodes:
            assert not _outcome(launcher, running)["ok"]
            assert running.is_stopped

    def test_no_process_outlives_the_launcher(
        self, launcher: Launcher, make_request: MakeRequest, tmp_path: Path
    ) -> None:
        running = launcher.launch(make_request({0: "live", 1: "live"}, 2))
        files = [tmp_path / f"alive-{rank}" for rank in range(2)]
        _wait_until(launcher, lambda: all(file.exists() for file in files))
        launcher.close()
        before = [file.stat().st_size for file in files]
        time.sleep(0.5)
        assert [file.stat().st_size for file in files] == before
        assert launcher.running == [running]

    def test_processes_of_a_node_share_its_outputs(
        self, launcher: Launcher, make_request: MakeRequest
    ) -> None:
        running = launcher.launch(make_request(processes=3))
        outcome = _outcome(launcher, running)
        assert outcome["ok"], outcome
        [manifest] = outcome["manifests"]["words"]
        assert sorted(manifest) == ["0", "1", "2"]
        logs = [Path(running.request.log_path(rank)) for rank in range(3)]
        assert [log.name for log in logs] == ["executor.log", "executor-1.log", "executor-2.log"]
        for rank, log in enumerate(logs):
            assert f"This is {rank} of 3." in log.read_text()

    @pytest.mark.parametrize("rank", [0, 2])
    @pytest.mark.parametrize("trouble", ["raise", "die"])
    def test_a_process_that_fails_ends_the_others(
        self, launcher: Launcher, make_request: MakeRequest, rank: int, trouble: str
    ) -> None:
        troubles = {**dict.fromkeys(range(3), "live"), rank: trouble}
        running = launcher.launch(make_request(troubles, 3))
        assert not _outcome(launcher, running)["ok"]
        assert all(process.is_over for process in running.processes)
        assert running.rank == rank
        assert running.log == running.request.log_path(rank)
        named = running.attribute({"type": "T", "message": "why"})
        assert named["message"] == f"process {rank} of 3: why"


def _outcome(launcher: Launcher, running: RunningNode) -> dict[str, Any]:
    """What a run would make of a node, when it is done."""
    _wait_until(launcher, lambda: running.is_done)
    if running.fault:
        return {"ok": False}
    if running.result is not None:
        return running.result
    path = running.request.result_path(running.rank)
    result = read_result(path) if running.rank == 0 else None
    if result is not None:
        return {"ok": True, **result}
    error = take_failure(path)
    return {"ok": False} if error is None else {"ok": False, "error": error}


def _written(launcher: Launcher, running: RunningNode) -> str:
    assert _outcome(launcher, running)["ok"]
    return Path(running.started.output_dict["words"][0].uri, "0").read_text()


def _wait_until(launcher: Launcher, holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        launcher.hear(timeout=0.2)
