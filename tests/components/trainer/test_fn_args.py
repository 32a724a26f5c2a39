"""Arguments of run_fn, from artifacts made by hand."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from trainwright.components.trainer.executor import GenericExecutor, TrainerFnArgs
from trainwright.components.trainer.fn_args import make_fn_args
from trainwright.components.user_training.fn_args import FnArgs, make_common_fn_args
from trainwright.types import standard_artifacts
from trainwright.types.payload_format import set_payload_format


def artifact(artifact_type, uri, **properties):
    made = artifact_type()
    made.uri = str(uri)
    for name, value in properties.items():
        setattr(made, name, value)
    return made


def examples(uri, *splits):
    return artifact(standard_artifacts.Examples, uri, splits=list(splits))


@pytest.fixture
def outputs(tmp_path):
    return {
        "model": [artifact(standard_artifacts.Model, tmp_path / "model")],
        "model_run": [artifact(standard_artifacts.ModelRun, tmp_path / "model_run")],
    }


@pytest.fixture
def inputs():
    return {
        "examples": [examples("/data/1", "train", "eval"), examples("/data/2", "train", "eval")]
    }


def test_every_field_of_tfx_is_there():
    expected = {
        "working_dir", "train_files", "eval_files", "train_steps", "eval_steps", "schema_path",
        "schema_file", "transform_graph_path", "transform_output", "data_accessor",
        "serving_model_dir", "eval_model_dir", "model_run_dir", "base_model", "base_models",
        "hyperparameters", "custom_config", "num_examples",
    }  # fmt: skip
    assert set(FnArgs.__dataclass_fields__) == expected
    assert TrainerFnArgs is FnArgs
    fn_args = FnArgs()
    fn_args.anything_else = 1  # module files hang their own things onto it
    assert fn_args.train_steps is None


def test_defaults(inputs, outputs, tmp_path):
    fn_args = make_fn_args(inputs, outputs, {"train_args": "{}", "eval_args": "{}"})
    assert fn_args.train_files == ["/data/1/Split-train/*", "/data/2/Split-train/*"]
    assert fn_args.eval_files == ["/data/1/Split-eval/*", "/data/2/Split-eval/*"]
    assert (fn_args.train_steps, fn_args.eval_steps) == (None, None)
    assert fn_args.serving_model_dir == str(tmp_path / "model/Format-Serving")
    assert fn_args.eval_model_dir == str(tmp_path / "model/Format-TFMA")
    assert fn_args.model_run_dir == str(tmp_path / "model_run")
    for name in ("schema_path", "base_model", "base_models", "hyperparameters", "custom_config",
                 "num_examples", "transform_output", "working_dir"):  # fmt: skip
        assert getattr(fn_args, name) is None


def test_splits_and_steps(inputs, outputs):
    properties = {
        "train_args": '{"splits": ["eval", "train"], "num_steps": 7}',
        "eval_args": '{"num_steps": 0}',
    }
    fn_args = make_fn_args(inputs, outputs, properties)
    assert fn_args.train_files[0] == "/data/1/Split-eval/*"
    assert len(fn_args.train_files) == 4
    assert (fn_args.train_steps, fn_args.eval_steps) == (7, None)


def test_a_split_must_be_in_every_artifact(inputs, outputs):
    inputs["examples"].append(examples("/data/3", "train"))
    with pytest.raises(ValueError, match="Split does not exist over all example artifacts: eval"):
        make_fn_args(inputs, outputs, {})


def test_mixed_payload_formats_are_refused(inputs, outputs):
    set_payload_format(inputs["examples"][1], 7)
    with pytest.raises(
        ValueError, match="Unable to read example artifacts of different payload formats"
    ):
        make_fn_args(inputs, outputs, {})


def test_schema_graph_and_working_dir(inputs, outputs, tmp_path):
    (tmp_path / "schema").mkdir()
    inputs["schema"] = [artifact(standard_artifacts.Schema, tmp_path / "schema")]
    with pytest.raises(RuntimeError, match="Only one file per dir is supported"):
        make_fn_args(inputs, outputs, {})
    (tmp_path / "schema/schema.pbtxt").write_text("")
    inputs["transform_graph"] = [artifact(standard_artifacts.TransformGraph, "/graph")]
    fn_args = make_fn_args(inputs, outputs, {})
    assert fn_args.schema_path == fn_args.schema_file == str(tmp_path / "schema/schema.pbtxt")
    assert fn_args.transform_graph_path == fn_args.transform_output == "/graph"
    assert make_common_fn_args(inputs, {}, working_dir="/tmp/x").working_dir == "/tmp/x"


@pytest.mark.parametrize("as_file", [True, False])
def test_hyperparameters_from_a_file_or_its_directory(inputs, outputs, tmp_path, as_file):
    path = tmp_path / "best_hyperparameters.txt"
    path.write_text(json.dumps({"values": {"units": 8}}))
    uri = path if as_file else tmp_path / "hp"
    if not as_file:
        uri.mkdir()
        shutil.move(path, uri)
    inputs["hyperparameters"] = [artifact(standard_artifacts.HyperParameters, uri)]
    assert make_fn_args(inputs, outputs, {}).hyperparameters == {"values": {"units": 8}}


def test_base_models_must_be_there(inputs, outputs, tmp_path):
    inputs["base_model"] = [artifact(standard_artifacts.Model, tmp_path / "base")]
    with pytest.raises(FileNotFoundError, match="has no files at .*base/Format-Serving"):
        make_fn_args(inputs, outputs, {})
    os.makedirs(tmp_path / "base/Format-Serving")
    with pytest.raises(FileNotFoundError, match="has no files at .*base/Format-Serving"):
        make_fn_args(inputs, outputs, {})
    (tmp_path / "base/Format-Serving/model.pkl").touch()
    fn_args = make_fn_args(inputs, outputs, {})
    assert fn_args.base_model == str(tmp_path / "base/Format-Serving")
    assert fn_args.base_models == [fn_args.base_model]


def test_custom_config(inputs, outputs):
    assert make_fn_args(inputs, outputs, {"custom_config": '{"a": 1}'}).custom_config == {"a": 1}
    assert make_fn_args(inputs, outputs, {"custom_config": "null"}).custom_config is None
    with pytest.raises(ValueError, match="needs to be a dict. Got <class 'list'> instead"):
        make_fn_args(inputs, outputs, {"custom_config": "[1]"})


def test_num_examples_from_statistics(inputs, outputs, tmp_path):
    uri = tmp_path / "statistics"
    for split, count in (("train", 227), ("eval", 117)):
        write_statistics(uri / f"Split-{split}", count)
    inputs["statistics"] = [
        artifact(standard_artifacts.ExampleStatistics, uri, splits=["train", "eval"])
    ]
    assert make_fn_args(inputs, outputs, {}).num_examples == {"train": 227, "eval": 117}


def write_statistics(directory: Path, num_examples: int) -> None:
    from tensorflow_metadata.proto.v0 import statistics_pb2

    statistics = statistics_pb2.DatasetFeatureStatisticsList()
    statistics.datasets.add(num_examples=num_examples)
    directory.mkdir(parents=True)
    (directory / "FeatureStats.pb").write_bytes(statistics.SerializeToString())


def test_the_executor_can_be_called_by_hand(inputs, outputs, tmp_path):
    """TFX's tests call Do with artifacts that they made."""
    module = tmp_path / "by_hand.py"
    module.write_text(
        "import os\ndef run_fn(fn_args):\n    os.makedirs(fn_args.serving_model_dir + '/model')\n"
    )
    GenericExecutor().Do(inputs, outputs, {"module_file": str(module), "custom_config": "null"})
    assert (tmp_path / "model/Format-Serving/model").is_dir()
