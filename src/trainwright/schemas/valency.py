"""Valency: how many values a feature has in an example, and the shape that follows from it."""

from __future__ import annotations

import math
from typing import Any

from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.schemas.reasons import Anomaly, Reason
from trainwright.schemas.statistics_view import FeatureView

_NESTING = "Mismatched value nest level"


def infer_valency(view: FeatureView, feature: Any, *, infer_shape: bool) -> None:
    """A shape if the number of values never varies and that is wanted; otherwise value counts."""
    shape = _fixed_shape(view) if infer_shape else None
    if shape:
        for size in shape:
            feature.shape.dim.add(size=size)
    else:
        _infer_value_counts(view, feature)


def _fixed_shape(view: FeatureView) -> list[int] | None:
    if view.feature_type == schema_pb2.STRUCT or any(view.missing_by_level):
        return None
    levels = view.valency_by_level
    if any(fewest != most or fewest <= 0 for fewest, most in levels):
        return None
    return [fewest for fewest, _ in levels]


def _infer_value_counts(view: FeatureView, feature: Any) -> None:
    levels = view.valency_by_level
    if len(levels) > 1:
        for fewest, most in levels:
            _set_value_count(feature.value_counts.value_count.add(), fewest, most)
    elif levels[0][0] > 0:
        _set_value_count(feature.value_count, *levels[0])


def _set_value_count(value_count: Any, fewest: int, most: int) -> None:
    """An upper bound only where the number never varied: one that was seen would be too tight."""
    if fewest <= 0:
        return
    if fewest == most:
        value_count.min, value_count.max = fewest, most
    else:
        value_count.min = 1


def fit_value_counts(view: FeatureView, feature: Any) -> list[Reason]:
    """Widens the expected number of values to what was seen, and says why."""
    if feature.HasField("value_count"):
        return _fit_flat(view, feature)
    if feature.HasField("value_counts"):
        return _fit_nested(view, feature)
    return []


def _fit_flat(view: FeatureView, feature: Any) -> list[Reason]:
    levels = view.valency_by_level
    if len(levels) == 1:
        return _fit_level(feature.value_count, levels[0], "")
    feature.ClearField("value_count")
    _infer_value_counts(view, feature)
    return [
        Reason(
            Anomaly.VALUE_NESTEDNESS_MISMATCH,
            _NESTING,
            "This feature has a value_count, but the nestedness level of the feature > 1. For "
            "features with nestedness levels greater than 1, value_counts, not value_count, should "
            "be specified.",
        )
    ]


def _fit_nested(view: FeatureView, feature: Any) -> list[Reason]:
    levels, expected = view.valency_by_level, feature.value_counts.value_count
    if len(levels) == len(expected):
        return [
            reason
            for number, (value_count, level) in enumerate(zip(expected, levels, strict=True))
            for reason in _fit_level(value_count, level, f" at nestedness level {number}")
        ]
    feature.ClearField("value_counts")
    _infer_value_counts(view, feature)
    return [
        Reason(
            Anomaly.VALUE_NESTEDNESS_MISMATCH,
            _NESTING,
            "The values have a different nest level than expected. Value counts will not be "
            "checked.",
        )
    ]


def _fit_level(value_count: Any, level: tuple[int, int], where: str) -> list[Reason]:
    fewest, most = level
    reasons = []
    if value_count.HasField("min") and fewest < value_count.min:
        text = f"Some examples have fewer values than expected{where}."
        reasons.append(Reason(Anomaly.FEATURE_TYPE_LOW_NUMBER_VALUES, "Missing values", text))
        value_count.min = fewest
        if fewest == 0:
            value_count.ClearField("min")
    if value_count.HasField("max") and most > value_count.max:
        text = f"Some examples have more values than expected{where}."
        reasons.append(Reason(Anomaly.FEATURE_TYPE_HIGH_NUMBER_VALUES, "Superfluous values", text))
        value_count.max = most
    return reasons


def fit_shape(view: FeatureView, feature: Any) -> list[Reason]:
    """Drops a shape that the data does not have, and says why."""
    if not feature.HasField("shape"):
        return []
    expected = math.prod(dimension.size for dimension in feature.shape.dim)
    levels = view.valency_by_level
    if any(view.missing_by_level) or any(fewest != most or not fewest for fewest, most in levels):
        feature.ClearField("shape")
        return [
            _shape_dropped(
                "The feature has a shape, but it's not always present (if the feature is nested, "
                "then it should always be present at each nested level) or its value lengths vary."
            )
        ]
    found = math.prod(fewest for fewest, _ in levels)
    if found != expected:
        feature.ClearField("shape")
        return [
            _shape_dropped(
                f"The feature has fixed value length {found} but it's not compatible with the "
                "specified shape."
            )
        ]
    return []


def _shape_dropped(description: str) -> Reason:
    return Reason(Anomaly.INVALID_FEATURE_SHAPE, "Feature shape dropped", description)
