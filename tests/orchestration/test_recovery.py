"""Leftovers of a dead run: each execution is ended by itself, whatever lies in its files."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path

import pytest

from trainwright import LocalDagRunner, OutputDict, Pipeline, component, open_store
from trainwright.metadata.contexts import pipeline_context
from trainwright.metadata.internal_properties import ERROR, NODE_ID
from trainwright.metadata.leases import current_lease
from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    EventType,
    ExecutionState,
    TypeRecord,
)
from trainwright.orchestration.cleanup.recovery import recover
from trainwright.orchestration.publishing import layout
from trainwright.orchestration.publishing.manifest import write_through
from trainwright.orchestration.publishing.publisher import Publisher

# Of a process that had this one's number before.
DEAD = dataclasses.replace(current_lease(), process_started_at=1.0)


@pytest.fixture
def root(tmp_path):
    (tmp_path / "root").mkdir()
    return tmp_path / "root"


@pytest.fixture
def store(root):
    with open_store(root / "metadata.db") as store:
        yield store


def leave(store, root: Path, node_id: str = "Trainer", key: str = "model") -> ArtifactRecord:
    """An execution of a run that died, with the output that it was making."""
    _, outputs = store.register_execution(
        TypeRecord(name="Trainer"),
        contexts=[pipeline_context("p")],
        inputs={},
        pending_outputs=lambda number: {
            key: [
                ArtifactRecord(
                    type=TypeRecord(name="Model"), uri=os.path.join(root, node_id, key, str(number))
                )
            ]
        },
        custom_properties={NODE_ID: node_id},
        lease=DEAD,
    )
    return outputs[key][0]


def finish(root: Path, output: ArtifactRecord, execution_id: int, **changes) -> Path:
    """The files that a finished worker leaves; `changes` are what is forged in its result."""
    directory = Path(output.uri)
    directory.mkdir(parents=True)
    (directory / "weights").write_text("1")
    encoded = {
        "id": output.id,
        "uri": output.uri,
        "name": "",
        "properties": {},
        "custom_properties": {},
    } | changes
    result = {
        "outputs": {"model": [encoded]},
        "manifests": {"model": [write_through(encoded["uri"])]},
        "first_party_files": {},
    }
    return write(root, execution_id, json.dumps(result))


def write(root: Path, execution_id: int, text: str) -> Path:
    path = Path(
        layout.result_path(layout.execution_directory(str(root), "Trainer", str(execution_id)))
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def states(store) -> list[ExecutionState]:
    return [execution.state for execution in reversed(store.get_executions())]


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "5",
        "{}",
        "null",
        '{"outputs": 5, "manifests": {}, "first_party_files": {}}',
        '{"outputs": {"model": [{}]}, "manifests": {"model": [{}]}, "first_party_files": {}}',
        '{"outputs": {}, "manifests": {}, "first_party_files": {}}',
        '{"outputs": {"other": []}, "manifests": {"other": []}, "first_party_files": {}}',
        "[" * 100_000,
        "\x00",
    ],
)
def test_json_that_is_not_a_result_fails_its_execution_alone(store, root, text):
    leave(store, root)
    good = leave(store, root)
    path = write(root, 1, text)
    finish(root, good, 2)
    bad_one, good_one = sorted(
        recover(Publisher(store, str(root)), "p"), key=lambda one: one.execution_id
    )
    assert states(store) == [ExecutionState.FAILED, ExecutionState.COMPLETE]
    assert not bad_one.is_published
    assert str(path) in bad_one.problem
    assert good_one.is_published


def test_what_another_program_added_does_not_keep_a_result_from_being_published(store, root):
    finish(root, leave(store, root), 1)
    with store.external_writes() as writes:
        type_id = writes.put_type("artifact", TypeRecord(name="Note"))
        note = writes.insert_artifact(
            type_id,
            uri=str(root / "Trainer" / "note" / "1"),
            name=None,
            state=ArtifactState.LIVE,
            properties={},
            custom_properties={},
        )
        event_type, _, _ = writes.add_event(
            execution_id=1, artifact_id=note, type=EventType.OUTPUT, key="note", index=0, at=1.0
        )
    assert event_type is EventType.INTERNAL_OUTPUT
    (recovered,) = recover(Publisher(store, str(root)), "p")
    assert recovered.is_published
    assert [one.state for one in store.get_artifacts()] == [ArtifactState.LIVE] * 2


def test_an_execution_that_another_program_wrote_is_left_to_it(store, root):
    context = store.put_context(pipeline_context("p"), {})
    with store.external_writes() as writes:
        type_id = writes.put_type("execution", TypeRecord(name="Training"))
        number = writes.insert_execution(
            type_id, state=ExecutionState.RUNNING, custom_properties={}
        )
        writes.associate(number, context.id)
    assert recover(Publisher(store, str(root)), "p") == []
    assert states(store) == [ExecutionState.RUNNING]


@pytest.mark.parametrize("name", ["a\0b", "../weights", "a/../weights", "/etc/passwd", "\ud800"])
def test_names_in_a_manifest_that_no_worker_writes_fail_their_execution_alone(store, root, name):
    path = finish(root, leave(store, root), 1)
    result = json.loads(path.read_text())
    result["manifests"]["model"][0][name] = [1, 1, 1]
    path.write_text(json.dumps(result))
    finish(root, leave(store, root), 2)
    recover(Publisher(store, str(root)), "p")
    assert states(store) == [ExecutionState.FAILED, ExecutionState.COMPLETE]
    assert str(path) in store.get_execution(1).custom_properties[ERROR]


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "../..", ""])
def test_a_node_id_that_cannot_be_a_directory_fails_its_execution_alone(store, root, name):
    """Of a store that an older version has written."""
    leave(store, root, name)
    finish(root, leave(store, root), 2)
    recovered = recover(Publisher(store, str(root)), "p")
    assert len(recovered) == 2
    assert states(store) == [ExecutionState.FAILED, ExecutionState.COMPLETE]


def test_an_output_outside_of_its_own_directory_is_not_published(tmp_path, store, root):
    elsewhere = tmp_path / "secrets"
    elsewhere.mkdir()
    finish(root, leave(store, root), 1, uri=str(elsewhere))
    finish(root, leave(store, root), 2, uri=str(root / "Trainer/model/1"))
    finish(root, leave(store, root), 3, uri=str(root / "Trainer/model/3/../1"))
    (elsewhere / "sub").mkdir()
    (root / "Trainer/model").mkdir(exist_ok=True)
    recovered = recover(Publisher(store, str(root)), "p")
    assert states(store) == [ExecutionState.FAILED] * 3
    assert all("was not made for it" in one.problem for one in recovered)
    assert "secrets" in store.get_execution(1).custom_properties[ERROR]
    assert store.get_artifacts(states=[ArtifactState.LIVE]) == []
    assert elsewhere.exists()


def test_a_result_does_not_write_over_another_s_artifact(store, root):
    finish(root, leave(store, root), 1)
    publisher = Publisher(store, str(root))
    recover(publisher, "p")
    before = store.get_artifacts(ids=[1])
    finish(root, leave(store, root), 2, id=1)
    (recovered,) = recover(publisher, "p")
    assert "another node's" in recovered.problem
    assert store.get_artifacts(ids=[1]) == before
    finish(root, leave(store, root), 3, id=99)
    (recovered,) = recover(publisher, "p")
    assert not recovered.is_published


def test_links_below_the_root_are_not_followed(tmp_path, store, root):
    """Neither by what is published nor by what is removed."""
    output = leave(store, root)
    finish(root, output, 1)
    Path(output.uri).rename(tmp_path / "moved")
    Path(output.uri).symlink_to(tmp_path / "moved")
    temporary = Path(
        layout.temporary_directory(layout.execution_directory(str(root), "Trainer", "1"))
    )
    temporary.symlink_to(tmp_path / "moved")
    recover(Publisher(store, str(root)), "p")
    assert states(store) == [ExecutionState.FAILED]
    assert (tmp_path / "moved/weights").exists()


@component
def number() -> OutputDict(out=int):
    return {"out": 1}


def test_a_file_where_directories_should_be_fails_the_node_and_nothing_else(tmp_path):
    root = tmp_path / "root"
    (root / "number").mkdir(parents=True)
    (root / "number/.system").touch()
    first, second = number(), number().with_id("second")
    pipeline = Pipeline("p", str(root), components=[first, second])
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"number failed with .*\.system") as caught:
            LocalDagRunner(observer=lambda event: None).run(pipeline)
        assert "Traceback" not in str(caught.value)
    with open_store(root / "metadata.db") as store:
        assert store.get_executions(states=[ExecutionState.RUNNING]) == []
        assert len(store.get_executions(states=[ExecutionState.COMPLETE])) == 2
