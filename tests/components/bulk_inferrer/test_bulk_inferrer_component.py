"""Declaring a BulkInferrer, and what is refused before anything runs."""

from __future__ import annotations

import pytest

from trainwright._extras import install_advice
from trainwright.components import BulkInferrer
from trainwright.components.bulk_inferrer import driver
from trainwright.components.bulk_inferrer.driver import BulkInferrerDriver
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import bulk_inferrer_pb2
from trainwright.types.channel import Channel
from trainwright.types.standard_artifacts import Examples, Model

EXAMPLES, MODEL = Channel(type=Examples), Channel(type=Model)
PREDICTED = {"predict_output": {"output_columns": [{"output_key": "a", "output_column": "b"}]}}


def check(model=MODEL, **specs):
    component = BulkInferrer(EXAMPLES, model, **specs)
    BulkInferrerDriver().check(component, dict(component.exec_properties))


def columns(*specs):
    return {"output_columns_spec": list(specs)}


def test_the_output_is_logs_or_examples():
    assert list(BulkInferrer(EXAMPLES, MODEL).outputs) == ["inference_result"]
    with_columns = BulkInferrer(EXAMPLES, MODEL, output_example_spec=columns(PREDICTED))
    assert list(with_columns.outputs) == ["output_examples"]
    assert with_columns.outputs["output_examples"].type is Examples


def test_specs_may_be_messages_or_dicts():
    as_message = bulk_inferrer_pb2.ModelSpec(model_signature_name=["a"])
    stored = {
        BulkInferrer(EXAMPLES, MODEL, model_spec=given).exec_properties["model_spec"]
        for given in (as_message, {"model_signature_name": ["a"]})
    }
    assert len(stored) == 1
    check(model_spec=as_message, output_example_spec=columns(PREDICTED))


@pytest.mark.parametrize(
    ("specs", "message"),
    [
        ({"model_spec": {"tag": ["serve", "tpu"]}}, "the graph for a TPU cannot be run"),
        ({"model_spec": {"model_signature_name": ["a", "a"]}}, "'a' more than once"),
        ({"model_spec": {"model_signature_name": [""]}}, "an empty model_signature_name"),
        ({"output_example_spec": {}}, "has no output_columns_spec"),
        ({"output_example_spec": columns({})}, "says nothing of the output"),
        (
            {"output_example_spec": columns(PREDICTED, PREDICTED)},
            "expected one output_columns_spec",
        ),
        (
            {"output_example_spec": columns({**PREDICTED, "signature_name": "serving_defualt"})},
            "'serving_defualt', which the model is not asked by; did you mean 'serving_default'",
        ),
        (
            {"output_example_spec": columns({"predict_output": {}})},
            "predict_output of output_example_spec names no column: expected output_columns",
        ),
        (
            {"output_example_spec": columns({"classify_output": {}})},
            "expected label_column, score_column or both",
        ),
        ({"output_example_spec": columns({"regress_output": {}})}, "expected value_column"),
        (
            {
                "output_example_spec": columns(
                    {"predict_output": {"output_columns": [{"output_key": "a"}]}}
                )
            },
            "expected a name for both",
        ),
        (
            {
                "output_example_spec": columns(
                    {"classify_output": {"label_column": "c", "score_column": "c"}}
                )
            },
            "names the output column 'c' more than once",
        ),
        (
            {
                "model_spec": {"model_signature_name": ["a", "b"]},
                "output_example_spec": columns(
                    {"signature_name": "a", "regress_output": {"value_column": "v"}}
                ),
            },
            "no output_columns_spec for the signature 'b'",
        ),
        (
            {
                "model_spec": {"model_signature_name": ["a", "b"]},
                "output_example_spec": columns({**PREDICTED, "signature_name": "a"}),
            },
            "has a predict_output, and the model is asked by several signatures",
        ),
    ],
)
def test_specs_that_no_model_can_fulfil_are_refused(specs, message):
    with pytest.raises(ValueError, match=f"^BulkInferrer: .*{message}"):
        check(**specs)


def test_a_misspelt_field_is_named():
    with pytest.raises(ValueError, match="model_signature"):
        BulkInferrer(EXAMPLES, MODEL, model_spec={"model_signature": ["a"]})


def test_a_model_is_needed():
    with pytest.raises(ValueError, match=r"BulkInferrer has no model.*trainer\.outputs\['model'\]"):
        check(model=None)


def test_what_must_be_installed_is_named(monkeypatch):
    monkeypatch.setattr(driver, "is_installed", lambda module: module != "tensorflow_serving")
    assert install_advice("tensorflow_serving") == "pip install 'trainwright[serve]'"
    with pytest.raises(ValueError, match=r"tensorflow_serving is not installed.*\[serve\]"):
        check()


def test_an_executor_of_the_users_own_may_ask_other_models():
    class Own(BulkInferrer):
        EXECUTOR_SPEC = ExecutorClassSpec("my_package.executor:Executor")

    component = Own(EXAMPLES, None)
    BulkInferrerDriver().check(component, {})
