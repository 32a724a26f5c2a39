"""Features of records by name, for comparing: whether two are the same, and what identifies one.

A feature is compared as bytes, its own serialization, which are equal if its values are. Those of a
tf.SequenceExample's steps stand one after the other behind a byte that no Feature begins with.
"""

from __future__ import annotations

import functools
import hashlib
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from trainwright.data.example_messages import example_class, sequence_example_class
from trainwright.data.example_reading.arrow_decoding import SEQUENCE_COLUMN
from trainwright.proto import example_gen_pb2

KEY_BYTES = 16

# The first byte of a Feature with floating-point numbers, which is its field's tag, and of steps.
_FLOATS, _STEPS = b"\x12", b"\x00"
_LENGTH_BYTES = 8
# A list without values takes a tag and a length; with one there are at least these around it.
_LONGEST_EMPTY = 2


def parse_features(record: bytes, record_format: int) -> Mapping[str, Any]:
    """The features of a serialized record as messages, a `Feature` or a `FeatureList` each.

    A sequence feature that shares its name with one of the context gets tfx-bsl's prefix.
    """
    if record_format != example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE:
        features: Mapping[str, Any] = example_class().FromString(record).features.feature
        return features
    sequence = sequence_example_class().FromString(record)
    found = dict(sequence.context.feature)
    for name, steps in sequence.feature_lists.feature_list.items():
        found[f"{SEQUENCE_COLUMN}.{name}" if name in found else name] = steps
    return found


def read_features(record: bytes, record_format: int) -> dict[str, bytes]:
    """The features of a serialized record as bytes to compare."""
    if record_format == example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE:
        parsed = parse_features(record, record_format)
        return {name: to_bytes(feature) for name, feature in parsed.items()}
    features = example_class().FromString(record).features.feature
    return {name: feature.SerializeToString() for name, feature in features.items()}


def to_bytes(feature: Any) -> bytes:
    """A feature as bytes to compare."""
    if not is_sequence(feature):
        data: bytes = feature.SerializeToString()
        return data
    steps = [step.SerializeToString() for step in feature.feature]
    return _STEPS + b"".join(len(step).to_bytes(_LENGTH_BYTES, "little") + step for step in steps)


def is_sequence(feature: Any) -> bool:
    """Whether it is a feature of a tf.SequenceExample's steps."""
    return bool(feature.DESCRIPTOR.name == "FeatureList")


def is_empty(feature: bytes | None) -> bool:
    """Whether a feature is missing or has no values.

    >>> is_empty(b"\\x12\\x00"), is_empty(None), is_empty(b"\\x0a\\x02\\x0a\\x00")
    (True, True, False)
    """
    if feature is None:
        return True
    if feature[:1] == _STEPS:
        return all(len(step) <= _LONGEST_EMPTY for step in _steps_of(feature))
    return len(feature) <= _LONGEST_EMPTY


def is_same(base: bytes, test: bytes, digits: int) -> bool:
    """Whether two features have the same values, floating-point numbers up to rounding."""
    if base == test:
        return True
    first = base[:1]
    if first != test[:1] or first not in (_FLOATS, _STEPS):
        return False
    return _canonical(base, digits) == _canonical(test, digits)


def identify(features: Mapping[str, Any], names: Iterable[str], digits: int) -> bytes | None:
    """What is the same for records of the same identifier; None if part of that is missing."""
    digest = hashlib.blake2b(digest_size=KEY_BYTES)
    for name in names:
        found = features.get(name)
        feature = None if found is None else to_bytes(found)
        if feature is None or is_empty(feature):
            return None
        value = _canonical(feature, digits)
        digest.update(len(value).to_bytes(_LENGTH_BYTES, "little"))
        digest.update(value)
    return digest.digest()


def parse_feature(feature: bytes) -> Any:
    """The message of a feature that is not one of steps."""
    return _feature_class().FromString(feature)


def _canonical(feature: bytes, digits: int) -> bytes:
    """Bytes that are equal if the values are, rounded as TFDV does."""
    if feature[:1] == _FLOATS:
        values = parse_feature(feature).float_list.value
        return array("f", [round(value, digits) for value in values]).tobytes()
    if feature[:1] == _STEPS:
        steps = [_canonical(step, digits) + step[:1] for step in _steps_of(feature)]
        return b"".join(len(step).to_bytes(_LENGTH_BYTES, "little") + step for step in steps)
    return feature


def _steps_of(feature: bytes) -> Iterator[bytes]:
    place = len(_STEPS)
    while place < len(feature):
        start = place + _LENGTH_BYTES
        place = start + int.from_bytes(feature[place:start], "little")
        yield feature[start:place]


@functools.cache
def _feature_class() -> Any:
    return type(example_class()().features.feature["any"])
