"""Features of records by name, for comparing: whether two are the same, and what identifies one."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Mapping
from typing import Any

from trainwright.data.example_messages import example_class, sequence_example_class
from trainwright.data.example_reading.arrow_decoding import SEQUENCE_COLUMN
from trainwright.proto import example_gen_pb2

# A feature: a `Feature`, or the `FeatureList` of a tf.SequenceExample.
Features = Mapping[str, Any]

KEY_BYTES = 16


def read_features(record: bytes, record_format: int) -> Features:
    """The features of a serialized record.

    A sequence feature that shares its name with one of the context gets tfx-bsl's prefix.
    """
    if record_format != example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE:
        features: Features = example_class().FromString(record).features.feature
        return features
    sequence = sequence_example_class().FromString(record)
    found = dict(sequence.context.feature)
    for name, steps in sequence.feature_lists.feature_list.items():
        found[f"{SEQUENCE_COLUMN}.{name}" if name in found else name] = steps
    return found


def is_empty(feature: Any | None) -> bool:
    """Whether a feature is missing or has no values."""
    return feature is None or not any(one.ByteSize() and _values(one) for one in _steps(feature))


def is_same(base: Any, test: Any, digits: int) -> bool:
    """Whether two features have the same values, floating-point numbers up to rounding."""
    first, second = base.SerializeToString(), test.SerializeToString()
    if first == second:
        return True
    if len(_steps(base)) != len(_steps(test)):
        return False
    return _canonical(base, digits) == _canonical(test, digits)


def identify(features: Features, names: Iterable[str], digits: int) -> bytes | None:
    """What is the same for records of the same identifier; None if part of that is missing."""
    digest = hashlib.blake2b(digest_size=KEY_BYTES)
    for name in names:
        feature = features.get(name)
        if is_empty(feature):
            return None
        value = _canonical(feature, digits)
        digest.update(len(value).to_bytes(8, "little"))
        digest.update(value)
    return digest.digest()


def _steps(feature: Any) -> Any:
    """The Features of a FeatureList; a Feature is one step."""
    return feature.feature if hasattr(feature, "feature") else (feature,)


def _values(feature: Any) -> Any:
    kind = feature.WhichOneof("kind")
    return getattr(feature, kind).value if kind else ()


def _canonical(feature: Any, digits: int) -> bytes:
    """Values as bytes that are equal if the values are: their kind, and each with its length."""
    parts = []
    for step in _steps(feature):
        kind = step.WhichOneof("kind")
        if kind == "float_list":
            rounded = [round(value, digits) for value in step.float_list.value]
            parts.append(b"f" + array("f", rounded).tobytes())
        else:
            parts.append(step.SerializeToString())
    if len(parts) == 1:
        return bytes(parts[0])
    return b"".join(len(part).to_bytes(8, "little") + part for part in parts)
