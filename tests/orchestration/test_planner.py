"""Plans of nodes: one decision, which a run performs and `explain` prints, and nothing written."""

from __future__ import annotations

import sqlite3

import pytest

from trainwright import (
    InputArtifact,
    LocalDagRunner,
    OutputDict,
    Pipeline,
    RunOptions,
    component,
    open_store,
)
from trainwright.dsl.importer import Importer
from trainwright.dsl.resolver import Resolver
from trainwright.dsl.strategies import LatestArtifactStrategy
from trainwright.metadata import contexts
from trainwright.metadata.records import Lease, TypeRecord
from trainwright.orchestration.planning.node_plan import (
    ComponentRun,
    ImporterRun,
    ResolverRun,
    ReusePlan,
    RunPlan,
    RunSoFar,
    WaitPlan,
)
from trainwright.orchestration.planning.planner import Planner
from trainwright.types.standard_artifacts import Model


@component
def weigh(model: InputArtifact[Model]) -> OutputDict(weight=int):
    return {"weight": len(model.uri)}


@pytest.fixture
def pipeline(tmp_path):
    (tmp_path / "given").mkdir()
    (tmp_path / "given/weights").write_text("1 2 3")
    importer = Importer(str(tmp_path / "given"), Model)
    resolver = Resolver(LatestArtifactStrategy, model=importer.outputs["result"])
    weighed = weigh(model=resolver.outputs["model"])
    nodes = [importer, resolver, weighed]
    return Pipeline("p", str(tmp_path / "root"), components=nodes, enable_cache=True)


@pytest.fixture
def store_file(pipeline, tmp_path):
    LocalDagRunner(observer=lambda event: None).run(pipeline, RunOptions(to_nodes=["Importer"]))
    return tmp_path / "root/metadata.db"


def dump(store_file):
    with sqlite3.connect(store_file) as connection:
        return list(connection.iterdump())


def test_each_kind_of_node_has_its_plan_and_none_writes(pipeline, store_file):
    before = dump(store_file)
    importer, resolver, weighed = pipeline.components
    with open_store(store_file) as store:
        planner = Planner(pipeline, store, runtime_parameters={})
        imported = planner.plan(importer, RunSoFar(made={}))
        assert isinstance(imported, ReusePlan)
        assert imported.reused_execution_id == 1
        made = {"Importer": imported.outputs}
        chosen = planner.plan(resolver, RunSoFar(made=made))
        assert isinstance(chosen, ResolverRun)
        assert [one.id for one in chosen.outputs["model"]] == [1]
        made["Resolver"] = chosen.outputs
        plan = planner.plan(weighed, RunSoFar(made=made))
        assert isinstance(plan, ComponentRun)
        assert plan.reason == "it has not run before"
        assert plan.resolved.inputs == {"model": made["Resolver"]["model"]}
    assert dump(store_file) == before


def test_what_a_node_before_it_will_make_is_left_open(pipeline, store_file):
    _, resolver, weighed = pipeline.components
    with open_store(store_file) as store:
        planner = Planner(pipeline, store, runtime_parameters={})
        pending = RunSoFar(made={}, pending=["Importer"])
        assert planner.plan(resolver, pending) == RunPlan(reason="it waits for Importer")
        pending = RunSoFar(made={}, pending=["Resolver"])
        assert planner.plan(weighed, pending) == RunPlan(reason="new outputs of Resolver")


def test_an_import_waits_for_another_run_that_imports_the_same(pipeline, store_file, tmp_path):
    (tmp_path / "given/weights").write_text("4 5 6 7")
    importer = pipeline.components[0]
    with open_store(store_file) as store:
        planner = Planner(pipeline, store, runtime_parameters={})
        plan = planner.plan(importer, RunSoFar(made={}))
        assert isinstance(plan, ImporterRun)
        other, _ = store.register_execution(
            TypeRecord(name=importer.type_name),
            contexts=[contexts.cache_context(plan.answer.cache_key)],
            inputs={},
            pending_outputs=lambda execution_id: {},
            custom_properties={},
            lease=Lease(host="elsewhere", pid=1, process_started_at=1.0),
        )
        waiting = planner.plan(importer, RunSoFar(made={}))
        assert isinstance(waiting, WaitPlan)
        assert waiting.execution.id == other.id
    forecast = LocalDagRunner().explain(pipeline)[0]
    assert forecast.will_run
    assert forecast.reason == f"execution {other.id} is doing it: it would wait and reuse that"
