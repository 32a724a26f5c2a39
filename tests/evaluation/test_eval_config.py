"""Eval configs: typed, mappings, JSON and TFMA's, read as one message; completed as TFMA does."""

from __future__ import annotations

import dataclasses
import json
import re

import pytest
from google.protobuf import (
    descriptor_pb2,
    descriptor_pool,
    message_factory,
    text_format,
    wrappers_pb2,
)
from tfma_reference import run_with_tfma

from trainwright.evaluation.config import eval_config as typed
from trainwright.evaluation.config.config_completion import (
    complete_eval_config,
    has_change_thresholds,
)
from trainwright.evaluation.config.config_reading import eval_config_to_json, read_eval_config
from trainwright.proto.tfma import config_pb2

TYPED = typed.EvalConfig(
    model_specs=[typed.ModelSpec(label_key="tips", example_weight_keys={"a": "weight"})],
    slicing_specs=[
        typed.SlicingSpec(),
        typed.SlicingSpec(feature_keys=["hour"], feature_values={"day": 7, "area": "north"}),
    ],
    metrics_specs=[
        typed.MetricsSpec(
            metrics=[
                typed.MetricConfig(
                    "AUC",
                    config={"num_thresholds": 10},
                    threshold=typed.MetricThreshold(
                        value_threshold=typed.GenericValueThreshold(lower_bound=0.0),
                        change_threshold=typed.GenericChangeThreshold(
                            absolute=-0.01, direction=typed.MetricDirection.HIGHER_IS_BETTER
                        ),
                    ),
                )
            ],
            binarize=typed.BinarizationOptions(class_ids=[0, 1]),
            aggregate=typed.AggregationOptions(macro_average=True, class_weights={0: 1, 1: 0.5}),
            per_slice_thresholds={
                "accuracy": [
                    typed.PerSliceMetricThreshold(
                        slicing_specs=[typed.SlicingSpec(feature_keys=["hour"])],
                        threshold=typed.MetricThreshold(
                            value_threshold=typed.GenericValueThreshold(upper_bound=1)
                        ),
                    )
                ]
            },
        )
    ],
    options=typed.Options(
        compute_confidence_intervals=False,
        confidence_intervals=typed.ConfidenceIntervalOptions(
            typed.ConfidenceIntervalMethod.JACKKNIFE
        ),
        min_slice_size=3,
        disabled_outputs=["eval_config"],
    ),
)

MESSAGE = text_format.Parse(
    r"""
    model_specs { label_key: "tips" example_weight_keys { key: "a" value: "weight" } }
    slicing_specs { }
    slicing_specs {
      feature_keys: "hour"
      feature_values { key: "day" value: "7" }
      feature_values { key: "area" value: "north" }
    }
    metrics_specs {
      metrics {
        class_name: "AUC"
        config: "{\"num_thresholds\": 10}"
        threshold {
          value_threshold { lower_bound { } }
          change_threshold { absolute { value: -0.01 } direction: HIGHER_IS_BETTER }
        }
      }
      binarize { class_ids { values: 0 values: 1 } }
      aggregate {
        macro_average: true
        class_weights { key: 0 value: 1 } class_weights { key: 1 value: 0.5 }
      }
      per_slice_thresholds {
        key: "accuracy"
        value { thresholds {
          slicing_specs { feature_keys: "hour" }
          threshold { value_threshold { upper_bound { value: 1 } } }
        } }
      }
    }
    options {
      compute_confidence_intervals { }
      confidence_intervals { method: JACKKNIFE }
      min_slice_size { value: 3 }
      disabled_outputs { values: "eval_config" }
    }
    """,
    config_pb2.EvalConfig(),
)


def message_of_another_pool(message):
    pool = descriptor_pool.DescriptorPool()
    for file in (wrappers_pb2.DESCRIPTOR, config_pb2.DESCRIPTOR):
        pool.Add(descriptor_pb2.FileDescriptorProto.FromString(file.serialized_pb))
    descriptor = pool.FindMessageTypeByName(message.DESCRIPTOR.full_name)
    return message_factory.GetMessageClass(descriptor).FromString(message.SerializeToString())


@pytest.mark.parametrize(
    "value",
    [
        TYPED,
        MESSAGE,
        message_of_another_pool(MESSAGE),
        eval_config_to_json(MESSAGE),
        eval_config_to_json(MESSAGE).encode(),
        json.loads(eval_config_to_json(MESSAGE)),
    ],
    ids=["typed", "message", "message of another pool", "JSON", "bytes", "mapping"],
)
def test_every_form_says_the_same(value) -> None:
    assert read_eval_config(value) == MESSAGE


def test_reading_copies_a_message() -> None:
    config = read_eval_config(MESSAGE)
    config.model_specs[0].label_key = "other"
    assert MESSAGE.model_specs[0].label_key == "tips"


def test_the_typed_classes_have_the_fields_of_the_messages() -> None:
    # SQL is the one thing that is not offered.
    left_out = {"slice_keys_sql"}
    messages = {
        name: message
        for name, message in config_pb2.DESCRIPTOR.message_types_by_name.items()
        if not name.startswith(("Repeated", "EvalRun", "EvalConfigAndVersion"))
    }
    for name, message in messages.items():
        fields = [field.name for field in dataclasses.fields(getattr(typed, name))]
        assert fields == [f.name for f in message.fields if f.name not in left_out], name
        assert getattr(typed, name).__doc__
    assert dict(config_pb2.MetricDirection.items()) == {
        direction.name: direction.value for direction in typed.MetricDirection
    }


def test_forms_may_be_mixed() -> None:
    config = read_eval_config(
        {
            "model_specs": [typed.ModelSpec(label_key="a")],
            "metricsSpecs": [
                config_pb2.MetricsSpec(
                    thresholds={
                        "auc": config_pb2.MetricThreshold(
                            value_threshold={"lower_bound": {"value": 0.5}}
                        )
                    }
                ),
                {
                    "thresholds": {
                        "loss": {"value_threshold": {"upper_bound": {"value": 2}}},
                        "auc": {"change_threshold": {"absolute": 0.1, "direction": 2}},
                    },
                    "cross_slice_thresholds": None,
                },
            ],
            "options": {"include_default_metrics": {"value": False}, "min_slice_size": 4},
        }
    )
    first, second = config.metrics_specs
    assert first.thresholds["auc"].value_threshold.lower_bound.value == 0.5
    assert second.thresholds["loss"].value_threshold.upper_bound.value == 2
    assert second.thresholds["auc"].change_threshold.direction == config_pb2.HIGHER_IS_BETTER
    assert config.options.HasField("include_default_metrics")
    assert config.options.min_slice_size.value == 4


def test_json_writes_infinity_as_protobuf_does() -> None:
    threshold = {"value_threshold": {"lower_bound": "-Infinity"}}
    config = read_eval_config(json.dumps({"metrics_specs": [{"thresholds": {"auc": threshold}}]}))
    bound = config.metrics_specs[0].thresholds["auc"].value_threshold.lower_bound
    assert bound.value == -float("inf")
    assert read_eval_config(eval_config_to_json(config)) == config


NAN = float("nan")


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (
            {"metrics_specs": [{"thresholds": {"auc": {"value_threshold": {"lower_bound": NAN}}}}]},
            "metrics_specs[0].thresholds['auc'].value_threshold.lower_bound",
        ),
        (
            '{"metrics_specs": [{"metrics": [{"threshold": {"change_threshold": '
            '{"relative": "NaN"}}}]}]}',
            "metrics_specs[0].metrics[0].threshold.change_threshold.relative",
        ),
        (
            typed.EvalConfig(metrics_specs=[typed.MetricsSpec(output_weights={"a": NAN})]),
            "metrics_specs[0].output_weights['a']",
        ),
        (
            config_pb2.EvalConfig(
                metrics_specs=[
                    config_pb2.MetricsSpec(
                        aggregate=config_pb2.AggregationOptions(class_weights={3: NAN})
                    )
                ]
            ),
            "metrics_specs[0].aggregate.class_weights[3]",
        ),
    ],
)
def test_nan_is_refused_wherever_it_is(value, place: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"EvalConfig.{place} is NaN: expected a num")):
        read_eval_config(value)


METRIC = "EvalConfig.metrics_specs[0].metrics[0]"


def with_metric(**fields):
    return {"metrics_specs": [{"metrics": [{"class_name": "AUC", **fields}]}]}


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (
            {"model_spec": []},
            ValueError,
            "EvalConfig has no field 'model_spec'. Did you mean 'model_specs'?",
        ),
        (
            with_metric(threshold={"lower_bound": 0.5}),
            ValueError,
            f"{METRIC}.threshold has no field 'lower_bound'. Its fields are: value_threshold, "
            "change_threshold. 'lower_bound' belongs in 'value_threshold'.",
        ),
        (
            with_metric(threshold={"value_threshold": {"lower_bound": "high"}}),
            TypeError,
            f"{METRIC}.threshold.value_threshold.lower_bound must be a number, got 'high' of type "
            "str.",
        ),
        (
            with_metric(threshold={"value_threshold": {"lower_bound": {"val": 1}}}),
            ValueError,
            "lower_bound has no field 'val'. Did you mean 'value'?",
        ),
        (
            with_metric(threshold={"value_threshold": 0.5}),
            TypeError,
            f"{METRIC}.threshold.value_threshold must be a GenericValueThreshold or a mapping of "
            "its fields, got 0.5 of type float.",
        ),
        (
            with_metric(threshold={"change_threshold": {"direction": "HIGHER_BETTER"}}),
            ValueError,
            "direction cannot be 'HIGHER_BETTER'; did you mean 'HIGHER_IS_BETTER'?",
        ),
        (
            with_metric(config={"threshold": {1}}),
            TypeError,
            f"{METRIC}.config holds the arguments of a metric, which are stored as JSON",
        ),
        (
            {"slicing_specs": [{"feature_keys": "hour"}]},
            TypeError,
            "EvalConfig.slicing_specs[0].feature_keys must be a list of strings, got 'hour' of "
            "type str. Put it into a list.",
        ),
        (
            typed.EvalConfig(model_specs=typed.ModelSpec()),  # type: ignore[arg-type]
            TypeError,
            "EvalConfig.model_specs must be a list of ModelSpec, got",
        ),
        (
            typed.EvalConfig(model_specs=[typed.MetricsSpec()]),  # type: ignore[list-item]
            TypeError,
            "EvalConfig.model_specs[0] must be a ModelSpec, got",
        ),
        (
            config_pb2.ModelSpec(),
            TypeError,
            "EvalConfig must be an EvalConfig, got",
        ),
        (
            {"metrics_specs": [{"binarize": {"class_ids": [0, "one"]}}]},
            TypeError,
            "binarize.class_ids[1] must be a whole number, got 'one'",
        ),
        (
            {"metrics_specs": [{"binarize": {"class_ids": 1}}]},
            TypeError,
            "class_ids must be a list of whole numbers, got 1",
        ),
        (
            {"metrics_specs": [{"aggregate": {"class_weights": {"first": 1}}}]},
            TypeError,
            "A key of EvalConfig.metrics_specs[0].aggregate.class_weights must be a whole number",
        ),
        (
            {"model_specs": [{"is_baseline": 1}]},
            TypeError,
            "EvalConfig.model_specs[0].is_baseline must be True or False, got 1",
        ),
        ({"model_specs": [{"label_key": 1}]}, TypeError, "label_key must be a string, got 1"),
        ("{", ValueError, "EvalConfig cannot be read from '{': Expecting property name"),
        ('{"options": {}, "options": {}}', ValueError, "the key 'options' comes twice"),
        ("[]", TypeError, "EvalConfig must be a JSON object, got [] of type list."),
        (None, TypeError, "An evaluation config must be an EvalConfig, a mapping"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(value, error, message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        read_eval_config(value)


def complete(config, **arguments):
    return complete_eval_config(read_eval_config(config), **{"has_baseline": False, **arguments})


def thresholds(**changes):
    return {
        "metrics_specs": [
            {
                "metrics": [
                    {
                        "class_name": "AUC",
                        "threshold": {
                            "value_threshold": {"lower_bound": 0.5},
                            "change_threshold": {"absolute": 0, "direction": 2},
                        },
                    }
                ]
            }
        ],
        **changes,
    }


def test_an_empty_config_is_of_one_model_and_all_examples() -> None:
    config = complete({"metrics_specs": [{}]})
    assert config == config_pb2.EvalConfig(
        model_specs=[config_pb2.ModelSpec()],
        slicing_specs=[config_pb2.SlicingSpec()],
        metrics_specs=[config_pb2.MetricsSpec(model_names=[""])],
    )


def test_a_baseline_is_evaluated_like_the_candidate() -> None:
    config = complete(thresholds(model_specs=[{"label_key": "tips"}]), has_baseline=True)
    candidate, baseline = config.model_specs
    assert (candidate.name, candidate.is_baseline, candidate.label_key) == (
        "candidate",
        False,
        "tips",
    )
    assert (baseline.name, baseline.is_baseline, baseline.label_key) == ("baseline", True, "tips")
    assert list(config.metrics_specs[0].model_names) == ["candidate", "baseline"]
    assert has_change_thresholds(config)


def test_a_name_that_a_model_has_stays_beside_a_baseline() -> None:
    given = {"model_specs": [{"name": "deep"}], "metrics_specs": [{"model_names": ["deep"]}]}
    assert [spec.name for spec in complete(given, has_baseline=True).model_specs] == [
        "deep",
        "baseline",
    ]
    assert list(complete(given, has_baseline=True).metrics_specs[0].model_names) == ["deep"]
    alone = complete(given)
    assert alone.model_specs[0].name == ""
    assert list(alone.metrics_specs[0].model_names) == [""]


def test_two_specs_are_taken_as_they_are() -> None:
    specs = [{"name": "new", "label_key": "a"}, {"name": "old", "is_baseline": True}]
    config = complete({"model_specs": specs, "metrics_specs": [{}]}, has_baseline=True)
    assert [spec.name for spec in config.model_specs] == ["new", "old"]
    assert [spec.label_key for spec in config.model_specs] == ["a", ""]
    without = complete({"model_specs": specs})
    assert [(spec.name, spec.label_key) for spec in without.model_specs] == [("", "a")]


def test_without_a_baseline_there_is_no_change_to_look_at() -> None:
    given = thresholds()
    given["metrics_specs"][0].update(
        thresholds={"loss": {"change_threshold": {"absolute": 0, "direction": 1}}},
        per_slice_thresholds={
            "loss": [
                {
                    "slicing_specs": [{}],
                    "threshold": {"change_threshold": {"relative": 1, "direction": 1}},
                }
            ]
        },
    )
    config = complete(given)
    assert not has_change_thresholds(config)
    kept = config.metrics_specs[0].metrics[0].threshold
    assert kept.value_threshold.lower_bound.value == 0.5
    assert has_change_thresholds(complete(given, has_baseline=True))


def test_slices_that_are_compared_are_computed() -> None:
    hour, north = {"feature_keys": ["hour"]}, {"feature_values": {"area": "north"}}
    cross = {"baseline_spec": {}, "slicing_specs": [hour, north]}
    config = complete({"slicing_specs": [hour], "cross_slicing_specs": [cross]})
    assert (
        config.slicing_specs == read_eval_config({"slicing_specs": [hour, {}, north]}).slicing_specs
    )


def test_intervals_that_are_asked_for_have_a_method() -> None:
    method = config_pb2.ConfidenceIntervalOptions
    asked = {"options": {"compute_confidence_intervals": True}}
    assert complete(asked).options.confidence_intervals.method == method.POISSON_BOOTSTRAP
    asked["options"]["confidence_intervals"] = {"method": "JACKKNIFE"}
    assert complete(asked).options.confidence_intervals.method == method.POISSON_BOOTSTRAP
    assert not complete({}).HasField("options")


def test_the_given_config_stays_as_it_is() -> None:
    given = read_eval_config(thresholds())
    before = given.SerializeToString()
    complete_eval_config(given, has_baseline=True)
    complete_eval_config(given, has_baseline=False)
    assert given.SerializeToString() == before


THREE = {"model_specs": [{"name": name} for name in "abc"]}


@pytest.mark.parametrize(
    ("given", "arguments", "message"),
    [
        (THREE, {}, "at most 2 models, a candidate and a baseline, got 3 model specs: 'a', 'b'"),
        (
            {"model_specs": [{"is_baseline": True}]},
            {"has_baseline": True},
            "All model specs, '', are baselines: one must be the candidate.",
        ),
        (
            {"model_specs": [{"name": "a"}, {"is_baseline": True}]},
            {"has_baseline": True},
            "Several model specs need names of their own, got 'a', ''.",
        ),
        (
            {"model_specs": [{"label_key": "a", "label_keys": {"b": "c"}}]},
            {},
            "A model spec has label_key='a' and label_keys={'b': 'c'}: expected one of them",
        ),
        (
            {"slicing_specs": [{"slice_keys_sql": "SELECT 1"}]},
            {},
            "slicing by SQL is not offered. Slice by features with feature_keys",
        ),
        (
            {"metrics_specs": [{"model_names": ["canddate"]}]},
            {"has_baseline": True},
            "for the model 'canddate', which is not one of the model specs; "
            "did you mean 'candidate'?",
        ),
        (
            {"metrics_specs": [{"per_slice_thresholds": {"auc": [{"threshold": {}}]}}]},
            {},
            "A per-slice threshold of 'auc' has no slicing_specs",
        ),
        (
            {"model_specs": [{}]},
            {"has_model": False},
            "Without a model the predictions are read from the examples: say which feature",
        ),
    ],
)
def test_a_config_that_cannot_work_is_refused(given, arguments, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        complete(given, **arguments)


def test_predictions_may_be_a_feature() -> None:
    assert complete({"model_specs": [{"prediction_key": "score"}]}, has_model=False)


COMPLETE_WITH_TFMA = """
import json, sys
import tensorflow_model_analysis as tfma
from google.protobuf import json_format
from tensorflow_model_analysis.proto import config_pb2
from tensorflow_model_analysis.utils import config_util
answers = []
for encoded, has_baseline in json.load(open(sys.argv[1])):
    config = json_format.Parse(encoded, config_pb2.EvalConfig())
    config = config_util.update_eval_config_with_defaults(
        config, has_baseline=has_baseline, rubber_stamp=True
    )
    config_util.verify_eval_config(config)
    answers.append(json_format.MessageToDict(config, preserving_proto_field_name=True))
print(json.dumps(answers))
"""


@pytest.mark.reference
def test_configs_are_completed_as_by_tfma(tmp_path) -> None:
    """All but the slices, which TFMA adds later, and the method of confidence intervals."""
    both = [{"name": "new", "label_key": "a"}, {"name": "old", "is_baseline": True}]
    given = [
        {"slicing_specs": [{}]},
        thresholds(slicing_specs=[{}]),
        thresholds(slicing_specs=[{}], model_specs=[{"label_key": "a"}]),
        thresholds(slicing_specs=[{}], model_specs=both),
        {"slicing_specs": [{}], "model_specs": both, "metrics_specs": [{"model_names": ["new"]}]},
        json.loads(eval_config_to_json(MESSAGE)),
    ]
    cases = [
        (read_eval_config(each), has_baseline)
        for each in given
        for has_baseline in (False, True)
        if each.get("model_specs") or not has_baseline
    ]
    path = tmp_path / "cases.json"
    path.write_text(json.dumps([(eval_config_to_json(each), flag) for each, flag in cases]))
    for (config, flag), theirs in zip(cases, run_with_tfma(COMPLETE_WITH_TFMA, path), strict=True):
        assert complete_eval_config(config, has_baseline=flag) == read_eval_config(theirs)
