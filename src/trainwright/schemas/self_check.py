"""Self check: mistakes in a feature of a schema, whatever the data."""

from __future__ import annotations

from typing import Any

from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.schemas.bool_domain import drop_equal_words
from trainwright.schemas.reasons import Anomaly, Reason
from trainwright.schemas.schema_index import SchemaIndex, deprecate
from trainwright.schemas.string_domain import drop_repeated_values

_BYTES, _INT = schema_pb2.BYTES, schema_pb2.INT
_FLOAT, _STRUCT = schema_pb2.FLOAT, schema_pb2.STRUCT

# The types that a domain fits; a domain that is not here fits all.
_TYPES = {
    "domain": {_BYTES},
    "bool_domain": {_INT, _BYTES, _FLOAT},
    "int_domain": {_INT, _BYTES},
    "float_domain": {_FLOAT, _BYTES},
    "string_domain": {_BYTES},
    "struct_domain": {_STRUCT},
    "natural_language_domain": {_BYTES, _INT},
    "image_domain": {_BYTES},
    "mid_domain": {_BYTES},
    "url_domain": {_BYTES},
    "time_domain": {_INT, _BYTES},
}
# What a domain is called where constraints on its distribution are refused.
_WITHOUT_DISTRIBUTION = {
    "bool_domain": "not supported for bool domains.",
    "int_domain": "not supported for int domains.",
    "float_domain": "not supported for float domains.",
    "struct_domain": "not supported for struct domains.",
    "natural_language_domain": "not supported for semantic domains.",
    "image_domain": "not supported for semantic domains.",
    "mid_domain": "not supported for semantic domains.",
    "url_domain": "not supported for semantic domains.",
    "time_domain": "not supported for semantic domains.",
    None: "require domain or string domain.",
}


def clear_domain(feature: Any) -> None:
    """Takes its domain, of whatever kind, from a feature."""
    name = feature.WhichOneof("domain_info")
    if name is not None:
        feature.ClearField(name)


def check_feature_itself(feature: Any, index: SchemaIndex) -> list[Reason]:
    """Mends what contradicts itself, and says what it was."""
    if not feature.HasField("name"):
        deprecate(feature)
        return [
            Reason(
                Anomaly.FEATURE_MISSING_NAME,
                "unspecified name (maybe meant to be the empty string): find name rather than "
                "deprecating.",
            )
        ]
    reasons = []
    if not feature.HasField("type"):
        reason, is_known = _check_type(feature)
        if not is_known:
            return [reason]
        reasons.append(reason)
    return [*reasons, *_check_numbers(feature), *_check_domain(feature, index)]


def _check_type(feature: Any) -> tuple[Reason, bool]:
    kind = Anomaly.FEATURE_MISSING_TYPE
    if feature.WhichOneof("domain_info") in ("domain", "string_domain"):
        feature.type = _BYTES
        return Reason(
            kind, "unspecified type: inferring the type to be BYTES, given the domain specified."
        ), True
    deprecate(feature)
    return Reason(
        kind, "unspecified type: determine the type and set it, rather than deprecating."
    ), False


def _check_numbers(feature: Any) -> list[Reason]:
    reasons = []
    if feature.presence.min_fraction < 0:
        feature.presence.ClearField("min_fraction")
        reasons.append(_invalid("min_fraction should not be negative: clear is equal to zero"))
    if feature.presence.min_fraction > 1:
        feature.presence.min_fraction = 1.0
        reasons.append(_invalid("min_fraction should not greater than 1"))
    if feature.value_count.min < 0:
        feature.value_count.ClearField("min")
        reasons.append(_invalid("ValueCount.min should not be negative"))
    if _is_upside_down(feature.value_count):
        feature.value_count.max = feature.value_count.min
        reasons.append(_invalid("ValueCount.max should not be less than min"))
    for level, value_count in enumerate(feature.value_counts.value_count):
        reasons += _check_level(level, value_count)
    if any(dimension.size <= 0 for dimension in feature.shape.dim):
        feature.ClearField("shape")
        reasons.append(_invalid("Shape.dim.size must be a positive integer"))
    return reasons


def _check_level(level: int, value_count: Any) -> list[Reason]:
    reasons = []
    if value_count.min < 0:
        value_count.ClearField("min")
        reasons.append(
            _invalid(
                "ValueCounts.min should not be negative",
                f"ValueCounts.min at level {level} should not be negative.",
            )
        )
    if _is_upside_down(value_count):
        value_count.max = value_count.min
        reasons.append(
            _invalid(
                "ValueCounts.max should not be less than min",
                f"ValueCounts.max at level {level} should not be less than min.",
            )
        )
    return reasons


def _is_upside_down(value_count: Any) -> bool:
    return value_count.HasField("max") and bool(value_count.max < value_count.min)


def _check_domain(feature: Any, index: SchemaIndex) -> list[Reason]:
    reasons = []
    domain = feature.WhichOneof("domain_info")
    if domain in _TYPES and feature.type not in _TYPES[domain]:
        type_name = schema_pb2.FeatureType.Name(feature.type)
        text = f'The domain "{domain}" does not match the type: {type_name}'
        kind, short = Anomaly.DOMAIN_INVALID_FOR_TYPE, "The domain does not match the type"
        reasons.append(Reason(kind, short, text))
        feature.ClearField(domain)
        domain = None
    if domain == "domain" and index.string_domain(feature.domain) is None:
        feature.ClearField("domain")
        reasons.append(Reason(Anomaly.INVALID_DOMAIN_SPECIFICATION, "missing domain: "))
    elif domain == "time_of_day_domain":
        feature.ClearField(domain)
        text = "internal issue: unknown domain_info type"
        reasons.append(Reason(Anomaly.INVALID_DOMAIN_SPECIFICATION, text))
    if domain in _WITHOUT_DISTRIBUTION and feature.HasField("distribution_constraints"):
        feature.ClearField("distribution_constraints")
        reasons.append(_invalid(f"distribution constraints {_WITHOUT_DISTRIBUTION[domain]}"))
    if domain == "bool_domain":
        drop_equal_words(feature.bool_domain)
    if domain == "string_domain":
        drop_repeated_values(feature.string_domain)
    return reasons


def _invalid(short: str, description: str = "") -> Reason:
    return Reason(Anomaly.INVALID_SCHEMA_SPECIFICATION, short, description)
