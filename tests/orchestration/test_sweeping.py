"""Removal after a failure: the directories of that execution's outputs and nothing else."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

import pytest

from trainwright import (
    LocalDagRunner,
    OutputArtifact,
    Pipeline,
    PipelineRunError,
    component,
    open_store,
)
from trainwright.metadata.contexts import pipeline_context
from trainwright.metadata.internal_properties import NODE_ID
from trainwright.metadata.leases import current_lease
from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    ExecutionState,
    TypeRecord,
)
from trainwright.orchestration.cleanup.recovery import recover
from trainwright.orchestration.publishing.publisher import Publisher
from trainwright.types.artifact import Artifact
from trainwright.types.standard_artifacts import Model

MODEL = TypeRecord(name="Model")
FAILED = ExecutionState.FAILED


@pytest.fixture
def root(tmp_path):
    return tmp_path / "root"


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "metadata.db") as store:
        yield store


def start(store, root: Path, node_id: str = "Trainer") -> tuple[int, ArtifactRecord]:
    """A RUNNING execution whose output has a file already."""
    execution, outputs = store.register_execution(
        TypeRecord(name="Trainer"),
        contexts=[pipeline_context("p")],
        inputs={},
        pending_outputs=lambda number: {
            "model": [ArtifactRecord(type=MODEL, uri=str(root / node_id / "model" / str(number)))]
        },
        custom_properties={NODE_ID: node_id},
        lease=current_lease(),
    )
    output = outputs["model"][0]
    Path(output.uri).mkdir(parents=True)
    Path(output.uri, "weights").write_text("1")
    return execution.id, output


def publish(store, root: Path) -> ArtifactRecord:
    execution_id, output = start(store, root)
    return store.publish_execution(execution_id, outputs={"model": [output]}, custom_properties={})[
        "model"
    ][0]


def set_uri(tmp_path: Path, artifact_id: int, uri: str) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "metadata.db")) as connection, connection:
        connection.execute("UPDATE artifacts SET uri = ? WHERE id = ?", (uri, artifact_id))


def files_below(directory: Path) -> set[str]:
    return {os.path.join(top, name) for top, _, names in os.walk(directory) for name in names}


def test_the_outputs_of_a_failed_execution_go(store, root):
    execution_id, output = start(store, root)
    assert Publisher(store, str(root)).fail("Trainer", execution_id, "no", FAILED) == []
    assert not os.path.exists(output.uri)
    assert store.get_artifacts()[0].state is ArtifactState.DELETED


@pytest.mark.parametrize(
    "forged",
    ["", "/", "/Trainer", "/Trainer/model", "/Trainer/model/1", "/Trainer/model/2/../1", "/link/x"],
)
@pytest.mark.parametrize("is_abandoned", [False, True], ids=["fail", "next run"])
def test_a_wrong_uri_in_the_store_removes_nothing(tmp_path, store, root, forged, is_abandoned):
    publish(store, root)
    execution_id, output = start(store, root)
    (tmp_path / "elsewhere/x").mkdir(parents=True)
    (tmp_path / "elsewhere/x/precious").touch()
    (root / "link").symlink_to(tmp_path / "elsewhere")
    if is_abandoned:
        store.fail_execution(execution_id, state=FAILED, custom_properties={})
    set_uri(tmp_path, output.id, f"{root}{forged}")
    before = files_below(tmp_path)
    publisher = Publisher(store, str(root))
    if is_abandoned:
        recover(publisher, "p")
    else:
        publisher.fail("Trainer", execution_id, "no", FAILED)
    assert files_below(tmp_path) == before


@pytest.mark.parametrize("node_id", ["..", "../elsewhere", ".", "", "a/b"])
def test_a_node_id_that_leaves_the_root_removes_nothing(tmp_path, store, root, node_id):
    """Of a store that an older version has written."""
    execution_id, _ = start(store, root, node_id)
    before = files_below(tmp_path)
    Publisher(store, str(root)).fail(node_id, execution_id, "no", FAILED)
    assert store.get_execution(execution_id).state is FAILED
    assert files_below(tmp_path) == before


def test_a_link_on_the_way_is_not_followed(tmp_path, store, root):
    execution_id, _ = start(store, root)
    (root / "Trainer").rename(tmp_path / "moved")
    (root / "Trainer").symlink_to(tmp_path / "moved")
    Publisher(store, str(root)).fail("Trainer", execution_id, "no", FAILED)
    assert (tmp_path / "moved/model/1/weights").exists()


def test_a_directory_that_a_published_artifact_needs_stays(store, root):
    """An executor may publish an artifact of its own making at the place reserved for another."""
    execution_id, output = start(store, root)
    made = ArtifactRecord(type=MODEL, uri=output.uri)
    store.publish_execution(execution_id, outputs={"model": [made]}, custom_properties={})
    recover(Publisher(store, str(root)), "p")
    assert Path(output.uri, "weights").exists()


class Checkpoints(Artifact):
    """A user's own type that is worth keeping."""

    TYPE_NAME = "Checkpoints"
    KEPT_ON_FAILURE = True


@component
def train(kept: OutputArtifact[Checkpoints], other: OutputArtifact[Model]):
    Path(kept.uri, "step-1").write_text("1")
    Path(other.uri, "file").touch()
    raise ValueError("diverged")


def test_outputs_of_a_user_s_own_type_are_kept_if_it_says_so(tmp_path):
    pipeline = Pipeline("p", str(tmp_path), components=[train()])
    with pytest.raises(PipelineRunError) as raised:
        LocalDagRunner(observer=lambda event: None).run(pipeline)
    (failure,) = raised.value.result.failures
    assert failure.kept == (str(tmp_path / "train/kept/1"),)
    assert (tmp_path / "train/kept/1/step-1").read_text() == "1"
    assert not (tmp_path / "train/other/1").exists()
    with open_store(tmp_path / "metadata.db") as store:
        recover(Publisher(store, str(tmp_path)), "p")  # as the next run does
    assert (tmp_path / "train/kept/1/step-1").exists()
