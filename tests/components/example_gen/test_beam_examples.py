"""An executor written for TFX, with a Beam transform, gives what TFX gives."""

import bisect
import hashlib
import os
from pathlib import Path

import apache_beam as beam
import pytest
import tensorflow as tf

from tfx.components.example_gen.base_example_gen_executor import BaseExampleGenExecutor
from tfx.components.example_gen.component import FileBasedExampleGen
from tfx.components.example_gen.utils import dict_to_example
from tfx.dsl.components.base.executor_spec import ExecutorClassSpec
from trainwright.data.tfrecord import read_records
from trainwright.types.standard_artifacts import Examples

pytestmark = pytest.mark.reference

LINES = [f"line {number}" for number in range(60)]


@beam.ptransform_fn
@beam.typehints.with_input_types(beam.Pipeline)
@beam.typehints.with_output_types(tf.train.Example)
def _lines_to_examples(pipeline, exec_properties, split_pattern):
    assert exec_properties["_beam_pipeline_args"] == []
    pattern = os.path.join(exec_properties["input_base"], split_pattern)
    return (
        pipeline
        | beam.io.ReadFromText(pattern)
        | beam.Map(lambda line: dict_to_example({"line": line, "length": len(line)}))
    )


class LineExecutor(BaseExampleGenExecutor):
    def GetInputSourceToExamplePTransform(self):
        return _lines_to_examples


class OwnSplitsExecutor(BaseExampleGenExecutor):
    def GenerateExamplesByBeam(self, pipeline, exec_properties):
        return {
            name: pipeline | name >> beam.Create([dict_to_example({"line": name})])
            for name in ("train", "eval")
        }


@pytest.fixture
def data(tmp_path):
    directory = tmp_path / "data"
    (directory / "span-1").mkdir(parents=True)
    (directory / "span-1" / "lines.txt").write_text("\n".join(LINES))
    return directory


def do(data, uri, executor=LineExecutor, **arguments):
    arguments.setdefault("input_config", {"splits": [{"name": "all", "pattern": "span-{SPAN}/*"}]})
    node = FileBasedExampleGen(
        str(data), custom_executor_spec=ExecutorClassSpec(executor), **arguments
    )
    examples = Examples()
    examples.uri = str(uri)
    executor().Do({}, {"examples": [examples]}, dict(node.exec_properties))
    return examples


def records(uri, split):
    files = sorted(Path(uri, f"Split-{split}").iterdir())
    assert files[0].name.startswith("data_tfrecord-00000-of-000")
    assert files[0].name.endswith(".gz")
    return sorted(record for file in files for record in read_records(file))


def tfx_split(key):
    bucket = int(hashlib.sha256(key).hexdigest(), 16) % 3
    return ("train", "eval")[bisect.bisect([2, 3], bucket)]


def test_a_transform_s_examples_go_to_tfx_s_splits(data, tmp_path):
    examples = do(data, tmp_path / "out")
    assert examples.splits == ["train", "eval"]
    assert examples.custom_properties["span"] == 1
    made = [
        dict_to_example({"line": line, "length": len(line)}).SerializeToString(deterministic=True)
        for line in LINES
    ]
    for split in ("train", "eval"):
        expected = sorted(record for record in made if tfx_split(record) == split)
        assert records(examples.uri, split) == expected


def test_a_transform_s_examples_are_partitioned_by_a_feature(data, tmp_path):
    output = {"split_config": {"partition_feature_name": "length"}}
    examples = do(data, tmp_path / "out", output_config=output)
    for split in ("train", "eval"):
        for record in records(examples.uri, split):
            feature = tf.train.Example.FromString(record).features.feature["length"]
            assert tfx_split(feature.SerializeToString(deterministic=True)) == split


def test_a_partition_feature_that_is_not_there(data, tmp_path):
    output = {"split_config": {"partition_feature_name": "lenght"}}
    with pytest.raises(Exception, match="Feature name `lenght` does not exist"):
        do(data, tmp_path / "out", output_config=output)


def test_input_splits_are_kept(data, tmp_path):
    (data / "more.txt").write_text("more")
    config = {
        "splits": [
            {"name": "old", "pattern": "span-1/lines.txt"},
            {"name": "new", "pattern": "more.txt"},
        ]
    }
    examples = do(data, tmp_path / "out", input_config=config)
    assert (len(records(examples.uri, "old")), len(records(examples.uri, "new"))) == (60, 1)


def test_a_split_without_examples_has_a_file(data, tmp_path):
    (data / "span-1" / "lines.txt").write_text("one line")
    examples = do(data, tmp_path / "out")
    assert sorted(len(records(examples.uri, split)) for split in examples.splits) == [0, 1]


def test_an_executor_may_make_the_splits_itself(data, tmp_path):
    examples = do(data, tmp_path / "out", executor=OwnSplitsExecutor)
    for split in ("train", "eval"):
        [record] = records(examples.uri, split)
        assert record == dict_to_example({"line": split}).SerializeToString(deterministic=True)
