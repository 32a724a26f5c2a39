"""TFJSRewriter: where it finds tensorflowjs, what it asks of it, and what becomes of the result.

A program that notes its arguments stands for the Python that has tensorflowjs; the reference tests
make the real environment and run the model in Node.
"""

from __future__ import annotations

import json
import os
import shutil
import sys

import numpy as np
import pytest

from trainwright.components.trainer.rewriting import tfjs_environment
from trainwright.components.trainer.rewriting.converters import rewrite_saved_model
from trainwright.components.trainer.rewriting.rewriter import ModelType
from trainwright.components.trainer.rewriting.rewriter_factory import (
    TFJS_REWRITER,
    create_rewriter,
    make_rewriter,
)
from trainwright.evaluation.batches.features import FeatureColumn
from trainwright.evaluation.models.tfjs_model import TfjsModel
from trainwright.evaluation.models.tfjs_runtime import NODE_MODULES_VARIABLE, find_tfjs_runtime
from trainwright.proto.tfma import config_pb2

# Stands for a Python: `-c <look for tensorflowjs>`, or `-c <convert> <flags> <source> <directory>`.
STAND_IN = """#!{python} -S
import json, os, sys
arguments = sys.argv[3:]
if arguments:
    with open(os.path.join(os.path.dirname(__file__), "seen.json"), "w") as file:
        seen = {{"arguments": arguments, "files": os.listdir(arguments[-2])}}
        json.dump({{**seen, "pythonpath": os.environ.get("PYTHONPATH")}}, file)
    if {error!r}:
        sys.exit({error!r})
    for name, content in {files!r}.items():
        with open(os.path.join(arguments[-1], name), "w") as file:
            file.write(content)
"""
FILLER = {"op": "InitializeTableFromTextFileV2"}
MODEL = {
    "model.json": json.dumps(
        {
            "weightsManifest": [{"paths": ["group1-shard1of1.bin"]}],
            "signature": {"inputs": {"x:0": 1}, "outputs": {"Identity_1:0": 2, "Identity:0": 3}},
        }
    ),
    "group1-shard1of1.bin": "weights",
}


@pytest.fixture(scope="module")
def saved_model(tmp_path_factory):
    import tensorflow as tf

    module = tf.Module()
    module.weights = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    # Behind no signature, as the tables of a tft layer are when features come transformed.
    pairs = tf.lookup.KeyValueTensorInitializer(["a"], [1])
    module.table = tf.lookup.StaticHashTable(pairs, 0)

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, name="x")])
    def serve(x):
        return {"doubled": x * 2, "product": x @ module.weights}

    path = str(tmp_path_factory.mktemp("model") / "with spaces")
    tf.saved_model.save(module, path, signatures={"serving_default": serve})
    return path


@pytest.fixture
def stand_in(tmp_path):
    def make(files=MODEL, error=None):
        program = tmp_path / "python"
        program.write_text(STAND_IN.format(python=sys.executable, files=files, error=error))
        program.chmod(0o755)
        return str(program)

    return make


@pytest.fixture(autouse=True)
def no_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(tfjs_environment.PYTHON_VARIABLE, raising=False)


def rewrite(saved_model, destination, **options):
    rewriter = make_rewriter("tfjs", **options)
    rewrite_saved_model(saved_model, str(destination), rewriter, ModelType.TFJS_MODEL)


def test_the_converter_runs_in_the_python_that_is_given(saved_model, stand_in, tmp_path):
    rewrite(saved_model, tmp_path / "to", python=stand_in(), quantize="float16")
    assert sorted(os.listdir(tmp_path / "to")) == ["group1-shard1of1.bin", "model.json"]
    model = json.loads((tmp_path / "to" / "model.json").read_text())
    assert model["signature"] == {"inputs": {"x": 1}, "outputs": {"doubled": 3, "product": 2}}
    seen = json.loads((tmp_path / "seen.json").read_text())
    assert seen["arguments"][:-2] == [
        "--input_format=tf_saved_model",
        "--saved_model_tags=serve",
        "--signature_name=serving_default",
        "--quantize_float16=*",
    ]
    assert "saved_model.pb" in seen["files"]
    assert os.path.basename(seen["arguments"][-1]).startswith("temp-")
    assert seen["pythonpath"] is None


def test_the_variable_names_a_python_as_well(saved_model, stand_in, tmp_path, monkeypatch):
    monkeypatch.setenv(tfjs_environment.PYTHON_VARIABLE, stand_in())
    rewrite(saved_model, tmp_path / "to")
    assert (tmp_path / "to" / "model.json").exists()


def test_without_tensorflowjs_both_ways_are_said(saved_model, tmp_path):
    rewriter = create_rewriter(TFJS_REWRITER, "js")
    with pytest.raises(RuntimeError) as error:
        rewrite_saved_model(saved_model, str(tmp_path / "to"), rewriter, ModelType.TFJS_MODEL)
    assert str(error.value).startswith(
        "tensorflowjs is not installed. Please install [tfjs] extra dependencies to use "
        "tfjs_rewriter."
    )
    assert "make_environment=True" in str(error.value)
    assert tfjs_environment.PYTHON_VARIABLE in str(error.value)
    assert not (tmp_path / "to").exists()


def test_a_python_without_tensorflowjs_is_refused(saved_model, tmp_path):
    with pytest.raises(RuntimeError, match="not installed for the Python that python names"):
        rewrite(saved_model, tmp_path / "to", python=sys.executable)
    with pytest.raises(RuntimeError, match="python is '/no/python', which is not a program"):
        rewrite(saved_model, tmp_path / "to", python="/no/python")


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (
            {"error": "ValueError: Unsupported Ops in the model before optimization\nFoo, MatMul"},
            "TensorFlow.js does not have Foo, MatMul",
        ),
        ({"error": "Trace\nKeyError: 7"}, "could not convert .*with spaces .*KeyError: 7"),
        (
            {"files": {"model.json": json.dumps({"modelInitializer": {"node": [FILLER]}})}},
            f"does not have {FILLER['op']}.*tf.lookup.KeyValueTensorInitializer fills can",
        ),
        ({"files": {}}, "wrote no sound model to .*model.json"),
        ({"files": {"model.json": MODEL["model.json"]}}, "names weights that are not there: group"),
    ],
    ids=["operations", "crash", "table", "nothing", "no weights"],
)
def test_what_fails_leaves_no_model(program, message, saved_model, stand_in, tmp_path):
    with pytest.raises(ValueError, match=f"(?s){message}"):
        rewrite(saved_model, tmp_path / "to", python=stand_in(**program))
    assert not (tmp_path / "to" / "model.json").exists()
    assert not list(tmp_path.glob("to/temp-*"))


def test_full_integers_are_refused():
    with pytest.raises(ValueError, match="computes with floats.*dynamic_range"):
        make_rewriter("tfjs", quantize="full_integer", representative_dataset=lambda: iter([]))


def test_an_environment_is_made_once_and_appears_whole(monkeypatch):
    commands = []

    def run(command):
        commands.append(command)
        if "venv" in command:
            os.makedirs(f"{command[-1]}/bin")
            open(f"{command[-1]}/bin/python", "w").close()
        assert not tfjs_environment.environment_directory().exists()

    monkeypatch.setattr(tfjs_environment, "_run", run)
    python = tfjs_environment.find_tfjs_python(make_environment=True)
    assert python == str(tfjs_environment.environment_directory() / "bin" / "python")
    assert f"tensorflowjs=={tfjs_environment.TFJS_VERSION}" in commands[-1]
    assert commands[-1][1:4] == ["-m", "pip", "install"]
    commands.clear()
    assert tfjs_environment.find_tfjs_python(make_environment=True) == python
    assert tfjs_environment.find_tfjs_python() == python
    assert not commands


def test_an_environment_that_cannot_be_made_leaves_nothing(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeError, match="needs a Python up to 3.12, and there is none"):
        tfjs_environment.find_tfjs_python(make_environment=True)
    python = tmp_path / "python3.12"
    python.write_text("#!/bin/sh\nif [ $1 = -c ]; then echo 3 12; else echo broken >&2; exit 3; fi")
    python.chmod(0o755)
    with pytest.raises(RuntimeError, match="(?s)could not be made: .*venv.* ended with 3.*broken"):
        tfjs_environment.find_tfjs_python(make_environment=True)
    assert os.listdir(tmp_path / "cache" / "trainwright") == []


@pytest.fixture(scope="module")
def real_python():
    """The environment in the cache of whoever runs the tests; it is made if it is not there."""
    return tfjs_environment.find_tfjs_python(make_environment=True)


@pytest.fixture(scope="module")
def real_modules():
    """Likewise: TensorFlow.js for Node."""
    return find_tfjs_runtime(make=True).modules


@pytest.mark.reference
@pytest.mark.parametrize("quantize", ["none", "float16", "dynamic_range"])
def test_the_model_runs_in_node(
    quantize, saved_model, real_python, real_modules, tmp_path, monkeypatch
):
    monkeypatch.setenv(NODE_MODULES_VARIABLE, real_modules)
    rewrite(saved_model, tmp_path / "to", python=real_python, quantize=quantize)
    model = TfjsModel(str(tmp_path / "to"), config_pb2.ModelSpec())
    column = FeatureColumn(np.array([1, 2, 3, 4], np.float32), np.array([0, 2, 4]))
    outputs = model.predict(None, {"x": column})
    np.testing.assert_allclose(outputs["product"], [[7, 10], [15, 22]], rtol=0.02)
    np.testing.assert_allclose(outputs["doubled"], [[2, 4], [6, 8]], rtol=0.02)
