"""Bounds of a schema that no data can meet: a minimum above its maximum, a fraction of 7."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from google.protobuf.message import Message
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.schemas.feature_paths import Path, path_text

# By the name of the message. Other bounds stand alone and cannot contradict anything.
_ORDERED = {
    "ValueCount": [("min", "max")],
    "IntDomain": [("min", "max")],
    "FloatDomain": [("min", "max")],
    "UniqueConstraints": [("min", "max")],
    "SequenceValueConstraints": [
        ("min_per_sequence", "max_per_sequence"),
        ("min_fraction_of_sequences", "max_fraction_of_sequences"),
    ],
    "SequenceLengthConstraints": [("min_sequence_length", "max_sequence_length")],
    "NumericValueComparator": [("min_fraction_threshold", "max_fraction_threshold")],
    "DatasetConstraints": [("min_examples_count", "max_examples_count")],
}
_FRACTIONS = {
    "FeaturePresence": ["min_fraction"],
    "FeatureCoverageConstraints": ["min_coverage"],
    "SequenceValueConstraints": ["min_fraction_of_sequences", "max_fraction_of_sequences"],
    "ImageDomain": ["minimum_supported_image_fraction"],
    "DistributionConstraints": ["min_domain_mass"],
}
# Distances have no upper limit here: a threshold that is never reached only measures.
_NOT_NEGATIVE = {
    "FeaturePresence": ["min_count"],
    "ValueCount": ["min", "max"],
    "UniqueConstraints": ["min", "max"],
    "DatasetConstraints": ["min_examples_count", "max_examples_count"],
    "NumericValueComparator": ["min_fraction_threshold", "max_fraction_threshold"],
    "InfinityNorm": ["threshold"],
    "JensenShannonDivergence": ["threshold"],
    "NormalizedAbsoluteDifference": ["threshold"],
}


def find_contradictions(schema: schema_pb2.Schema) -> list[str]:
    """What is wrong with the bounds of a schema, whatever the data; a sentence for each.

    >>> schema = schema_pb2.Schema()
    >>> schema.feature.add(name="age").int_domain.MergeFrom(schema_pb2.IntDomain(min=9, max=3))
    >>> find_contradictions(schema)
    ["feature 'age': int_domain.min is 9, above int_domain.max, which is 3."]
    """
    return list(_in_message(schema, (), ()))


def _in_message(message: Any, feature: Path, fields: tuple[str, ...]) -> Iterator[str]:
    """The contradictions in a message and in what it holds.

    Args:
        message: A part of a schema.
        feature: The path of the feature that it belongs to; none if it is of the whole schema.
        fields: The fields that lead to it from there.
    """
    where = f"feature {path_text(feature)!r}: " if feature else ""
    for problem in _of_bounds(message, ".".join([*fields, ""])):
        yield where + problem
    for descriptor, value in message.ListFields():
        is_map = descriptor.message_type and descriptor.message_type.GetOptions().map_entry
        if descriptor.message_type is None or is_map:
            continue
        for item in [value] if isinstance(value, Message) else value:
            if isinstance(item, schema_pb2.Feature):
                yield from _in_message(item, (*feature, item.name), ())
            else:
                yield from _in_message(item, feature, (*fields, _field_name(descriptor, item)))


def _field_name(descriptor: Any, item: Any) -> str:
    name = getattr(item, "name", "")
    return f"{descriptor.name} {name!r}" if name else str(descriptor.name)


def _of_bounds(message: Any, prefix: str) -> Iterator[str]:
    kind = message.DESCRIPTOR.name
    for low, high in _ORDERED.get(kind, ()):
        values = getattr(message, low), getattr(message, high)
        if message.HasField(low) and message.HasField(high) and values[0] > values[1]:
            above = f"above {prefix}{high}, which is {_text(values[1])}."
            yield f"{prefix}{low} is {_text(values[0])}, {above}"
        for name, bound in zip((low, high), values, strict=True):
            if math.isnan(bound):
                yield f"{prefix}{name} is NaN: expected a number."
    for name in _FRACTIONS.get(kind, ()):
        fraction = getattr(message, name)
        if not 0 <= fraction <= 1:
            yield f"{prefix}{name} is {_text(fraction)}: expected a fraction between 0 and 1."
    for name in _NOT_NEGATIVE.get(kind, ()):
        number = getattr(message, name)
        if not number >= 0:
            yield f"{prefix}{name} is {_text(number)}: expected 0 or more."


def _text(number: float) -> str:
    return str(number) if isinstance(number, int) else f"{number:g}"
