"""A feature of a schema in words: its type, presence, number of values and domain."""

from __future__ import annotations

from typing import Any

from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.schemas.schema_index import SchemaIndex, is_unchecked
from trainwright.schemas.string_domain import escape_value

# How many values of a domain are listed.
_MOST_VALUES = 8


def describe_type(feature: Any) -> str:
    """For example "INT", or "BYTES, deprecated"."""
    name: str = schema_pb2.FeatureType.Name(feature.type)
    if not is_unchecked(feature):
        return name
    stage = schema_pb2.LifecycleStage.Name(feature.lifecycle_stage).lower()
    return f"{name}, {'deprecated' if feature.deprecated else stage}"


def describe_presence(feature: Any) -> str:
    """For example "required", "at least 90 %" or "optional, not in SERVING"."""
    presence = feature.presence
    if presence.min_fraction >= 1:
        text = "required"
    elif presence.min_fraction > 0:
        text = f"at least {presence.min_fraction * 100:g} %"
    elif presence.min_count > 1:
        text = f"in {presence.min_count} examples or more"
    else:
        text = "optional"
    for words, environments in (
        ("only in" if feature.in_environment else "", feature.in_environment),
        ("not in" if feature.not_in_environment else "", feature.not_in_environment),
    ):
        if environments:
            text += f", {words} {', '.join(environments)}"
    return text


def describe_valency(feature: Any) -> str:
    """For example "1", "1 or more", "2 to 5", "any number" or "shape [2, 3]"."""
    if feature.HasField("shape"):
        return f"shape [{', '.join(str(dimension.size) for dimension in feature.shape.dim)}]"
    if feature.HasField("value_counts"):
        return " x ".join(_describe_count(level) for level in feature.value_counts.value_count)
    return _describe_count(feature.value_count)


def _describe_count(count: Any) -> str:
    if count.HasField("max"):
        return str(count.max) if count.min == count.max else f"{count.min} to {count.max}"
    return f"{count.min} or more" if count.min > 0 else "any number"


def describe_domain(feature: Any, index: SchemaIndex) -> str:
    """For example "'a', 'b', 'c'", "0 to 10", "bool" or ""."""
    kind = feature.WhichOneof("domain_info")
    if kind is None:
        return ""
    if kind == "domain":
        domain = index.string_domain(feature.domain)
        listed = describe_values(domain.value) if domain is not None else "which is missing"
        same_name = feature.domain == feature.name
        return listed if same_name else f"{feature.domain}: {listed}"
    domain = getattr(feature, kind)
    if kind == "string_domain":
        return describe_values(domain.value)
    if kind == "bool_domain":
        words = [domain.true_value, domain.false_value]
        return f"bool: {describe_values(words)}" if any(words) else "bool"
    if kind in ("int_domain", "float_domain"):
        return _describe_range(kind.removesuffix("_domain"), domain)
    if kind == "struct_domain":
        return f"{len(domain.feature)} features inside"
    return str(kind.removesuffix("_domain").replace("_", " "))


def _describe_range(kind: str, domain: Any) -> str:
    least = f"{domain.min:g}" if kind == "float" else str(domain.min)
    most = f"{domain.max:g}" if kind == "float" else str(domain.max)
    if domain.HasField("min") and domain.HasField("max"):
        text = f"{kind} from {least} to {most}"
    elif domain.HasField("min"):
        text = f"{kind} from {least}"
    elif domain.HasField("max"):
        text = f"{kind} up to {most}"
    else:
        text = kind
    return f"{text}, categorical" if domain.is_categorical else text


def describe_values(values: Any) -> str:
    """Values in quotes; of many, the first and how many there are.

    >>> describe_values(["a", "b"])
    "'a', 'b'"
    """
    listed = [f"'{escape_value(value)}'" for value in values]
    if len(listed) <= _MOST_VALUES:
        return ", ".join(listed)
    return f"{', '.join(listed[: _MOST_VALUES - 1])} and {len(listed) - _MOST_VALUES + 1} more"
