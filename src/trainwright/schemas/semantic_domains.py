"""Semantic domains: images, natural language, and domains that statistics propose."""

from __future__ import annotations

import logging
from typing import Any

from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2, statistics_pb2

from trainwright.schemas.reasons import Anomaly, Reason, six_digits, to_float32
from trainwright.schemas.statistics_view import FeatureView

_logger = logging.getLogger(__name__)

_PROPOSED_DOMAIN = "domain_info"
_NO_LANGUAGE_STATISTICS = Reason(
    Anomaly.STATS_NOT_AVAILABLE,
    "Natural language stats are not computed.",
    "Constraints specified in natural language domain cannot be verified because natural language "
    "stats have not been computed.",
)


def take_proposed_domain(view: FeatureView, feature: Any) -> bool:
    """Gives a feature the domain that its statistics propose; False if there is none."""
    proposed = [
        statistic.str
        for statistic in view.statistics.custom_stats
        if statistic.name == _PROPOSED_DOMAIN and statistic.str
    ]
    if len(proposed) != 1:
        return False
    try:
        parsed = text_format.Parse(proposed[0], schema_pb2.Feature())
    except text_format.ParseError:
        parsed = None
    if parsed is None or not _is_domain_alone(parsed):
        _logger.warning(
            "The statistics of %s propose the domain %r, which is not a valid one; it is not used.",
            feature.name,
            proposed[0],
        )
        return False
    feature.MergeFrom(parsed)
    return True


def _is_domain_alone(feature: Any) -> bool:
    domain = feature.WhichOneof("domain_info")
    return domain is not None and [field.name for field, _ in feature.ListFields()] == [domain]


def fit_image_domain(view: FeatureView, domain: Any) -> list[Reason]:
    """Lowers what is expected of images to what was seen, and says why."""
    return [*_fit_image_formats(view, domain), *_fit_image_size(view, domain)]


def _fit_image_formats(view: FeatureView, domain: Any) -> list[Reason]:
    formats = view.custom_statistic("image_format_histogram")
    if not domain.HasField("minimum_supported_image_fraction"):
        return []
    if formats is None:
        _logger.warning(
            "The formats of the images in %s cannot be checked: the statistics lack "
            "image_format_histogram, which comes with semantic domain statistics.",
            view.path[-1],
        )
        return []
    buckets = formats.rank_histogram.buckets
    total = sum(bucket.sample_count for bucket in buckets)
    known = sum(bucket.sample_count for bucket in buckets if bucket.label != "UNKNOWN")
    expected = domain.minimum_supported_image_fraction
    if not total or (found := to_float32(known / total)) >= expected:
        return []
    domain.minimum_supported_image_fraction = found
    text = (
        f"Fraction of values containing TensorFlow supported images: {found:f} is lower than the "
        f"threshold set in the Schema: {expected:f}."
    )
    return [Reason(Anomaly.LOW_SUPPORTED_IMAGE_FRACTION, "Low supported image fraction", text)]


def _fit_image_size(view: FeatureView, domain: Any) -> list[Reason]:
    largest = view.statistics.bytes_stats.max_num_bytes_int
    allowed = domain.max_image_byte_size
    if not domain.HasField("max_image_byte_size") or largest <= allowed:
        return []
    domain.max_image_byte_size = largest
    text = f"The largest image has bytes: {largest}. The max allowed byte size is: {allowed}."
    return [
        Reason(Anomaly.MAX_IMAGE_BYTE_SIZE_EXCEEDED, "Num bytes exceeds the max byte size.", text)
    ]


def fit_language_domain(view: FeatureView, feature: Any) -> list[Reason]:
    """Lowers what is expected of tokens to what was seen, and says why."""
    domain = feature.natural_language_domain
    coverage = domain.coverage
    statistics = statistics_pb2.NaturalLanguageStatistics()
    found = view.custom_statistic("nl_statistics")
    if found is not None and not found.any.Unpack(statistics):
        return []
    limits = (coverage.HasField("min_coverage"), coverage.HasField("min_avg_token_length"))
    if found is None and (any(limits) or domain.token_constraints):
        feature.ClearField("natural_language_domain")
        return [_NO_LANGUAGE_STATISTICS]
    reasons = _fit_coverage(statistics, coverage)
    tokens = {_token(token): token for token in statistics.token_statistics}
    for constraint in domain.token_constraints:
        token = _constrained_token(constraint)
        if token is None:
            continue
        if token not in tokens:
            feature.ClearField("natural_language_domain")
            return [*reasons, _NO_LANGUAGE_STATISTICS]
        reasons += _fit_token(tokens[token], str(token), constraint)
    return reasons


def _token(statistics: Any) -> str | int | None:
    kind = statistics.WhichOneof("token")
    value: str | int | None = getattr(statistics, kind) if kind else None
    return value


def _constrained_token(constraint: Any) -> str | int | None:
    kind = constraint.WhichOneof("value")
    value: str | int | None = getattr(constraint, kind) if kind else None
    return value


def _fit_coverage(statistics: Any, coverage: Any) -> list[Reason]:
    reasons = []
    found, expected = statistics.feature_coverage, coverage.min_coverage
    if coverage.HasField("min_coverage") and found < expected:
        text = (
            f"Fraction of tokens in the vocabulary: {six_digits(found)} is lower than the "
            f"threshold set in the Schema: {six_digits(expected)}."
        )
        reasons.append(
            Reason(Anomaly.FEATURE_COVERAGE_TOO_LOW, "Feature coverage is too low.", text)
        )
        coverage.min_coverage = found
    found, expected = statistics.avg_token_length, coverage.min_avg_token_length
    if coverage.HasField("min_avg_token_length") and found < expected:
        kind = Anomaly.FEATURE_COVERAGE_TOO_SHORT_AVG_TOKEN_LENGTH
        text = (
            f"Average token length is: {six_digits(found)} which is lower than the threshold set "
            f"in the Schema: {six_digits(expected)}."
        )
        reasons.append(Reason(kind, "Average token length is too short.", text))
        coverage.min_avg_token_length = found
    return reasons


def _fit_token(statistics: Any, token: str, constraint: Any) -> list[Reason]:
    fraction = statistics.fraction_of_sequences
    fewest, most = statistics.per_sequence_min_frequency, statistics.per_sequence_max_frequency
    share = f"Fraction of sequences with value: {token} is: {six_digits(fraction)} which is"
    bounds = (
        (
            "min_fraction_of_sequences",
            fraction,
            Anomaly.SEQUENCE_VALUE_TOO_SMALL_FRACTION,
            "Value occurs in too small a fraction of sequences.",
            share,
        ),
        (
            "max_fraction_of_sequences",
            fraction,
            Anomaly.SEQUENCE_VALUE_TOO_LARGE_FRACTION,
            "Value occurs in too large a fraction of sequences.",
            share,
        ),
        (
            "min_per_sequence",
            fewest,
            Anomaly.SEQUENCE_VALUE_TOO_FEW_OCCURRENCES,
            "Value has too few per-sequence occurrences.",
            f"Value: {token} occurs at least: {six_digits(fewest)} times within a sequence, which "
            "is",
        ),
        (
            "max_per_sequence",
            most,
            Anomaly.SEQUENCE_VALUE_TOO_MANY_OCCURRENCES,
            "Value has too many per-sequence occurrences.",
            f"Value: {token} occurs at most: {six_digits(most)} times within a sequence, which is",
        ),
    )
    reasons = []
    for bound, found, kind, short, beginning in bounds:
        limit = getattr(constraint, bound)
        is_least = bound.startswith("min")
        if constraint.HasField(bound) and (found < limit if is_least else found > limit):
            comparison = "lower" if is_least else "higher"
            text = (
                f"{beginning} {comparison} than the threshold set in the Schema: "
                f"{six_digits(limit)}."
            )
            reasons.append(Reason(kind, short, text))
            # Occurrences are counted as floats and limited by integers.
            setattr(constraint, bound, type(limit)(found))
    return reasons
