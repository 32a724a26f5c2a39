"""FileBasedExampleGen with an executor of the user's own."""

import json
from pathlib import Path

import pytest
from google.protobuf import struct_pb2

from trainwright import LocalDagRunner, Pipeline, PipelineRunError
from trainwright.components import FileBasedExampleGen
from trainwright.components.example_gen.base_example_gen_executor import BaseExampleGenExecutor
from trainwright.components.example_gen.user_helpers import (
    generate_output_split_names,
    make_default_input_config,
    make_default_output_config,
)
from trainwright.data.example_messages import example_class
from trainwright.data.tfrecord import read_records
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import example_gen_pb2, proto_json
from trainwright.types.standard_artifacts import Examples

LINES = [f"line {number}" for number in range(30)]


class LineExecutor(BaseExampleGenExecutor):
    """A dict for each line of text."""

    def read_examples(self, files, exec_properties):
        for path in files:
            for line in Path(path).read_text().splitlines():
                yield {"line": line, "length": len(line)}


class ConfiguredExecutor(BaseExampleGenExecutor):
    """One example, of what the custom config says."""

    def read_examples(self, files, exec_properties):
        config = proto_json.json_to_proto(
            exec_properties["custom_config"], example_gen_pb2.CustomConfig()
        )
        settings = struct_pb2.Struct()
        config.custom_config.Unpack(settings)
        import tensorflow as tf

        message = tf.train.Example()
        message.features.feature["text"].bytes_list.value.append(settings["text"].encode())
        return [message]


class FailingExecutor(BaseExampleGenExecutor):
    def read_examples(self, files, exec_properties):
        yield {"good": 1}
        yield "bad"


class NoExecutor(BaseExampleGenExecutor):
    pass


@pytest.fixture
def data(tmp_path):
    directory = tmp_path / "data"
    directory.mkdir()
    (directory / "lines.txt").write_text("\n".join(LINES))
    return directory


def make(data, executor, **arguments):
    return FileBasedExampleGen(
        str(data), custom_executor_spec=ExecutorClassSpec(executor), **arguments
    )


def do(node, uri):
    examples = Examples()
    examples.uri = str(uri)
    node.executor_spec.executor_class().Do({}, {"examples": [examples]}, dict(node.exec_properties))
    return examples


def parsed(uri, split):
    files = sorted(Path(uri, f"Split-{split}").iterdir())
    return [example_class().FromString(r) for file in files for r in read_records(file)]


def lines(uri, split):
    return [e.features.feature["line"].bytes_list.value[0].decode() for e in parsed(uri, split)]


def test_dicts_become_examples_in_splits(data, tmp_path):
    examples = do(make(data, LineExecutor), tmp_path / "out")
    assert Path(examples.uri, "Split-train").is_dir()
    found = lines(examples.uri, "train") + lines(examples.uri, "eval")
    assert sorted(found) == sorted(LINES)
    assert found[0] == min(lines(examples.uri, "train"), key=LINES.index)
    assert examples.custom_properties["payload_format"] == "FORMAT_TF_EXAMPLE"


def test_several_input_splits_are_read_one_by_one(data, tmp_path):
    (data / "more.txt").write_text("one more")
    config = {
        "splits": [
            {"name": "old", "pattern": "lines.txt"},
            {"name": "new", "pattern": "more.txt"},
        ]
    }
    examples = do(make(data, LineExecutor, input_config=config), tmp_path / "out")
    assert lines(examples.uri, "old") == LINES
    assert lines(examples.uri, "new") == ["one more"]


def test_examples_are_partitioned_by_a_feature(data, tmp_path):
    output = {"split_config": {"partition_feature_name": "length"}}
    examples = do(make(data, LineExecutor, output_config=output), tmp_path / "out")
    lengths = {
        split: {len(line) for line in lines(examples.uri, split)} for split in examples.splits
    }
    assert not lengths["train"] & lengths["eval"]


def test_a_missing_partition_feature_names_the_record(data, tmp_path):
    output = {"split_config": {"partition_feature_name": "lenght"}}
    with pytest.raises(ValueError, match="has no feature 'lenght' to partition by; did you mean"):
        do(make(data, LineExecutor, output_config=output), tmp_path / "out")


def test_a_custom_config_reaches_the_executor(data, tmp_path):
    settings = struct_pb2.Struct()
    settings["text"] = "hello"
    config = example_gen_pb2.CustomConfig()
    config.custom_config.Pack(settings)
    node = make(data, ConfiguredExecutor, custom_config=config)
    assert json.loads(node.exec_properties["custom_config"])["custom_config"]["value"] == {
        "text": "hello"
    }
    examples = do(node, tmp_path / "out")
    [example] = parsed(examples.uri, "train") + parsed(examples.uri, "eval")
    assert example.features.feature["text"].bytes_list.value[0] == b"hello"


def test_what_is_no_example_is_named(data, tmp_path):
    with pytest.raises(TypeError, match="FailingExecutor.read_examples, example 1 is 'bad' of"):
        do(make(data, FailingExecutor), tmp_path / "out")


def test_an_executor_without_a_hook_is_refused_when_declared(data):
    with pytest.raises(TypeError, match="NoExecutor does not say how files become examples"):
        make(data, NoExecutor)
    with pytest.raises(TypeError, match="custom_executor_spec=ExecutorClassSpec"):
        FileBasedExampleGen(str(data))


def test_another_file_format_is_refused_when_declared(data):
    with pytest.raises(ValueError, match="output_file_format is FILE_FORMAT_PARQUET: examples are"):
        make(data, LineExecutor, output_file_format=16)


class LogExampleGen(FileBasedExampleGen):
    """A component of its own, as TFX's users write them."""

    EXECUTOR_SPEC = ExecutorClassSpec(LineExecutor)

    def __init__(self, input_base):
        super().__init__(input_base=input_base)


def test_a_subclass_runs_in_a_pipeline(data, tmp_path):
    pipeline = Pipeline("logs", str(tmp_path / "root"), components=[LogExampleGen(str(data))])
    result = LocalDagRunner().run(pipeline)
    uri = result.outputs["LogExampleGen"]["examples"][0].uri
    assert sorted(lines(uri, "train") + lines(uri, "eval")) == sorted(LINES)


class ElsewhereExecutor(BaseExampleGenExecutor):
    """Has its input from elsewhere, as TFX's recommenders tutorial has it from a catalog."""

    def Do(self, input_dict, output_dict, exec_properties):
        [examples] = output_dict["examples"]
        assert exec_properties["input_base"] == "dummy"
        for split in ("train", "eval"):
            Path(examples.uri, f"Split-{split}").mkdir(parents=True)
            Path(examples.uri, f"Split-{split}", "data_tfrecord-00000-of-00001.gz").touch()
        examples.splits = ["train", "eval"]


def test_an_executor_that_finds_its_input_elsewhere_may_have_an_absent_input_base(tmp_path, caplog):
    node = make("dummy", ElsewhereExecutor)
    result = LocalDagRunner().run(Pipeline("far", str(tmp_path / "root"), components=[node]))
    [examples] = result.outputs[node.id]["examples"]
    assert Path(examples.uri, "Split-train").is_dir()
    assert "is left to find its input by itself: input_base must be a directory" in caplog.text


def test_an_executor_that_is_given_the_files_needs_them(tmp_path):
    with pytest.raises(ValueError, match="'dummy' does not exist"):
        LocalDagRunner().run(
            Pipeline("near", str(tmp_path / "root"), components=[make("dummy", LineExecutor)])
        )
    with pytest.raises(ValueError, match="'dummy' does not exist"):
        do(make("dummy", LineExecutor), tmp_path / "out")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"No file matches .*empty.* holds nothing"):
        do(make(tmp_path / "empty", LineExecutor), tmp_path / "out")


def test_an_error_of_the_hook_fails_the_node(data, tmp_path):
    pipeline = Pipeline("bad", str(tmp_path / "root"), components=[make(data, FailingExecutor)])
    with pytest.raises(PipelineRunError, match="example 1 is 'bad' of type str"):
        LocalDagRunner().run(pipeline)


def test_helpers():
    assert make_default_input_config("a/*").splits[0].pattern == "a/*"
    default = make_default_output_config(make_default_input_config())
    assert [split.name for split in default.split_config.splits] == ["train", "eval"]
    two = {"splits": [{"name": "a", "pattern": "a/*"}, {"name": "b", "pattern": "b/*"}]}
    assert not make_default_output_config(two).split_config.splits
    assert generate_output_split_names(two, example_gen_pb2.Output()) == ["a", "b"]
    assert generate_output_split_names(make_default_input_config(), default) == ["train", "eval"]
    with pytest.raises(RuntimeError, match="Leave out the one or the other"):
        generate_output_split_names(two, default)


def test_without_beam_the_extra_is_named(monkeypatch):
    import sys

    from trainwright.dsl.base_beam_executor import make_beam_pipeline

    monkeypatch.setitem(sys.modules, "apache_beam", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'trainwright\[beam\]'"):
        make_beam_pipeline([])


def test_settings_of_an_executor_may_be_a_plain_dict(data):
    settings = {"split": "train", "dataset": "movielens/100k-ratings"}
    node = make(data, LineExecutor, custom_config=settings)
    assert json.loads(node.exec_properties["custom_config"]) == settings
