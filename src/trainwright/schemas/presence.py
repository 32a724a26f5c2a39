"""Presence: in how many examples a feature must be."""

from __future__ import annotations

from typing import Any

from trainwright.schemas.reasons import Anomaly, Reason, six_digits, to_float32
from trainwright.schemas.statistics_view import FeatureView

_DROPPED = "Column dropped"
# Clearly less than 1, for data in which the fraction that is missing is lost in rounding.
_ALMOST_ALL = 0.9999


def infer_presence(view: FeatureView, feature: Any) -> None:
    """A feature is expected again where it was seen, and everywhere if it was seen everywhere."""
    feature.presence.min_count = 1 if view.num_present >= 1 else 0
    if view.num_present > 0 and view.num_missing == 0:
        feature.presence.min_fraction = 1.0


def fit_presence(view: FeatureView, presence: Any) -> list[Reason]:
    """Lowers the expected presence to what was seen, and says why."""
    reasons = []
    if presence.HasField("min_count") and view.num_present < presence.min_count:
        expected = presence.min_count
        presence.min_count = int(view.num_present)
        reasons.append(
            _dropped(
                Anomaly.FEATURE_TYPE_LOW_NUMBER_PRESENT,
                "The feature was present in fewer examples than expected: "
                f"minimum count = {expected}, actual = {presence.min_count}",
            )
        )
    if presence.HasField("min_fraction"):
        reasons += _fit_fraction(view, presence)
    return reasons


def _fit_fraction(view: FeatureView, presence: Any) -> list[Reason]:
    fraction = view.fraction_present
    if fraction is None:
        return []
    reasons = []
    if fraction < presence.min_fraction:
        expected = to_float32(presence.min_fraction)
        presence.min_fraction = fraction
        reasons.append(
            _dropped(
                Anomaly.FEATURE_TYPE_LOW_FRACTION_PRESENT,
                "The feature was present in fewer examples than expected: "
                f"minimum fraction = {expected:f}, actual = {fraction:f}",
            )
        )
    if presence.min_fraction == 1.0 and view.num_missing != 0:
        presence.min_fraction = _ALMOST_ALL
        reasons.append(
            _dropped(
                Anomaly.FEATURE_TYPE_LOW_FRACTION_PRESENT,
                "The feature was expected everywhere, but was missing in "
                f"{six_digits(view.num_missing)} examples.",
            )
        )
    return reasons


def _dropped(kind: int, description: str) -> Reason:
    return Reason(kind, _DROPPED, description)
