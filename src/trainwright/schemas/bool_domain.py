"""Bool domains: two values, as integers, floats or words."""

from __future__ import annotations

from typing import Any

from tensorflow_metadata.proto.v0 import schema_pb2, statistics_pb2

from trainwright.schemas.reasons import Anomaly, Reason, six_digits
from trainwright.schemas.statistics_view import FeatureView

_TRUE_WORDS = frozenset({"TRUE", "true", "SET", "set", "1", ""})
_FALSE_WORDS = frozenset({"FALSE", "false", "CLEAR", "clear", "0"})
_NOT_BOOLEAN = "Non-boolean values"

_Statistics = statistics_pb2.FeatureNameStatistics


def infer_bool_domain(view: FeatureView) -> schema_pb2.BoolDomain | None:
    """A bool domain, if the values look like one: 0 and 1, or a word for true or for false."""
    if view.type == _Statistics.INT:
        numeric = view.statistics.num_stats
        # A column of zeros alone is not a sign of a bool.
        return schema_pb2.BoolDomain() if numeric.min >= 0 and numeric.max == 1 else None
    if view.type != _Statistics.STRING:
        return None
    words = list(view.value_counts)
    true_words = [word for word in words if word in _TRUE_WORDS]
    false_words = [word for word in words if word in _FALSE_WORDS]
    if not words or len(true_words) > 1 or len(false_words) > 1:
        return None
    if len(true_words) + len(false_words) != len(words):
        return None
    domain = schema_pb2.BoolDomain()
    for word in true_words:
        domain.true_value = word
    for word in false_words:
        domain.false_value = word
    return domain


def drop_equal_words(domain: Any) -> None:
    """One word cannot mean both; it is kept for true."""
    both = domain.HasField("true_value") and domain.HasField("false_value")
    if both and domain.true_value == domain.false_value:
        domain.ClearField("false_value")


def fit_bool_domain(view: FeatureView, feature: Any) -> list[Reason]:
    """Gives a feature another domain if its values are not two, and says why."""
    if view.type == _Statistics.INT:
        return _fit_integers(view.statistics.num_stats, feature)
    if view.type == _Statistics.FLOAT:
        return _fit_floats(view.statistics.num_stats, feature)
    if view.type == _Statistics.STRING:
        return _fit_words(view, feature)
    return []


def _fit_integers(numeric: Any, feature: Any) -> list[Reason]:
    if numeric.min < 0:
        kind, odd = Anomaly.BOOL_TYPE_SMALL_INT, numeric.min
    elif numeric.max > 1:
        kind, odd = Anomaly.BOOL_TYPE_BIG_INT, numeric.max
    else:
        return []
    feature.int_domain.min = _clamp_to_int64(numeric.min)
    feature.int_domain.max = _clamp_to_int64(numeric.max)
    text = f"Integers (such as {six_digits(odd)}) not in {{0, 1}}: converting to an integer."
    return [Reason(kind, _NOT_BOOLEAN, text)]


def _clamp_to_int64(value: float) -> int:
    return max(-(2**63), min(2**63 - 1, int(value)))


def _fit_floats(numeric: Any, feature: Any) -> list[Reason]:
    found = _odd_float(numeric)
    if found is None:
        return []
    feature.float_domain.min = numeric.min
    feature.float_domain.max = numeric.max
    text = f"{found}: converting to float_domain."
    return [Reason(Anomaly.BOOL_TYPE_UNEXPECTED_FLOAT, _NOT_BOOLEAN, text)]


def _odd_float(numeric: Any) -> str | None:
    """What was found that is neither 0 nor 1, in words."""
    for value in (numeric.min, numeric.max):
        if value not in (0.0, 1.0):
            return f"Floats (such as {six_digits(value)}) not in {{0, 1}}"
    for histogram in numeric.histograms:
        if histogram.num_nan > 0:
            return "Floats (such as NaN) not in {0, 1}"
        # A standard bucket may hold 0 or 1 and have other bounds; a quantile is a value.
        is_quantiles = histogram.type == statistics_pb2.Histogram.QUANTILES
        for bucket in histogram.buckets:
            if bucket.sample_count > 0 and (odd := _odd_bucket(bucket, is_quantiles)):
                return odd
    return None


def _odd_bucket(bucket: Any, is_quantiles: bool) -> str | None:
    if bucket.high_value < 0:
        return "Float values < 0 not in {0, 1}"
    if bucket.low_value > 1:
        return "Float values > 1 not in {0, 1}"
    if is_quantiles and bucket.low_value > 0 and bucket.high_value < 1:
        return "Float values falling between 0 and 1"
    return None


def _fit_words(view: FeatureView, feature: Any) -> list[Reason]:
    domain = feature.bool_domain
    words = [
        getattr(domain, name) for name in ("true_value", "false_value") if domain.HasField(name)
    ]
    odd = next((word for word in view.value_counts if word not in words), None)
    if odd is None:
        return []
    known = ", ".join(f'"{word}"' for word in sorted(words))
    feature.ClearField("bool_domain")
    text = f'Saw unexpected value "{odd}" instead of {{{known}}}.'
    return [Reason(Anomaly.BOOL_TYPE_UNEXPECTED_STRING, _NOT_BOOLEAN, text)]
