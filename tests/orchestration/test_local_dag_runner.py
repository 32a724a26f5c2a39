"""Runs of real pipelines: order, failures, processes, what is remembered."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from trainwright import (
    InputArtifact,
    LocalDagRunner,
    OutputArtifact,
    OutputDict,
    Parameter,
    Pipeline,
    PipelineRunError,
    RuntimeParameter,
    component,
    open_store,
)
from trainwright.metadata.records import ArtifactState, ExecutionState
from trainwright.orchestration.run_result import NodeState
from trainwright.types import standard_artifacts
from trainwright.types.channel import Channel, union


@component
def number(value: Parameter[int]) -> OutputDict(out=int):
    return {"out": value}


@component
def add(left: int, right: int) -> OutputDict(sum=int):
    return {"sum": left + right}


@component
def fail(value: int) -> OutputDict(out=int):
    raise ValueError(f"no good: {value}")


def states(result) -> dict[str, str]:
    return {node: state.value for node, state in result.states.items()}


def value_of(result, node: str, key: str) -> str:
    return Path(result.outputs[node][key][0].uri).read_text()


def test_values_flow_from_node_to_node(tmp_path):
    left, right = number(value=3).with_id("left"), number(value=4).with_id("right")
    total = add(left=left.outputs["out"], right=right.outputs["out"])
    result = LocalDagRunner().run(Pipeline("p", str(tmp_path), components=[total, left, right]))
    assert value_of(result, "add", "sum") == "7"
    assert states(result) == {"left": "complete", "right": "complete", "add": "complete"}


def test_artifacts_lie_where_tfx_lays_them(tmp_path):
    @component
    def model(model: OutputArtifact[standard_artifacts.Model]) -> OutputDict(loss=float):
        Path(model.uri, "weights").write_text("w")
        model.set_string_custom_property("framework", "none")
        return {"loss": 0.5}

    result = LocalDagRunner().run(Pipeline("p", str(tmp_path), components=[model()]))
    execution_id = 1
    assert (tmp_path / "model" / "model" / str(execution_id) / "weights").read_text() == "w"
    assert (tmp_path / "model" / "loss" / str(execution_id) / "value").read_text() == "0.5"
    stored = result.outputs["model"]["model"][0]
    assert stored.custom_properties["framework"] == "none"
    assert stored.custom_properties["tfx_version"] == "1.21.0"
    assert stored.custom_properties["is_external"] == 0
    assert not (tmp_path / "model" / ".system" / "executor_execution" / "1" / ".temp").exists()


def test_a_run_is_remembered_under_tfx_names(tmp_path):
    source = number(value=1)
    pipeline = Pipeline(
        "p",
        str(tmp_path),
        components=[source, add(left=source.outputs["out"], right=source.outputs["out"])],
    )
    result = LocalDagRunner().run(pipeline)
    with open_store(tmp_path / "metadata.db") as store:
        names = {(context.type_name, context.name) for context in store.get_contexts()}
        assert ("pipeline", "p") in names
        assert ("pipeline_run", result.run_id) in names
        assert {("node", "p.number"), ("node", "p.add")} <= names
        executions = store.get_executions()
        assert {execution.state for execution in executions} == {ExecutionState.COMPLETE}
        assert executions[-1].custom_properties["value"] == 1
        assert all(a.state is ArtifactState.LIVE for a in store.get_artifacts())
        events = store.get_events(execution_ids=[executions[0].id])
        assert [(e.type.value, e.key, e.index) for e in events] == [
            ("INPUT", "left", 0),
            ("INPUT", "right", 0),
            ("OUTPUT", "sum", 0),
        ]


def test_a_failing_node_fails_its_descendants_and_lets_the_rest_finish(tmp_path):
    source = number(value=5)
    broken = fail(value=source.outputs["out"])
    below = add(left=broken.outputs["out"], right=source.outputs["out"]).with_id("below")
    beside = add(left=source.outputs["out"], right=source.outputs["out"]).with_id("beside")
    pipeline = Pipeline("p", str(tmp_path), components=[source, broken, below, beside])
    with pytest.raises(PipelineRunError) as caught:
        LocalDagRunner().run(pipeline)
    result = caught.value.result
    assert states(result) == {
        "number": "complete",
        "fail": "failed",
        "below": "skipped",
        "beside": "complete",
    }
    message = str(caught.value)
    assert "fail failed with ValueError: no good: 5" in message
    assert 'raise ValueError(f"no good: {value}")' in message
    assert "Not run because of that: below." in message
    # The user's own lines come first: no frame of ours stands above them.
    assert "trainwright/orchestration" not in message.split("Log:")[0]
    log = result.failures[0].log
    assert "ValueError: no good: 5" in Path(log).read_text()


def test_outputs_of_a_failed_node_are_swept_but_a_model_run_is_kept(tmp_path):
    @component
    def train(
        model: OutputArtifact[standard_artifacts.Model],
        model_run: OutputArtifact[standard_artifacts.ModelRun],
    ):
        Path(model.uri, "half").write_text("half a model")
        Path(model_run.uri, "checkpoint").write_text("step 100")
        raise RuntimeError("the disk is on fire")

    with pytest.raises(PipelineRunError) as caught:
        LocalDagRunner().run(Pipeline("p", str(tmp_path), components=[train()]))
    assert not (tmp_path / "train" / "model" / "1").exists()
    checkpoint = tmp_path / "train" / "model_run" / "1" / "checkpoint"
    assert checkpoint.read_text() == "step 100"
    assert f"Kept: {checkpoint.parent}" in str(caught.value)
    with open_store(tmp_path / "metadata.db") as store:
        states_by_type = {a.type.name: a.state for a in store.get_artifacts()}
        assert states_by_type == {
            "Model": ArtifactState.DELETED,
            "ModelRun": ArtifactState.ABANDONED,
        }


def test_independent_nodes_run_side_by_side(tmp_path):
    @component
    def meet(me: Parameter[str], other: Parameter[str], place: Parameter[str]):
        Path(place, me).touch()
        deadline = time.time() + 20
        while not Path(place, other).exists():
            assert time.time() < deadline, "the other one never came"
            time.sleep(0.01)

    place = tmp_path / "place"
    place.mkdir()
    nodes = [
        meet(me="a", other="b", place=str(place)).with_id("a"),
        meet(me="b", other="a", place=str(place)).with_id("b"),
    ]
    LocalDagRunner(max_parallel=2).run(Pipeline("p", str(tmp_path / "root"), components=nodes))


def test_nodes_do_not_leak_environment_directory_or_modules_into_each_other(tmp_path):
    @component
    def pollute() -> OutputDict(done=int):
        sys.modules["left_behind"] = sys
        os.environ["LEFT_BEHIND"] = "1"
        os.chdir("/")
        return {"done": 1}

    @component
    def look(done: int) -> OutputDict(found=str):
        found = [os.environ.get("LEFT_BEHIND", ""), str("left_behind" in sys.modules), os.getcwd()]
        return {"found": " ".join(found)}

    first = pollute()
    pipeline = Pipeline("p", str(tmp_path), components=[first, look(done=first.outputs["done"])])
    assert value_of(LocalDagRunner().run(pipeline), "look", "found") == f" False {os.getcwd()}"
    assert "LEFT_BEHIND" not in os.environ


def test_a_node_can_have_an_environment_of_its_own(tmp_path):
    @component
    def look() -> OutputDict(found=str):
        return {"found": os.environ.get("FLAVOUR", "plain")}

    spicy = look().with_environment(FLAVOUR="spicy").with_id("spicy")
    plain = look().with_id("plain")
    result = LocalDagRunner().run(Pipeline("p", str(tmp_path), components=[spicy, plain]))
    assert value_of(result, "spicy", "found") == "spicy"
    assert value_of(result, "plain", "found") == "plain"


def test_a_killed_worker_fails_its_node_and_says_so(tmp_path):
    @component
    def suicide(model_run: OutputArtifact[standard_artifacts.ModelRun]):
        Path(model_run.uri, "checkpoint").write_text("step 3")
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(PipelineRunError, match=r"killed by signal 9 \(SIGKILL\)") as caught:
        LocalDagRunner().run(Pipeline("p", str(tmp_path), components=[suicide()]))
    assert caught.value.result.failures[0].kept == (str(tmp_path / "suicide/model_run/1"),)


def test_code_that_ends_the_interpreter_fails_its_node(tmp_path):
    @component
    def leave():
        sys.exit(0)

    @component
    def leave_at_once():
        os._exit(0)

    with pytest.raises(PipelineRunError) as caught:
        LocalDagRunner().run(Pipeline("p", str(tmp_path), components=[leave(), leave_at_once()]))
    messages = {f.node_id: f.message for f in caught.value.result.failures}
    assert "user code called sys.exit(0)" in messages["leave"]
    assert "ended with exit code 0 before its executor returned" in messages["leave_at_once"]


def test_what_a_worker_leaves_running_ends_with_it(tmp_path):
    @component
    def start() -> OutputDict(pid=int):
        return {"pid": subprocess.Popen(["sleep", "600"]).pid}

    result = LocalDagRunner().run(Pipeline("p", str(tmp_path), components=[start()]))
    pid = int(value_of(result, "start", "pid"))
    deadline = time.time() + 10
    while os.path.exists(f"/proc/{pid}") and "Z" not in Path(f"/proc/{pid}/stat").read_text():
        assert time.time() < deadline, "the process is still there"
        time.sleep(0.05)


def test_add_upstream_node_orders_without_data(tmp_path):
    @component
    def note(name: Parameter[str], file: Parameter[str]):
        with open(file, "a") as opened:
            opened.write(name)

    order = str(tmp_path / "order")
    first, second = note(name="1", file=order).with_id("a"), note(name="2", file=order).with_id("b")
    first.add_upstream_node(second)
    LocalDagRunner().run(Pipeline("p", str(tmp_path / "root"), components=[first, second]))
    assert Path(order).read_text() == "21"


def test_union_and_lists_of_artifacts(tmp_path):
    @component
    def total(numbers: InputArtifact[list[standard_artifacts.Integer]]) -> OutputDict(sum=int):
        return {"sum": sum(number.read() for number in numbers)}

    nodes = [number(value=value).with_id(f"n{value}") for value in (1, 2, 3)]
    joined = total(numbers=union([node.outputs["out"] for node in nodes]))
    result = LocalDagRunner().run(Pipeline("p", str(tmp_path), components=[*nodes, joined]))
    assert value_of(result, "total", "sum") == "6"


def test_runtime_parameters_are_given_checked_and_stored(tmp_path):
    node = number(value=RuntimeParameter("steps", ptype=int, default=1))
    pipeline = Pipeline("p", str(tmp_path), components=[node])
    assert value_of(LocalDagRunner().run(pipeline), "number", "out") == "1"
    result = LocalDagRunner().run(pipeline, runtime_parameters={"steps": "42"})
    assert value_of(result, "number", "out") == "42"
    with pytest.raises(ValueError, match="no runtime parameter 'step'; did you mean 'steps'"):
        LocalDagRunner().run(pipeline, runtime_parameters={"step": 1})
    with pytest.raises(ValueError, match="expects int, got 'many'"):
        LocalDagRunner().run(pipeline, runtime_parameters={"steps": "many"})
    needed = Pipeline("q", str(tmp_path), components=[number(value=RuntimeParameter("n", int))])
    with pytest.raises(ValueError, match="--set n=VALUE"):
        LocalDagRunner().run(needed)


def test_what_cannot_run_is_refused_before_anything_is_written(tmp_path):
    root = tmp_path / "root"
    loose = add(
        left=Channel(type=standard_artifacts.Integer),
        right=Channel(type=standard_artifacts.Integer),
    )
    with pytest.raises(ValueError, match="comes from no node of the pipeline"):
        LocalDagRunner().run(Pipeline("p", str(root), components=[loose]))
    with pytest.raises(ValueError, match="no pipeline_root"):
        LocalDagRunner().run(Pipeline("p", components=[number(value=1)]))
    assert not root.exists()


def test_cache_reuses_what_did_not_change(tmp_path):
    def run(value: int):
        source = number(value=value)
        total = add(left=source.outputs["out"], right=source.outputs["out"])
        pipeline = Pipeline("p", str(tmp_path), components=[source, total], enable_cache=True)
        return LocalDagRunner().run(pipeline)

    assert states(run(1)) == {"number": "complete", "add": "complete"}
    again = run(1)
    assert states(again) == {"number": "cached", "add": "cached"}
    assert value_of(again, "add", "sum") == "2"
    assert states(run(2)) == {"number": "complete", "add": "complete"}
    assert states(run(1)) == {"number": "cached", "add": "cached"}


def test_cache_is_off_by_default(tmp_path):
    pipeline = Pipeline("p", str(tmp_path), components=[number(value=1)])
    LocalDagRunner().run(pipeline)
    assert states(LocalDagRunner().run(pipeline)) == {"number": "complete"}


def test_a_deleted_output_is_made_again(tmp_path):
    pipeline = Pipeline("p", str(tmp_path), components=[number(value=1)], enable_cache=True)
    first = LocalDagRunner().run(pipeline)
    os.remove(first.outputs["number"]["out"][0].uri)
    second = LocalDagRunner().run(pipeline)
    assert states(second) == {"number": "complete"}
    assert value_of(second, "number", "out") == "1"


CACHED_SCRIPT = """
    from trainwright import LocalDagRunner, OutputDict, Parameter, Pipeline, component
    import helper

    def twice(x):
        return 2 * x  # TWICE

    @component
    def work(x: Parameter[int]) -> OutputDict(y=int):
        return {"y": twice(x)}

    @component
    def other(x: Parameter[int]) -> OutputDict(y=int):
        return {"y": helper.once(x)}

    pipeline = Pipeline("p", "root", components=[work(x=1), other(x=1)], enable_cache=True)
    print({node: state.value for node, state in LocalDagRunner().run(pipeline).states.items()})
"""


def test_cache_follows_the_code_that_a_node_uses(run_script, tmp_path):
    helper = tmp_path / "helper.py"
    helper.write_text("def once(x):\n    return x\n")

    def run(script: str) -> str:
        time.sleep(0.02)  # file times tell what was there when a worker started
        return run_script(script).stdout.strip()

    assert run(CACHED_SCRIPT) == "{'work': 'complete', 'other': 'complete'}"
    assert run(CACHED_SCRIPT + "\n    # a comment elsewhere") == (
        "{'work': 'cached', 'other': 'cached'}"
    )
    changed = CACHED_SCRIPT.replace("2 * x  # TWICE", "x + x")
    assert run(changed) == "{'work': 'complete', 'other': 'cached'}"
    helper.write_text("def once(x):\n    return x + 0\n")
    assert run(changed) == "{'work': 'cached', 'other': 'complete'}"


def test_executions_of_a_dead_runner_are_cleared_up_by_the_next_run(run_script, tmp_path):
    """kill -9 of the runner: its worker ends too, and the next run marks the execution."""
    script = tmp_path / "slow.py"
    script.write_text(
        textwrap.dedent(
            """
            import sys, time
            from trainwright import *
            from trainwright import LocalDagRunner, Pipeline, component, OutputArtifact, Parameter
            from trainwright.types import standard_artifacts

            @component
            def slow(pid: Parameter[str], model: OutputArtifact[standard_artifacts.Model]):
                import os
                open(model.uri + "/half", "w").close()
                open(pid, "w").write(str(os.getpid()))
                time.sleep(float(open("seconds").read()))

            LocalDagRunner().run(Pipeline("p", "root", components=[slow(pid="pid")]))
            """
        )
    )
    (tmp_path / "seconds").write_text("600")
    runner = subprocess.Popen(
        [sys.executable, str(script)], cwd=tmp_path, stderr=subprocess.DEVNULL
    )
    pid_file = tmp_path / "pid"
    deadline = time.time() + 60
    while not (pid_file.exists() and pid_file.read_text()):
        assert time.time() < deadline
        time.sleep(0.02)
    runner.kill()
    runner.wait()
    worker = int(pid_file.read_text())
    while os.path.exists(f"/proc/{worker}"):
        assert time.time() < deadline, "the worker outlived its runner"
        time.sleep(0.02)
    (tmp_path / "seconds").write_text("0")
    finished = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True
    )
    assert finished.returncode == 0, finished.stderr
    assert "execution 1 of slow was left behind by a run that died" in finished.stderr
    assert not (tmp_path / "root/slow/model/1").exists()
    with open_store(tmp_path / "root/metadata.db") as store:
        assert store.get_execution(1).state is ExecutionState.FAILED
        assert store.get_execution(2).state is ExecutionState.COMPLETE


INTERRUPTED = """
    import os, time
    from trainwright import LocalDagRunner, Pipeline, component, OutputArtifact, OutputDict
    from trainwright.types import standard_artifacts

    @component
    def quick() -> OutputDict(x=int):
        return {"x": 1}

    @component
    def slow(x: int, run: OutputArtifact[standard_artifacts.ModelRun]):
        open(run.uri + "/checkpoint", "w").close()
        open("started", "w").close()
        time.sleep(600)

    first = quick()
    nodes = [first, slow(x=first.outputs["x"])]
    pipeline = Pipeline("p", "root", components=nodes, enable_cache=True)
    LocalDagRunner().run(pipeline)
"""


@pytest.mark.parametrize("number_", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(tmp_path, number_):
    script = tmp_path / "interrupted.py"
    script.write_text(textwrap.dedent(INTERRUPTED))
    runner = subprocess.Popen(
        [sys.executable, str(script)], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    deadline = time.time() + 60
    while not (tmp_path / "started").exists():
        assert time.time() < deadline
        time.sleep(0.02)
    runner.send_signal(number_)
    _, stderr = runner.communicate(timeout=60)
    assert runner.returncode != 0
    assert "slow: stopped, kept" in stderr
    assert "Run the same command again to go on: finished nodes are reused." in stderr
    with open_store(tmp_path / "root/metadata.db") as store:
        assert [e.state.value for e in store.get_executions()] == ["CANCELED", "COMPLETE"]
    assert (tmp_path / "root/slow/run/2/checkpoint").exists()


def test_two_runs_of_one_pipeline_at_once_both_finish(run_script, tmp_path):
    source = """
        from trainwright import LocalDagRunner, OutputDict, Parameter, Pipeline, component

        @component
        def work(x: Parameter[int]) -> OutputDict(y=int):
            return {"y": x}

        nodes = [work(x=i).with_id(f"n{i}") for i in range(5)]
        LocalDagRunner().run(Pipeline("p", "root", components=nodes))
    """
    script = tmp_path / "both.py"
    script.write_text(textwrap.dedent(source))
    both = [
        subprocess.Popen([sys.executable, str(script)], cwd=tmp_path, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    for process in both:
        _, stderr = process.communicate(timeout=120)
        assert process.returncode == 0, stderr.decode()
    with open_store(tmp_path / "root/metadata.db") as store:
        executions = store.get_executions()
    assert len(executions) == 10
    assert {execution.state for execution in executions} == {ExecutionState.COMPLETE}


def test_the_store_is_where_the_pipeline_says(tmp_path):
    from trainwright import sqlite_metadata_connection_config

    store = tmp_path / "elsewhere" / "md.sqlite"
    pipeline = Pipeline(
        "p",
        str(tmp_path / "root"),
        metadata_connection_config=sqlite_metadata_connection_config(str(store)),
        components=[number(value=1)],
    )
    LocalDagRunner().run(pipeline)
    assert sqlite3.connect(store).execute("pragma journal_mode").fetchone() == ("wal",)
    assert NodeState.COMPLETE.is_success


def test_a_new_store_over_an_old_root_leaves_the_old_artifacts_alone(tmp_path):
    """Execution numbers start again in a new store; what they name on disk is not its own."""

    @component
    def write(text: Parameter[str], model: OutputArtifact[standard_artifacts.Model]):
        Path(model.uri, "model.txt").write_text(text)
        if text == "broken":
            raise RuntimeError("broken")

    def run(text: str):
        return LocalDagRunner().run(Pipeline("p", str(tmp_path), components=[write(text=text)]))

    old = run("old").outputs["write"]["model"][0].uri
    for leftover in tmp_path.glob("metadata.db*"):
        leftover.unlink()
    new = run("new").outputs["write"]["model"][0].uri
    assert (Path(old).name, Path(new).name) == ("1", "1.1")
    for leftover in tmp_path.glob("metadata.db*"):
        leftover.unlink()
    with pytest.raises(PipelineRunError):
        run("broken")
    assert Path(old, "model.txt").read_text() == "old"
    assert Path(new, "model.txt").read_text() == "new"
    assert not (tmp_path / "write/model/1.2").exists()


def test_nodes_run_in_fresh_interpreters_where_forking_is_not_safe(tmp_path, monkeypatch):
    from trainwright.orchestration.launching.worker_pool import WorkerPool

    monkeypatch.setattr(WorkerPool, "CAN_FORK", False)
    left = number(value=2)
    total = add(left=left.outputs["out"], right=left.outputs["out"])
    result = LocalDagRunner().run(Pipeline("p", str(tmp_path), components=[left, total]))
    assert value_of(result, "add", "sum") == "4"

    @component
    def die():
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(PipelineRunError, match="killed by signal 9"):
        LocalDagRunner().run(Pipeline("p", str(tmp_path), components=[die()]))


def test_a_property_that_cannot_be_stored_fails_the_node_with_its_reason(tmp_path):
    @component
    def odd(model: OutputArtifact[standard_artifacts.Model]):
        model.custom_properties["when"] = object()

    with pytest.raises(PipelineRunError, match="not JSON serializable"):
        LocalDagRunner().run(Pipeline("p", str(tmp_path), components=[odd()]))


def test_a_runtime_parameter_without_a_type_takes_that_of_the_argument(tmp_path):
    node = number(value=RuntimeParameter("n", default=1))
    pipeline = Pipeline("p", str(tmp_path), components=[node])
    result = LocalDagRunner().run(pipeline, runtime_parameters={"n": "4"})
    assert value_of(result, "number", "out") == "4"
    with pytest.raises(ValueError, match="'n' expects int, got 'four'"):
        LocalDagRunner().run(pipeline, runtime_parameters={"n": "four"})


def test_a_default_and_the_same_value_given_are_one_to_the_cache(tmp_path):
    @component
    def work(x: Parameter[int] = 2) -> OutputDict(y=int):
        return {"y": x}

    def run(node):
        pipeline = Pipeline("p", str(tmp_path), components=[node], enable_cache=True)
        return states(LocalDagRunner().run(pipeline))

    assert run(work()) == {"work": "complete"}
    assert run(work(x=2)) == {"work": "cached"}


def test_an_unwritable_root_is_refused_before_anything_runs(tmp_path):
    (tmp_path / "file").touch()
    pipeline = Pipeline("p", str(tmp_path / "file" / "root"), components=[number(value=1)])
    with pytest.raises(ValueError, match="pipeline_root '.*file/root' cannot be made: Not a dir"):
        LocalDagRunner().run(pipeline)


def test_values_of_the_run_are_checked_like_those_of_the_pipeline(tmp_path):
    from trainwright.components import CsvExampleGen, Trainer

    (tmp_path / "data").mkdir()
    (tmp_path / "data/a.csv").write_text("x\n1\n")
    example_gen = CsvExampleGen(input_base=RuntimeParameter("data", default=str(tmp_path / "data")))
    trainer = Trainer(
        example_gen.outputs["examples"],
        module_file=RuntimeParameter("module", ptype=str, default="nowhere.py"),
        train_args=RuntimeParameter("args", ptype=str, default="{}"),
    )
    pipeline = Pipeline("p", str(tmp_path / "root"), components=[example_gen, trainer])
    for given, message in (
        ({}, "module file 'nowhere.py' for component Trainer does not exist"),
        ({"data": "dta"}, "'dta' does not exist"),
        ({"args": "5"}, "TrainArgs must be a mapping"),
    ):
        with pytest.raises(ValueError, match=message):
            LocalDagRunner().run(pipeline, runtime_parameters=given)


def test_an_error_of_ours_is_told_without_our_lines(tmp_path):
    from trainwright.components import CsvExampleGen

    (tmp_path / "data").mkdir()
    (tmp_path / "data/a.csv").write_text("x,y\n1,2\n3\n")
    pipeline = Pipeline(
        "p", str(tmp_path / "root"), components=[CsvExampleGen(input_base=str(tmp_path / "data"))]
    )
    with pytest.raises(PipelineRunError, match=r"a.csv, line 3") as caught:
        LocalDagRunner().run(pipeline)
    assert "Traceback" not in str(caught.value)
    assert "Traceback" in Path(caught.value.result.failures[0].log).read_text()
