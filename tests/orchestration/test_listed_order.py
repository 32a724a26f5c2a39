"""Programs for TFX rely on its one-by-one order through side effects of their own components."""

from __future__ import annotations

from pathlib import Path

import pytest

import tfx.v1 as tfx
from trainwright import (
    Cond,
    Importer,
    LocalDagRunner,
    OutputDict,
    Parameter,
    Pipeline,
    PipelineRunError,
    Resolver,
    RunOptions,
    component,
)
from trainwright.components import CsvExampleGen, ImportSchemaGen, StatisticsGen
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.dsl.strategies.latest_artifact_strategy import LatestArtifactStrategy
from trainwright.orchestration.listed_order import listed_order
from trainwright.types import standard_artifacts
from trainwright.types.channel import Channel


@component
def own() -> OutputDict(out=int):
    return {"out": 1}


@component
def fails(reason: Parameter[str]) -> OutputDict(out=int):
    raise ValueError(reason)


class OwnExecutor:
    def Do(self, input_dict, output_dict, exec_properties):
        pass


class OwnGen(CsvExampleGen):
    pass


def started_and_ended(runner_class, pipeline: Pipeline, *options) -> list[str]:
    seen = []

    def observe(event):
        if event.kind.value in ("node_started", "node_completed"):
            seen.append(f"{event.kind.value.removeprefix('node_')} {event.node}")

    runner_class(observer=observe, max_parallel=8).run(pipeline, *options)
    return seen


def data(directory: Path) -> str:
    directory.mkdir(exist_ok=True)
    (directory / "rows.csv").write_text("a,b\n1,2\n3,4\n")
    return str(directory)


def mixed_pipeline(tmp_path: Path) -> Pipeline:
    first = own().with_id("first")
    examples = CsvExampleGen(data(tmp_path / "data"))
    more_examples = CsvExampleGen(data(tmp_path / "data")).with_id("more")
    last = own().with_id("last")
    imported = Importer(str(tmp_path / "data"), standard_artifacts.Examples).with_id("imported")
    nodes = [first, examples, more_examples, last, imported]
    return Pipeline("p", str(tmp_path / "root"), components=nodes)


def test_a_component_of_ones_own_runs_alone_under_tfx_and_side_by_side_under_ours(tmp_path):
    seen = started_and_ended(tfx.orchestration.LocalDagRunner, mixed_pipeline(tmp_path))
    assert seen[:4] == ["started first", "completed first", "started CsvExampleGen", "started more"]
    assert set(seen[4:6]) == {"completed CsvExampleGen", "completed more"}
    assert seen[6:] == ["started last", "completed last", "completed imported"]

    seen = started_and_ended(LocalDagRunner, mixed_pipeline(tmp_path))
    assert seen[:4] == [f"started {node}" for node in ("first", "CsvExampleGen", "more", "last")]
    again = started_and_ended(
        tfx.orchestration.LocalDagRunner, mixed_pipeline(tmp_path), RunOptions(to_nodes=["last"])
    )
    assert again == ["started last", "completed last"]


def test_nothing_that_stands_after_a_failure_runs_under_tfx(tmp_path):
    nodes = [fails(reason="no"), own().with_id("after")]
    pipeline = Pipeline("p", str(tmp_path), components=nodes)
    with pytest.raises(PipelineRunError) as caught:
        tfx.orchestration.LocalDagRunner(observer=lambda event: None).run(pipeline)
    assert caught.value.result.states["after"].value == "skipped"
    assert "Not run because of that: after." in str(caught.value)
    with pytest.raises(PipelineRunError) as caught:
        LocalDagRunner(observer=lambda event: None).run(pipeline)
    assert caught.value.result.states["after"].value == "complete"


def test_a_node_that_its_condition_skips_holds_nothing_back(tmp_path):
    number = own()
    with Cond(number.outputs["out"].future()[0].value == 2):
        skipped = own().with_id("skipped")
    nodes = [number, skipped, own().with_id("last")]
    result = tfx.orchestration.LocalDagRunner(observer=lambda event: None).run(
        Pipeline("p", str(tmp_path), components=nodes)
    )
    states = {node: state.value for node, state in result.states.items()}
    assert states == {"own": "complete", "skipped": "skipped", "last": "complete"}


def test_what_waits_for_what(tmp_path):
    examples = CsvExampleGen(data(tmp_path))
    statistics = StatisticsGen(examples=examples.outputs["examples"])
    other_executor = ImportSchemaGen("s.pbtxt")
    other_executor.executor_spec = ExecutorClassSpec(OwnExecutor)
    nodes = [
        examples,
        statistics,
        own(),
        Importer("x", standard_artifacts.Model).with_id("imported"),
        other_executor,
        OwnGen("data").with_id("subclass"),
        CsvExampleGen("data").with_id("last"),
    ]
    assert listed_order(nodes) == {
        "CsvExampleGen": [],
        "StatisticsGen": [],
        "own": ["CsvExampleGen", "StatisticsGen"],
        "imported": ["own"],
        "ImportSchemaGen": ["own", "imported"],
        "subclass": ["ImportSchemaGen"],
        "last": ["subclass"],
    }


def test_the_list_is_kept_wherever_the_channels_allow_it(tmp_path):
    examples = CsvExampleGen(data(tmp_path))
    statistics = StatisticsGen(examples=examples.outputs["examples"])
    last = own().with_id("last")

    def order(*nodes):
        pipeline = Pipeline("p", str(tmp_path), components=nodes)
        return [node.id for node in pipeline.listed_components]

    assert order(examples, statistics, last) == ["CsvExampleGen", "StatisticsGen", "last"]
    assert order(statistics, last, examples) == ["last", "CsvExampleGen", "StatisticsGen"]


def test_explain_leaves_a_resolver_open_that_waits_for_a_component_of_ones_own(tmp_path):
    newest = Resolver(LatestArtifactStrategy, number=Channel(standard_artifacts.Integer)).with_id(
        "newest"
    )
    nodes = [own(), newest]
    pipeline = Pipeline("p", str(tmp_path), components=nodes, enable_cache=True)
    by_name = tfx.orchestration.LocalDagRunner().explain(pipeline)[1]
    assert by_name.reason == "it waits for own"
    assert LocalDagRunner().explain(pipeline)[1].reason != by_name.reason
    runner = tfx.orchestration.LocalDagRunner(observer=lambda event: None)
    runner.run(pipeline)
    assert [one.will_run for one in runner.explain(pipeline)] == [False, False]


def test_a_skipped_node_names_the_node_that_failed(tmp_path):
    nodes = [
        fails(reason="no"),
        own().with_id("second"),
        own().with_id("third"),
        CsvExampleGen(data(tmp_path / "data")),
    ]
    skipped = {}

    def observe(event):
        if event.kind.value == "node_skipped":
            skipped[event.node] = event.data["because_of"]

    with pytest.raises(PipelineRunError):
        tfx.orchestration.LocalDagRunner(observer=observe).run(
            Pipeline("p", str(tmp_path / "root"), components=nodes)
        )
    assert skipped == {node: ["fails"] for node in ("second", "third", "CsvExampleGen")}
