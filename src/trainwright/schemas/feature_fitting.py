"""Fitting one feature of a schema to what was seen of it, and the reasons for each change.

Updating a schema and validating against it are the same walk: the one keeps the changes, the other
the reasons.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2, statistics_pb2

from trainwright.schemas.bool_domain import fit_bool_domain
from trainwright.schemas.comparators import Comparison, Controls, compare_feature
from trainwright.schemas.composite_features import fit_sparse_feature, fit_weighted_feature
from trainwright.schemas.feature_paths import path_text
from trainwright.schemas.numeric_domains import fit_float_domain, fit_int_domain
from trainwright.schemas.presence import fit_presence
from trainwright.schemas.reasons import Anomaly, Reason
from trainwright.schemas.schema_index import SchemaIndex, deprecate, is_unchecked
from trainwright.schemas.self_check import check_feature_itself, clear_domain
from trainwright.schemas.semantic_domains import (
    fit_image_domain,
    fit_language_domain,
    take_proposed_domain,
)
from trainwright.schemas.statistics_view import FeatureView
from trainwright.schemas.string_domain import fit_string_domain
from trainwright.schemas.valency import fit_shape, fit_value_counts

_Statistics = statistics_pb2.FeatureNameStatistics

# Domains that may be given to data of which only bytes are known.
_DOMAINS_OF_BYTES = (None, "natural_language_domain", "image_domain", "url_domain")
_NUMBER = re.compile(r"(?<=: )-?\d+\.\d+$", re.MULTILINE)


class Fit(NamedTuple):
    """Why a feature had to be changed, and what was measured on the way."""

    reasons: list[Reason]
    comparison: Comparison


def fit_known_path(
    view: FeatureView, index: SchemaIndex, environment: str | None, controls: Controls
) -> Fit:
    """Fits what a schema says of a path: a feature, a sparse or a weighted feature."""
    feature, sparse = index.feature(view.path), index.sparse_feature(view.path)
    weighted = index.weighted_feature(view.path)
    if weighted is not None:
        return Fit(fit_weighted_feature(view, weighted, feature, sparse), Comparison())
    if sparse is not None and not is_unchecked(sparse):
        return Fit(fit_sparse_feature(view, sparse, feature), Comparison())
    if feature is None or is_unchecked(feature):
        return Fit([], Comparison())
    return _fit_feature(view, feature, index, environment, controls)


def _fit_feature(
    view: FeatureView,
    feature: Any,
    index: SchemaIndex,
    environment: str | None,
    controls: Controls,
) -> Fit:
    reasons = check_feature_itself(feature, index)
    if is_unchecked(feature):
        return Fit(reasons, Comparison())
    if view.num_present == 0:
        if index.is_required(feature, environment):
            deprecate(feature)
            reasons.append(
                Reason(
                    Anomaly.FEATURE_TYPE_NOT_PRESENT,
                    "Column dropped",
                    "The feature was not present in any examples.",
                )
            )
        return Fit(reasons, Comparison())
    reasons += _fit_environment(view, feature, index, environment)
    reasons += fit_value_counts(view, feature)
    reasons += fit_shape(view, feature)
    if feature.HasField("presence"):
        reasons += fit_presence(view, feature.presence)
    reasons += _fit_type(view, feature)
    reasons += _fit_domain(view, feature, index)
    if feature.HasField("unique_constraints"):
        reasons += _fit_unique(view, feature)
    comparison = compare_feature(view, feature, controls)
    reasons += comparison.reasons
    return Fit(reasons + _fit_derivation(view, feature), comparison)


def _fit_environment(
    view: FeatureView, feature: Any, index: SchemaIndex, environment: str | None
) -> list[Reason]:
    if environment is None or index.is_in_environment(feature, environment):
        return []
    if environment in feature.not_in_environment:
        feature.not_in_environment.remove(environment)
    if not index.is_in_environment(feature, environment):
        feature.in_environment.append(environment)
    text = (
        f"New column {path_text(view.path)} found in data but not in the environment "
        f"{environment} in the schema."
    )
    return [Reason(Anomaly.SCHEMA_NEW_COLUMN, "Column missing in environment", text)]


def _fit_type(view: FeatureView, feature: Any) -> list[Reason]:
    reasons = []
    if view.feature_type != feature.type:
        deprecate(feature)
        expected, found = (
            schema_pb2.FeatureType.Name(feature.type),
            _Statistics.Type.Name(view.type),
        )
        text = f"Expected data of type: {expected} but got {found}"
        reasons.append(Reason(Anomaly.UNEXPECTED_DATA_TYPE, "Unexpected data type", text))
    domain = feature.WhichOneof("domain_info")
    if view.type == _Statistics.BYTES and domain not in _DOMAINS_OF_BYTES:
        clear_domain(feature)
        text = f"Data is marked as BYTES with incompatible domain_info: {_feature_text(feature)}"
        reasons.append(Reason(Anomaly.DOMAIN_INVALID_FOR_TYPE, "Invalid domain type", text))
    return reasons


def _feature_text(feature: Any) -> str:
    """A feature in text form, with the digits that the C++ library prints."""
    text = text_format.MessageToString(feature, as_utf8=False)
    return _NUMBER.sub(lambda found: _digits(float(found[0])), text)


def _digits(number: float) -> str:
    short = f"{number:.15g}"
    return short if float(short) == number else f"{number:.17g}"


def _fit_domain(view: FeatureView, feature: Any, index: SchemaIndex) -> list[Reason]:
    domain = feature.WhichOneof("domain_info")
    if domain == "domain":
        return _fit_shared_domain(view, feature, index)
    if domain == "bool_domain":
        return fit_bool_domain(view, feature)
    if domain == "image_domain":
        return fit_image_domain(view, feature.image_domain)
    if domain == "natural_language_domain":
        return fit_language_domain(view, feature)
    if domain is None:
        return _take_proposed_domain(view, feature)
    if domain == "int_domain":
        reasons, is_hopeless = fit_int_domain(view, feature.int_domain)
    elif domain == "float_domain":
        reasons, is_hopeless = fit_float_domain(view, feature.float_domain)
    elif domain == "string_domain":
        inside = _least_inside(feature)
        reasons, is_hopeless = fit_string_domain(view, feature.string_domain, least_inside=inside)
    else:
        return []
    if is_hopeless:
        clear_domain(feature)
    return reasons


def _fit_shared_domain(view: FeatureView, feature: Any, index: SchemaIndex) -> list[Reason]:
    """Fits a domain of the schema, which other features may have as well."""
    domain = index.string_domain(feature.domain)
    assert domain is not None  # check_feature_itself has seen to it
    reasons, is_hopeless = fit_string_domain(view, domain, least_inside=_least_inside(feature))
    if is_hopeless:
        index.drop_string_domain(feature.domain)
    return reasons


def _least_inside(feature: Any) -> float:
    constraints = feature.distribution_constraints
    return float(constraints.min_domain_mass) if constraints.HasField("min_domain_mass") else 1.0


def _take_proposed_domain(view: FeatureView, feature: Any) -> list[Reason]:
    if not take_proposed_domain(view, feature):
        return []
    text = f"Updated semantic domain for feature: {feature.name}"
    return [Reason(Anomaly.SEMANTIC_DOMAIN_UPDATE, "Updated semantic domain", text)]


def _fit_unique(view: FeatureView, feature: Any) -> list[Reason]:
    found, expected = view.num_unique, feature.unique_constraints
    if found is None:
        feature.ClearField("unique_constraints")
        text = (
            "UniqueConstraints specified for the feature, but unique values were not counted "
            "(i.e., feature is not string or categorical)."
        )
        return [Reason(Anomaly.FEATURE_TYPE_NO_UNIQUE, "No unique values", text)]
    if expected.HasField("min") and found < expected.min:
        text = f"Expected at least {expected.min} unique values but found only {found}."
        expected.min = found
        return [Reason(Anomaly.FEATURE_TYPE_LOW_UNIQUE, "Low number of unique values", text)]
    if expected.HasField("max") and found > expected.max:
        text = f"Expected no more than {expected.max} unique values but found {found}."
        expected.max = found
        return [Reason(Anomaly.FEATURE_TYPE_HIGH_UNIQUE, "High number of unique values", text)]
    return []


def _fit_derivation(view: FeatureView, feature: Any) -> list[Reason]:
    """A feature that was derived in order to be validated must be marked so."""
    reasons = []
    is_derived = view.statistics.HasField("validation_derived_source")
    if is_derived and not feature.HasField("validation_derived_source"):
        mark_derived(view, feature)
        text = "Derived source not set in schema."
        reasons.append(Reason(Anomaly.DERIVED_FEATURE_INVALID_SOURCE, text, text))
    is_marked = feature.lifecycle_stage == schema_pb2.VALIDATION_DERIVED or is_unchecked(feature)
    if feature.HasField("validation_derived_source") and not is_marked:
        feature.lifecycle_stage = schema_pb2.VALIDATION_DERIVED
        text = "Derived feature has wrong lifecycle."
        reasons.append(Reason(Anomaly.DERIVED_FEATURE_BAD_LIFECYCLE, text, text))
    return reasons


def mark_derived(view: FeatureView, feature: Any) -> None:
    feature.lifecycle_stage = schema_pb2.VALIDATION_DERIVED
    feature.validation_derived_source.CopyFrom(view.statistics.validation_derived_source)
