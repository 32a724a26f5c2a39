"""SchemaGen: one schema for all splits, the one that TFX's makes."""

import shutil
from pathlib import Path

import pytest
from tensorflow_metadata.proto.v0 import statistics_pb2

from trainwright import LocalDagRunner, OutputArtifact, Parameter, Pipeline, component
from trainwright.components import SchemaGen
from trainwright.components.schema_gen.executor import Executor
from trainwright.schemas.schema_file import read_schema
from trainwright.types.standard_artifacts import ExampleStatistics, Schema

GOLDEN = Path(__file__).resolve().parents[2] / "schemas" / "golden"


@component
def make_statistics(statistics: OutputArtifact[ExampleStatistics], source: Parameter[str]):
    statistics.splits = ["train", "eval"]
    for split in statistics.splits:
        shutil.copytree(f"{source}/Split-{split}", f"{statistics.uri}/Split-{split}")


def artifacts(directory, empty=(), source=GOLDEN / "mixed"):
    statistics, schema = ExampleStatistics(), Schema()
    statistics.uri, schema.uri = str(directory / "statistics"), str(directory / "schema")
    statistics.splits = ["train", "eval"]
    Path(schema.uri).mkdir()
    for split in statistics.splits:
        target = Path(statistics.uri, f"Split-{split}")
        target.mkdir(parents=True)
        if split in empty:
            nothing = statistics_pb2.DatasetFeatureStatisticsList(datasets=[{}])
            (target / "FeatureStats.pb").write_bytes(nothing.SerializeToString())
        else:
            shutil.copy(source / f"Split-{split}" / "FeatureStats.pb", target)
    return {"statistics": [statistics]}, {"schema": [schema]}


def infer(directory, empty=(), **properties):
    inputs, outputs = artifacts(directory, empty)
    Executor().Do(inputs, outputs, properties)
    return read_schema(f"{outputs['schema'][0].uri}/schema.pbtxt")


@pytest.mark.parametrize("data", ["mixed", "penguins"])
def test_a_pipeline_makes_tfxs_schema(data, tmp_path):
    statistics = make_statistics(source=str(GOLDEN / data))
    schema_gen = SchemaGen(statistics=statistics.outputs["statistics"])
    pipeline = Pipeline("schema", str(tmp_path / "root"), components=[statistics, schema_gen])
    (artifact,) = LocalDagRunner().run(pipeline).outputs["SchemaGen"]["schema"]
    assert artifact.type.name == "Schema"
    written = read_schema(f"{artifact.uri}/schema.pbtxt")
    assert written == read_schema(str(GOLDEN / data / "schema.pbtxt"))


def test_splits_and_shapes_can_be_left_out(tmp_path):
    (tmp_path / "all").mkdir()
    (tmp_path / "train").mkdir()
    schema = infer(tmp_path / "all", infer_feature_shape=0)
    assert not any(feature.HasField("shape") for feature in schema.feature)
    train = infer(tmp_path / "train", exclude_splits='["eval"]')
    assert any(feature.HasField("shape") for feature in train.feature)


def test_an_empty_split_does_not_deprecate_everything(tmp_path):
    schema = infer(tmp_path, empty=["eval"])
    assert not any(feature.lifecycle_stage for feature in schema.feature)


def test_without_examples_there_is_no_schema(tmp_path):
    with pytest.raises(ValueError, match="no split of .* has examples"):
        infer(tmp_path, empty=["train", "eval"])


def test_excluding_all_splits_is_refused(tmp_path):
    with pytest.raises(ValueError, match="No splits are left to look at"):
        infer(tmp_path, exclude_splits='["train", "eval"]')
    with pytest.raises(ValueError, match=r"Write exclude_splits=\['eval'\]"):
        SchemaGen(
            statistics=make_statistics(source="s").outputs["statistics"], exclude_splits="eval"
        )


def test_a_missing_file_is_named(tmp_path):
    inputs, outputs = artifacts(tmp_path)
    shutil.rmtree(f"{inputs['statistics'][0].uri}/Split-eval")
    with pytest.raises(ValueError, match="no statistics at .*Split-eval"):
        Executor().Do(inputs, outputs, {})


def test_the_properties_are_tfxs():
    node = SchemaGen(statistics=make_statistics(source="s").outputs["statistics"])
    assert node.exec_properties == {"infer_feature_shape": 1, "exclude_splits": "[]"}
    assert list(node.outputs) == ["schema"]
