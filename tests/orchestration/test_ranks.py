"""Nodes of several processes: ranks that divide the work, and end together."""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from command_launcher import CommandLauncher
from store_audit import audit

from trainwright import LocalDagRunner, OutputDict, Pipeline, PipelineRunError, component
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_executor import BaseExecutor
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.metadata.connection import open_store
from trainwright.metadata.records import ExecutionState
from trainwright.orchestration.events import RunEventKind
from trainwright.orchestration.local_dag_runner import RunCanceled
from trainwright.types import standard_artifacts
from trainwright.types.component_spec import ChannelParameter, ComponentSpec, ExecutionParameter


class SharedExecutor(BaseExecutor):
    """Each rank writes its part; `trouble` says what happens to those of some ranks."""

    USES_RANKS = True

    def Do(self, input_dict, output_dict, exec_properties):
        rank, count = self.context.rank, self.context.num_processes
        scratch, trouble = Path(exec_properties["scratch"]), exec_properties["trouble"]
        (scratch / f"pid-{rank}").write_text(str(os.getpid()))
        self.context.report_progress({"rank": rank})
        what = trouble.get(str(rank), "")
        if what == "late":
            time.sleep(0.5)
        if what == "meet":  # at their exits: neither may wait for the other's end before
            atexit.register(_meet, scratch, rank)
        if what == "raise":
            raise KeyError(f"part {rank}")
        if what == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if what == "hang":
            time.sleep(600)
        self._write(output_dict["parts"][0].uri, rank, count)
        output_dict["parts"][0].set_string_custom_property("set_by", f"rank {rank}")

    def _write(self, directory, rank, count):
        assert os.path.isdir(self._get_tmp_dir())
        Path(directory, f"part-{rank}-of-{count}").write_text("x" * rank)


def _meet(scratch, rank):
    (scratch / f"met-{rank}").touch()
    while not (scratch / f"met-{1 - rank}").exists():
        time.sleep(0.01)


class SharedSpec(ComponentSpec):
    PARAMETERS = {
        "scratch": ExecutionParameter(type=str),
        "trouble": ExecutionParameter(type=dict),
    }
    INPUTS = {}
    OUTPUTS = {"parts": ChannelParameter(type=standard_artifacts.Examples)}


class Shared(BaseComponent):
    SPEC_CLASS = SharedSpec
    EXECUTOR_SPEC = ExecutorClassSpec(SharedExecutor)

    def __init__(self, scratch, trouble=None):
        super().__init__(spec=SharedSpec(scratch=str(scratch), trouble=trouble or {}))


def pipeline_of(tmp_path, processes, trouble=None):
    node = Shared(tmp_path, trouble).with_processes(processes)
    return Pipeline("p", str(tmp_path / "root"), components=[node], enable_cache=True)


def failure_of(pipeline, runner=None):
    with pytest.raises(PipelineRunError) as caught:
        (runner or LocalDagRunner()).run(pipeline)
    [failure] = caught.value.result.failures
    return failure


def is_alive(pid_file):
    try:
        stat = Path(f"/proc/{pid_file.read_text()}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def wait_until(condition, seconds=60.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


class CommandRunner(LocalDagRunner):
    """What a third party writes: the same runs, launched in another way."""

    def make_launcher(self):
        return CommandLauncher()


@pytest.mark.parametrize("runner_class", [LocalDagRunner, CommandRunner])
def test_all_ranks_write_to_the_outputs_before_they_are_published(tmp_path, runner_class):
    events = []
    runner = runner_class(observer=events.append)
    result = runner.run(pipeline_of(tmp_path, 3, {"1": "late", "2": "late"}))
    artifact = result["Shared"].parts
    assert sorted(os.listdir(artifact.uri)) == [f"part-{rank}-of-3" for rank in range(3)]
    assert artifact.custom_properties["set_by"] == "rank 0"
    progress = [event.data for event in events if event.kind is RunEventKind.NODE_PROGRESS]
    assert progress == ([] if runner_class is CommandRunner else [{"rank": 0}])
    with open_store(tmp_path / "root/metadata.db") as store:
        manifests = store.get_attachments("result", [1])[1]["manifests"]["parts"][0]
    assert sorted(manifests) == sorted(os.listdir(artifact.uri))
    assert audit(tmp_path / "root") == []


def test_the_number_of_processes_counts_for_the_cache(tmp_path):
    def run(processes):
        events = []
        LocalDagRunner(observer=events.append).run(pipeline_of(tmp_path, processes))
        reasons = [event.data.get("reason") for event in events if event.node == "Shared"]
        return events[-1].data["states"]["Shared"], reasons[0]

    assert run(1)[0] == "complete"
    state, reason = run(2)
    assert (state, "its number of processes changed from 1 to 2" in reason) == ("complete", True)
    assert run(2)[0] == "cached"
    assert run(1)[0] == "cached"


def test_ranks_may_meet_at_their_exits(tmp_path):
    result = LocalDagRunner().run(pipeline_of(tmp_path, 2, {"0": "meet", "1": "meet"}))
    assert result.is_success


def test_a_rank_that_raises_fails_the_node_with_its_error_and_log(tmp_path):
    failure = failure_of(pipeline_of(tmp_path, 4, {"0": "hang", "2": "raise", "3": "hang"}))
    assert (failure.error_type, failure.message) == ("KeyError", "process 2 of 4: 'part 2'")
    assert failure.log.endswith("executor-2.log")
    assert "part 2" in Path(failure.log).read_text()
    assert "executor-2.log" in (Path(failure.log).parent / "executor.log").read_text()
    assert not any(is_alive(tmp_path / f"pid-{rank}") for rank in range(4))
    assert not list((tmp_path / "root/Shared/parts").iterdir())
    assert audit(tmp_path / "root") == []


def test_a_rank_that_dies_fails_the_node(tmp_path):
    failure = failure_of(pipeline_of(tmp_path, 3, {"0": "hang", "1": "die"}))
    assert failure.error_type == "WorkerDied"
    assert failure.message.startswith("process 1 of 3: ")
    assert not any(is_alive(tmp_path / f"pid-{rank}") for rank in (0, 1))


def test_a_rank_zero_that_is_done_does_not_finish_without_the_others(tmp_path):
    failure = failure_of(pipeline_of(tmp_path, 2, {"1": "die"}))
    assert failure.message.startswith("process 1 of 2: ")
    with open_store(tmp_path / "root/metadata.db") as store:
        assert [one.state for one in store.get_executions()] == [ExecutionState.FAILED]


def test_a_timeout_ends_all_ranks(tmp_path):
    pipeline = pipeline_of(tmp_path, 2, {"0": "hang", "1": "hang"})
    pipeline.components[0].with_timeout(2)
    failure = failure_of(pipeline)
    assert failure.error_type == "TimeoutError"
    assert not any(is_alive(tmp_path / f"pid-{rank}") for rank in (0, 1))


def test_an_interrupt_ends_all_ranks(tmp_path):
    files = [tmp_path / f"pid-{rank}" for rank in (0, 1)]

    def interrupt():
        wait_until(lambda: all(file.exists() for file in files))
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt, daemon=True)
    thread.start()
    with pytest.raises(RunCanceled) as caught:
        LocalDagRunner().run(pipeline_of(tmp_path, 2, {"0": "hang", "1": "hang"}))
    thread.join()
    assert caught.value.result.states["Shared"].value == "canceled"
    assert not any(map(is_alive, files))


@pytest.mark.parametrize("runner", ["LocalDagRunner", "CommandRunner"])
def test_no_rank_outlives_a_runner_that_is_killed(tmp_path, runner):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            f"""
            import sys
            sys.path.insert(0, {str(Path(__file__).parent)!r})
            from pathlib import Path
            from test_ranks import *
            {runner}().run(pipeline_of(Path({str(tmp_path)!r}), 2, {{"0": "hang", "1": "hang"}}))
            """
        )
    )
    files = [tmp_path / f"pid-{rank}" for rank in (0, 1)]
    process = subprocess.Popen([sys.executable, str(script)], stderr=subprocess.DEVNULL)
    wait_until(lambda: all(file.exists() and file.read_text() for file in files))
    process.kill()
    process.wait()
    wait_until(lambda: not any(map(is_alive, files)))
    result = LocalDagRunner().run(pipeline_of(tmp_path, 2))
    assert result.is_success
    assert audit(tmp_path / "root") == []


@component
def single() -> OutputDict(out=int):
    return {"out": 1}


def test_an_executor_that_does_not_divide_its_work_is_refused(tmp_path):
    pipeline = Pipeline("p", str(tmp_path / "root"), components=[single().with_processes(2)])
    with pytest.raises(ValueError, match="single is to run in 2 processes .* USES_RANKS = True"):
        LocalDagRunner().run(pipeline)
    assert not (tmp_path / "root").exists()


@pytest.mark.parametrize("count", [0, -1, 1.5, True, "2"])
def test_a_number_of_processes_that_is_none_is_refused(tmp_path, count):
    with pytest.raises((TypeError, ValueError)) as refused:
        Shared(tmp_path).with_processes(count)
    assert f"The number of processes is {count!r}: expected " in str(refused.value)
