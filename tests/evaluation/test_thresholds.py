"""Thresholds: verdicts as TFMA's, words of our own, and what can be said before any data."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest
from documented_output import assert_sentence, block
from google.protobuf import json_format
from tfma_reference import run_with_tfma

from trainwright.evaluation.config.config_completion import complete_eval_config
from trainwright.evaluation.config.config_reading import eval_config_to_json, read_eval_config
from trainwright.evaluation.metric_keys import MetricKey, SubKey
from trainwright.evaluation.results import BoundedValue, SliceResult
from trainwright.evaluation.slices.cross_slices import compare_slices
from trainwright.evaluation.thresholds.bounds import Measured, Region
from trainwright.evaluation.thresholds.judgement import (
    check_slices,
    check_thresholds,
    decide_blessing,
    has_thresholds,
    validate,
)

HIGHER, LOWER = "HIGHER_IS_BETTER", "LOWER_IS_BETTER"
HOUR = {"feature_keys": ["hour"]}


def value(**bounds):
    return {"value_threshold": bounds}


def change(direction=HIGHER, **bounds):
    return {"change_threshold": {"direction": direction, **bounds}}


def config_of(*, metric=None, has_baseline=False, slicing_specs=({},), **fields):
    """A complete config with thresholds on AUC: of the metric, or of the metrics spec."""
    metric = {"class_name": "AUC", **(metric or {})}
    spec = {
        "metrics": [metric],
        **{name: fields.pop(name) for name in [*fields] if name not in ("model_specs", "options")},
    }
    cross = spec.pop("cross_slicing_specs", [])
    given = {
        "metrics_specs": [spec],
        "slicing_specs": list(slicing_specs),
        "cross_slicing_specs": cross,
        **fields,
    }
    return complete_eval_config(read_eval_config(given), has_baseline=has_baseline)


def key(name: str = "auc", model: str = "", **parts) -> MetricKey:
    return MetricKey(name, model, **{"example_weighted": False, **parts})


def slice_of(auc, slice_key=(), baseline=None) -> SliceResult:
    if baseline is None:
        return SliceResult(slice_key, examples=3, metrics={key(): auc})
    candidate = key(model="candidate")
    return SliceResult(
        slice_key,
        examples=3,
        metrics={
            candidate: auc,
            key(model="baseline"): baseline,
            candidate.diff(): float(auc) - float(baseline),
        },
    )


def bounded(number: float, low: float, high: float) -> BoundedValue:
    return BoundedValue(number, low, high, number, (high - low) / 4, 20)


@pytest.mark.parametrize(
    ("bounds", "auc", "passed"),
    [
        ({"lower_bound": 0.6}, 0.6, True),
        ({"lower_bound": 0.6}, 0.59, False),
        ({"lower_bound": 0}, 0.0, True),
        ({"upper_bound": 0.6}, 0.6, True),
        ({"upper_bound": 0.6}, 0.61, False),
        ({"lower_bound": 0.5, "upper_bound": 0.6}, 0.55, True),
        ({"lower_bound": 0.5, "upper_bound": 0.6}, 0.7, False),
        ({"lower_bound": 0.6}, math.inf, True),
        ({"lower_bound": 0.6}, math.nan, False),
        ({"upper_bound": 0.6}, math.nan, False),
        ({}, 0.1, True),
        ({}, math.nan, False),
        ({"lower_bound": 0.6}, np.array([0.7]), True),
        ({"lower_bound": 0.6}, np.array([0.7, 0.8]), False),
    ],
)
def test_bounds_belong_to_what_is_allowed(bounds, auc, passed) -> None:
    config = config_of(metric={"threshold": value(**bounds)})
    (check,) = check_slices([slice_of(auc)], config)
    assert check.passed is passed
    validation = validate([slice_of(auc)], config)
    assert validation.validation_ok is passed
    assert decide_blessing(validation, config) is passed


@pytest.mark.parametrize(
    ("threshold", "auc", "baseline", "passed"),
    [
        (change(absolute=0), 0.5, 0.5, True),
        (change(absolute=0), 0.4, 0.5, False),
        (change(absolute=-0.125), 0.375, 0.5, True),
        (change(LOWER, absolute=0), 0.4, 0.5, True),
        (change(LOWER, absolute=0), 0.6, 0.5, False),
        (change(relative=0.5), 0.75, 0.5, True),
        (change(relative=0.5), 0.7, 0.5, False),
        (change(LOWER, relative=-0.5), 0.25, 0.5, True),
        # The change is divided by the baseline's value with its sign.
        (change(relative=0.5), -1.0, -0.5, True),
        (change(relative=0), 0.5, 0.0, False),
        (change(absolute=0, relative=0.5), 0.6, 0.5, False),
        (change(absolute=0, relative=0.1), 0.6, 0.5, True),
        (change(), 0.1, 0.5, True),
        (change("UNKNOWN", absolute=0), 0.9, 0.5, False),
        (change(absolute=0), math.nan, 0.5, False),
        (change(absolute=0), 0.5, math.nan, False),
    ],
)
def test_changes_are_from_the_baseline(threshold, auc, baseline, passed) -> None:
    config = config_of(metric={"threshold": threshold}, has_baseline=True)
    assert validate([slice_of(auc, baseline=baseline)], config).validation_ok is passed


def test_without_a_baseline_the_change_is_not_looked_at() -> None:
    threshold = {**value(lower_bound=0.5), **change(absolute=0.9)}
    config = config_of(metric={"threshold": threshold})
    assert validate([slice_of(0.6)], config).validation_ok


def test_the_baseline_need_not_be_good_enough() -> None:
    config = config_of(metric={"threshold": value(lower_bound=0.5)}, has_baseline=True)
    (check,) = check_slices([slice_of(0.6, baseline=0.1)], config)
    assert check.passed
    assert (check.value, check.baseline_value) == (0.6, 0.1)


def test_a_model_without_thresholds_is_neither_blessed_nor_refused() -> None:
    for metric in ({}, {"threshold": {}}, {"threshold": change(absolute=0)}):
        config = config_of(metric=metric)
        assert not has_thresholds(config)
        validation = validate([slice_of(0.9)], config)
        assert validation.missing_thresholds
        assert not validation.validation_ok
        assert decide_blessing(validation, config) is None


def test_a_threshold_is_for_every_slice() -> None:
    config = config_of(metric={"threshold": value(lower_bound=0.5)}, slicing_specs=[{}, HOUR])
    slices = [slice_of(0.6), slice_of(0.4, (("hour", 1),)), slice_of(0.5, (("hour", 2),))]
    checks = check_slices(slices, config)
    assert [check.passed for check in checks] == [True, False, True]
    validation = validate(slices, config)
    (failed,) = validation.metric_validations_per_slice
    assert json_format.MessageToDict(failed.slice_key) == {
        "singleSliceKeys": [{"column": "hour", "int64Value": "1"}]
    }
    (details,) = validation.validation_details.slicing_details
    assert details.num_matching_slices == 3


@pytest.mark.parametrize("place", ["metric", "metrics spec"])
def test_a_threshold_of_some_slices_is_for_those(place) -> None:
    thresholds = [{"slicing_specs": [HOUR], "threshold": value(lower_bound=0.5)}]
    config = (
        config_of(metric={"per_slice_thresholds": thresholds}, slicing_specs=[{}, HOUR])
        if place == "metric"
        else config_of(per_slice_thresholds={"auc": thresholds}, slicing_specs=[{}, HOUR])
    )
    overall = slice_of(0.1)
    assert validate([overall, slice_of(0.5, (("hour", 1),))], config).validation_ok
    assert not validate([overall, slice_of(0.4, (("hour", 1),))], config).validation_ok


@pytest.mark.parametrize("in_key", [5, "5"])
def test_a_number_and_its_text_are_the_same_value(in_key) -> None:
    five = {"feature_values": {"hour": "5"}}
    thresholds = [{"slicing_specs": [five], "threshold": value(lower_bound=0.5)}]
    config = config_of(metric={"per_slice_thresholds": thresholds}, slicing_specs=[HOUR])
    checks = check_slices([slice_of(0.6, (("hour", in_key),)), slice_of(0, (("hour", 6),))], config)
    assert [check.slice_key for check in checks] == [(("hour", in_key),)]


def test_slices_without_examples_fail() -> None:
    thresholds = [{"slicing_specs": [HOUR], "threshold": value(lower_bound=0.5)}]
    config = config_of(metric={"per_slice_thresholds": thresholds}, slicing_specs=[{}, HOUR])
    empty = SliceResult((("hour", 3),))
    (check,) = check_slices([slice_of(0.6), empty], config)
    assert check.slice_key is None
    assert check.outcome == "failed"
    assert check.message == (
        "The threshold of auc for hour is not met: there is no slice with examples, or enough of "
        "them, that it is for."
    )
    validation = validate([slice_of(0.6), empty], config)
    assert not validation.validation_ok
    assert [list(spec.feature_keys) for spec in validation.missing_slices] == [["hour"]]


CROSS = {"baseline_spec": {}, "slicing_specs": [HOUR]}


def test_differences_between_slices() -> None:
    thresholds = [{"cross_slicing_specs": [CROSS], "threshold": value(upper_bound=0.25)}]
    config = config_of(metric={"cross_slice_thresholds": thresholds}, cross_slicing_specs=[CROSS])
    near, far = slice_of(0.5, (("hour", 1),)), slice_of(0.25, (("hour", 2),))
    assert validate([slice_of(0.75), near], config).validation_ok
    checks = check_slices([slice_of(0.75), near, far], config)
    assert [check.value for check in checks] == [0.25, 0.5]
    assert checks[1].message == (
        "auc of all examples against hour=2 is 0.5, expected at most 0.25: 0.25 too high."
    )
    validation = validate([slice_of(0.75), near, far], config)
    (failed,) = validation.metric_validations_per_slice
    assert failed.HasField("cross_slice_key")
    missing = validate([slice_of(0.75)], config)
    assert len(missing.missing_cross_slices) == 1


def test_slices_are_compared_with_all_others_if_none_is_named() -> None:
    config = config_of(cross_slicing_specs=[{"baseline_spec": {}}], slicing_specs=[HOUR])
    slices = [slice_of(0.75), slice_of(bounded(0.5, 0.4, 0.6), (("hour", 1),))]
    (found,) = compare_slices(slices, config.cross_slicing_specs)
    assert found.cross_slice_key == ((), (("hour", 1),))
    assert found.metrics == {key(): 0.25}


def test_classes_and_averages_have_thresholds_of_their_own() -> None:
    config = config_of(
        metric={"threshold": value(lower_bound=0.5)},
        binarize={"class_ids": [0, 1]},
        aggregate={"macro_average": True, "class_weights": {0: 1, 1: 1}},
    )
    slices = [
        SliceResult(
            (),
            metrics={
                key(sub_key=SubKey(class_id=0)): 0.4,
                key(sub_key=SubKey(class_id=1)): 0.6,
                key(aggregation_type="macro_average"): 0.5,
            },
        )
    ]
    verdicts = {str(check.metric_key): check.outcome for check in check_slices(slices, config)}
    assert verdicts == {
        "auc (class_id=0)": "failed",
        "auc (class_id=1)": "passed",
        "auc (macro_average)": "passed",
    }


def test_a_metric_that_chooses_classes_itself() -> None:
    metric = {"class_name": "Precision", "config": '{"top_k": 2}'}
    config = config_of(metric={**metric, "threshold": value(lower_bound=0.5)})
    found = SliceResult((), metrics={key("precision", sub_key=SubKey(top_k=2)): 0.75})
    assert validate([found], config).validation_ok


@pytest.mark.parametrize("example_weighted", [None, False, True])
def test_a_threshold_by_name_is_about_the_metric_that_there_is(example_weighted) -> None:
    config = config_of(thresholds={"auc": value(lower_bound=0.5)})
    found = SliceResult((), metrics={key(example_weighted=example_weighted): 0.75})
    assert validate([found], config).validation_ok


def test_weights_are_not_mixed_up() -> None:
    config = config_of(
        metric={"threshold": value(lower_bound=0.5)}, model_specs=[{"example_weight_key": "w"}]
    )
    unweighted = SliceResult((), metrics={key(example_weighted=False): 0.75})
    assert not validate([unweighted], config).validation_ok
    weighted = SliceResult((), metrics={key(example_weighted=True): 0.75})
    assert validate([weighted, unweighted][:1], config).validation_ok


def test_a_metric_that_all_models_share() -> None:
    config = config_of(
        metric={"class_name": "ExampleCount", "threshold": value(lower_bound=3)}, has_baseline=True
    )
    shared = SliceResult((), metrics={MetricKey("example_count"): 4.0})
    assert validate([shared], config).validation_ok


def test_the_same_threshold_twice_fails_once() -> None:
    config = config_of(
        metric={"threshold": value(lower_bound=0.5)},
        thresholds={"auc": value(lower_bound=0.5)},
    )
    validation = validate([slice_of(0.4)], config)
    (found,) = validation.metric_validations_per_slice
    assert len(found.failures) == 1


@pytest.mark.parametrize(
    ("interval", "bounds", "verdict"),
    [
        ((0.7, 0.65, 0.75), {"lower_bound": 0.6}, "passed"),
        ((0.7, 0.6, 0.75), {"lower_bound": 0.6}, "passed"),
        ((0.7, 0.55, 0.75), {"lower_bound": 0.6}, "cannot tell"),
        ((0.58, 0.5, 0.61), {"lower_bound": 0.6}, "cannot tell"),
        ((0.5, 0.45, 0.55), {"lower_bound": 0.6}, "failed"),
        ((0.5, 0.45, 0.55), {"upper_bound": 0.6}, "passed"),
        ((0.5, 0.45, 0.65), {"upper_bound": 0.6}, "cannot tell"),
        ((0.5, 0.45, 0.55), {"lower_bound": 0.4, "upper_bound": 0.5}, "cannot tell"),
        ((0.5, math.nan, math.nan), {"lower_bound": 0.4}, "passed"),
        ((math.nan, 0.5, 0.6), {"lower_bound": 0.4}, "failed"),
    ],
)
def test_a_bound_inside_the_confidence_interval_does_not_bless(interval, bounds, verdict) -> None:
    config = config_of(metric={"threshold": value(**bounds)})
    slices = [slice_of(bounded(*interval))]
    (check,) = check_slices(slices, config)
    assert check.outcome == verdict
    assert decide_blessing(validate(slices, config), config) is (verdict == "passed")


def test_without_an_interval_it_can_always_be_told() -> None:
    half = Measured(0.5, 0.5, 0.5)
    assert Region(0.4, 0.6).outcome(half) == "passed"
    # Eval configs with NaN are refused when they are read; TFMA may have stored one.
    assert Region(math.nan, math.inf).outcome(half) == "failed"


def test_changes_have_confidence_intervals_too() -> None:
    config = config_of(
        metric={"threshold": change(absolute=-0.1, relative=-0.25)}, has_baseline=True
    )
    found = slice_of(bounded(0.5, 0.4, 0.6), baseline=bounded(0.4, 0.3, 0.5))
    found.metrics[key(model="candidate").diff()] = bounded(0.1, -0.09, 0.29)
    assert [check.outcome for check in check_slices([found], config)] == ["passed", "passed"]
    found.metrics[key(model="candidate").diff()] = bounded(0.1, -0.11, 0.31)
    checks = check_slices([found], config)
    assert [check.outcome for check in checks] == ["cannot tell", "cannot tell"]
    assert checks[1].bound == "at most 25% below the baseline's"


def test_messages_say_the_numbers() -> None:
    config = config_of(
        metric={"threshold": {**value(lower_bound=0.6), **change(absolute=0.25)}},
        has_baseline=True,
    )
    low, little = check_slices([slice_of(0.5, baseline=0.375)], config)
    assert low.message == "auc of all examples is 0.5, expected at least 0.6: 0.1 too low."
    assert low.bound == "at least 0.6"
    assert low.by_how_much == pytest.approx(-0.1)
    assert little.message == (
        "The change of auc of all examples from the baseline's 0.375 to 0.5 is 0.125, expected at "
        "least 0.25: 0.125 too low."
    )
    assert little.change == 0.125
    config = config_of(metric={"threshold": value(lower_bound=0.6)})
    (unclear,) = check_slices([slice_of(bounded(0.7, 0.5, 0.8))], config)
    assert unclear.message == (
        "auc of all examples is 0.7 (between 0.5 and 0.8): its confidence interval leaves open "
        "whether it is at least 0.6. More examples make the interval narrower."
    )
    documented = block("docs/eval_config.md", "accuracy of all examples")
    assert_sentence(documented.replace("accuracy", "auc"), unclear.message)
    (nan,) = check_slices([slice_of(math.nan)], config)
    assert nan.message == "auc of all examples is nan, which is never at least 0.6."
    (failure,) = validate([slice_of(0.5)], config).metric_validations_per_slice[0].failures
    assert failure.message == low.message
    assert failure.metric_value.double_value.value == 0.5
    assert failure.metric_threshold.value_threshold.lower_bound.value == 0.6


def test_a_metric_that_was_not_computed_is_named_with_those_that_were() -> None:
    config = config_of(thresholds={"acu": value(lower_bound=0.5)})
    (check,) = check_slices([slice_of(0.9)], config)
    assert check.outcome == "failed"
    assert check.message == (
        "There is a threshold for 'acu', which is not one of the metrics; did you mean 'auc'? "
        "Known are 'auc'."
    )
    with pytest.raises(ValueError, match="did you mean 'auc'"):
        check_thresholds(config, [key()])


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            config_of(thresholds={"auc": value(lower_bound=0.5)}, output_names=["head"]),
            "There is a threshold for auc (head), which is not computed: computed are auc.",
        ),
        (
            config_of(metric={"threshold": value(lower_bound=0.6, upper_bound=0.5)}),
            "The lower bound of auc, 0.6, is above the upper bound, 0.5.",
        ),
        (
            config_of(metric={"threshold": change("UNKNOWN", absolute=0)}, has_baseline=True),
            "The change threshold of auc has no direction: say HIGHER_IS_BETTER",
        ),
        (
            config_of(
                metric={"threshold": change(absolute=0)},
                has_baseline=True,
                model_specs=[{"name": "a"}, {"name": "b"}],
            ),
            "needs a baseline, and no model spec has is_baseline.",
        ),
        (
            config_of(
                metric={
                    "per_slice_thresholds": [
                        {"slicing_specs": [HOUR], "threshold": value(lower_bound=0.5)}
                    ]
                }
            ),
            "The threshold of auc is for slices of hour, which are not computed: add them to the "
            "slicing_specs of the config.",
        ),
        (
            config_of(
                metric={
                    "cross_slice_thresholds": [
                        {"cross_slicing_specs": [CROSS], "threshold": value(upper_bound=0.5)}
                    ]
                },
                slicing_specs=[{}, HOUR],
            ),
            "for slices of all examples against hour, which are not computed: add them to the "
            "cross_slicing_specs",
        ),
    ],
)
def test_what_can_never_be_met_is_said_before_any_data(config, message) -> None:
    keys = [key(model=name) for name in ("", "candidate", "a", "b")]
    with pytest.raises(ValueError, match=re.escape(message)):
        check_thresholds(config, keys)


def test_thresholds_that_can_be_met_say_nothing() -> None:
    config = config_of(
        metric={
            "threshold": {**value(lower_bound=0.5), **change(absolute=0)},
            "per_slice_thresholds": [
                {
                    "slicing_specs": [{"feature_values": {"hour": "5"}}, HOUR, {}],
                    "threshold": value(lower_bound=0.1),
                }
            ],
            "cross_slice_thresholds": [
                {"cross_slicing_specs": [CROSS], "threshold": value(upper_bound=0.5)}
            ],
        },
        cross_slicing_specs=[CROSS],
        has_baseline=True,
    )
    check_thresholds(config, [key(model="candidate"), key(model="baseline")])


VALIDATE_WITH_TFMA = """
import json, sys
import tensorflow_model_analysis as tfma
from google.protobuf import json_format
from tensorflow_model_analysis.evaluators import metrics_validator
from tensorflow_model_analysis.metrics import metric_types
from tensorflow_model_analysis.proto import config_pb2
from tensorflow_model_analysis.writers import metrics_plots_and_validations_writer as writer
answers = []
for encoded, slices in json.load(open(sys.argv[1])):
    config = json_format.Parse(encoded, config_pb2.EvalConfig())
    combine = writer.CombineValidations(config)
    accumulator = combine.create_accumulator()
    for slice_key, metrics in slices:
        metrics = {
            metric_types.MetricKey(
                "auc", model_name=model, example_weighted=False, is_diff=is_diff
            ): number
            for model, is_diff, number in metrics
        }
        slice_key = tuple(map(tuple, slice_key))
        found = metrics_validator.validate_metrics((slice_key, metrics), config)
        accumulator = combine.add_input(accumulator, found)
    answers.append(json_format.MessageToDict(combine.extract_output(accumulator)))
print(json.dumps(answers))
"""


def reference_cases():
    numbers = [(0.5, 0.5), (0.4, 0.5), (0.75, 0.5), (-1.0, -0.5), (0.5, 0.0), (math.nan, 0.5)]
    per_slice = [
        {"slicing_specs": [{"feature_values": {"hour": "1"}}], "threshold": value(lower_bound=0.5)}
    ]
    metrics = [
        {"threshold": value(lower_bound=0.5)},
        {"threshold": value(upper_bound=0.5)},
        {"threshold": value(lower_bound=0.45, upper_bound=0.6)},
        {"threshold": change(absolute=0)},
        {"threshold": change(LOWER, absolute=0)},
        {"threshold": change(relative=0.5)},
        {"threshold": change(absolute=-0.2, relative=-0.1)},
        {"threshold": {**value(lower_bound=0.45), **change(absolute=-0.2)}},
        {"per_slice_thresholds": per_slice},
        {"threshold": change("UNKNOWN", absolute=0)},
        {},
    ]
    for metric in metrics:
        for has_baseline in (False, True):
            config = config_of(metric=metric, has_baseline=has_baseline, slicing_specs=[{}, HOUR])
            for auc, before in numbers:
                baseline = before if has_baseline else None
                yield config, [slice_of(auc, baseline=baseline)]
                yield (
                    config,
                    [
                        slice_of(0.5, baseline=baseline),
                        slice_of(auc, (("hour", 1),), baseline=baseline),
                        slice_of(auc, (("hour", "2"),), baseline=baseline),
                    ],
                )


def comparable(validation):
    """A validation without the words, in which the order of slices does not matter."""
    for found in validation.get("metricValidationsPerSlice", []):
        for failure in found["failures"]:
            failure.pop("message", None)
    found = validation.pop("metricValidationsPerSlice", [])
    validation["failed"] = sorted(found, key=lambda each: json.dumps(each["sliceKey"]))
    return validation


@pytest.mark.reference
def test_verdicts_are_those_of_tfma(tmp_path) -> None:
    cases = list(reference_cases())
    encoded = [
        (
            eval_config_to_json(config),
            [
                (
                    result.slice_key,
                    [(each.model_name, each.is_diff, v) for each, v in result.metrics.items()],
                )
                for result in slices
            ],
        )
        for config, slices in cases
    ]
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(encoded))
    answers = run_with_tfma(VALIDATE_WITH_TFMA, path)
    assert len(answers) == len(cases) == 264
    for (config, slices), theirs in zip(cases, answers, strict=True):
        ours = json_format.MessageToDict(validate(slices, config))
        assert comparable(ours) == comparable(theirs), (config, slices)
