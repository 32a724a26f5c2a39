"""Every threshold, held against every slice that it is for.

The outcomes are TFMA's, with one more: where a metric has a confidence interval and the threshold
lies inside it, the threshold is undecided.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from trainwright.evaluation.config.config_completion import baseline_spec
from trainwright.evaluation.metric_keys import MetricKey, SliceKey
from trainwright.evaluation.results import MetricValue, SliceResult
from trainwright.evaluation.slices.cross_slices import CrossSliceResult, compare_slices, is_compared
from trainwright.evaluation.slices.slice_matching import matches, slice_text
from trainwright.evaluation.tfma_format.keys import (
    CrossSliceKey,
)
from trainwright.evaluation.thresholds.bounds import (
    ChangeKind,
    CheckOutcome,
    Measured,
    Region,
    change_bounds,
    change_text,
    number_text,
    threshold_text,
)
from trainwright.evaluation.thresholds.rules import (
    ThresholdRule,
    find_metrics,
    not_computed,
    threshold_rules,
)
from trainwright.proto.tfma import config_pb2

_Result = SliceResult | CrossSliceResult


@dataclass(frozen=True)
class ThresholdCheck:
    """What came of one bound in one slice.

    Args:
        rule: The threshold.
        metric_key: The metric.
        slice_key: The slice, or pair of slices; None if no slice is of the threshold's kind.
        slice_name: The same for people.
        bound: What was asked for, such as "at least 0.6".
        value: The candidate's; None if there is no number.
        baseline_value: The baseline's, if there is one.
        change: From the baseline's value, where that is what the bound is about.
        by_how_much: How far the value, or its change, is on the right side of the bound; below
            zero on the wrong side. None if that cannot be said.
        outcome: "cannot tell" if a confidence interval has the bound inside it.
        message: All this as a sentence.
    """

    rule: ThresholdRule = field(repr=False)
    metric_key: MetricKey
    slice_key: SliceKey | CrossSliceKey | None
    slice_name: str
    bound: str
    outcome: CheckOutcome
    message: str
    value: float | None = None
    baseline_value: float | None = None
    change: float | None = None
    by_how_much: float | None = None

    @property
    def passed(self) -> bool:
        return self.outcome == "passed"


def check_slices(
    slices: Sequence[SliceResult],
    config: config_pb2.EvalConfig,
    cross_slices: Sequence[CrossSliceResult] | None = None,
) -> list[ThresholdCheck]:
    """Holds every threshold of a completed config against every slice that it is for.

    Args:
        slices: What was found.
        config: Completed.
        cross_slices: The differences between slices, if they are computed already.
    """
    if cross_slices is None:
        cross_slices = compare_slices(slices, config.cross_slicing_specs)
    results: list[_Result] = [result for result in slices if result.metrics]
    results.extend(cross_slices)
    checks: list[ThresholdCheck] = []
    for rule in threshold_rules(config):
        found = [
            check
            for result in results
            if _is_for(rule, result)
            for check in _check_result(rule, result, config)
        ]
        checks.extend(found or [_no_slice(rule)])
    return checks


def _is_for(rule: ThresholdRule, result: _Result) -> bool:
    """Whether a threshold is for a slice; one that names none is for every slice."""
    if isinstance(result, CrossSliceResult):
        return (
            isinstance(rule.slicing, config_pb2.CrossSlicingSpec)
            and matches(rule.slicing.baseline_spec, result.baseline_key)
            and is_compared(rule.slicing, result.comparison_key)
        )
    if isinstance(rule.slicing, config_pb2.CrossSlicingSpec):
        return False
    return rule.slicing is None or matches(rule.slicing, result.slice_key)


def _check_result(
    rule: ThresholdRule, result: _Result, config: config_pb2.EvalConfig
) -> Iterator[ThresholdCheck]:
    keys = find_metrics(rule.key, result.metrics)
    if not keys:
        message = not_computed(rule.key, result.metrics)
        yield _failed(rule, rule.key, result, message)
    baseline = baseline_spec(config)
    for key in keys:
        before = result.metrics.get(key.of_model(baseline.name)) if baseline else None
        if not rule.is_change:
            yield from _check_value(rule, key, result, result.metrics[key], before)
        elif before is None or key.diff() not in result.metrics:
            message = f"There is no {key} of a baseline, so its change cannot be looked at."
            yield _failed(rule, key, result, message)
        else:
            yield from _check_change(rule, key, result, before)


def _check_value(
    rule: ThresholdRule,
    key: MetricKey,
    result: _Result,
    value: MetricValue,
    before: MetricValue | None,
) -> Iterator[ThresholdCheck]:
    threshold = rule.threshold
    assert isinstance(threshold, config_pb2.GenericValueThreshold)
    measured = Measured.of(value)
    if measured is None:
        yield _failed(rule, key, result, _no_number(key, value))
        return
    baseline = None if before is None else Measured.of(before)
    yield _make_check(
        rule,
        key,
        result,
        Region.of_value(threshold),
        measured,
        subject=f"{key} of {_name(result)} is {measured}",
        value=measured.value,
        baseline_value=None if baseline is None else baseline.value,
    )


def _check_change(
    rule: ThresholdRule, key: MetricKey, result: _Result, before: MetricValue
) -> Iterator[ThresholdCheck]:
    threshold = rule.threshold
    assert isinstance(threshold, config_pb2.GenericChangeThreshold)
    change, baseline = Measured.of(result.metrics[key.diff()]), Measured.of(before)
    value = Measured.of(result.metrics[key])
    if change is None or baseline is None or value is None:
        yield _failed(rule, key, result, _no_number(key, result.metrics[key]))
        return
    bounds = change_bounds(threshold)
    if bounds and not threshold.direction:
        message = (
            f"The change threshold of {key} has no direction: say HIGHER_IS_BETTER or "
            "LOWER_IS_BETTER."
        )
        known = {"value": value, "baseline_value": baseline, "change": change}
        yield _failed(rule, key, result, message, **known)
        return
    changes: Sequence[tuple[ChangeKind, float | None]] = bounds or [("change", None)]
    for kind, bound in changes:
        measured = change if kind == "change" else change.divided_by(baseline.value)
        yield _make_check(
            rule,
            key,
            result,
            Region.of_change(bound, threshold.direction),
            measured,
            subject=(
                f"The {kind} of {key} of {_name(result)} from the baseline's "
                f"{number_text(baseline.value)} to {number_text(value.value)} is {measured}"
            ),
            value=value.value,
            baseline_value=baseline.value,
            change=change.value,
            bound=change_text(kind, bound, threshold.direction),
        )


def _make_check(
    rule: ThresholdRule,
    key: MetricKey,
    result: _Result,
    region: Region,
    measured: Measured,
    *,
    subject: str,
    value: float,
    baseline_value: float | None,
    change: float | None = None,
    bound: str | None = None,
) -> ThresholdCheck:
    outcome = region.outcome(measured)
    margin = region.margin(measured.value)
    return ThresholdCheck(
        rule=rule,
        metric_key=key,
        slice_key=_key(result),
        slice_name=_name(result),
        bound=bound or str(region),
        outcome=outcome,
        message=_sentence(subject, region, measured, outcome, margin),
        value=value,
        baseline_value=baseline_value,
        change=change,
        by_how_much=margin,
    )


def _sentence(
    subject: str, region: Region, measured: Measured, outcome: CheckOutcome, margin: float | None
) -> str:
    if math.isnan(measured.value):
        return f"{subject}, which is never {region}."
    if outcome == "cannot tell":
        return (
            f"{subject}: its confidence interval leaves open whether it is {region}. "
            "More examples make the interval narrower."
        )
    if outcome == "failed" and margin is not None:
        return f"{subject}, expected {region}: {number_text(-margin)} too " + (
            "low." if measured.value < region.lower else "high."
        )
    return f"{subject}, expected {region}."


def _failed(
    rule: ThresholdRule, key: MetricKey, result: _Result, message: str, **numbers: Measured
) -> ThresholdCheck:
    return ThresholdCheck(
        rule=rule,
        metric_key=key,
        slice_key=_key(result),
        slice_name=_name(result),
        bound=threshold_text(rule.threshold),
        outcome="failed",
        message=message,
        **{name: measured.value for name, measured in numbers.items()},
    )


def _no_slice(rule: ThresholdRule) -> ThresholdCheck:
    return ThresholdCheck(
        rule=rule,
        metric_key=rule.key,
        slice_key=None,
        slice_name=rule.slicing_text,
        bound=threshold_text(rule.threshold),
        outcome="failed",
        message=(
            f"The threshold of {rule.key} for {rule.slicing_text} is not met: there is no slice "
            "with examples, or enough of them, that it is for."
        ),
    )


def _no_number(key: MetricKey, value: object) -> str:
    return f"{key} is a {type(value).__name__}: thresholds are for metrics that are one number."


def _key(result: _Result) -> SliceKey | CrossSliceKey:
    return result.slice_key if isinstance(result, SliceResult) else result.cross_slice_key


def _name(result: _Result) -> str:
    if isinstance(result, SliceResult):
        return slice_text(result.slice_key)
    return f"{slice_text(result.baseline_key)} against {slice_text(result.comparison_key)}"
