"""Transform's arguments and outputs, and what is refused before anything runs."""

from __future__ import annotations

import inspect

import pytest

from trainwright import LocalDagRunner, Pipeline, RuntimeParameter
from trainwright.components import CsvExampleGen, ImportSchemaGen, Transform
from trainwright.components.transform.executor import Executor
from trainwright.proto import SplitsConfig
from trainwright.types.channel import Channel
from trainwright.types.standard_artifacts import Examples, Schema, TransformCache

STATISTICS = {
    "pre_transform_schema",
    "pre_transform_stats",
    "post_transform_schema",
    "post_transform_stats",
    "post_transform_anomalies",
}


def preprocessing_fn(inputs):
    return inputs


def declare(**arguments) -> Transform:
    arguments = {"module_file": "features.py", **arguments}
    return Transform(examples=Channel(type=Examples), schema=Channel(type=Schema), **arguments)


def test_the_arguments_are_tfx_s():
    names = """
        self examples schema module_file preprocessing_fn splits_config analyzer_cache materialize
        disable_analyzer_cache force_tf_compat_v1 custom_config disable_statistics
        stats_options_updater_fn
    """
    assert list(inspect.signature(Transform.__init__).parameters) == names.split()


def test_outputs_are_there_when_they_are_wanted():
    everything = {"transform_graph", "transformed_examples", "updated_analyzer_cache"} | STATISTICS
    assert set(declare().outputs) == everything
    assert set(declare(materialize=False).outputs) == everything - {"transformed_examples"}
    without = declare(disable_analyzer_cache=True)
    assert set(without.outputs) == everything - {"updated_analyzer_cache"}
    assert set(declare(disable_statistics=True).outputs) == everything - STATISTICS


def test_properties_are_tfx_s():
    properties = declare(
        splits_config=SplitsConfig(analyze=["train"]),
        custom_config={"factor": 2},
        force_tf_compat_v1=True,
    ).exec_properties
    assert properties["module_file"] == "features.py"
    assert (properties["force_tf_compat_v1"], properties["disable_statistics"]) == (1, 0)
    assert properties["custom_config"] == '{"factor": 2}'
    assert '"train"' in properties["splits_config"]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"module_file": None}, ValueError, "Exactly one of 'module_file' or 'preprocessing_fn'"),
        ({"preprocessing_fn": "a.b"}, ValueError, "Exactly one of 'module_file' or"),
        ({"module_file": None, "preprocessing_fn": 3}, TypeError, "a dotted path or a function"),
        (
            {"stats_options_updater_fn": "a.b"},
            ValueError,
            "'stats_options_updater_fn' cannot be specified together with 'module_file'",
        ),
        (
            {"analyzer_cache": Channel(type=TransformCache), "disable_analyzer_cache": True},
            ValueError,
            "`analyzer_cache` is set when disable_analyzer_cache is True",
        ),
        (
            {"custom_config": ["factor"]},
            ValueError,
            "properties needs to be a dict",
        ),
        ({"splits_config": {"analyse": ["train"]}}, ValueError, "Did you mean 'analyze'"),
    ],
)
def test_refuses_arguments_that_cannot_work(arguments, error, message):
    with pytest.raises(error, match=message):
        declare(**arguments)


def test_functions_and_runtime_parameters_are_taken():
    function = RuntimeParameter("function", str)
    module = RuntimeParameter("module", str)
    for name, given in (
        ("preprocessing_fn", preprocessing_fn),
        ("preprocessing_fn", function),
        ("module_file", module),
    ):
        declared = declare(**{"module_file": None, name: given})
        assert declared.exec_properties[name] is given


def refused(tmp_path, source: str, **arguments) -> str:
    """Why a pipeline with this module file is refused; nothing has been started then."""
    (tmp_path / "features.py").write_text(source)
    (tmp_path / "schema.pbtxt").write_text('feature { name: "x" type: FLOAT }')
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "data.csv").write_text("x\n1.5\n")
    example_gen = CsvExampleGen(str(tmp_path / "data"))
    schema_gen = ImportSchemaGen(str(tmp_path / "schema.pbtxt"))
    transform = Transform(
        examples=example_gen.outputs["examples"],
        schema=schema_gen.outputs["schema"],
        module_file=str(tmp_path / "features.py"),
        **arguments,
    )
    root = tmp_path / "root"
    components = [example_gen, schema_gen, transform]
    with pytest.raises(ValueError) as caught:
        LocalDagRunner().run(Pipeline("p", str(root), components=components))
    assert not (root / "CsvExampleGen").exists()
    return str(caught.value)


def test_a_missing_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "trainwright.components.transform.driver.is_installed",
        lambda name: name != "tensorflow_transform",
    )
    assert refused(tmp_path, "def preprocessing_fn(inputs): pass") == (
        "Transform runs tf.Transform, and tensorflow_transform is not installed. Install it with: "
        "pip install 'trainwright[transform]'"
    )


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def preprocessing(inputs): pass", "no function 'preprocessing_fn'; did you mean 'prepro"),
        ("def preprocessing_fn(inputs)", "has a syntax error in line 1"),
        (
            "def preprocessing_fn(inputs, other): pass",
            "is called with one argument, preprocessing_fn(inputs), and with custom_config if it "
            "has that; it takes 2.",
        ),
        ("def preprocessing_fn(): pass", "it takes 0."),
    ],
)
def test_a_module_file_that_cannot_work_is_refused_at_once(tmp_path, source, message):
    assert message in refused(tmp_path, source)


def test_a_config_that_analyzes_nothing_is_refused_at_once(tmp_path):
    source = "def preprocessing_fn(inputs, custom_config): pass"
    message = refused(tmp_path, source, splits_config={"transform": ["train"]})
    assert message.startswith("Transform: analyze cannot be empty when splits_config is set.")


def test_what_takes_long_is_imported_before_the_node_is_forked():
    preload = Transform.DRIVER_CLASS().preload(declare())
    assert preload == Executor.PRELOAD
    assert preload[:2] == ("tensorflow", "tensorflow_transform")
