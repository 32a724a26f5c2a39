"""Declaring an Evaluator, and what is refused before anything runs."""

from __future__ import annotations

import json

import pytest

from trainwright.components import Evaluator, ModelValidator
from trainwright.evaluation import EvalConfig, MetricConfig, MetricsSpec, ModelSpec
from trainwright.proto.tfma import config_pb2
from trainwright.types.channel import Channel
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.standard_artifacts import Examples, Model, ModelBlessing, ModelEvaluation

EXAMPLES, MODEL = Channel(type=Examples), Channel(type=Model)
AS_DICT = {
    "model_specs": [{"label_key": "tips"}],
    "metrics_specs": [{"metrics": [{"class_name": "AUC"}]}],
}
TYPED = EvalConfig(
    model_specs=[ModelSpec(label_key="tips")],
    metrics_specs=[MetricsSpec(metrics=[MetricConfig(class_name="AUC")])],
)
AS_MESSAGE = config_pb2.EvalConfig(
    model_specs=[config_pb2.ModelSpec(label_key="tips")],
    metrics_specs=[config_pb2.MetricsSpec(metrics=[config_pb2.MetricConfig(class_name="AUC")])],
)


def test_the_config_may_be_typed_a_message_a_dict_or_json():
    stored = {
        Evaluator(EXAMPLES, MODEL, eval_config=given).exec_properties["eval_config"]
        for given in (TYPED, AS_MESSAGE, AS_DICT, json.dumps(AS_DICT))
    }
    assert len(stored) == 1


def test_the_outputs_are_an_evaluation_and_a_blessing():
    outputs = Evaluator(EXAMPLES, MODEL, eval_config=TYPED).outputs
    assert outputs["evaluation"].type is ModelEvaluation
    assert outputs["blessing"].type is ModelBlessing


def test_a_misspelt_field_is_named():
    with pytest.raises(ValueError, match="label_kee"):
        Evaluator(EXAMPLES, MODEL, eval_config={"model_specs": [{"label_kee": "tips"}]})


def test_a_config_and_a_slicing_spec_exclude_each_other():
    with pytest.raises(ValueError, match="Exactly one of 'eval_config' or 'feature_slicing_spec'"):
        Evaluator(EXAMPLES, MODEL, eval_config=TYPED, feature_slicing_spec={"specs": []})


def test_splits_are_a_list():
    with pytest.raises(ValueError, match=r"Write example_splits=\['eval'\]"):
        Evaluator(EXAMPLES, MODEL, eval_config=TYPED, example_splits="eval")


def test_a_config_may_come_with_the_run():
    config = RuntimeParameter("eval_config", default="{}", ptype=str)
    evaluator = Evaluator(EXAMPLES, MODEL, eval_config=config)
    assert evaluator.exec_properties["eval_config"] is config


def test_model_validator_is_an_evaluator_that_explains_itself():
    with pytest.warns(DeprecationWarning, match="has become Evaluator.*not below that of the last"):
        validator = ModelValidator(EXAMPLES, MODEL)
    assert isinstance(validator, Evaluator)
    assert validator.id == "ModelValidator"
    assert "baseline_model" in validator.inputs  # the last blessed one, which it finds itself
    with pytest.warns(DeprecationWarning, match="has become Evaluator") as warned:
        given = ModelValidator(EXAMPLES, MODEL, eval_config=TYPED)
    assert "accuracy" not in str(warned[0].message)
    assert "baseline_model" not in given.inputs


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"metrics_specs": [{"metrics": [{"class_name": "Acuracy"}]}]}, "Near it are Accuracy"),
        ({"metrics_specs": [{"metrics": [{"class_name": "NDCG"}]}]}, "NDCG is a metric of TFMA"),
        (
            {**AS_DICT, "model_specs": [{"name": str(number)} for number in range(3)]},
            "at most 2 models",
        ),
        (
            {**AS_DICT, "slicing_specs": [{"slice_keys_sql": "SELECT 1"}]},
            "slicing by SQL is not offered",
        ),
        (
            {"metrics_specs": [{"metrics": [{"class_name": "AUC", "config": '{"curve": "XY"}'}]}]},
            "curve",
        ),
    ],
)
def test_a_config_that_cannot_work_is_refused_before_anything_runs(config, message):
    evaluator = Evaluator(EXAMPLES, MODEL, eval_config=config)
    with pytest.raises(ValueError, match=message):
        evaluator.DRIVER_CLASS().check(evaluator, dict(evaluator.exec_properties))
