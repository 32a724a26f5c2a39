"""ParquetExampleGen, and TFX's way to the same: a FileBasedExampleGen with an executor."""

import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from trainwright import InputArtifact, LocalDagRunner, OutputDict, Pipeline, component
from trainwright.components import ParquetExampleGen
from trainwright.data.tfrecord import read_records
from trainwright.orchestration.run_result import NodeState
from trainwright.types.standard_artifacts import Examples


@pytest.fixture
def data(tmp_path):
    directory = tmp_path / "data"
    directory.mkdir()
    write(directory / "a.parquet", range(30))
    return directory


def write(path, numbers):
    day = datetime.date(2024, 2, 29)
    columns = {"id": pa.array(numbers), "day": pa.array([day] * len(numbers))}
    pq.write_table(pa.table(columns), path)


def records(uri, split):
    files = sorted(Path(uri, f"Split-{split}").iterdir())
    return [record for file in files for record in read_records(file)]


def do(node, uri):
    examples = Examples()
    examples.uri = str(uri)
    node.executor_spec.executor_class().Do({}, {"examples": [examples]}, dict(node.exec_properties))
    return examples


def test_the_executor_writes_the_default_splits(data, tmp_path):
    examples = do(ParquetExampleGen(str(data)), tmp_path / "out")
    assert examples.splits == ["train", "eval"]
    assert len(records(examples.uri, "train") + records(examples.uri, "eval")) == 30
    assert examples.custom_properties["payload_format"] == "FORMAT_TF_EXAMPLE"


def test_tfx_s_way_gives_the_same(data, tmp_path):
    from tfx.components.example_gen.component import FileBasedExampleGen
    from tfx.components.example_gen.custom_executors import parquet_executor
    from tfx.dsl.components.base import executor_spec

    node = FileBasedExampleGen(
        input_base=str(data),
        custom_executor_spec=executor_spec.ExecutorClassSpec(parquet_executor.Executor),
    )
    assert node.type_name == "tfx.components.example_gen.component.FileBasedExampleGen"
    examples = do(node, tmp_path / "tfx")
    ours = do(ParquetExampleGen(str(data)), tmp_path / "ours")
    for split in ("train", "eval"):
        assert records(examples.uri, split) == records(ours.uri, split)


def test_the_component_has_a_name_of_its_own():
    name = ParquetExampleGen("data").type_name
    assert (
        name == "trainwright.components.example_gen.parquet_example_gen.component.ParquetExampleGen"
    )


def test_rows_become_examples_only(data, tmp_path):
    from trainwright.components import FileBasedExampleGen
    from trainwright.components.example_gen.parquet_example_gen.executor import Executor
    from trainwright.dsl.executor_spec import ExecutorClassSpec

    node = FileBasedExampleGen(
        str(data), output_data_format=11, custom_executor_spec=ExecutorClassSpec(Executor)
    )
    with pytest.raises(ValueError, match="expected the output_data_format FORMAT_TF_EXAMPLE, got"):
        do(node, tmp_path / "out")


@component
def count_examples(examples: InputArtifact[Examples]) -> OutputDict(count=int):
    return {"count": sum(len(records(examples.uri, name)) for name in examples.splits)}


def counted(result):
    return int(Path(result.outputs["count_examples"]["count"][0].uri).read_text())


def test_a_pipeline_runs_is_reused_and_sees_changed_files(data, tmp_path):
    def run():
        example_gen = ParquetExampleGen(str(data))
        counter = count_examples(examples=example_gen.outputs["examples"])
        pipeline = Pipeline(
            "parquet", str(tmp_path / "root"), components=[example_gen, counter], enable_cache=True
        )
        return LocalDagRunner().run(pipeline)

    first = run()
    assert set(first.states.values()) == {NodeState.COMPLETE}
    assert counted(first) == 30
    assert set(run().states.values()) == {NodeState.CACHED}
    write(data / "a.parquet", range(31))
    third = run()
    assert third.states["ParquetExampleGen"] is NodeState.COMPLETE
    assert counted(third) == 31
