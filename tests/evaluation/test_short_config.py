"""eval_config: what its few words become."""

import pytest

from trainwright import eval_config
from trainwright.evaluation import MetricConfig, MetricDirection
from trainwright.evaluation.config.config_reading import read_eval_config


def test_bounds_become_thresholds_of_value_and_change():
    config = eval_config(
        "species",
        slices=["island", ["island", "sex"]],
        metrics=["MultiClassConfusionMatrixPlot", MetricConfig("AUC", config={"name": "area"})],
        at_least={"sparse_categorical_accuracy": 0.6},
        at_most={"SparseCategoricalCrossentropy": 1},
        no_worse_than_baseline=True,
    )
    (spec,) = config.metrics_specs
    assert [metric.class_name for metric in spec.metrics] == [
        "ExampleCount",
        "MultiClassConfusionMatrixPlot",
        "AUC",
        "SparseCategoricalAccuracy",
        "SparseCategoricalCrossentropy",
    ]
    accuracy = spec.thresholds["sparse_categorical_accuracy"]
    assert accuracy.value_threshold.lower_bound == 0.6
    assert accuracy.change_threshold.direction is MetricDirection.HIGHER_IS_BETTER
    assert accuracy.change_threshold.absolute < 0
    loss = spec.thresholds["sparse_categorical_crossentropy"]
    assert loss.value_threshold.upper_bound == 1
    assert loss.change_threshold.direction is MetricDirection.LOWER_IS_BETTER
    assert [list(one.feature_keys) for one in config.slicing_specs] == [
        [],
        ["island"],
        ["island", "sex"],
    ]
    assert read_eval_config(config).model_specs[0].label_key == "species"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"at_least": {"sparse_categorical_acuracy": 0.6}}, "did you mean 'sparse_categorical_acc"),
        ({"at_least": {"auc": "0.6"}}, r"at_least\['auc'\] must be a number, got '0.6'"),
        ({"slices": "island"}, r"write slices=\['island'\]"),
        ({"no_worse_than_baseline": True}, "none has one"),
    ],
)
def test_mistakes_are_named(arguments, message):
    with pytest.raises((TypeError, ValueError), match=message):
        eval_config("species", **arguments)
