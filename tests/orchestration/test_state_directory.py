"""State that outlives an attempt: what an executor keeps, the next attempt at its work finds."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from pathlib import Path

import pytest

from trainwright import LocalDagRunner, Pipeline, PipelineRunError
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_executor import BaseExecutor
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.dsl.node_options import NodeExecutionOptions
from trainwright.metadata.connection import open_store, sqlite_metadata_connection_config
from trainwright.orchestration.cleanup.garbage import collect, plan_collection
from trainwright.types import standard_artifacts
from trainwright.types.component_spec import ChannelParameter, ComponentSpec, ExecutionParameter


class CountSpec(ComponentSpec):
    PARAMETERS = {
        "attempts": ExecutionParameter(type=int),
        "end": ExecutionParameter(type=str),
    }
    INPUTS = {}
    OUTPUTS = {"seen": ChannelParameter(type=standard_artifacts.String)}


class CountExecutor(BaseExecutor):
    """Notes its attempt in its state, and succeeds when there were enough of them."""

    def Do(self, input_dict, output_dict, exec_properties):
        notes = Path(self.context.stateful_working_dir, "deep", "notes")
        notes.parent.mkdir(exist_ok=True)
        with notes.open("a") as file:
            file.write("x")
        if exec_properties["end"].startswith("waits for "):
            gate = Path(exec_properties["end"].removeprefix("waits for "))
            Path(gate, str(os.getpid())).touch()
            while not Path(gate, "open").exists():
                time.sleep(0.02)
        if len(notes.read_text()) < exec_properties["attempts"]:
            if exec_properties["end"] == "is killed":
                os.kill(os.getpid(), signal.SIGKILL)
            raise ValueError("not yet")
        output_dict["seen"][0].value = notes.read_text()


class Count(BaseComponent):
    SPEC_CLASS = CountSpec
    EXECUTOR_SPEC = ExecutorClassSpec(CountExecutor)

    def __init__(self, attempts, end="raises"):
        super().__init__(spec=CountSpec(attempts=attempts, end=end))


def run(root, node, store=None, enable_cache=True):
    where = {}
    if store is not None:
        where["metadata_connection_config"] = sqlite_metadata_connection_config(str(store))
    pipeline = Pipeline(
        "counting", str(root), components=[node], enable_cache=enable_cache, **where
    )
    return LocalDagRunner().run(pipeline)


def fail(root, node, **options):
    with pytest.raises(PipelineRunError):
        run(root, node, **options)


def seen(result):
    return Path(result["Count"].seen.uri).read_text()


def states(root):
    return list(Path(root, "Count", ".system", "executor_execution").glob("*/state"))


@pytest.mark.parametrize("end", ["raises", "is killed"])
@pytest.mark.parametrize("enable_cache", [True, False])
def test_the_next_attempt_goes_on_from_the_last_one(tmp_path, end, enable_cache):
    for _ in range(2):
        fail(tmp_path, Count(3, end), enable_cache=enable_cache)
        assert len(states(tmp_path)) == 1, "it moves from attempt to attempt"
    assert seen(run(tmp_path, Count(3, end), enable_cache=enable_cache)) == "xxx"
    assert states(tmp_path) == [], "what is done needs none"


def test_retries_go_on_from_it_and_what_has_changed_does_not(tmp_path):
    assert seen(run(tmp_path, Count(2).with_retries(1, wait_seconds=0))) == "xx"
    fail(tmp_path, Count(4))
    assert seen(run(tmp_path, Count(1))) == "x", "other properties, other work"


def test_an_attempt_may_begin_anew(tmp_path):
    options = NodeExecutionOptions(reset_stateful_working_dir=True, max_execution_retries=1)
    with pytest.raises(PipelineRunError):
        run(tmp_path, Count(2).with_node_execution_options(options))
    assert all((state / "deep/notes").read_text() == "x" for state in states(tmp_path))


def test_the_state_of_another_store_is_not_taken_over(tmp_path):
    """Ids begin anew in another store, so that other work may have the same key there."""
    fail(tmp_path / "root", Count(2), store=tmp_path / "one.db")
    fail(tmp_path / "root", Count(2), store=tmp_path / "two.db")
    assert seen(run(tmp_path / "root", Count(2), store=tmp_path / "one.db")) == "xx"


@pytest.mark.not_quick
def test_a_run_at_the_same_time_has_its_own(tmp_path):
    gate = tmp_path / "gate"
    gate.mkdir()
    node, results = f"waits for {gate}", []
    runs = [
        threading.Thread(
            target=lambda: results.append(
                run(tmp_path / "root", Count(1, node), enable_cache=False)
            )
        )
        for _ in range(2)
    ]
    for one in runs:
        one.start()
    deadline = time.monotonic() + 60
    while len(list(gate.iterdir())) < 2:
        assert time.monotonic() < deadline, "both are at work at once"
        time.sleep(0.02)
    (gate / "open").touch()
    for one in runs:
        one.join()
    assert [seen(result) for result in results] == ["x", "x"]


def test_state_that_was_removed_by_hand_is_begun_anew(tmp_path):
    fail(tmp_path, Count(2))
    [state] = states(tmp_path)
    shutil.rmtree(state)
    fail(tmp_path, Count(2))
    assert seen(run(tmp_path, Count(2))) == "xx"


def test_garbage_collection_takes_it_with_its_execution(tmp_path):
    fail(tmp_path, Count(9))
    run(tmp_path, Count(1))
    with open_store(tmp_path / "metadata.db") as store:
        collect(store, plan_collection(store, "counting", keep=2))
        assert len(states(tmp_path)) == 1, "its run is kept"
        collect(store, plan_collection(store, "counting", keep=1))
    assert states(tmp_path) == []


def test_a_link_in_its_place_is_not_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").touch()
    fail(tmp_path / "root", Count(2))
    [state] = states(tmp_path / "root")
    shutil.rmtree(state)
    state.symlink_to(outside)
    fail(tmp_path / "root", Count(2))
    run(tmp_path / "root", Count(2))
    assert (outside / "precious").exists()
