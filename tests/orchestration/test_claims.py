"""Several stores below one root: each publishes and removes only what its own executions made."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import signal
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
    sqlite_metadata_connection_config,
)
from trainwright.metadata.contexts import node_context, pipeline_context, run_context
from trainwright.metadata.internal_properties import MARK, NODE_ID
from trainwright.metadata.leases import current_lease
from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    ExecutionState,
    RunNode,
    RunState,
    TypeRecord,
)
from trainwright.orchestration.cleanup.garbage import collect, plan_collection
from trainwright.orchestration.cleanup.recovery import recover
from trainwright.orchestration.publishing import claims, layout
from trainwright.orchestration.publishing.claims import PlaceTakenError
from trainwright.orchestration.publishing.manifest import write_through
from trainwright.orchestration.publishing.publisher import Publisher
from trainwright.types.standard_artifacts import Examples

DEAD = dataclasses.replace(current_lease(), process_started_at=1.0)


@dataclasses.dataclass
class Made:
    execution_id: int
    output: ArtifactRecord
    token: str
    directory: Path


def register(store, root: Path, leaf: str | None = None) -> Made:
    """A RUNNING execution of a dead process; nothing of it is on disk."""
    token = claims.make_token()
    names: list[str] = []

    def pending(number: int) -> dict[str, list[ArtifactRecord]]:
        names.append(leaf or layout.choose_leaf(str(root), "gen", ["out"], number))
        uri = layout.output_uri(str(root), "gen", "out", names[-1], Examples)
        return {"out": [ArtifactRecord(type=TypeRecord(name="Examples"), uri=uri)]}

    execution, outputs = store.register_execution(
        TypeRecord(name="gen"),
        contexts=[pipeline_context("p"), node_context("p", "gen"), run_context("r")],
        inputs={},
        pending_outputs=pending,
        custom_properties={NODE_ID: "gen"},
        lease=DEAD,
        attachments={MARK: token},
    )
    directory = Path(layout.execution_directory(str(root), "gen", names[-1]))
    return Made(execution.id, outputs["out"][0], token, directory)


def finish(store, made: Made) -> None:
    """The files of a worker that was done."""
    claims.claim(str(made.directory), made.token, store.location)
    uri = made.output.uri
    Path(uri).mkdir(parents=True)
    Path(uri, "data").write_text("precious")
    encoded = {"id": made.output.id, "uri": uri, "name": ""}
    result = {
        "outputs": {"out": [{**encoded, "properties": {}, "custom_properties": {}}]},
        "manifests": {"out": [write_through(uri)]},
        "first_party_files": {},
    }
    (made.directory / "result.json").write_text(json.dumps(result))
    (made.directory / "executor.log").write_text("log")


def publish(store, root: Path) -> Made:
    made = register(store, root)
    finish(store, made)
    recover(Publisher(store, str(root)), "p")
    assert store.get_execution(made.execution_id).state is ExecutionState.COMPLETE
    return made


def note_run(store, root: Path) -> None:
    nodes = [RunNode(node_id="gen")]
    store.register_run("r", pipeline="p", root=str(root), nodes=nodes, lease=current_lease())
    store.update_run("r", state=RunState.FAILED)


@pytest.fixture
def root(tmp_path):
    (tmp_path / "root").mkdir()
    return tmp_path / "root"


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "a.db") as store:
        yield store


@pytest.fixture
def other(tmp_path):
    with open_store(tmp_path / "b.db") as store:
        yield store


def test_the_name_of_an_execution_is_free_for_its_log_and_all_its_outputs(root):
    for taken in ("gen/.system/executor_execution/7", "gen/out/7.1", "gen/more/7.2"):
        (root / taken).mkdir(parents=True)
    assert layout.choose_leaf(str(root), "gen", ["out", "more"], 7) == "7.3"
    assert layout.choose_leaf(str(root), "gen", ["out", "more"], 8) == "8"


@pytest.mark.parametrize("leaf", ["7", "7.1", "7.12"])
def test_a_name_tells_the_number_of_its_execution(leaf):
    assert layout.numbered(leaf) == 7


@pytest.mark.parametrize("leaf", ["", "x", "07", "7.", "7.0", "7.01", "7.1.1", "-7", ".7", "7 "])
def test_other_names_are_no_executions(leaf):
    assert layout.numbered(leaf) is None


def test_a_directory_that_is_there_cannot_be_claimed(tmp_path):
    directory = tmp_path / "gen" / "1"
    claims.claim(str(directory), "aa", "/x.db")
    with pytest.raises(PlaceTakenError, match="another store's"):
        claims.claim(str(directory), "bb", "/y.db")
    assert [path.name for path in directory.iterdir()] == ["owner-aa"]


def test_the_result_of_another_store_is_not_recovered_as_ones_own(store, other, root):
    """This store's run died between registering and making its directory."""
    mine = register(store, root)
    theirs = publish(other, root)
    assert theirs.output.uri == mine.output.uri
    recovered = recover(Publisher(store, str(root)), "p")
    assert [one.is_published for one in recovered] == [False]
    assert store.get_execution(mine.execution_id).state is ExecutionState.FAILED
    recover(Publisher(store, str(root)), "p")  # which sweeps
    note_run(store, root)
    plan = plan_collection(store, "p", keep=0)
    assert [one.directory for one in plan.left] == [theirs.output.uri]
    collect(store, plan)
    assert Path(theirs.output.uri, "data").read_text() == "precious"
    assert (theirs.directory / "result.json").exists()


def test_a_failure_removes_nothing_that_another_store_has_made(store, other, root):
    mine = register(store, root)
    theirs = publish(other, root)
    Publisher(store, str(root)).fail("gen", mine.execution_id, "no", ExecutionState.FAILED)
    assert Path(theirs.output.uri, "data").exists()


def test_a_failure_removes_what_the_execution_has_made(store, other, root):
    publish(other, root)
    mine = register(store, root)
    finish(store, mine)
    assert mine.output.uri.endswith("gen/out/1.1")
    Publisher(store, str(root)).fail("gen", mine.execution_id, "no", ExecutionState.FAILED)
    assert not Path(mine.output.uri).exists()
    assert [one.state for one in store.get_artifacts()] == [ArtifactState.DELETED]


def test_collecting_removes_what_this_store_made_with_its_log(store, other, root):
    theirs, mine = publish(other, root), publish(store, root)
    note_run(store, root)
    plan = plan_collection(store, "p", keep=0)
    collect(store, plan)
    assert (plan.left, mine.directory.exists(), Path(mine.output.uri).exists()) == (
        [],
        False,
        False,
    )
    assert theirs.directory.exists()
    assert Path(theirs.output.uri).exists()


def test_a_copy_of_a_store_leaves_what_the_original_made(store, root, tmp_path):
    made = publish(store, root)
    note_run(store, root)
    store.close()
    shutil.copy(tmp_path / "a.db", tmp_path / "copy.db")
    with open_store(tmp_path / "copy.db") as copy:
        plan = plan_collection(copy, "p", keep=0)
        assert plan.is_empty
        assert {one.directory for one in plan.left} == {made.output.uri, str(made.directory)}
        assert all(str(tmp_path / "a.db") in one.reason for one in plan.left)


@pytest.mark.parametrize("is_name_used_again", [False, True])
def test_a_store_that_was_moved_collects_what_it_made(store, root, tmp_path, is_name_used_again):
    made = publish(store, root)
    note_run(store, root)
    store.close()
    os.rename(tmp_path / "a.db", tmp_path / "moved.db")
    if is_name_used_again:
        open_store(tmp_path / "a.db").close()
    with open_store(tmp_path / "moved.db") as moved:
        plan = plan_collection(moved, "p", keep=0)
        assert [one.id for one in collect(moved, plan)] == [made.output.id]
    assert not Path(made.output.uri).exists()
    assert not made.directory.exists()


def test_a_root_that_leads_to_another_projects_files_is_left_alone(store, other, tmp_path):
    """The roots of both stores are the same link, at different times."""
    link = tmp_path / "current"
    for name, its_store in (("mine", store), ("theirs", other)):
        (tmp_path / name).mkdir()
        link.unlink(missing_ok=True)
        link.symlink_to(tmp_path / name)
        publish(its_store, link)
    note_run(store, link)
    plan = plan_collection(store, "p", keep=0)
    collect(store, plan)
    assert (tmp_path / "theirs/gen/out/1/data").exists()
    assert (tmp_path / "theirs/gen/.system/executor_execution/1/executor.log").exists()
    assert "no mark" in plan.left[0].reason


def test_the_mark_stays_while_something_it_speaks_for_does(store, root):
    made = publish(store, root)
    note_run(store, root)
    plan = plan_collection(store, "p", keep=0)
    assert plan.log_directories == [str(made.directory)]
    # A run begins to use the artifact after the plan was made: nothing of it goes.
    store.register_execution(
        TypeRecord(name="use"),
        contexts=[],
        inputs={"x": [made.output.id]},
        pending_outputs=lambda number: {},
        custom_properties={},
        lease=current_lease(),
    )
    assert collect(store, plan) == []
    assert made.directory.exists()


@component
def gen(out: OutputArtifact[Examples], how: Parameter[str]):
    if how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "forged":
        system = Path(out.uri).parents[1] / ".system/executor_execution" / Path(out.uri).name
        encoded = {"id": out.id, "uri": "/etc", "name": ""}
        result = {
            "outputs": {"out": [{**encoded, "properties": {}, "custom_properties": {}}]},
            "manifests": {"out": [None]},
            "first_party_files": {},
        }
        (system / "result.json").write_text(json.dumps(result))
        os._exit(0)
    Path(out.uri, "data").write_text(how)


def run(root: Path, how: str, store: Path | None = None):
    config = sqlite_metadata_connection_config(str(store)) if store else None
    pipeline = Pipeline(
        "p", str(root), components=[gen(how=how)], metadata_connection_config=config
    )
    return LocalDagRunner(observer=lambda event: None).run(pipeline)


def test_a_killed_node_does_not_complete_with_what_a_deleted_store_left(root):
    run(root, "first")
    (root / "metadata.db").unlink()
    with pytest.raises(PipelineRunError, match="SIGKILL") as failed:
        run(root, "killed")
    assert failed.value.result.failures[0].log.endswith("executor_execution/1.1/executor.log")
    assert (root / "gen/out/1/data").read_text() == "first"
    with pytest.raises(PipelineRunError, match=r"names /etc, which was not made for it"):
        run(root, "forged")


def test_a_node_whose_place_is_taken_at_the_last_moment_gets_another(root, monkeypatch):
    make = layout.make_output_directory
    taken: list[str] = []

    def after_another(uri: str) -> None:
        if not taken:
            taken.append(uri)
            os.makedirs(uri)
            Path(uri, "theirs").write_text("1")
        make(uri)

    monkeypatch.setattr(layout, "make_output_directory", after_another)
    result = run(root, "made", root.parent / "a.db")
    assert result.outputs["gen"]["out"][0].uri == str(root / "gen/out/2")
    assert Path(taken[0], "theirs").exists()
    assert not (root / "gen/.system/executor_execution/1").exists()
