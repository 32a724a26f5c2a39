"""StatisticsGen, by hand and in a pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest
from tensorflow_metadata.proto.v0 import schema_pb2, statistics_pb2

from trainwright import LocalDagRunner, Pipeline, PipelineRunError
from trainwright.components import CsvExampleGen, ImportSchemaGen, StatisticsGen
from trainwright.components.statistics_gen.executor import Executor
from trainwright.dsl.base_executor import ExecutorContext
from trainwright.orchestration.run_result import NodeState
from trainwright.statistics import StatsOptions
from trainwright.types.channel import Channel
from trainwright.types.standard_artifacts import Examples, ExampleStatistics

GOLDEN = Path(__file__).parents[2] / "data" / "golden" / "penguins"


@pytest.fixture
def examples():
    artifact = Examples()
    artifact.uri = str(GOLDEN)
    artifact.splits = ["train", "eval"]
    artifact.span = 3
    return artifact


def do(examples, uri, progress=None, **arguments):
    component = StatisticsGen(examples=Channel(type=Examples), **arguments)
    statistics = ExampleStatistics()
    statistics.uri = str(uri)
    context = ExecutorContext(report_progress=progress.append if progress is not None else print)
    Executor(context).Do(
        {"examples": [examples]}, {"statistics": [statistics]}, dict(component.exec_properties)
    )
    return statistics


def read(statistics, split):
    path = Path(statistics.uri, f"Split-{split}", "FeatureStats.pb")
    return statistics_pb2.DatasetFeatureStatisticsList.FromString(path.read_bytes())


def test_writes_a_file_for_each_split(examples, tmp_path):
    progress = []
    statistics = do(examples, tmp_path, progress)
    assert statistics.splits == ["train", "eval"]
    assert statistics.span == 3
    counts = [read(statistics, split).datasets[0].num_examples for split in ("train", "eval")]
    assert sum(counts) == 344
    assert progress[-1] == {"examples": 344}


def test_excludes_splits(examples, tmp_path):
    statistics = do(examples, tmp_path, exclude_splits=["eval"])
    assert statistics.splits == ["train"]
    assert [path.name for path in tmp_path.iterdir()] == ["Split-train"]


def test_refuses_unknown_splits(examples, tmp_path):
    with pytest.raises(ValueError, match=r"names \['test'\], but the examples have \['train'"):
        do(examples, tmp_path, exclude_splits=["test"])


def test_refuses_to_exclude_everything(examples, tmp_path):
    with pytest.raises(ValueError, match="No splits are left"):
        do(examples, tmp_path, exclude_splits=["train", "eval"])


def test_a_split_without_files(examples, tmp_path):
    (tmp_path / "examples" / "Split-train").mkdir(parents=True)
    examples.uri = str(tmp_path / "examples")
    examples.splits = ["train"]
    [dataset] = read(do(examples, tmp_path / "out"), "train").datasets
    assert dataset == statistics_pb2.DatasetFeatureStatistics()


def test_options_reach_the_executor(examples, tmp_path):
    options = StatsOptions(feature_allowlist=["species"], num_top_values=1)
    [dataset] = read(do(examples, tmp_path, stats_options=options), "train").datasets
    [feature] = dataset.features
    assert len(feature.string_stats.top_values) == 1


def test_refuses_two_schemas():
    with pytest.raises(ValueError, match="a schema twice"):
        StatisticsGen(
            examples=Channel(type=Examples),
            schema=ImportSchemaGen("schema.pbtxt").outputs["schema"],
            stats_options=StatsOptions(schema=schema_pb2.Schema()),
        )


def test_refuses_a_name_that_is_no_list():
    with pytest.raises(ValueError, match=r"Write exclude_splits=\['eval'\]"):
        StatisticsGen(examples=Channel(type=Examples), exclude_splits="eval")


def pipeline(tmp_path, **arguments):
    data = tmp_path / "data"
    data.mkdir(exist_ok=True)
    (data / "a.csv").write_text("flag,name\n" + "".join(f"{n % 2},n{n}\n" for n in range(50)))
    (tmp_path / "schema.pbtxt").write_text(
        'feature { name: "flag" type: INT bool_domain {} } feature { name: "name" type: BYTES }'
    )
    example_gen = CsvExampleGen(str(data))
    schema_gen = ImportSchemaGen(str(tmp_path / "schema.pbtxt"))
    statistics_gen = StatisticsGen(
        examples=example_gen.outputs["examples"], schema=schema_gen.outputs["schema"], **arguments
    )
    components = [example_gen, schema_gen, statistics_gen]
    return Pipeline("p", str(tmp_path / "root"), components=components, enable_cache=True)


def test_in_a_pipeline_with_a_schema_and_a_cache(tmp_path):
    result = LocalDagRunner().run(pipeline(tmp_path))
    [statistics] = result.outputs["StatisticsGen"]["statistics"]
    [dataset] = read(statistics, "train").datasets
    flag, _ = dataset.features
    # A boolean is a category, so its values are counted.
    assert flag.WhichOneof("stats") == "string_stats"
    again = LocalDagRunner().run(pipeline(tmp_path))
    assert again.states["StatisticsGen"] is NodeState.CACHED
    changed = LocalDagRunner().run(pipeline(tmp_path, stats_options=StatsOptions(num_top_values=1)))
    assert changed.states["StatisticsGen"] is NodeState.COMPLETE


def test_without_tfx_bsl_nothing_starts(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "trainwright.components.statistics_gen.driver.is_installed", lambda name: False
    )
    with pytest.raises((PipelineRunError, ValueError)) as raised:
        LocalDagRunner().run(pipeline(tmp_path))
    assert "pip install 'trainwright[transform]'" in str(raised.value)
    assert not list((tmp_path / "root").glob("CsvExampleGen/examples/*"))


def call(examples, uri, **exec_properties):
    statistics = ExampleStatistics()
    statistics.uri = str(uri)
    Executor().Do({"examples": [examples]}, {"statistics": [statistics]}, exec_properties)
    return statistics


def test_splits_may_be_sampled_each_at_its_own_rate(examples, tmp_path, caplog):
    whole = call(examples, tmp_path / "whole")
    assert whole.get_json_value_custom_property("sample_rate_by_split") == (
        '{"eval": 1.0, "train": 1.0}'
    )
    sampled = call(
        examples, tmp_path / "sampled", sample_rate_by_split='{"train": 0.5, "test": 0.1}'
    )
    counts = {
        split: [read(one, split).datasets[0].num_examples for one in (whole, sampled)]
        for split in ("train", "eval")
    }
    assert 0 < counts["train"][1] < counts["train"][0]
    assert counts["eval"][1] == counts["eval"][0]
    assert "Split test provided in sample_rate_by_split is not valid" in caplog.text


def test_examples_may_say_which_files_a_split_has(examples, tmp_path):
    examples.split_names = ""
    examples.set_string_custom_property("custom_split_pattern", '{"all": "Split-*/*"}')
    statistics = call(examples, tmp_path)
    assert statistics.splits == ["all"]
    assert read(statistics, "all").datasets[0].num_examples == 344


def test_sharded_statistics_are_refused(examples, tmp_path):
    with pytest.raises(ValueError, match="Sharded output requested but not supported"):
        call(examples, tmp_path, sharded_stats_output=True)
