"""ExampleValidator: TFX's anomalies by split, and the same in words."""

import logging
import shutil
from pathlib import Path

import pytest
from tensorflow_metadata.proto.v0 import anomalies_pb2, statistics_pb2

from trainwright import LocalDagRunner, OutputArtifact, Parameter, Pipeline, component
from trainwright.components import ExampleValidator, ImportSchemaGen
from trainwright.components.example_validator.executor import Executor
from trainwright.dsl.base_executor import ExecutorContext
from trainwright.orchestration.run_result import NodeState
from trainwright.types.standard_artifacts import ExampleAnomalies, ExampleStatistics, Schema

GOLDEN = Path(__file__).resolve().parents[2] / "schemas" / "golden"


@component
def make_statistics(statistics: OutputArtifact[ExampleStatistics], source: Parameter[str]):
    statistics.splits = ["train", "eval"]
    statistics.span = 7
    for split in statistics.splits:
        shutil.copytree(f"{source}/Split-{split}", f"{statistics.uri}/Split-{split}")


def run(data, schema_file, tmp_path):
    statistics = make_statistics(source=str(GOLDEN / data))
    schema = ImportSchemaGen(schema_file=str(schema_file))
    validator = ExampleValidator(
        statistics=statistics.outputs["statistics"], schema=schema.outputs["schema"]
    )
    components = [statistics, schema, validator]
    pipeline = Pipeline("validate", str(tmp_path / "root"), components=components)
    result = LocalDagRunner().run(pipeline)
    assert result.states["ExampleValidator"] is NodeState.COMPLETE
    (artifact,) = result.outputs["ExampleValidator"]["anomalies"]
    return artifact


def read(artifact, split):
    path = Path(artifact.uri, f"Split-{split}", "SchemaDiff.pb")
    return anomalies_pb2.Anomalies.FromString(path.read_bytes())


@pytest.mark.parametrize("data", ["mixed", "penguins"])
def test_data_that_fits_gives_tfxs_files(data, tmp_path):
    artifact = run(data, GOLDEN / data / "schema.pbtxt", tmp_path)
    for split in ("train", "eval"):
        golden = (GOLDEN / data / f"Split-{split}" / "SchemaDiff.pb").read_bytes()
        assert read(artifact, split) == anomalies_pb2.Anomalies.FromString(golden)
    assert artifact.properties == {"span": 7, "split_names": '["train", "eval"]'}
    assert artifact.custom_properties["blessed"] == {"train": 1, "eval": 1}


def test_anomalies_leave_the_node_complete_and_are_told(tmp_path):
    schema_file = tmp_path / "schema.pbtxt"
    text = (GOLDEN / "penguins" / "schema.pbtxt").read_text()
    schema_file.write_text(text.replace('value: "Torgersen"', 'value: "Elsewhere"'))
    artifact = run("penguins", schema_file, tmp_path)
    assert artifact.custom_properties["blessed"] == {"train": 0, "eval": 0}
    summary = artifact.custom_properties["summary"]
    assert summary.startswith("anomalies in train: 1: island (Unexpected string values); eval: 1")
    (log,) = (tmp_path / "root").rglob("*ExampleValidator*/**/*.log")
    logged = log.read_text()
    assert "The data of split train does not fit the schema, 1 anomaly:" in logged
    assert "Examples contain values missing from the schema: Torgersen" in logged


@pytest.fixture
def without_examples(tmp_path):
    """What an executor is given: the statistics of nothing, a schema, an artifact to fill."""
    statistics, schema, anomalies = ExampleStatistics(), Schema(), ExampleAnomalies()
    for artifact, name in ((statistics, "statistics"), (schema, "schema"), (anomalies, "out")):
        artifact.uri = str(tmp_path / name)
        Path(artifact.uri).mkdir()
    shutil.copy(GOLDEN / "mixed" / "schema.pbtxt", schema.uri)
    statistics.splits = ["train", "eval"]
    statistics.span = 0
    for split in statistics.splits:
        (tmp_path / "statistics" / f"Split-{split}").mkdir()
    nothing = statistics_pb2.DatasetFeatureStatisticsList(datasets=[{}])
    path = tmp_path / "statistics" / "Split-train" / "FeatureStats.pb"
    path.write_bytes(nothing.SerializeToString())
    return {"statistics": [statistics], "schema": [schema]}, {"anomalies": [anomalies]}


def test_an_empty_split_is_told_apart(without_examples, caplog):
    inputs, outputs = without_examples
    told = []
    executor = Executor(ExecutorContext(report_progress=told.append))
    with caplog.at_level(logging.WARNING):
        executor.Do(inputs, outputs, {"exclude_splits": '["eval"]'})
    [anomalies] = outputs["anomalies"]
    assert anomalies.splits == ["train"]
    assert read(anomalies, "train").data_missing
    assert told == [{"anomalies in": "train: no examples"}]
    assert "Split train has no examples" in caplog.text


def test_a_split_that_was_excluded_before_may_be_named_again(without_examples, caplog):
    inputs, outputs = without_examples
    with caplog.at_level(logging.WARNING):
        Executor().Do(inputs, outputs, {"exclude_splits": '["eval", "test"]'})
    assert "exclude_splits names ['test'], but the statistics have ['train', 'eval']" in caplog.text
    assert outputs["anomalies"][0].splits == ["train"]


def test_custom_validations_are_refused_not_ignored(without_examples):
    config = "feature_validations { feature_path { step: 'age' } }"
    channels = {
        "statistics": make_statistics(source="s").outputs["statistics"],
        "schema": ImportSchemaGen(schema_file="schema.pbtxt").outputs["schema"],
    }
    with pytest.raises(ValueError, match=r"step: 'age'.*a component of your own"):
        ExampleValidator(**channels, custom_validation_config=config)
    with pytest.raises(ValueError, match="need ZetaSQL"):
        Executor().Do(*without_examples, {"custom_validation_config": config})
    ExampleValidator(**channels, custom_validation_config=None)
