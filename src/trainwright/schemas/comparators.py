"""Drift and skew: whether a feature is distributed as in another dataset."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tensorflow_metadata.proto.v0 import anomalies_pb2

from trainwright.schemas.distances import (
    LargestDifference,
    infinity_distance,
    jensen_shannon_divergence,
    normalized_absolute_difference,
)
from trainwright.schemas.feature_paths import path_text
from trainwright.schemas.reasons import Anomaly, Reason, six_digits
from trainwright.schemas.statistics_view import DatasetView, FeatureView

_logger = logging.getLogger(__name__)

_Measurement = anomalies_pb2.DriftSkewInfo.Measurement

_THRESHOLDS = ("infinity_norm", "normalized_abs_difference", "jensen_shannon_divergence")


@dataclass(frozen=True, kw_only=True)
class Controls:
    """The datasets that data is compared with; None where there is none.

    Args:
        previous: The data of an earlier span, for drift.
        serving: The data at serving time, for skew.
        previous_version: Another version of the same span, for its number of examples.
    """

    previous: DatasetView | None = None
    serving: DatasetView | None = None
    previous_version: DatasetView | None = None


@dataclass(kw_only=True)
class Comparison:
    """What came of comparing a feature: reasons, and measurements by field of DriftSkewInfo."""

    reasons: list[Reason] = field(default_factory=list)
    measurements: dict[str, list[Any]] = field(default_factory=dict)


def compare_feature(view: FeatureView, feature: Any, controls: Controls) -> Comparison:
    """Holds a feature against the controls; thresholds are raised to what was measured."""
    comparison = Comparison()
    kinds = (
        ("drift_comparator", "drift_measurements", controls.previous, ("current", "previous")),
        ("skew_comparator", "skew_measurements", controls.serving, ("training", "serving")),
    )
    for comparator_name, measurements_name, control, names in kinds:
        if not feature.HasField(comparator_name) or control is None:
            continue
        comparator = getattr(feature, comparator_name)
        set_names = [
            name for name in _THRESHOLDS if getattr(comparator, name).HasField("threshold")
        ]
        if not set_names:
            continue
        other = control.features.get(view.path)
        if other is None:
            for name in set_names:
                getattr(comparator, name).ClearField("threshold")
            comparison.reasons.append(_control_missing(names[1]))
            continue
        measured = [
            _MEASURES[name](view, other, getattr(comparator, name), names) for name in set_names
        ]
        comparison.reasons += [reason for _, reason in measured if reason is not None]
        taken = [measurement for measurement, _ in measured if measurement is not None]
        if taken:
            comparison.measurements[measurements_name] = taken
    return comparison


def _control_missing(name: str) -> Reason:
    return Reason(
        Anomaly.COMPARATOR_CONTROL_DATA_MISSING, f"{name} data missing", f"{name} data is missing."
    )


_Measured = tuple[Any | None, Reason | None]


def _measure_infinity_norm(
    view: FeatureView, other: FeatureView, comparator: Any, names: tuple[str, str]
) -> _Measured:
    return _judge_difference(
        infinity_distance(view, other),
        comparator,
        _Measurement.L_INFTY,
        Anomaly.COMPARATOR_L_INFTY_HIGH,
        f"Linfty distance between {names[0]} and {names[1]}",
    )


def _measure_absolute_difference(
    view: FeatureView, other: FeatureView, comparator: Any, names: tuple[str, str]
) -> _Measured:
    return _judge_difference(
        normalized_absolute_difference(view, other),
        comparator,
        _Measurement.NORMALIZED_ABSOLUTE_DIFFERENCE,
        Anomaly.COMPARATOR_NORMALIZED_ABSOLUTE_DIFFERENCE_HIGH,
        f"normalized absolute difference between {names[0]} and {names[1]}",
    )


def _measure_divergence(
    view: FeatureView, other: FeatureView, comparator: Any, names: tuple[str, str]
) -> _Measured:
    divergence = jensen_shannon_divergence(view, other, comparator.source.type)
    if divergence is None:
        _logger.warning(
            "The Jensen-Shannon divergence of %s cannot be computed: the statistics lack a "
            "histogram or counted values for it.",
            path_text(view.path),
        )
        return None, None
    return _judge(
        divergence,
        comparator,
        _Measurement.JENSEN_SHANNON_DIVERGENCE,
        Anomaly.COMPARATOR_JENSEN_SHANNON_DIVERGENCE_HIGH,
        f"approximate Jensen-Shannon divergence between {names[0]} and {names[1]}",
    )


_MEASURES: Mapping[str, Any] = {
    "infinity_norm": _measure_infinity_norm,
    "normalized_abs_difference": _measure_absolute_difference,
    "jensen_shannon_divergence": _measure_divergence,
}


def _judge_difference(
    found: LargestDifference, comparator: Any, kind: int, anomaly: int, what: str
) -> _Measured:
    where = f" The feature value with maximum difference is: {found.value}"
    return _judge(found.distance, comparator, kind, anomaly, what, where)


def _judge(
    distance: float, comparator: Any, kind: int, anomaly: int, what: str, where: str = ""
) -> _Measured:
    threshold = comparator.threshold
    measurement = _Measurement(type=kind, value=distance, threshold=threshold)
    if distance <= threshold:
        return measurement, None
    comparator.threshold = distance
    text = (
        f"The {what} is {six_digits(distance)} (up to six significant digits), above the threshold "
        f"{six_digits(threshold)}.{where}"
    )
    return measurement, Reason(anomaly, f"High {what}", text)
