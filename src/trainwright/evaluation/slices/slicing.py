"""Slices: which examples belong to which, found column by column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from trainwright.evaluation.batches.features import FeatureColumn, expand
from trainwright.evaluation.computation import Integers
from trainwright.evaluation.metric_keys import SliceKey, SliceValue

if TYPE_CHECKING:
    from trainwright.proto.tfma import config_pb2


@dataclass(frozen=True)
class SliceSpec:
    """Slices of one kind: one for each combination of the columns' values.

    Args:
        columns: By whose values examples are told apart.
        values: Only examples with these values count.

    >>> str(SliceSpec(("hour",), (("company", "Blue"),)))
    'hour, company=Blue'
    """

    columns: tuple[str, ...] = ()
    values: tuple[tuple[str, SliceValue], ...] = ()

    @classmethod
    def from_proto(cls, spec: config_pb2.SlicingSpec) -> SliceSpec:
        both = sorted(set(spec.feature_keys) & set(spec.feature_values))
        if both:
            raise ValueError(
                f"A slicing spec names {', '.join(both)} in feature_keys and in feature_values: "
                "expected each feature in one of them. Leave it out of feature_keys."
            )
        values = sorted((name, to_slice_value(text)) for name, text in spec.feature_values.items())
        return cls(tuple(sorted(set(spec.feature_keys))), tuple(values))

    @property
    def features(self) -> tuple[str, ...]:
        return (*self.columns, *(name for name, _ in self.values))

    def covers(self, key: SliceKey) -> bool:
        """Whether a slice is one of this kind."""
        rest = {name: value for name, value in key if (name, value) not in self.values}
        return len(key) - len(rest) == len(self.values) and set(rest) == set(self.columns)

    def __str__(self) -> str:
        values = (f"{name}={value}" for name, value in self.values)
        return ", ".join((*self.columns, *values)) or "all examples"


def to_slice_value(text: str) -> SliceValue:
    """A value as a slicing spec writes it: a number if it looks like one."""
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


@dataclass(frozen=True)
class Memberships:
    """Which examples of a batch belong to which slices, ordered by slice.

    Args:
        slices: The number of a slice, for each membership.
        rows: The example.
    """

    slices: Integers
    rows: Integers

    @property
    def starts(self) -> Integers:
        """Where each slice begins that has members."""
        return np.flatnonzero(np.r_[True, self.slices[1:] != self.slices[:-1]])


@dataclass
class SliceNumbers:
    """Slices by number, in the order in which they were first seen."""

    keys: list[SliceKey] = field(default_factory=list)
    _numbers: dict[SliceKey, int] = field(default_factory=dict)

    def number(self, key: SliceKey) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self.keys)
            self.keys.append(key)
        return self._numbers[key]


def find_memberships(
    specs: Iterable[SliceSpec],
    columns: Mapping[str, FeatureColumn],
    size: int,
    numbers: SliceNumbers,
) -> Memberships:
    """Puts each example of a batch into its slices; one without a value belongs to none of them."""
    slices: list[Integers] = []
    rows: list[Integers] = []
    for spec in dict.fromkeys(specs):
        if all(name in columns for name in spec.features):
            found_slices, found_rows = _members(spec, columns, size, numbers)
            slices.append(found_slices)
            rows.append(found_rows)
    if not slices:
        return Memberships(np.empty(0, np.int64), np.empty(0, np.int64))
    all_slices, all_rows = np.concatenate(slices), np.concatenate(rows)
    # Two specs may describe one slice; an example belongs to it once.
    codes = np.unique(all_slices * size + all_rows)
    return Memberships(codes // size, codes % size)


def _members(
    spec: SliceSpec, columns: Mapping[str, FeatureColumn], size: int, numbers: SliceNumbers
) -> tuple[Integers, Integers]:
    rows = np.arange(size)
    for name, value in spec.values:
        rows = rows[np.isin(rows, _rows_with(columns[name], value))]
    # The combination of values that each membership has so far, as a number.
    codes = np.zeros(len(rows), np.int64)
    keys: list[SliceKey] = [()]
    for name in spec.columns:
        column = columns[name]
        value_codes, values = _encode(column.values, name)
        owner, position = expand(column.lengths[rows], column.row_splits[rows])
        codes = codes[owner] * len(values) + value_codes[position]
        rows = rows[owner]
        used, codes = np.unique(codes, return_inverse=True)
        keys = [
            (*keys[code // len(values)], (name, values[code % len(values)]))
            for code in used.tolist()
        ]
    if not len(rows):
        return codes, rows
    slice_numbers = np.array(
        [numbers.number(tuple(sorted((*spec.values, *key)))) for key in keys], np.int64
    )
    return slice_numbers[codes], rows


def _rows_with(column: FeatureColumn, value: SliceValue) -> Integers:
    """The examples that have a value, which may be a number in a string."""
    if column.values.dtype == object:
        matches = column.values == str(value).encode()
    elif isinstance(value, str):
        return np.empty(0, np.int64)
    else:
        matches = column.values == value
    return np.searchsorted(column.row_splits, np.flatnonzero(matches), side="right") - 1


def _encode(values: Any, name: str) -> tuple[Integers, list[SliceValue]]:
    """The values as numbers into the list of different ones."""
    import pyarrow as pa

    from trainwright.data.arrow_arrays import from_numpy

    different: list[Any]
    if values.dtype == object:
        encoded = pa.array(values, pa.binary()).dictionary_encode()
        different = [_to_text(value or b"", name) for value in encoded.dictionary.to_pylist()]
    else:
        encoded = from_numpy(np.ascontiguousarray(values)).dictionary_encode()
        different = encoded.dictionary.to_pylist()
    codes: Integers = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return codes, different


def _to_text(value: bytes, name: str) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise ValueError(
            f"Feature {name!r} has the value {value!r}, which is not UTF-8: expected a string or "
            "a number to slice by."
        ) from error
