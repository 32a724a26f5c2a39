"""CountedValues: a table of different values with their counts and weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from trainwright.data.arrow_arrays import from_numpy, to_numpy
from trainwright.statistics.feature_arrays import ArrowArray, Weights


@dataclass(frozen=True)
class CountedValues:
    """Different values, how often each occurs, and the sum of its weights.

    Args:
        values: An Arrow array without duplicates.
        counts: As long as `values`.
        weights: As long as `values`, if there are weights.
    """

    values: ArrowArray
    counts: npt.NDArray[np.int64]
    weights: Weights | None

    def __len__(self) -> int:
        return len(self.values)

    @property
    def nbytes(self) -> int:
        return int(self.values.nbytes) + 2 * self.counts.nbytes

    @classmethod
    def count(cls, values: ArrowArray, weights: Weights | None) -> CountedValues:
        """Counts the values of an array."""
        if weights is None:
            counted = values.value_counts()
            return cls(counted.field("values"), to_numpy(counted.field("counts")), None)
        return _sum_up(values, np.ones(len(values), np.int64), weights)

    @classmethod
    def join(cls, tables: Sequence[CountedValues]) -> CountedValues:
        """The counts of several tables together; at least one of them."""
        if len(tables) == 1:
            return tables[0]
        weights = [table.weights for table in tables if table.weights is not None]
        return _sum_up(
            pa.concat_arrays([table.values for table in tables]),
            np.concatenate([table.counts for table in tables]),
            np.concatenate(weights) if weights else None,
        )

    def most(self, number: int, *, by_weight: bool) -> list[tuple[Any, float]]:
        """The values with the largest counts; of the same count, the larger value first."""
        amounts: npt.NDArray[Any] | None = self.weights if by_weight else self.counts
        assert amounts is not None
        columns: list[ArrowArray] = [from_numpy(amounts), self.values]
        table = pa.RecordBatch.from_arrays(columns, ["amount", "value"])
        keys: list[Any] = [("amount", "descending"), ("value", "descending")]
        first = pc.sort_indices(table, sort_keys=keys).slice(0, number)
        values = self.values.take(first).to_pylist()
        return list(zip(values, amounts[to_numpy(first)].tolist(), strict=True))

    def to_bytes(self) -> bytes:
        columns: list[ArrowArray] = [self.values, from_numpy(self.counts)]
        if self.weights is not None:
            columns.append(from_numpy(self.weights))
        names = ["value", "count", "weight"][: len(columns)]
        batch = pa.RecordBatch.from_arrays(columns, names)
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch)
        return bytes(sink.getvalue().to_pybytes())

    @classmethod
    def from_bytes(cls, data: bytes) -> CountedValues:
        [batch] = pa.ipc.open_stream(data)
        weights = to_numpy(batch.column(2)) if batch.num_columns > 2 else None
        return cls(batch.column(0), to_numpy(batch.column(1)), weights)


def _sum_up(
    values: ArrowArray, counts: npt.NDArray[np.int64], weights: Weights | None
) -> CountedValues:
    # Arrow's own group_by would import pandas; an encoded array has the groups as well.
    encoded = values.dictionary_encode()
    groups = to_numpy(encoded.indices)
    # Sums of whole numbers are exact in double precision up to 2**53.
    sums = np.bincount(groups, counts, minlength=len(encoded.dictionary)).astype(np.int64)
    weight_sums: Weights | None = None
    if weights is not None:
        weight_sums = np.bincount(groups, weights, minlength=len(encoded.dictionary)).astype(float)
    return CountedValues(encoded.dictionary, sums, weight_sums)
