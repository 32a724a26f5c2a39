"""Garbage collection: what goes, what stays, and what happens at the same time."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainwright import LocalDagRunner, OutputDict, Parameter, Pipeline, component, open_store
from trainwright.metadata.leases import current_lease
from trainwright.metadata.records import ArtifactState, ContextKey, TypeRecord
from trainwright.orchestration import garbage
from trainwright.orchestration.garbage import collect, plan_collection


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

    monkeypatch.setattr(garbage.shutil, "rmtree", die)
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
