"""Sparse and weighted features: columns that belong together."""

from __future__ import annotations

from typing import Any

from trainwright.schemas.reasons import Anomaly, Reason, six_digits
from trainwright.schemas.schema_index import deprecate, is_unchecked
from trainwright.schemas.statistics_view import FeatureView


def fit_weighted_feature(
    view: FeatureView, weighted: Any, feature: Any | None, sparse: Any | None
) -> list[Reason]:
    """Says what is wrong with a weighted feature; the name may be taken twice."""
    others = [other for other in (feature, sparse) if other is not None]
    if others and not is_unchecked(weighted):
        for other in (weighted, *others):
            deprecate(other)
        name = "Weighted feature name collision"
        return [Reason(Anomaly.WEIGHTED_FEATURE_NAME_COLLISION, name, f"{name}.")]
    reasons = _weighted_reasons(view)
    if reasons:
        deprecate(weighted)
    return reasons


def _weighted_reasons(view: FeatureView) -> list[Reason]:
    numbers = {statistic.name: statistic.num for statistic in view.statistics.custom_stats}
    reasons = []
    for name, kind in (
        ("value", Anomaly.WEIGHTED_FEATURE_MISSING_VALUE),
        ("weight", Anomaly.WEIGHTED_FEATURE_MISSING_WEIGHT),
    ):
        count = numbers.get(f"missing_{name}", 0)
        if count:
            text = f"Found {six_digits(count)} examples missing {name} feature."
            reasons.append(Reason(kind, f"Missing {name} feature", text))
    fewest = int(numbers.get("min_weight_length_diff", 0))
    most = int(numbers.get("max_weight_length_diff", 0))
    if fewest or most:
        text = (
            "Mismatch between weight and value feature with min_weight_length_diff = "
            f"{fewest} and max_weight_length_diff = {most}."
        )
        short = "Length mismatch between value and weight feature"
        reasons.append(Reason(Anomaly.WEIGHTED_FEATURE_LENGTH_MISMATCH, short, text))
    return reasons


def fit_sparse_feature(view: FeatureView, sparse: Any, feature: Any | None) -> list[Reason]:
    """Says what is wrong with a sparse feature; the name may be taken twice."""
    if feature is not None and not is_unchecked(feature):
        deprecate(sparse)
        deprecate(feature)
        name = "Sparse feature name collision"
        return [Reason(Anomaly.SPARSE_FEATURE_NAME_COLLISION, name, f"{name}.")]
    reasons = [
        reason
        for statistic in view.statistics.custom_stats
        for reason in _sparse_reasons(statistic)
    ]
    if reasons:
        deprecate(sparse)
    return reasons


def _sparse_reasons(statistic: Any) -> list[Reason]:
    if statistic.name == "missing_value" and statistic.num:
        text = f"Found {six_digits(statistic.num)} examples missing value feature"
        return [Reason(Anomaly.SPARSE_FEATURE_MISSING_VALUE, "Missing value feature", text)]
    found = {
        bucket.label: int(bucket.sample_count)
        for bucket in statistic.rank_histogram.buckets
        if bucket.sample_count
    }
    if statistic.name == "missing_index":
        kind, short = Anomaly.SPARSE_FEATURE_MISSING_INDEX, "Missing index feature"
        return [
            Reason(kind, short, f"Found {count} examples missing index feature: {index}")
            for index, count in found.items()
            if count
        ]
    if statistic.name in ("max_length_diff", "min_length_diff"):
        kind = Anomaly.SPARSE_FEATURE_LENGTH_MISMATCH
        short = "Length mismatch between value and index feature"
        return [
            Reason(
                kind,
                short,
                f"Mismatch between index feature: {index} and value column, with "
                f"{statistic.name} = {difference}",
            )
            for index, difference in found.items()
        ]
    return []
