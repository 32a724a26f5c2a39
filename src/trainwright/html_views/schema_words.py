"""Descriptions of what a schema asks of a feature, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainwright.html_views.numbers import counted, number, percent

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import schema_pb2

_TYPES = ("any", "bytes", "int", "float", "struct")


def type_words(feature: schema_pb2.Feature) -> str:
    """The type, for example "int"."""
    number = feature.type
    return _TYPES[number] if number < len(_TYPES) else f"type {number}"


def is_required(feature: schema_pb2.Feature) -> bool:
    """Whether every example must have the feature."""
    return bool(feature.presence.min_fraction == 1)


def presence_words(feature: schema_pb2.Feature) -> str:
    """In how many examples it must be, for example "required" or "in 50.0% or more"."""
    if feature.HasField("group_presence"):
        return "required where its structure is" if feature.group_presence.required else "optional"
    if is_required(feature):
        return "required"
    if feature.presence.min_fraction > 0:
        return f"in {percent(feature.presence.min_fraction)} or more"
    if feature.presence.min_count > 0:
        return f"in {counted(feature.presence.min_count, 'example')} or more"
    return "optional"


def valency_words(feature: schema_pb2.Feature) -> str:
    """How many values an example has, for example "1 value" or "shape 28 x 28"."""
    which = feature.WhichOneof("shape_type")
    if which == "shape":
        return _shape(feature.shape)
    if which == "value_count":
        return f"{_count(feature.value_count)} values"
    if which == "value_counts":
        levels = (_count(level) for level in feature.value_counts.value_count)
        return f"{' of '.join(levels)} values"
    return "any number of values"


def environment_words(schema: schema_pb2.Schema, feature: schema_pb2.Feature) -> str:
    """The environments that expect the feature: all, or the names of some.

    Example: "all but SERVING"
    """
    if feature.in_environment:
        return ", ".join(feature.in_environment)
    if feature.not_in_environment:
        return f"all but {', '.join(feature.not_in_environment)}"
    return "all" if schema.default_environment else ""


def comparator_words(feature: schema_pb2.Feature) -> list[str]:
    """What is checked of its distribution: between spans, between training and serving."""
    words = []
    for name, comparator in (
        ("drift", feature.drift_comparator),
        ("skew", feature.skew_comparator),
    ):
        for measure, threshold in comparator.ListFields():
            if hasattr(threshold, "threshold"):
                label = measure.name.replace("_", " ")
                words.append(f"{name} ({label}) up to {number(threshold.threshold)}")
    least = feature.distribution_constraints.min_domain_mass
    if feature.HasField("distribution_constraints") and least < 1:
        words.append(f"{percent(least)} of the values in the domain")
    return words


def range_words(low: float | None, high: float | None) -> str:
    """An interval, for example "0 to 10" or "0 or more"."""
    if low is not None and high is not None:
        return f"{number(low)} to {number(high)}"
    if low is not None:
        return f"{number(low)} or more"
    return f"{number(high)} or less" if high is not None else "any number"


def _shape(shape: schema_pb2.FixedShape) -> str:
    if not shape.dim:
        return "1 value (a scalar)"
    if [dimension.size for dimension in shape.dim] == [1]:
        return "1 value"
    sizes = (number(dimension.size) if dimension.size else "?" for dimension in shape.dim)
    return "shape " + " \N{MULTIPLICATION SIGN} ".join(sizes)


def _count(count: schema_pb2.ValueCount) -> str:
    low = count.min if count.HasField("min") else None
    high = count.max if count.HasField("max") else None
    return number(low) if low is not None and low == high else range_words(low, high)
