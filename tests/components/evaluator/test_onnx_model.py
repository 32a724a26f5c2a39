"""ONNX models are asked and evaluated as the SavedModels that they were made of."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from converted_models import COLUMNS, column, make_module, save, write

import tensorflow_model_analysis as tfma
from trainwright.evaluation.models.onnx_model import OnnxModel
from trainwright.evaluation.models.saved_model import ServedModel
from trainwright.proto.tfma.config_pb2 import ModelSpec

ROWS = [
    {"x": 0.9, "label": 1, "town": "Ulm", "year": 2007},
    {"x": 0.2, "label": 0, "town": "Ulm", "year": 2007},
    {"x": 0.6, "label": 0, "town": "Bonn", "year": 2008},
    {"x": 0.8, "label": 1, "town": "Bonn", "year": 2007},
]


def convert(name, batch=None, **renamed):
    """The content of an ONNX file; inputs and outputs may be renamed."""
    import tf2onnx

    module = make_module(batch)  # a function does not keep it alive
    function = getattr(module, name)
    model, _ = tf2onnx.convert.from_function(function, input_signature=function.input_signature)
    graph = model.graph
    for each in (*graph.input, *graph.output):
        each.name = renamed.get(each.name, each.name)
    for node in graph.node:
        for names in (node.input, node.output):
            names[:] = [renamed.get(name, name) for name in names]
    return model.SerializeToString()


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """What the SavedModel says."""
    directory = tmp_path_factory.mktemp("onnx") / "saved"
    path = save(make_module(), directory, serving_default="classify")
    return ServedModel(path, ModelSpec()).predict(None, COLUMNS)


@pytest.fixture(scope="module")
def converted(tmp_path_factory):
    names = {"p": "p:0", "year": "year_input", "logits": "logits:0"}
    content = convert("classify", **names)
    return write(tmp_path_factory.mktemp("onnx"), "model.onnx", content)


@pytest.fixture(scope="module")
def scorer(tmp_path_factory):
    """A Model artifact's directory; the prediction is the feature `x`."""
    directory = tmp_path_factory.mktemp("onnx")
    write(directory / "Format-Serving", "model.onnx", convert("score"))
    return directory


def ask(path, columns=COLUMNS, **spec):
    return OnnxModel(path, ModelSpec(**spec)).predict(None, columns)


def test_it_says_what_the_saved_model_says(converted, expected):
    model = OnnxModel(converted, ModelSpec(signature_name="serving_default"))
    assert model.features_needed(COLUMNS) == {"p", "year"}
    found = model.predict(None, COLUMNS)
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, rtol=1e-5, atol=1e-6)
    assert model.preprocess(None, COLUMNS) == {}


def test_a_fixed_batch_is_asked_in_pieces(expected, tmp_path):
    path = write(tmp_path, "any.onnx", convert("classify", batch=2))
    for each in (path, f"{path}/any.onnx"):
        found = ask(each)
        np.testing.assert_allclose(found["logits"], expected["logits"], rtol=1e-5, atol=1e-6)


def test_strings_can_be_a_feature(tmp_path):
    found = ask(write(tmp_path, "model.onnx", convert("name_town")))
    assert found["towns"].tolist() == COLUMNS["town"].values.tolist()
    with pytest.raises(ValueError, match="takes strings as 'town', but the examples have numbers"):
        ask(str(tmp_path), {"town": column([1])})
    with pytest.raises(ValueError, match="Convert a signature that takes a tensor for each"):
        ask(str(tmp_path), {"x": column([1])})


@pytest.mark.parametrize("keep", [0, 3, 100])
def test_a_file_that_is_no_model(converted, tmp_path, keep):
    with open(f"{converted}/model.onnx", "rb") as file:
        path = write(tmp_path, "model.onnx", file.read()[:keep])
    with pytest.raises(ValueError, match=rf"model.onnx \({keep} bytes\) is not an ONNX model"):
        ask(path)


def test_what_it_does_not_have_is_said(converted, tmp_path):
    with pytest.raises(FileNotFoundError, match="no ONNX model at .*expected the file model.onnx"):
        ask(str(tmp_path))
    with pytest.raises(ValueError, match="The ONNX model at .* takes 'year_input', which the exam"):
        ask(converted, {"p": COLUMNS["p"]})
    with pytest.raises(ValueError, match="preprocessing functions, number, but the ONNX model"):
        ask(converted, preprocessing_function_names=["number"])


def config(spec, bound=0.5):
    threshold = {
        "value_threshold": {"lower_bound": {"value": bound}},
        "change_threshold": {"absolute": -0.01, "direction": "HIGHER_IS_BETTER"},
    }
    metric = {"class_name": "BinaryAccuracy", "threshold": threshold}
    return {
        "model_specs": [spec],
        "slicing_specs": [{}, {"feature_keys": ["town"]}],
        "metrics_specs": [{"metrics": [metric]}],
    }


@pytest.mark.parametrize("model_type", ["", "onnx"])
def test_it_is_evaluated_and_blessed(run, examples, model_at, scorer, model_type):
    spec = {"label_key": "label", "model_type": model_type}
    done = run(examples(ROWS), model_at(scorer), eval_config=config(spec))
    assert done.metrics(slice_key=[("town", "Bonn")]) == {"binary_accuracy": 0.5}
    assert done.blessed == 1


def test_it_is_compared_with_its_source(run, examples, model, model_at, scorer):
    spec = {"label_key": "label"}
    done = run(examples(ROWS), model_at(scorer), model(shift=-0.15), eval_config=config(spec))
    assert done.metrics("candidate", is_diff=True) == {"binary_accuracy": -0.25}
    assert done.blessed == 0


def test_what_is_missing_is_said_before_anything_runs(run, examples, model_at, scorer, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    advice = r"not installed. Install it with: pip install 'trainwright\[export\]'"
    for model_type in ("onnx", ""):
        spec = {"label_key": "label", "model_type": model_type}
        with pytest.raises(ValueError, match=advice):
            run(examples(ROWS), model_at(scorer), eval_config=config(spec))
    with pytest.raises(ModuleNotFoundError, match=advice):
        ask(f"{scorer}/Format-Serving")


def test_without_a_pipeline(examples, scorer):
    evaluated = tfma.EvalConfig(
        model_specs=[tfma.ModelSpec(label_key="label")],
        metrics_specs=tfma.metrics.specs_from_metrics([tfma.metrics.AUC()]),
    )
    result = tfma.run_model_analysis(
        tfma.default_eval_shared_model(f"{scorer}/Format-Serving/model.onnx"),
        evaluated,
        f"{examples(ROWS).uri}/Split-eval/*",
    )
    assert result.get_metrics_for_slice()["auc"] == {"doubleValue": 1.0}
