"""SumTable: the sums of one computation, for all slices and buckets at once."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np

from trainwright.evaluation.batches.features import expand
from trainwright.evaluation.computation import (
    Computation,
    Entries,
    EntryComputation,
    Floats,
    Integers,
    ModelBatch,
    StateComputation,
    Sums,
)
from trainwright.evaluation.slices.slicing import Memberships

# Up to this many entries are sorted at a time, which bounds the memory.
_ENTRIES_AT_ONCE = 1 << 20


class SumTable:
    """Sums by slice and bucket, as two arrays: sorted keys, and a row of sums for each.

    Sums of replicates follow those of the examples themselves: a row has `width` numbers for
    each of them.

    Args:
        computation: What is added up.
        copies: How many sums there are of each number: 1, and one for each replicate.
    """

    def __init__(self, computation: Computation, copies: int = 1) -> None:
        self._computation = computation
        self._buckets = computation.bucket_count
        self._copies = copies
        row = computation.width * copies
        self._keys: Integers = np.empty(0, np.int64)
        self._values: Floats = np.empty((0, row))
        self._new: list[tuple[Integers, Floats]] = []
        self._new_rows = 0

    def add(
        self, batch: ModelBatch, memberships: Memberships, counts: Integers | None = None
    ) -> None:
        """Adds a batch.

        Args:
            batch: What the computation reads.
            memberships: The slices of its examples.
            counts: How often each example counts in each replicate, of shape (examples,
                replicates).
        """
        if not len(memberships.rows):
            return
        if isinstance(self._computation, StateComputation):
            self._add_states(self._computation, batch, memberships, counts)
            return
        assert isinstance(self._computation, EntryComputation)
        entries = self._computation.entries(batch)
        if entries.buckets is None and entries.rows is None:
            values = _with_replicates(entries.values, None, counts)
            sums = np.add.reduceat(values[memberships.rows], memberships.starts, axis=0)
            self._append(memberships.slices[memberships.starts] * self._buckets, sums)
        else:
            self._add_entries(entries, memberships, batch.size, counts)

    def _add_entries(
        self, entries: Entries, memberships: Memberships, size: int, counts: Integers | None
    ) -> None:
        values = _with_replicates(entries.values, entries.rows, counts)
        buckets = entries.buckets
        if buckets is None:
            buckets = np.zeros(len(values), np.int64)
        if entries.rows is None:
            owner, position = np.arange(len(memberships.rows)), memberships.rows
        else:
            order = np.argsort(entries.rows, kind="stable")
            values, buckets = values[order], buckets[order]
            lengths = np.bincount(entries.rows, minlength=size)
            starts = np.cumsum(lengths) - lengths
            owner, position = expand(lengths[memberships.rows], starts[memberships.rows])
        for first in range(0, len(owner), _ENTRIES_AT_ONCE):
            part = slice(first, first + _ENTRIES_AT_ONCE)
            keys = memberships.slices[owner[part]] * self._buckets + buckets[position[part]]
            self._append(*_group(keys, values[position[part]]))

    def _add_states(
        self,
        computation: StateComputation,
        batch: ModelBatch,
        memberships: Memberships,
        counts: Integers | None,
    ) -> None:
        starts = memberships.starts
        states = []
        for rows in np.split(memberships.rows, starts[1:]):
            samples = [rows]
            if counts is not None:
                samples += [np.repeat(rows, drawn) for drawn in counts[rows].T]
            states.append(
                np.concatenate([computation.state(batch.take(sample)) for sample in samples])
            )
        self._append(memberships.slices[starts] * self._buckets, np.array(states))

    def _append(self, keys: Integers, values: Floats) -> None:
        self._new.append((keys, values))
        self._new_rows += len(keys)
        if self._new_rows > max(len(self._keys), 4096):
            self._settle()

    def _settle(self) -> None:
        if not self._new:
            return
        self._keys, self._values = _group(
            np.concatenate([self._keys, *(keys for keys, _ in self._new)]),
            np.concatenate([self._values, *(values for _, values in self._new)]),
        )
        self._new, self._new_rows = [], 0

    def merge(self, other: SumTable, slice_numbers: Sequence[int]) -> None:
        """Adds another table, whose slice i has the number `slice_numbers[i]` here."""
        other._settle()
        numbers = np.asarray(slice_numbers, np.int64)
        slices, buckets = np.divmod(other._keys, self._buckets)
        self._append(numbers[slices] * self._buckets + buckets, other._values)

    def sums(self, slice_number: int, copy: int = 0) -> Sums:
        """What was added up for a slice; 0 is the examples themselves, the others replicates."""
        self._settle()
        first, end = np.searchsorted(
            self._keys, [slice_number * self._buckets, (slice_number + 1) * self._buckets]
        )
        width = self._computation.width
        return Sums(
            self._keys[first:end] - slice_number * self._buckets,
            self._values[first:end, copy * width : (copy + 1) * width],
        )

    def serialize(self) -> bytes:
        self._settle()
        buffer = io.BytesIO()
        np.savez(buffer, keys=self._keys, values=self._values)
        return buffer.getvalue()

    @classmethod
    def deserialize(cls, data: bytes, computation: Computation, copies: int = 1) -> SumTable:
        table = cls(computation, copies)
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            table._keys, table._values = arrays["keys"], arrays["values"]
        return table


def _with_replicates(values: Floats, rows: Integers | None, counts: Integers | None) -> Floats:
    """The values, followed by what they are in each replicate."""
    if counts is None:
        return values
    drawn = counts if rows is None else counts[rows]
    times = drawn[:, :, np.newaxis].astype(np.float64)
    replicated = np.zeros((*drawn.shape, values.shape[1]))
    # A value of infinity that was not drawn is nothing, not NaN.
    np.multiply(values[:, np.newaxis, :], times, out=replicated, where=times > 0)
    return np.concatenate([values, replicated.reshape(len(values), -1)], axis=1)


def _group(keys: Integers, values: Floats) -> tuple[Integers, Floats]:
    """Sorted keys, each once, and the sums of their values in the order that they came in."""
    if not len(keys):
        return keys, values
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
    return keys[starts], np.add.reduceat(values[order], starts, axis=0)
