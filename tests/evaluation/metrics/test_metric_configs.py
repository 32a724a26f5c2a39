"""Metrics that an EvalConfig stands for, and mistakes in one."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest
from metric_sums import batch_of, config_of, evaluate, metric_spec, values_of
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright import components
from trainwright.evaluation.metric_keys import MetricKey, SubKey
from trainwright.evaluation.metrics.errors import UnknownMetricError
from trainwright.evaluation.metrics.keras.keras_objects import keras_metric_names
from trainwright.evaluation.metrics.registry import METRIC_CLASSES, make_metrics
from trainwright.evaluation.metrics.unsupported import UNSUPPORTED_METRICS


def keys_of(*specs: dict, models: list[dict] | None = None) -> list[MetricKey]:
    metrics, plots = make_metrics(config_of(*specs, models=models))
    return [one.key for one in (*metrics, *plots)]


def test_names_are_those_of_tfma_unless_the_config_says_another() -> None:
    names = [
        keys_of(metric_spec(class_name))[0].name
        for class_name in ("AUC", "BinaryCrossEntropy", "BinaryCrossentropy", "FNR", "KLDivergence")
    ]
    assert names == ["auc", "binary_crossentropy", "binary_crossentropy", "fnr", "kl_divergence"]
    assert keys_of(metric_spec("AUC", '"name": "mine"'))[0].name == "mine"
    assert keys_of(metric_spec("AUC", '{"name": "mine"}'))[0].name == "mine"


def test_the_only_model_has_no_name() -> None:
    assert [key.model_name for key in keys_of(metric_spec("AUC"), models=[{"name": "m"}])] == [""]


def test_metrics_that_name_no_model_are_of_all() -> None:
    models = [{"name": "candidate"}, {"name": "baseline", "is_baseline": True}]
    keys = keys_of(metric_spec("AUC"), models=models)
    assert [key.model_name for key in keys] == ["candidate", "baseline"]
    keys = keys_of(metric_spec("AUC", model_names=["baseline"]), models=models)
    assert [key.model_name for key in keys] == ["baseline"]
    with pytest.raises(ValueError, match="model 'basline'.*did you mean 'baseline'"):
        keys_of(metric_spec("AUC", model_names=["basline"]), models=models)


def test_examples_are_weighted_if_the_model_says_how_unless_the_spec_says_otherwise() -> None:
    weighted = [{"example_weight_key": "w"}]
    assert [key.example_weighted for key in keys_of(metric_spec("AUC"))] == [False]
    assert [key.example_weighted for key in keys_of(metric_spec("AUC"), models=weighted)] == [True]
    both = metric_spec("AUC", example_weights={"weighted": True, "unweighted": True})
    assert [key.example_weighted for key in keys_of(both, models=weighted)] == [True, False]
    by_output = [{"example_weight_keys": {"one": "w"}}]
    keys = keys_of(metric_spec("AUC", output_names=["one"]), models=by_output)
    assert [key.example_weighted for key in keys] == [True]


def test_classes_are_chosen_and_averaged() -> None:
    spec = metric_spec(
        "Precision",
        binarize={"class_ids": {"values": [0, 2]}, "k_list": {"values": [1]}},
        aggregate={"micro_average": True},
    )
    assert [(key.sub_key, key.aggregation_type) for key in keys_of(spec)] == [
        (SubKey(class_id=0), None),
        (SubKey(class_id=2), None),
        (SubKey(k=1), None),
        (None, "micro_average"),
    ]


def test_metrics_of_all_classes_are_computed_once() -> None:
    spec = metric_spec("MultiClassConfusionMatrixPlot", binarize={"class_ids": {"values": [0, 1]}})
    assert [key.sub_key for key in keys_of(spec, spec)] == [None]


def test_outputs_are_averaged_by_weight() -> None:
    spec = metric_spec(
        "MeanPrediction", output_names=["a", "b"], output_weights={"a": 1.0, "b": 3.0}
    )
    config = config_of(spec)
    # Both outputs are given the same batch here, so that the average is the same again.
    values = values_of(config, batch_of([1.0], [0.25]))
    assert values == {
        "mean_prediction (a)": 0.25,
        "mean_prediction (b)": 0.25,
        "mean_prediction": 0.25,
    }
    with pytest.raises(ValueError, match="output 'c', which is not among output_names"):
        make_metrics(config_of({**spec, "output_weights": {"c": 1.0}}))


def test_a_macro_average_weighs_classes() -> None:
    batch = batch_of([0, 0, 0, 1], [[0.8, 0.2], [0.6, 0.4], [0.4, 0.6], [0.3, 0.7]])
    weights = {"0": 1.0, "1": 3.0}
    aggregate = {"macro_average": True, "class_weights": weights}
    (value,) = evaluate(config_of(metric_spec("Recall", aggregate=aggregate)), batch).values()
    assert value == pytest.approx((2 / 3 + 3 * 1) / 4)
    aggregate = {"weighted_macro_average": True, "class_weights": {"0": 1.0, "1": 1.0}}
    (value,) = evaluate(config_of(metric_spec("Recall", aggregate=aggregate)), batch).values()
    assert value == pytest.approx((3 * 2 / 3 + 1 * 1) / 4)


def test_macro_averages_of_several_thresholds_are_several() -> None:
    batch = batch_of([0, 1], [[0.8, 0.2], [0.3, 0.7]])
    spec = metric_spec(
        "Recall",
        '{"thresholds": [0.5, 0.75]}',
        aggregate={"macro_average": True, "class_weights": {"0": 1.0, "1": 1.0}},
    )
    (value,) = evaluate(config_of(spec), batch).values()
    np.testing.assert_allclose(value, [1.0, 0.5])


def test_fairness_indicators_are_named_by_rate_and_threshold() -> None:
    names = [key.name for key in keys_of(metric_spec("FairnessIndicators"))]
    assert len(names) == 90
    assert "fairness_indicators_metrics/false_positive_rate@0.5" in names
    config = '{"thresholds": [0.1, 0.333]}'
    values = values_of(
        config_of(metric_spec("FairnessIndicators", config)),
        batch_of([0.0, 0.0, 1.0, 1.0], [0.1, 0.5, 0.5, 0.9]),
    )
    assert values["fairness_indicators_metrics/false_positive_rate@0.333"] == 0.5
    assert values["fairness_indicators_metrics/negative_rate@0.100"] == 0.25
    assert values["fairness_indicators_metrics/precision@0.333"] == pytest.approx(2 / 3)


def test_a_calibration_plot_goes_as_far_as_labels_do_in_the_schema() -> None:
    schema = schema_pb2.Schema()
    feature = schema.feature.add(name="label")
    feature.int_domain.min, feature.int_domain.max = 0, 4
    config = config_of(metric_spec("CalibrationPlot", '{"num_buckets": 2}'))
    _, (plot,) = make_metrics(config, schema)
    (histogram,) = plot.computations
    assert (histogram.left, histogram.right) == (0.0, 4.0)


def test_the_same_metric_twice_is_one_and_two_of_a_name_are_refused() -> None:
    assert len(keys_of(metric_spec("AUC"), metric_spec("AUC"))) == 1
    with pytest.raises(ValueError, match="different configs are called 'auc'.*another name"):
        keys_of(metric_spec("AUC"), metric_spec("AUC", '{"curve": "PR"}'))


@pytest.mark.parametrize(
    ("class_name", "message"),
    [
        ("Presicion", "no metric 'Presicion'.*Near it are Precision"),
        ("SparseCategoricalAcuracy", "Near it are SparseCategoricalAccuracy"),
        ("NDCG", "NDCG is a metric of TFMA that Trainwright does not compute.*query"),
        ("COCOMeanAveragePrecision", "metric of TFMA.*boxes"),
    ],
)
def test_unknown_metrics_are_named_with_what_is_near(class_name: str, message: str) -> None:
    with pytest.raises(UnknownMetricError, match=message):
        keys_of(metric_spec(class_name))


@pytest.mark.parametrize("advice", sorted(set(UNSUPPORTED_METRICS.values())))
def test_advice_names_what_there_is(advice: str) -> None:
    named = re.findall(r"\b(?:[A-Z][a-z]+){2,}\b|\bMeanIoU\b", advice)
    known = {*METRIC_CLASSES, *keras_metric_names(), *dir(components)}
    assert set(named) <= known


@pytest.mark.parametrize(
    ("class_name", "config", "message"),
    [
        ("AUC", '{"curv": "PR"}', "AUC has no argument 'curv'; did you mean 'curve'"),
        ("AUC", '{"curve": "X"}', "'curve' of the metric AUC is 'X', and should be 'ROC' or 'PR'"),
        ("AUC", '{"num_thresholds": "many"}', "should be a whole number or null"),
        ("AUC", '{"num_thresholds": 1}', "needs two or more"),
        ("AUC", '{"num_thresholds": 5, "thresholds": [0.1]}', "both thresholds and num_thresh"),
        ("Precision", '{"thresholds": "0.5"}', "should be a number or a list of numbers or null"),
        ("PrecisionAtRecall", "{}", "PrecisionAtRecall needs the argument 'recall'"),
        ("PrecisionAtRecall", '{"recall": 1.5}', "1.5 is not between 0 and 1"),
        ("AUC", '{"name": }', "config of the metric AUC is not JSON"),
        ("AUC", '{"thresholds": [NaN]}', "has an argument that is NaN"),
        ("CalibrationPlot", '{"left": 1, "right": 0}', "from 1 to 0"),
        ("SparseCategoricalAccuracy", '{"nme": "x"}', "no argument 'nme'; did you mean 'name'"),
    ],
)
def test_arguments_that_cannot_be_are_named(class_name: str, config: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        keys_of(metric_spec(class_name, config))


def test_arguments_that_keras_writes_and_that_change_nothing_are_taken() -> None:
    keras_auc = '{"dtype": "float32", "multi_label": false, "num_labels": null}'
    assert keys_of(metric_spec("AUC", keras_auc))[0].name == "auc"
    with pytest.raises(ValueError, match="no argument 'multi_label'"):
        keys_of(metric_spec("AUC", '{"multi_label": true}'))


@pytest.mark.parametrize(
    ("class_name", "config", "options", "message"),
    [
        ("Recall", '{"top_k": 1}', {"binarize": {"top_k_list": {"values": [2]}}}, "one place"),
        ("Recall", '{"class_id": 1}', {"binarize": {"class_ids": {"values": [2]}}}, "one place"),
        ("Recall", "", {"aggregate": {"macro_average": True}}, "needs aggregate.class_weights"),
        ("Recall", "", {"aggregate": {"class_weights": {"0": 1.0}}}, "must say one of"),
        ("Recall", "", {"query_key": "q"}, "query_key 'q'"),
        ("Recall", "", {"binarize": {"k_list": {"values": [0]}}}, "from 1"),
        (
            "CalibrationPlot",
            "",
            {"aggregate": {"macro_average": True, "class_weights": {"0": 1.0}}},
            "no average of 'calibration_plot'",
        ),
        (
            "SparseCategoricalAccuracy",
            "",
            {"binarize": {"class_ids": {"values": [2]}}},
            "without binarize and aggregate",
        ),
        (
            "BinaryCrossEntropy",
            "",
            {"aggregate": {"micro_average": True, "class_weights": {"0": 1.0}}},
            "classes cannot be weighted",
        ),
    ],
)
def test_specs_that_contradict_themselves_are_refused(
    class_name: str, config: str, options: dict, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        keys_of(metric_spec(class_name, config, **options))


def test_metrics_of_our_own_do_not_import_keras() -> None:
    names = [name for name in METRIC_CLASSES if "At" not in name]
    script = (
        "import sys\n"
        "from trainwright.proto.tfma import config_pb2\n"
        "from trainwright.evaluation.metrics.registry import make_metrics\n"
        f"metrics = [config_pb2.MetricConfig(class_name=name) for name in {names}]\n"
        "spec = config_pb2.MetricsSpec(metrics=metrics[:3])\n"
        "make_metrics(config_pb2.EvalConfig(metrics_specs=[spec]))\n"
        "assert not {'keras', 'tf_keras', 'tensorflow'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
