"""Matches slices against slicing specs."""

from __future__ import annotations

from trainwright.evaluation.metric_keys import SliceKey
from trainwright.evaluation.slices.slicing import SliceSpec, to_slice_value
from trainwright.proto.tfma import config_pb2


def matches(spec: config_pb2.SlicingSpec, key: SliceKey) -> bool:
    """Whether a slice is one of the spec's; "5" and 5 are the same value."""
    comparable = tuple(
        (column, to_slice_value(value) if isinstance(value, str) else value)
        for column, value in key
    )
    return SliceSpec.from_proto(spec).covers(comparable)


def can_match(spec: config_pb2.SlicingSpec, computed: config_pb2.SlicingSpec) -> bool:
    """Whether some slice that is computed for one spec may be one of the other's."""
    ours, theirs = SliceSpec.from_proto(spec), SliceSpec.from_proto(computed)
    values = dict(theirs.values)
    return set(ours.features) == set(theirs.features) and all(
        values.get(name, value) == value for name, value in ours.values
    )


def slice_text(key: SliceKey) -> str:
    """A slice for people.

    >>> slice_text((("hour", 5), ("company", "Blue")))
    'hour=5, company=Blue'
    """
    return ", ".join(f"{column}={value}" for column, value in key) or "all examples"
