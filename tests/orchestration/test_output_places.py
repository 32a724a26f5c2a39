"""Outputs of executors: nothing is published that is not there, or left behind."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from trainwright import (
    LocalDagRunner,
    OutputArtifact,
    Parameter,
    Pipeline,
    PipelineRunError,
    component,
    open_store,
)
from trainwright.metadata.records import ArtifactState
from trainwright.orchestration.execution.output_places import check_outputs_exist, remove_unused
from trainwright.types import standard_artifacts


def model(uri: Path | str):
    artifact = standard_artifacts.Model()
    artifact.uri = str(uri)
    return artifact


@pytest.fixture
def reserved(tmp_path):
    directory = tmp_path / "reserved/1"
    directory.mkdir(parents=True)
    return directory


def test_an_output_that_is_not_there_is_refused(tmp_path, reserved):
    check_outputs_exist({"model": [model(reserved)]}, [str(reserved)])
    check_outputs_exist({"model": [model("bq://project/table")]}, [str(reserved)])
    with pytest.raises(FileNotFoundError, match="Output 'model' has the uri .*nowhere"):
        check_outputs_exist({"model": [model(tmp_path / "nowhere")]}, [str(reserved)])
    with pytest.raises(FileNotFoundError, match="Output 'model' has the uri '', where there is no"):
        check_outputs_exist({"model": [model("")]}, [str(reserved)])
    reserved.rmdir()
    with pytest.raises(
        FileNotFoundError, match=f"Output 'model' is gone: the directory {reserved}"
    ):
        check_outputs_exist({"model": [model(reserved)]}, [str(reserved)])


def test_a_value_that_was_not_set_has_its_directory(reserved):
    uri = str(reserved / "value")
    check_outputs_exist({"value": [model(uri)]}, [uri])
    reserved.rmdir()
    with pytest.raises(FileNotFoundError, match="is gone"):
        check_outputs_exist({"value": [model(uri)]}, [uri])


@pytest.mark.parametrize("content", [[], ["scratch"]], ids=["empty", "with files"])
def test_a_reserved_directory_that_no_output_uses_goes(tmp_path, reserved, content):
    for name in content:
        (reserved / name).touch()
    (tmp_path / "current").mkdir()
    remove_unused([str(reserved)], {"model": [model(tmp_path / "current")]})
    assert not reserved.exists()
    assert (tmp_path / "current").exists()


def test_a_reserved_directory_stays_while_an_output_lies_in_it_or_leads_to_it(tmp_path, reserved):
    (reserved / "inside").mkdir()
    (reserved / "inside/weights").touch()
    link, farm = tmp_path / "link", tmp_path / "farm"
    link.symlink_to(reserved)
    farm.mkdir()
    (farm / "weights").symlink_to(reserved / "inside/weights")
    for uri in (reserved, reserved / "inside", link, link / "inside", farm, tmp_path):
        remove_unused([str(reserved)], {"model": [model(uri)]})
        assert (reserved / "inside/weights").exists(), uri


@component
def vanish(model: OutputArtifact[standard_artifacts.Model]):
    shutil.rmtree(model.uri)


@component
def go_elsewhere(model: OutputArtifact[standard_artifacts.Model], where: Parameter[str]):
    model.uri = where
    os.makedirs(where)


def test_a_node_that_removes_its_output_fails_and_one_that_goes_elsewhere_leaves_nothing(tmp_path):
    root, where = tmp_path / "root", tmp_path / "shared"
    nodes = [vanish(), go_elsewhere(where=str(where))]
    with pytest.raises(PipelineRunError, match="Output 'model' is gone") as raised:
        LocalDagRunner(observer=lambda event: None).run(Pipeline("p", str(root), components=nodes))
    assert {node: state.value for node, state in raised.value.result.states.items()} == {
        "vanish": "failed",
        "go_elsewhere": "complete",
    }
    assert where.is_dir()
    assert list(root.glob("go_elsewhere/model/*")) == []
    with open_store(root / "metadata.db") as store:
        (live,) = store.get_artifacts(states=[ArtifactState.LIVE])
    assert live.uri == str(where)
