"""Slices in TFMA's words."""

from __future__ import annotations

from collections.abc import Iterable

from trainwright.evaluation.metric_keys import SliceKey
from trainwright.evaluation.slices.slice_matching import matches
from trainwright.evaluation.tfma_format.keys import (
    CrossSliceKey,
    cross_slice_key_from_proto,
    cross_slice_key_to_proto,
    slice_key_from_proto,
    slice_key_to_proto,
)
from trainwright.proto.tfma import config_pb2

OVERALL_SLICE_KEY: SliceKey = ()
OVERALL_SLICE_NAME = "Overall"

SliceKeyType = SliceKey
CrossSliceKeyType = CrossSliceKey
SliceKeyOrCrossSliceKeyType = SliceKey | CrossSliceKey

serialize_slice_key = slice_key_to_proto
deserialize_slice_key = slice_key_from_proto
serialize_cross_slice_key = cross_slice_key_to_proto
deserialize_cross_slice_key = cross_slice_key_from_proto


class SingleSliceSpec:
    """Which slices: by each value of some features, and by one value of others.

    Args:
        columns: Features of which each value is a slice.
        features: Features with the value that examples must have.
        spec: Both, as a message.

    >>> SingleSliceSpec(columns=["hour"]).is_slice_applicable((("hour", 5),))
    True
    """

    def __init__(
        self,
        columns: Iterable[str] = (),
        features: Iterable[tuple[str, object]] = (),
        spec: config_pb2.SlicingSpec | None = None,
    ) -> None:
        for name, given in (("columns", columns), ("features", features)):
            if isinstance(given, str):
                raise ValueError(
                    f"{name} is a string: it should probably be a singleton list containing that "
                    "string"
                )
        self._spec = config_pb2.SlicingSpec(
            feature_keys=sorted(columns),
            feature_values={name: str(value) for name, value in features},
        )
        if spec is not None:
            self._spec.CopyFrom(spec)
        both = set(self._spec.feature_keys) & set(self._spec.feature_values)
        if both:
            raise ValueError(
                "Columns specified in columns and in features should not overlap, but "
                f"{', '.join(sorted(both))} was specified in both."
            )

    def to_proto(self) -> config_pb2.SlicingSpec:
        return self._spec

    def is_overall(self) -> bool:
        """Whether it is all examples."""
        return not self._spec.feature_keys and not self._spec.feature_values

    def is_slice_applicable(self, slice_key: SliceKey) -> bool:
        """Whether a slice is one of them."""
        return matches(self._spec, slice_key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SingleSliceSpec) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return (
            f"SingleSliceSpec(columns={sorted(self._spec.feature_keys)}, "
            f"features={sorted(self._spec.feature_values.items())})"
        )


def stringify_slice_key(slice_key: SliceKey) -> str:
    """A slice for people.

    >>> stringify_slice_key((("hour", 5), ("company", "Blue")))
    'hour_X_company:5_X_Blue'
    """
    if not slice_key:
        return OVERALL_SLICE_NAME
    names = "_X_".join(name for name, _ in slice_key)
    return f"{names}:{'_X_'.join(str(value) for _, value in slice_key)}"


def is_cross_slice_key(slice_key: SliceKey | CrossSliceKey) -> bool:
    """Whether it is a pair of slices that are compared.

    >>> is_cross_slice_key(((), (("hour", 5),)))
    True
    """
    return len(slice_key) == 2 and all(
        isinstance(part, tuple) and all(isinstance(one, tuple) for one in part)
        for part in slice_key
    )
