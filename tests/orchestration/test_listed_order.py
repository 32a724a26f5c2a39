"""Programs for TFX rely on its one-by-one order through side effects of their own components."""

from __future__ import annotations

import json
import os
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
from trainwright.components import CsvExampleGen, ImportSchemaGen, StatisticsGen, Trainer
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


SCHEMA = 'feature { name: "a" type: INT presence { min_fraction: 1.0 } }\n'
MODULE = """
import pathlib

def run_fn(fn_args):
    pathlib.Path(fn_args.serving_model_dir).mkdir(parents=True)
    pathlib.Path(fn_args.serving_model_dir, "model.txt").write_text("a model")
"""


@component
def download(directory: Parameter[str], files: Parameter[str]):
    for name, text in json.loads(files).items():
        path = Path(directory, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def downloading(directory: Path, **files: str):
    return download(directory=str(directory), files=json.dumps(files))


def reading(directory: Path) -> list:
    """Standard nodes that read files below a directory by their paths."""
    examples = Importer(
        str(directory / "rows"),
        standard_artifacts.Examples,
        properties={"split_names": '["train", "eval"]'},
    ).with_id("rows")
    return [
        CsvExampleGen(str(directory / "rows")),
        ImportSchemaGen(str(directory / "schema.pbtxt")),
        examples,
        Trainer(examples=examples.outputs["result"], module_file=str(directory / "module.py")),
    ]


FILES = {"rows/rows.csv": "a,b\n1,2\n3,4\n", "schema.pbtxt": SCHEMA, "module.py": MODULE}


def test_what_a_component_of_ones_own_makes_need_not_be_there_before(tmp_path):
    directory = tmp_path / "made"
    nodes = [downloading(directory, **FILES), *reading(directory)]
    pipeline = Pipeline("p", str(tmp_path / "root"), components=nodes)
    runner = tfx.orchestration.LocalDagRunner(observer=lambda event: None)

    first, *others = runner.explain(pipeline)
    assert "not there" not in first.reason
    assert all(one.will_run for one in others)
    for forecast in others:
        assert forecast.reason.startswith("what it reads is not there yet, download may make it: ")
    assert "input_base must be a directory with the data files" in others[0].reason

    result = runner.run(pipeline)
    assert {state.value for state in result.states.values()} == {"complete"}
    assert not any("not there yet" in one.reason for one in runner.explain(pipeline))


def test_what_was_not_made_is_said_when_the_node_starts(tmp_path):
    directory = tmp_path / "made"
    nodes = [downloading(directory, **{"rows/.hidden": ""}), *reading(directory)[:2]]
    missing = Importer(str(directory / "more"), standard_artifacts.Model).with_id("more")
    pipeline = Pipeline("p", str(tmp_path / "root"), components=[*nodes, missing])
    runner = tfx.orchestration.LocalDagRunner(observer=lambda event: None)
    with pytest.raises(PipelineRunError) as caught:
        runner.run(pipeline)
    failures = {one.node_id: one.message for one in caught.value.result.failures}
    assert caught.value.result.states["download"].value == "complete"
    assert "No file matches" in failures.pop("CsvExampleGen")
    assert "does not exist. Relative paths count from" in failures.pop("ImportSchemaGen")
    assert "there is no such file or directory. Correct source_uri" in failures.pop("more")
    assert not failures


@pytest.mark.parametrize("place", range(4))
def test_what_is_missing_is_refused_at_once_where_no_component_of_ones_own_runs_before(
    tmp_path, place
):
    nodes = reading(tmp_path / "made")
    node = nodes[place]
    needed = [*node.upstream_nodes, node]
    if node.upstream_nodes:
        (tmp_path / "made" / "rows").mkdir(parents=True)
    make = downloading(tmp_path / "made", **FILES)
    words = "does not exist|there is no such file"

    def refused(runner, components, *options):
        pipeline = Pipeline("p", str(tmp_path / "root"), components=components)
        with pytest.raises(ValueError, match=words) as caught:
            runner(observer=lambda event: None).run(pipeline, *options)
        assert not isinstance(caught.value, PipelineRunError)
        assert not (tmp_path / "root").exists()

    refused(LocalDagRunner, [make, *needed])
    refused(tfx.orchestration.LocalDagRunner, [*needed, make])
    only = RunOptions(from_nodes=[one.id for one in needed], to_nodes=[node.id])
    refused(tfx.orchestration.LocalDagRunner, [make, *needed], only)


def make_fifo(path: Path) -> Path:
    os.mkfifo(path)
    return path


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("make_path", "make_node", "words"),
    [
        (lambda tmp: "hdfs://bucket/rows", CsvExampleGen, "is a remote path"),
        (lambda tmp: write(tmp / "file", ""), CsvExampleGen, "must be a directory.* is a file"),
        (lambda tmp: write(tmp / "file", "") / "below", CsvExampleGen, "must be a directory"),
        (lambda tmp: make_fifo(tmp / "pipe"), ImportSchemaGen, "is a named pipe"),
        (lambda tmp: write(tmp / "s.pbtxt", "no schema"), ImportSchemaGen, "is not a schema"),
        (
            lambda tmp: make_fifo(tmp / "pipe"),
            lambda path: Importer(path, standard_artifacts.Model),
            "is a named pipe",
        ),
    ],
)
def test_what_is_wrong_in_another_way_is_refused_at_once(tmp_path, make_path, make_node, words):
    nodes = [own(), make_node(str(make_path(tmp_path)))]
    pipeline = Pipeline("p", str(tmp_path / "root"), components=nodes)
    with pytest.raises(ValueError, match=words):
        tfx.orchestration.LocalDagRunner(observer=lambda event: None).run(pipeline)
    assert not (tmp_path / "root").exists()


@pytest.mark.parametrize(
    ("file", "source", "words"),
    [("wrong.py", "def run_fn(:", "has a syntax error"), ("module.txt", None, "does not exist")],
)
def test_a_module_file_that_cannot_work_is_refused_at_once(tmp_path, file, source, words):
    examples = Importer(data(tmp_path / "rows"), standard_artifacts.Examples)
    trainer = Trainer(examples=examples.outputs["result"], module_file=str(tmp_path / file))
    if source is not None:
        write(tmp_path / file, source)
    pipeline = Pipeline("p", str(tmp_path / "root"), components=[own(), examples, trainer])
    with pytest.raises(ValueError, match=words):
        tfx.orchestration.LocalDagRunner(observer=lambda event: None).run(pipeline)
    assert not (tmp_path / "root").exists()


def test_what_a_component_of_ones_own_spoils_is_said_when_the_node_starts(tmp_path):
    nodes = [
        downloading(tmp_path, **{"schema.pbtxt": "no schema"}),
        ImportSchemaGen(str(write(tmp_path / "schema.pbtxt", SCHEMA))),
    ]
    pipeline = Pipeline("p", str(tmp_path / "root"), components=nodes)
    with pytest.raises(PipelineRunError, match="is not a schema in text form") as caught:
        tfx.orchestration.LocalDagRunner(observer=lambda event: None).run(pipeline)
    (failure,) = caught.value.result.failures
    assert failure.log is None  # its executor was not started


def test_explain_says_that_a_reused_component_makes_nothing(tmp_path):
    directory = tmp_path / "made"
    again = own().with_id("again").with_cache(False)
    nodes = [downloading(directory, **FILES), *reading(directory)[:2]]
    pipeline = Pipeline("p", str(tmp_path / "root"), components=nodes, enable_cache=True)
    runner = tfx.orchestration.LocalDagRunner(observer=lambda event: None)
    runner.run(pipeline)
    (directory / "schema.pbtxt").unlink()
    by_id = {one.node_id: one for one in runner.explain(pipeline)}
    assert [one for one in by_id if by_id[one].will_run] == ["ImportSchemaGen"]
    assert by_id["ImportSchemaGen"].reason.startswith("it would fail, what it reads is not there")
    pipeline.components = [again, *nodes]  # which runs, however far before
    by_id = {one.node_id: one for one in runner.explain(pipeline)}
    assert "not there yet, again may make it" in by_id["ImportSchemaGen"].reason


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
