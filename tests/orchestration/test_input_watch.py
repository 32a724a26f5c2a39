"""Inputs that a node has changed: noticed by sizes and times, and said with the node's name."""

from __future__ import annotations

import os
import shutil
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
    component,
)
from trainwright.orchestration.events import RunEventKind
from trainwright.orchestration.execution.input_watch import InputWatch
from trainwright.types import standard_artifacts


@pytest.fixture
def model(tmp_path):
    artifact = standard_artifacts.Model()
    artifact.uri = str(tmp_path / "model")
    Path(artifact.uri).mkdir()
    Path(artifact.uri, "weights").write_text("1")
    return artifact


def append(weights: Path) -> None:
    weights.write_text("12")


def touch(weights: Path) -> None:
    os.utime(weights, (1, 1))


def add(weights: Path) -> None:
    Path(weights.parent, "more").touch()


def remove_all(weights: Path) -> None:
    shutil.rmtree(weights.parent)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (append, "model/weights was changed"),
        (touch, "model/weights was changed"),
        (Path.unlink, "model/weights was removed"),
        (add, "model/more was added"),
        (remove_all, "model was removed"),
    ],
)
def test_what_changed_is_named(model, change, words):
    watch = InputWatch({"model": [model]})
    assert watch.find_changes() == []
    change(Path(model.uri, "weights"))
    (found,) = watch.find_changes()
    assert found.startswith("its input 'model' (Model 0) changed: ")
    assert found.endswith(words)


def test_a_directory_that_became_a_link_is_named(model, tmp_path):
    watch = InputWatch({"model": [model]})
    Path(model.uri).rename(tmp_path / "elsewhere")
    Path(model.uri).symlink_to(tmp_path / "elsewhere")
    (found,) = watch.find_changes()
    assert found.endswith(f"{model.uri} has become a link")
    assert InputWatch({"model": [model]}).find_changes() == []


def test_a_file_that_changed_behind_a_link_is_named(model, tmp_path):
    (tmp_path / "elsewhere/inner").mkdir(parents=True)
    behind = tmp_path / "elsewhere/inner/data"
    behind.write_text("1")
    Path(model.uri, "link").symlink_to(behind)
    Path(model.uri, "directory").symlink_to(tmp_path / "elsewhere")
    watch = InputWatch({"model": [model]})
    model.set_int_custom_property("is_external", 1)
    imported = InputWatch({"model": [model]})
    behind.write_text("12")
    assert [change.split()[-3] for change in watch.find_changes()] == [f"{model.uri}/link"]
    (found,) = imported.find_changes()
    assert found.endswith(f"{model.uri}/directory/inner/data was changed")


def test_reading_and_python_s_caches_are_no_change(model):
    watch = InputWatch({"model": [model]})
    Path(model.uri, "weights").read_text()
    Path(model.uri, "__pycache__").mkdir()
    Path(model.uri, "__pycache__/module.pyc").touch()
    assert watch.find_changes() == []


def test_what_is_not_a_local_path_is_not_watched(model):
    model.uri = "bq://project/table"
    assert InputWatch({"model": [model]}).find_changes() == []


@component
def make(model: OutputArtifact[standard_artifacts.Model]):
    Path(model.uri, "weights").write_text("1")


@component
def spoil(model: InputArtifact[standard_artifacts.Model], fail: Parameter[int]) -> OutputDict(
    n=int
):
    Path(model.uri, "weights").write_text("other")
    if fail:
        raise ValueError("too late")
    return {"n": 1}


@pytest.mark.parametrize("fail", [0, 1])
def test_the_run_says_which_node_changed_its_input(tmp_path, fail, capfd):
    made = make()
    nodes = [made, spoil(model=made.outputs["model"], fail=fail)]
    pipeline = Pipeline("p", str(tmp_path), components=nodes, enable_cache=True)
    events = []
    try:
        result = LocalDagRunner(observer=events.append).run(pipeline)
    except PipelineRunError as error:
        result = error.result
    (warning,) = result.warnings
    assert warning.startswith("While spoil ran, its input 'model' (Model 1) changed: ")
    assert "weights was changed" in warning
    told = [event.data for event in events if event.kind is RunEventKind.INPUT_CHANGED]
    assert [(one["of_node"], one["warning"]) for one in told] == [("spoil", warning)]
    assert events[-1].data["warnings"] == [warning]
    # The next run makes what was spoiled again.
    reasons = {one.node_id: one.reason for one in LocalDagRunner().explain(pipeline)}
    assert "weights has 5 bytes instead of 1" in reasons["make"]
