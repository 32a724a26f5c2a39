"""Judges whether a model is good enough, by the thresholds of its eval config."""

from __future__ import annotations

from collections.abc import Sequence

from trainwright.evaluation.metric_keys import SliceKey
from trainwright.evaluation.results import SliceResult
from trainwright.evaluation.tfma_format.keys import (
    CrossSliceKey,
    cross_slice_key_to_proto,
    metric_key_to_proto,
    slice_key_to_proto,
)
from trainwright.evaluation.thresholds.checks import ThresholdCheck as ThresholdCheck
from trainwright.evaluation.thresholds.checks import check_slices as check_slices
from trainwright.evaluation.thresholds.rules import ThresholdRule
from trainwright.evaluation.thresholds.rules import check_thresholds as check_thresholds
from trainwright.evaluation.thresholds.rules import has_thresholds as has_thresholds
from trainwright.proto.tfma import config_pb2, validation_result_pb2


def validate(
    slices: Sequence[SliceResult], config: config_pb2.EvalConfig
) -> validation_result_pb2.ValidationResult:
    """What came of the thresholds, as it is stored.

    Args:
        slices: What was found.
        config: Completed.

    Example:
        validation = validate(found.slices, config)
        is_blessed = decide_blessing(validation, config)
    """
    return make_validation_result(check_slices(slices, config), config)


def make_validation_result(
    checks: Sequence[ThresholdCheck], config: config_pb2.EvalConfig
) -> validation_result_pb2.ValidationResult:
    """Gathers checks by slice, as TFMA stores them."""
    no_thresholds = not has_thresholds(config)
    result = validation_result_pb2.ValidationResult(
        validation_ok=not no_thresholds and all(check.passed for check in checks),
        missing_thresholds=no_thresholds,
    )
    by_slice: dict[SliceKey | CrossSliceKey, validation_result_pb2.MetricsValidationForSlice] = {}
    failures: dict[tuple[object, ...], validation_result_pb2.ValidationFailure] = {}
    for check in checks:
        if check.slice_key is None:
            _add_missing_slices(result, check.rule)
        elif not check.passed:
            if check.slice_key not in by_slice:
                by_slice[check.slice_key] = result.metric_validations_per_slice.add()
                _set_slice_key(by_slice[check.slice_key], check)
            content = check.rule.threshold.SerializeToString(deterministic=True)
            same = (check.slice_key, check.metric_key, check.rule.is_change, content)
            if same not in failures:
                failures[same] = by_slice[check.slice_key].failures.add()
            _describe_failure(failures[same], check)
    _add_details(result, checks)
    return result


def decide_blessing(
    validation: validation_result_pb2.ValidationResult, config: config_pb2.EvalConfig
) -> bool | None:
    """Whether the model is blessed; None if the completed config has no threshold.

    A first run has no baseline, and the thresholds on the change from it are not there. If there
    were no others, nothing decides.
    """
    return validation.validation_ok if has_thresholds(config) else None


def _set_slice_key(
    message: validation_result_pb2.MetricsValidationForSlice, check: ThresholdCheck
) -> None:
    if isinstance(check.rule.slicing, config_pb2.CrossSlicingSpec):
        message.cross_slice_key.CopyFrom(cross_slice_key_to_proto(check.slice_key))  # type: ignore[arg-type]
    else:
        message.slice_key.CopyFrom(slice_key_to_proto(check.slice_key))  # type: ignore[arg-type]


def _describe_failure(
    failure: validation_result_pb2.ValidationFailure, check: ThresholdCheck
) -> None:
    key = check.metric_key.diff() if check.rule.is_change else check.metric_key
    failure.metric_key.CopyFrom(metric_key_to_proto(key))
    if isinstance(check.rule.threshold, config_pb2.GenericChangeThreshold):
        failure.metric_threshold.change_threshold.CopyFrom(check.rule.threshold)
        number = check.change
    else:
        failure.metric_threshold.value_threshold.CopyFrom(check.rule.threshold)
        number = check.value
    if number is not None:
        failure.metric_value.double_value.value = number
    failure.message = f"{failure.message} {check.message}".strip()


def _add_missing_slices(
    result: validation_result_pb2.ValidationResult, rule: ThresholdRule
) -> None:
    if isinstance(rule.slicing, config_pb2.CrossSlicingSpec):
        if rule.slicing not in result.missing_cross_slices:
            result.missing_cross_slices.append(rule.slicing)
    else:
        slicing = rule.slicing or config_pb2.SlicingSpec()
        if slicing not in result.missing_slices:
            result.missing_slices.append(slicing)


def _add_details(
    result: validation_result_pb2.ValidationResult, checks: Sequence[ThresholdCheck]
) -> None:
    """How many slices the thresholds of each slicing spec were held against."""
    slices: dict[bytes, set[SliceKey | CrossSliceKey]] = {}
    specs: dict[bytes, config_pb2.SlicingSpec | config_pb2.CrossSlicingSpec] = {}
    for check in checks:
        if check.slice_key is not None and check.value is not None:
            spec = check.rule.slicing or config_pb2.SlicingSpec()
            content = type(spec).__name__.encode() + spec.SerializeToString(deterministic=True)
            specs[content] = spec
            slices.setdefault(content, set()).add(check.slice_key)
    for content, spec in specs.items():
        detail = result.validation_details.slicing_details.add(
            num_matching_slices=len(slices[content])
        )
        if isinstance(spec, config_pb2.CrossSlicingSpec):
            detail.cross_slicing_spec.CopyFrom(spec)
        else:
            detail.slicing_spec.CopyFrom(spec)
