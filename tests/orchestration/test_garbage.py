"""Garbage collection: what goes, what stays, and what happens at the same time."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from trainwright import (
    Channel,
    Importer,
    InputArtifact,
    LocalDagRunner,
    OutputArtifact,
    OutputDict,
    Parameter,
    Pipeline,
    RunOptions,
    component,
    open_store,
)
from trainwright.dsl.resolver import Resolver
from trainwright.dsl.strategies import LatestArtifactStrategy
from trainwright.history.run_history import delete_run
from trainwright.metadata.leases import current_lease
from trainwright.metadata.records import ArtifactState, ContextKey, TypeRecord
from trainwright.orchestration.cleanup import garbage
from trainwright.orchestration.cleanup.garbage import collect, plan_collection
from trainwright.orchestration.publishing.reserved_directories import OccupiedPaths
from trainwright.types import standard_artifacts


@component
def number(value: Parameter[int]) -> OutputDict(out=int):
    return {"out": value}


@component
def double(value: int) -> OutputDict(out=int):
    return {"out": 2 * value}


def run(root: Path, value: int, name: str = "p"):
    source = number(value=value)
    nodes = [source, double(value=source.outputs["out"])]
    pipeline = Pipeline(name, str(root), components=nodes, enable_cache=True)
    return LocalDagRunner(observer=lambda event: None).run(pipeline)


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "metadata.db") as store:
        yield store


def values(root: Path, node: str) -> list[str]:
    return sorted(path.read_text() for path in root.glob(f"{node}/out/*/value"))


def test_nothing_is_kept_for_a_deleted_run(tmp_path, store):
    run(tmp_path, 1)
    deleted = run(tmp_path, 2)
    delete_run(store, deleted.run_id)
    plan = plan_collection(store, "p", keep=2)
    assert plan.dropped_runs == [deleted.run_id]
    collect(store, plan)
    assert values(tmp_path, "number") == ["1"]


def test_only_what_no_kept_run_needs_goes(tmp_path, store):
    for value in (1, 2, 3):
        run(tmp_path, value)
    plan = plan_collection(store, "p", keep=2)
    assert len(plan.kept_runs) == 2
    assert len(plan.dropped_runs) == 1
    assert values(tmp_path, "number") == ["1", "2", "3"], "a plan deletes nothing"
    assert plan.size == 2
    assert [artifact.id for artifact in collect(store, plan)] == [2, 1]
    assert values(tmp_path, "number") == ["2", "3"]
    assert values(tmp_path, "double") == ["4", "6"]
    logs = {path.name for path in tmp_path.glob("*/.system/executor_execution/*")}
    assert logs == {"3", "4", "5", "6"}
    assert [a.id for a in store.get_artifacts(states=[ArtifactState.DELETED])] == [2, 1]
    assert plan_collection(store, "p", keep=2).is_empty


def test_what_a_kept_run_reuses_stays(tmp_path, store):
    run(tmp_path, 1)
    run(tmp_path, 2)
    run(tmp_path, 1)
    collect(store, plan_collection(store, "p", keep=1))
    assert values(tmp_path, "double") == ["2"]
    result = run(tmp_path, 1)
    assert {state.value for state in result.states.values()} == {"cached"}


def test_what_was_deleted_is_made_again(tmp_path, store):
    run(tmp_path, 1)
    run(tmp_path, 2)
    collect(store, plan_collection(store, "p", keep=1))
    result = run(tmp_path, 1)
    assert {state.value for state in result.states.values()} == {"complete"}


def test_the_last_complete_run_is_always_kept(tmp_path, store):
    run(tmp_path, 1)
    broken = Pipeline("p", str(tmp_path), components=[fail()], enable_cache=True)
    with pytest.raises(RuntimeError):
        LocalDagRunner(observer=lambda event: None).run(broken)
    assert plan_collection(store, "p", keep=0).artifacts == []


@component
def fail() -> OutputDict(out=int):
    raise ValueError("no")


def test_what_a_run_begins_to_use_after_the_plan_stays(tmp_path, store):
    run(tmp_path, 1)
    run(tmp_path, 2)
    plan = plan_collection(store, "p", keep=1)
    assert len(plan.artifacts) == 2
    run(tmp_path, 1)
    assert collect(store, plan) == []
    assert values(tmp_path, "double") == ["2", "4"]


def test_what_an_execution_reads_at_this_moment_stays(tmp_path, store):
    run(tmp_path, 1)
    run(tmp_path, 2)
    store.register_execution(
        TypeRecord(name="Reader"),
        contexts=[ContextKey("pipeline", "another")],
        inputs={"value": [1]},
        pending_outputs=lambda execution_id: {},
        custom_properties={},
        lease=current_lease(),
    )
    assert [a.id for a in plan_collection(store, "p", keep=1).artifacts] == [2]


def test_a_collection_that_broke_off_is_finished_by_the_next(tmp_path, store, monkeypatch):
    run(tmp_path, 1)
    run(tmp_path, 2)

    def die(*unused, **also_unused):
        raise KeyboardInterrupt

    monkeypatch.setattr(garbage, "remove_directory", die)
    with pytest.raises(KeyboardInterrupt):
        collect(store, plan_collection(store, "p", keep=1))
    monkeypatch.undo()
    marked = store.get_artifacts(states=[ArtifactState.MARKED_FOR_DELETION])
    assert [artifact.id for artifact in marked] == [2, 1]
    assert len(collect(store, plan_collection(store, "p", keep=1))) == 2
    assert values(tmp_path, "double") == ["4"]


def test_another_pipeline_and_data_elsewhere_are_not_touched(tmp_path, store):
    for value in (1, 2):
        run(tmp_path, value)
        run(tmp_path, value, name="other")
    collect(store, plan_collection(store, "p", keep=1))
    assert values(tmp_path, "double") == ["2", "4", "4"]


@component
def place(
    model: OutputArtifact[standard_artifacts.Model], value: Parameter[int], where: Parameter[str]
):
    """Puts its output where it likes; what lies there is the same in every run."""
    if where:
        model.uri = where
    Path(model.uri).mkdir(parents=True, exist_ok=True)
    Path(model.uri, "weights").write_text(str(value))


def run_place(root: Path, value: int, where: Path | str, name: str = "p"):
    node = place(value=value, where=str(where))
    pipeline = Pipeline(name, str(root), components=[node], enable_cache=True)
    return LocalDagRunner(observer=lambda event: None).run(pipeline)


@pytest.mark.parametrize("where", ["current", "../shared", "place/model/77", "link/x"])
def test_what_an_executor_put_elsewhere_stays(tmp_path, where):
    root = tmp_path / "root"
    (tmp_path / "elsewhere").mkdir()
    root.mkdir()
    (root / "link").symlink_to(tmp_path / "elsewhere")
    chosen = os.path.join(root, where)
    for value in (1, 2):
        run_place(root, value, chosen)
    with open_store(root / "metadata.db") as store:
        plan = plan_collection(store, "p", keep=1)
        assert plan.artifacts == [], "the kept run uses the same directory"
        assert len(plan.log_directories) == 1
        collect(store, plan)
    assert Path(chosen, "weights").read_text() == "2"


@pytest.mark.parametrize(
    "forged",
    ["", "/", "/place", "/place/model", "/place/model/2", "/place/model/1/../2", "/link/x"],
)
def test_a_wrong_uri_in_the_store_deletes_nothing(tmp_path, forged):
    root = tmp_path / "root"
    for value in (1, 2):
        run_place(root, value, "")
    (tmp_path / "elsewhere/x").mkdir(parents=True)
    (root / "link").symlink_to(tmp_path / "elsewhere")
    set_uri(root / "metadata.db", 1, f"{root}{forged}")
    before = files_below(tmp_path)
    with open_store(root / "metadata.db") as store:
        plan = plan_collection(store, "p", keep=1)
        assert plan.artifacts == []
        collect(store, plan)
        (dropped,) = plan.event_logs
    logs = {path for path in before if "/.system/executor_execution/1" in path}
    logs |= {path for path in before if path.startswith(f"{dropped}/")}
    assert before - files_below(tmp_path) <= logs


def test_a_directory_that_became_a_link_is_not_followed(tmp_path):
    root = tmp_path / "root"
    for value in (1, 2):
        run_place(root, value, "")
    (root / "place/model").rename(tmp_path / "moved")
    (root / "place/model").symlink_to(tmp_path / "moved")
    with open_store(root / "metadata.db") as store:
        plan = plan_collection(store, "p", keep=1)
        assert plan.artifacts == []
        assert [one.directory for one in plan.behind_links] == [f"{root}/place/model/1"]
        # One that becomes a link after the plan was made.
        (root / "place/model").unlink()
        (tmp_path / "moved").rename(root / "place/model")
        plan = plan_collection(store, "p", keep=1)
        assert len(plan.artifacts) == 1
        (root / "place/model").rename(tmp_path / "moved")
        (root / "place/model").symlink_to(tmp_path / "moved")
        assert collect(store, plan) == []
    assert (tmp_path / "moved/1/weights").read_text() == "1"


def test_what_is_gone_already_is_told_apart(tmp_path, store):
    for value in (1, 2):
        run(tmp_path, value)
    shutil.rmtree(tmp_path / "number/out/1")
    plan = plan_collection(store, "p", keep=1)
    assert {one.id: (one.size, one.is_gone) for one in plan.artifacts} == {
        1: (0, True),
        2: (1, False),
    }
    assert len(collect(store, plan)) == 2


def test_a_file_in_place_of_a_directory_is_collected_like_it(tmp_path):
    root = tmp_path / "root"
    for value in (1, 2):
        run_place(root, value, "")
    shutil.rmtree(root / "place/model/1")
    (root / "place/model/1").write_text("a file")
    with open_store(root / "metadata.db") as store:
        assert len(collect(store, plan_collection(store, "p", keep=1))) == 1
    assert [path.name for path in (root / "place/model").iterdir()] == ["2"]


def test_a_directory_in_which_a_kept_artifact_lies_stays(tmp_path):
    root = tmp_path / "root"
    run_place(root, 1, "")
    run_place(root, 2, root / "place/model/1/inside")
    with open_store(root / "metadata.db") as store:
        plan = plan_collection(store, "p", keep=1)
        assert plan.artifacts == []
        assert [artifact.id for artifact in plan.occupied] == [1]
        collect(store, plan)
    assert (root / "place/model/1/inside/weights").read_text() == "2"


def test_a_directory_through_which_the_path_of_a_living_artifact_goes_stays(tmp_path):
    root, elsewhere = tmp_path / "root", tmp_path / "elsewhere"
    (elsewhere / "sub").mkdir(parents=True)
    run_place(root, 1, "")
    (root / "place/model/1/latest").symlink_to(elsewhere)
    run_place(root, 2, "")
    source = Importer(str(root / "place/model/1/latest/sub"), standard_artifacts.Examples)
    other = Pipeline("other", str(root), components=[source], enable_cache=True)
    LocalDagRunner(observer=lambda event: None).run(other)
    with open_store(root / "metadata.db") as store:
        plan = plan_collection(store, "p", keep=1)
        assert plan.artifacts == []
        assert [artifact.id for artifact in plan.occupied] == [1]


def test_links_to_a_living_artifact_are_occupied(tmp_path):
    """One through several links, one through a circle of them."""
    for name in ("real/sub", "one", "two", "three"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "one/link").symlink_to("../two/./link")
    (tmp_path / "two/link").symlink_to(tmp_path / "real/sub/..")
    (tmp_path / "three/circle").symlink_to("circle")
    occupied = OccupiedPaths([f"{tmp_path}/one/link/sub", f"{tmp_path}/three/circle/x"])
    for name in ("one", "two", "three", "real", "real/sub", "real/sub/inside"):
        assert occupied.touch(f"{tmp_path}/{name}"), name
    for name in ("four", "one/beside", "real/beside"):
        assert not occupied.touch(f"{tmp_path}/{name}"), name


@component
def link(
    source: InputArtifact[standard_artifacts.Examples],
    examples: OutputArtifact[standard_artifacts.Examples],
):
    Path(examples.uri, "data").symlink_to(Path(source.uri, "data"))


@component
def write(examples: OutputArtifact[standard_artifacts.Examples]):
    Path(examples.uri, "data").write_text("data")


@component
def count(
    examples: InputArtifact[standard_artifacts.Examples], start: Parameter[int]
) -> OutputDict(n=int):
    return {"n": start + len(Path(examples.uri, "data").read_text())}


def linked_pipeline(root: Path, start: int) -> Pipeline:
    written = write()
    first = link(source=written.outputs["examples"]).with_id("first")
    second = link(source=first.outputs["examples"]).with_id("second")
    last = count(examples=second.outputs["examples"], start=start)
    nodes = [written, first, second, last]
    return Pipeline("p", str(root), components=nodes, enable_cache=True)


def test_what_the_outputs_that_a_partial_run_took_over_link_to_stays(tmp_path, store):
    runner = LocalDagRunner(observer=lambda event: None)
    runner.run(linked_pipeline(tmp_path, 1))
    options = RunOptions(from_nodes=["count"])
    for start in (2, 3):  # the second takes over from the first, which took over itself
        runner.run(linked_pipeline(tmp_path, start), options)
    assert len(collect(store, plan_collection(store, "p", keep=1))) == 2
    assert [path.read_text() for path in tmp_path.glob("count/n/*/value")] == ["7"]
    assert (tmp_path / "second/examples/3/data").read_text() == "data"
    runner.run(linked_pipeline(tmp_path, 4), options)
    # Whoever deletes by hand what is linked to is told.
    shutil.rmtree(tmp_path / "write/examples/1")
    with pytest.raises(ValueError, match="data is a link that leads nowhere now"):
        runner.run(linked_pipeline(tmp_path, 5), options)


def test_what_a_partial_run_took_over_does_not_keep_what_other_runs_chose(tmp_path, store):
    """A Resolver's choice comes from earlier runs, and so on: history would never end."""
    runner = LocalDagRunner(observer=lambda event: None)
    for start in (1, 2, 3, 4):
        runner.run(chosen_pipeline(tmp_path, start))
    runner.run(chosen_pipeline(tmp_path, 5), RunOptions(from_nodes=["last"]))
    collect(store, plan_collection(store, "p", keep=1))
    # The last run took over 4 from the fourth, which was made of 3.
    assert values(tmp_path, "train") == ["3", "4"]


@component
def train(start: Parameter[int], base: int = 0) -> OutputDict(out=int):
    return {"out": start}


def chosen_pipeline(root: Path, start: int) -> Pipeline:
    base = Resolver(
        LatestArtifactStrategy,
        model=Channel(standard_artifacts.Integer, producer_component_id="train"),
    )
    trained = train(start=min(start, 4), base=base.outputs["model"])
    last = double(value=trained.outputs["out"]).with_id("last")
    return Pipeline("p", str(root), components=[base, trained, last], enable_cache=True)


def test_what_a_root_behind_a_link_holds_is_collected(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "root").symlink_to(tmp_path / "disk")
    for value in (1, 2):
        run_place(tmp_path / "root", value, "")
    with open_store(tmp_path / "root/metadata.db") as store:
        assert len(collect(store, plan_collection(store, "p", keep=1))) == 1
    assert not (tmp_path / "disk/place/model/1").exists()
    assert (tmp_path / "disk/place/model/2/weights").read_text() == "2"


def test_what_a_kept_run_of_another_pipeline_uses_stays(tmp_path):
    """An Importer that finds an artifact of the store at its path takes that very artifact."""
    for value in (1, 2):
        run_place(tmp_path, value, "")
    source = Importer(str(tmp_path / "place/model/1"), standard_artifacts.Model)
    other = Pipeline("other", str(tmp_path), components=[source], enable_cache=True)
    LocalDagRunner(observer=lambda event: None).run(other)
    with open_store(tmp_path / "metadata.db") as store:
        assert plan_collection(store, "p", keep=1).artifacts == []
        assert plan_collection(store, "other", keep=0).artifacts == []


def set_uri(database: Path, artifact_id: int, uri: str) -> None:
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE artifacts SET uri = ? WHERE id = ?", (uri, artifact_id))


def files_below(directory: Path) -> set[str]:
    return {os.path.join(top, name) for top, _, names in os.walk(directory) for name in names}
