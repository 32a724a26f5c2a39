"""Reasons why data does not fit a schema, and how they become an anomaly."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

from tensorflow_metadata.proto.v0 import anomalies_pb2

Anomaly = anomalies_pb2.AnomalyInfo


class Reason(NamedTuple):
    """One way in which data departs from a schema.

    Args:
        type: A value of `AnomalyInfo.Type`.
        short: A few words, the same for all reasons of a kind.
        description: A sentence with the values that were found; it may be empty.
    """

    type: int
    short: str
    description: str = ""


def make_anomaly(reasons: Sequence[Reason]) -> anomalies_pb2.AnomalyInfo:
    """The anomaly that these reasons make up.

    A new column with columns inside is one piece of news, not many.
    """
    if all(reason.type == Anomaly.SCHEMA_NEW_COLUMN for reason in reasons):
        reasons = reasons[:1]
    summary = _summarize(reasons)
    anomaly = Anomaly(
        severity=Anomaly.ERROR, short_description=summary.short, description=summary.description
    )
    for reason in reasons:
        anomaly.reason.add(
            type=reason.type, short_description=reason.short, description=reason.description
        )
    return anomaly


def _summarize(reasons: Sequence[Reason]) -> Reason:
    described = [reason for reason in reasons if reason.description]
    if len(described) > 1:
        text = " ".join(reason.description for reason in described)
        return Reason(Anomaly.UNKNOWN_TYPE, "Multiple errors", text)
    return described[0] if described else reasons[-1]


def six_digits(value: float) -> str:
    """A number with six significant digits, as descriptions show it.

    >>> six_digits(1234567.0), six_digits(0.25)
    ('1.23457e+06', '0.25')
    """
    return f"{value:g}"


def to_float32(value: float) -> float:
    """The nearest single-precision number, which is what float domains hold."""
    try:
        rounded: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return rounded
