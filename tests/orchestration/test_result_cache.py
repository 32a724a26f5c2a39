"""Reuse of results: what is reused, what is not, and the reasons that are given."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
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
    component,
    open_store,
)
from trainwright.components import CsvExampleGen
from trainwright.metadata.internal_properties import REASON
from trainwright.orchestration.planning import file_digests
from trainwright.orchestration.run_result import NodeState
from trainwright.types import standard_artifacts


@component
def number(value: Parameter[int]) -> OutputDict(out=int):
    return {"out": value}


@component
def double(value: int) -> OutputDict(out=int):
    return {"out": 2 * value}


@component
def train(model: OutputArtifact[standard_artifacts.Model]):
    for name in ("weights", "assets/vocabulary"):
        path = Path(model.uri, name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"content of {name}")


@component
def use(model: InputArtifact[standard_artifacts.Model]) -> OutputDict(size=int):
    return {"size": len(Path(model.uri, "weights").read_text())}


def doubling(root: Path, value: int = 1, **options) -> Pipeline:
    source = number(value=value)
    nodes = [source, double(value=source.outputs["out"])]
    return Pipeline("p", str(root), components=nodes, **{"enable_cache": True, **options})


def training(root: Path) -> Pipeline:
    trained = train()
    nodes = [trained, use(model=trained.outputs["model"])]
    return Pipeline("p", str(root), components=nodes, enable_cache=True)


def run(pipeline: Pipeline) -> dict[str, str]:
    result = LocalDagRunner(observer=lambda event: None).run(pipeline)
    return {node: state.value for node, state in result.states.items()}


def explain(pipeline: Pipeline) -> dict[str, str]:
    """The reason for each node that would run."""
    return {one.node_id: one.reason for one in LocalDagRunner().explain(pipeline) if one.will_run}


def stored_reasons(root: Path) -> dict[int, str]:
    with open_store(root / "metadata.db") as store:
        return {one.id: one.custom_properties[REASON] for one in store.get_executions()}


def test_explain_says_what_a_run_then_does(tmp_path):
    assert explain(doubling(tmp_path)) == {
        "number": "it has not run before",
        "double": "new outputs of number",
    }
    run(doubling(tmp_path))
    assert explain(doubling(tmp_path)) == {}
    assert explain(doubling(tmp_path, value=2)) == {
        "number": "property value changed from 1 to 2",
        "double": "new outputs of number",
    }
    assert run(doubling(tmp_path, value=2)) == {"number": "complete", "double": "complete"}
    assert run(doubling(tmp_path)) == {"number": "cached", "double": "cached"}
    # What is different counts from the last run, which reused the first one's outputs.
    assert explain(doubling(tmp_path, value=3))["number"] == "property value changed from 1 to 3"


def test_explain_writes_nothing(tmp_path):
    root = tmp_path / "root"
    LocalDagRunner().explain(doubling(root))
    assert not root.exists()
    run(doubling(root))
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()}
    LocalDagRunner().explain(doubling(root, value=2))
    after = {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()}
    assert {p.name for p in after.keys() - before.keys()} <= {"metadata.db-wal", "metadata.db-shm"}
    with open_store(root / "metadata.db") as store:
        assert len(store.get_executions()) == 2


def test_the_reason_is_remembered_with_the_execution(tmp_path):
    run(doubling(tmp_path))
    run(doubling(tmp_path, value=2))
    reasons = stored_reasons(tmp_path)
    assert reasons[1] == "it has not run before"
    assert reasons[3] == "property value changed from 1 to 2"
    assert reasons[4] == "input value changed (artifact 3 instead of 1)"


def remove_a_file(model: Path) -> None:
    (model / "assets/vocabulary").unlink()


def cut_a_file_short(model: Path) -> None:
    (model / "weights").write_text("half")


def change_a_byte(model: Path) -> None:
    text = (model / "weights").read_text()
    (model / "weights").write_text(text[:-1] + "X")


def remove_everything(model: Path) -> None:
    shutil.rmtree(model)


def add_a_file(model: Path) -> None:
    shutil.copy(model / "weights", model / "weights-2")


def move_behind_a_link(model: Path) -> None:
    os.rename(model, model.parents[2] / "moved")
    model.symlink_to(model.parents[2] / "moved")


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (add_a_file, "weights-2 was added"),
        (move_behind_a_link, "model/1 has become a link"),
        (remove_a_file, "assets/vocabulary is gone"),
        (cut_a_file_short, "weights has 4 bytes instead of 18"),
        (change_a_byte, "weights was changed"),
        (remove_everything, "model/1 is gone"),
    ],
)
def test_a_damaged_output_is_made_again_and_named(tmp_path, damage, words):
    run(training(tmp_path))
    damage(tmp_path / "train/model/1")
    reasons = explain(training(tmp_path))
    assert reasons["train"].startswith("output model of execution 1 is damaged: ")
    assert reasons["train"].endswith(words)
    assert run(training(tmp_path)) == {"train": "complete", "use": "complete"}
    assert run(training(tmp_path)) == {"train": "cached", "use": "cached"}


def damage_store(root: Path, statement: str, *values: str) -> None:
    with contextlib.closing(sqlite3.connect(root / "metadata.db")) as connection, connection:
        assert connection.execute(statement, values).rowcount > 0


def test_a_loaded_file_that_no_file_can_be_counts_as_changed(tmp_path):
    run(doubling(tmp_path))
    for path in ("/dev/zero", "a\0b", "\ud800"):
        damage_store(
            tmp_path,
            "UPDATE attachments SET content = json_set(content, '$.first_party_files', json(?)) "
            "WHERE name = 'result' AND execution_id = 1",
            json.dumps({path: "digest"}),
        )
        reason = explain(doubling(tmp_path))["number"]
        assert reason == f"file {path}, which its code loads, changed"
    assert run(doubling(tmp_path)) == {"number": "complete", "double": "complete"}


def test_an_output_that_the_node_does_not_declare_is_damage(tmp_path):
    run(doubling(tmp_path))
    damage_store(tmp_path, "UPDATE events SET key = 'other' WHERE execution_id = 1")
    assert (
        "it has the output 'other', which the node does not"
        in explain(doubling(tmp_path))["number"]
    )
    assert run(doubling(tmp_path))["number"] == "complete"
    assert run(doubling(tmp_path)) == {"number": "cached", "double": "cached"}


def test_a_copy_of_the_root_and_files_beside_the_listed_ones_are_no_damage(tmp_path):
    run(training(tmp_path / "root"))
    os.rename(tmp_path / "root", tmp_path / "moved")
    shutil.copytree(tmp_path / "moved", tmp_path / "root", copy_function=shutil.copyfile)
    (tmp_path / "root/train/model/1/.DS_Store").write_text("")
    assert run(training(tmp_path / "root")) == {"train": "cached", "use": "cached"}


def test_a_node_can_switch_the_cache_off_and_on(tmp_path):
    pipeline = doubling(tmp_path)
    pipeline.components[1].with_cache(False)
    run(pipeline)
    assert run(pipeline) == {"number": "cached", "double": "complete"}
    assert explain(pipeline) == {"double": "its own cache is off"}
    pipeline = doubling(tmp_path, enable_cache=False)
    pipeline.components[0].with_cache()
    assert run(pipeline) == {"number": "cached", "double": "complete"}
    assert explain(pipeline) == {"double": "the pipeline's cache is off"}


def test_a_failed_attempt_is_the_reason_to_run_again(tmp_path):
    @component
    def fragile(value: int) -> OutputDict(out=int):
        raise ValueError("too fragile\nfor this world")

    source = number(value=1)
    nodes = [source, fragile(value=source.outputs["out"])]
    pipeline = Pipeline("p", str(tmp_path), components=nodes, enable_cache=True)
    with pytest.raises(RuntimeError, match="too fragile"):
        run(pipeline)
    assert explain(pipeline) == {"fragile": "execution 2 failed (ValueError: too fragile)"}


def test_environment_variables_count_but_are_not_stored(tmp_path):
    def with_variable(value: str) -> Pipeline:
        pipeline = doubling(tmp_path)
        pipeline.components[0].with_environment(PASSWORD=value)
        return pipeline

    run(with_variable("swordfish"))
    assert explain(with_variable("tr0ub4dor")) == {
        "number": "environment variable PASSWORD changed",
        "double": "new outputs of number",
    }
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert b"swordfish" not in path.read_bytes(), path


def csv_pipeline(tmp_path: Path) -> Pipeline:
    return Pipeline(
        "p",
        str(tmp_path / "root"),
        components=[CsvExampleGen(input_base=str(tmp_path / "data"))],
        enable_cache=True,
    )


@pytest.fixture
def csv_file(tmp_path):
    path = tmp_path / "data/data.csv"
    path.parent.mkdir()
    path.write_text("a,b\n" + "".join(f"{number},x\n" for number in range(100)))
    return path


def test_input_files_count_by_content(tmp_path, csv_file):
    assert run(csv_pipeline(tmp_path)) == {"CsvExampleGen": "complete"}
    csv_file.touch()
    assert run(csv_pipeline(tmp_path)) == {"CsvExampleGen": "cached"}
    text = csv_file.read_text()
    csv_file.write_text(text.replace("7,x", "7,y", 1))
    assert explain(csv_pipeline(tmp_path)) == {"CsvExampleGen": f"file {csv_file} changed"}
    (csv_file.parent / "more.csv").write_text("a,b\n1,x\n")
    reason = explain(csv_pipeline(tmp_path))["CsvExampleGen"]
    assert f"file {csv_file.parent / 'more.csv'} is new" in reason


def test_an_input_file_is_read_once_for_its_digest(tmp_path, csv_file, monkeypatch):
    # What was written a moment ago is not trusted to stay the same; here a moment is short.
    monkeypatch.setattr(file_digests, "SETTLED_NANOSECONDS", 50_000_000)
    read = []
    digest_of = file_digests.digest_of
    monkeypatch.setattr(
        file_digests, "digest_of", lambda path: read.append(path) or digest_of(path)
    )

    def files_read_by_a_run() -> list[str]:
        read.clear()
        time.sleep(0.1)
        run(csv_pipeline(tmp_path))
        return list(read)

    assert files_read_by_a_run() == [str(csv_file)]
    assert files_read_by_a_run() == []
    os.utime(csv_file, (0, 0))
    assert files_read_by_a_run() == [str(csv_file)]
    assert files_read_by_a_run() == []


def test_a_file_that_was_just_written_is_read_again(tmp_path, csv_file):
    """Its time may not tell a second write from the first."""
    csv_file.write_text("a,b\n1,x\n")
    run(csv_pipeline(tmp_path))
    status = csv_file.stat()
    csv_file.write_text("a,b\n2,x\n")
    os.utime(csv_file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert explain(csv_pipeline(tmp_path)) == {"CsvExampleGen": f"file {csv_file} changed"}


SCRIPT = """
    import sys
    from trainwright import LocalDagRunner, OutputDict, Pipeline, component
    from trainwright.dsl.base_component import BaseComponent
    from trainwright.dsl.base_executor import BaseExecutor
    from trainwright.dsl.executor_spec import ExecutorClassSpec
    from trainwright.types.component_spec import ChannelParameter, ComponentSpec
    from trainwright.types import standard_artifacts
    FACTOR = {factor}

    @component
    def one() -> OutputDict(out=int):
        from helper import answer
        return {{"out": FACTOR * answer()}}

    class Spec(ComponentSpec):
        PARAMETERS = {{}}
        INPUTS = {{}}
        OUTPUTS = {{"out": ChannelParameter(type=standard_artifacts.String)}}

    class Executor(BaseExecutor):
        def Do(self, input_dict, output_dict, exec_properties):
            output_dict["out"][0].value = "{word}"

    class Two(BaseComponent):
        SPEC_CLASS = Spec
        EXECUTOR_SPEC = ExecutorClassSpec(Executor)
        def __init__(self):
            super().__init__(spec=Spec())

    pipeline = Pipeline("p", "root", components=[one(), Two()], enable_cache=True)
    for forecast in LocalDagRunner().explain(pipeline):
        print(forecast.node_id, forecast.reason)
    LocalDagRunner(observer=lambda event: None).run(pipeline)
"""


def test_code_counts_as_far_as_it_is_used(run_script, tmp_path):
    def reasons(factor: int = 1, word: str = "x") -> list[str]:
        source = textwrap.dedent(SCRIPT).format(factor=factor, word=word)
        return run_script(source).stdout.splitlines()

    helper = tmp_path / "helper.py"
    helper.write_text("def answer():\n    return 42\n")
    earlier = time.time() - 60
    os.utime(helper, (earlier, earlier))
    assert reasons() == ["one it has not run before", "Two it has not run before"]
    assert reasons() == ["one unchanged since execution 1", "Two unchanged since execution 2"]
    assert reasons(factor=2)[0] == "one the code of its executor changed"
    assert reasons(factor=2, word="y")[1] == "Two the code of its executor changed"
    helper.write_text("def answer():\n    return 43\n")
    assert reasons(factor=2, word="y")[0] == f"one file {helper}, which its code loads, changed"


def test_a_hit_is_one_visible_line(tmp_path, capfd):
    LocalDagRunner().run(doubling(tmp_path))
    capfd.readouterr()
    result = LocalDagRunner().run(doubling(tmp_path))
    assert result.states["double"] is NodeState.CACHED
    lines = [line[9:] for line in capfd.readouterr().err.splitlines() if "double" in line]
    assert lines == ["double: cached, reuses execution 2"]
