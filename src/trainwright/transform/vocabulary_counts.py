"""VocabularyCounts: the different values of a tensor with their counts, weights or labels."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, repeat
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa
from tensorflow_transform import analyzers

from trainwright.engine.packing import pack, unpack
from trainwright.transform.token_runs import Run, merge_runs, write_run

# tf.Transform keeps these names to itself.
Ordering = analyzers._VocabOrderingType

_INFORMATIVE = (Ordering.MUTUAL_INFORMATION, Ordering.WEIGHTED_MUTUAL_INFORMATION)

# With more different values than these, the counts go to a file: about 40 MB of Python objects.
_MOST_IN_MEMORY = 200_000

Token = bytes | int


@dataclass(frozen=True)
class VocabularyKind:
    """What is gathered for each token.

    Args:
        ordering: tf.Transform's number for what a vocabulary is ordered by.
        dtype: The name of the tokens' type: "string" or an integer type.
    """

    ordering: int
    dtype: str

    @property
    def is_known(self) -> bool:
        return self.ordering in (Ordering.FREQUENCY, Ordering.WEIGHTED_FREQUENCY, *_INFORMATIVE)

    @property
    def token_type(self) -> pa.DataType:
        return pa.binary() if self.dtype == "string" else pa.int64()

    @property
    def value_type(self) -> pa.DataType:
        if self.ordering == Ordering.FREQUENCY:
            return pa.int64()
        return pa.float64() if self.ordering == Ordering.WEIGHTED_FREQUENCY else pa.binary()

    @property
    def is_informative(self) -> bool:
        """Whether tokens are ordered by what they tell about a label."""
        return self.ordering in _INFORMATIVE

    @property
    def means(self) -> Any | None:
        """tf.Transform's combiner of a token's mean labels, if mutual information is wanted."""
        if not self.is_informative:
            return None
        return analyzers.WeightedMeanAndVarCombiner(
            np.float32,
            output_shape=(None,),
            compute_variance=False,
            compute_weighted=self.ordering == Ordering.WEIGHTED_MUTUAL_INFORMATION,
        )


class VocabularyCounts:
    """Gathers tokens in memory, and in files when there are many.

    Args:
        kind: What is gathered.
        directory: Where the files go.
    """

    def __init__(self, kind: VocabularyKind, directory: str) -> None:
        self.kind = kind
        self._directory = directory
        is_count = kind.ordering == Ordering.FREQUENCY
        self._values: dict[Token, Any] = Counter() if is_count else {}
        self._runs: list[str] = []
        self._means = kind.means

    def add(self, arrays: Sequence[np.ndarray]) -> None:
        """Adds a batch: tokens, and what their kind has beside them."""
        ordering = self.kind.ordering
        if isinstance(self._values, Counter):
            self._values.update(arrays[0].tolist())
        elif ordering == Ordering.WEIGHTED_FREQUENCY:
            self._add_pairs(zip(arrays[0].tolist(), arrays[1].tolist(), strict=True))
        elif ordering == Ordering.WEIGHTED_MUTUAL_INFORMATION:
            tokens, weights, positive, counts = (array.tolist() for array in arrays)
            self._add_means(tokens, map(_label_means, positive, weights, counts))
        else:
            tokens, positive, counts = (array.tolist() for array in arrays)
            self._add_means(tokens, map(_label_means, positive, repeat(None), counts))
        self._spill_if_large()

    def merge(self, other: VocabularyCounts) -> None:
        """Takes over what another, of the same kind, has gathered."""
        self._runs += other._runs
        if isinstance(self._values, Counter):
            self._values.update(other._values)
        else:
            self._add_pairs(other._values.items())
        self._spill_if_large()

    def _add_pairs(self, pairs: Iterable[tuple[Token, Any]]) -> None:
        values = self._values
        for token, value in pairs:
            values[token] = self._sum(values[token], value) if token in values else value

    def _add_means(self, tokens: Iterable[Token], means: Iterable[Any]) -> None:
        combiner = self._means
        assert combiner is not None
        for token, batch in zip(tokens, means, strict=False):
            before = self._values.get(token) or combiner.create_accumulator()
            self._values[token] = combiner.add_input(before, batch)

    def _sum(self, first: Any, second: Any) -> Any:
        if self._means is None:
            return first + second
        return self._means.merge_accumulators([first, second])

    def _spill_if_large(self) -> None:
        if len(self._values) > _MOST_IN_MEMORY:
            self._runs.append(write_run(*self._columns(self._values), self._directory))
            self._values.clear()

    def chunks(self) -> Iterator[list[tuple[Token, Any]]]:
        """Yields the tokens, each once, with their values: all at once if they were in memory."""
        if not self._runs:
            yield [(token, self._extract(value)) for token, value in self._values.items()]
            return
        if self._values:
            self._runs.append(write_run(*self._columns(self._values), self._directory))
            self._values.clear()
        for table in merge_runs(self._runs):
            yield list(self._summed(table))

    def _extract(self, value: Any) -> Any:
        return value if self._means is None else self._means.extract_output(value)

    def _summed(self, table: pa.Table) -> Iterable[tuple[Token, Any]]:
        if self._means is None:
            # In one thread: the order of a sum decides its last digit.
            summed = table.group_by("token", use_threads=False).aggregate([("value", "sum")])
            return _pairs(summed.column("token"), summed.column("value_sum"))
        rows = table.sort_by("token")
        pairs = (
            (token, self._decode(value))
            for token, value in _pairs(rows.column("token"), rows.column("value"))
        )
        return ((token, self._fold(group)) for token, group in groupby(pairs, itemgetter(0)))

    def _fold(self, group: Iterator[tuple[Token, Any]]) -> Any:
        _, total = next(group)
        for _, value in group:
            total = self._sum(total, value)
        return self._extract(total)

    def serialize(self, *, inline: bool = False) -> bytes:
        """As bytes, which name the files of what was too big for memory.

        Args:
            inline: Whether the bytes contain everything, however big that is.
        """
        header = {"runs": [] if inline else self._runs}
        tables = [self._columns(self._values)]
        if inline:
            runs = [Run(path).rows for path in self._runs]
            tables += [(rows.column(0), rows.column(1)) for rows in runs]
        return pack(header, [_to_ipc(*columns) for columns in tables])

    @classmethod
    def deserialize(cls, data: bytes, kind: VocabularyKind, directory: str) -> VocabularyCounts:
        header, (in_memory, *spilled) = unpack(data)
        counts = cls(kind, directory)
        counts._runs = [_below(directory, path) for path in header["runs"]]
        for token, value in _pairs(*_from_ipc(in_memory)):
            counts._values[token] = value if counts._means is None else counts._decode(value)
        counts._runs += [write_run(*_from_ipc(run), directory) for run in spilled]
        return counts

    def _columns(self, values: dict[Token, Any]) -> tuple[pa.Array[Any], pa.Array[Any]]:
        gathered = list(values.values())
        if self._means is not None:
            gathered = [self._encode(value) for value in gathered]
        return (
            pa.array(list(values), self.kind.token_type),
            pa.array(gathered, self.kind.value_type),
        )

    def _encode(self, value: Any) -> bytes:
        fields = [field if field is None else np.asarray(field).tolist() for field in value]
        return json.dumps(fields).encode()

    def _decode(self, data: bytes) -> Any:
        fields = json.loads(data)
        means_class = analyzers.WeightedMeanAndVarCombiner.accumulator_class
        return means_class(*(field if field is None else np.array(field) for field in fields))


def _label_means(positive: list[float], weight: float | None, count: int) -> Any:
    """A token's mean of each label in a batch, as an accumulator of tf.Transform's combiner."""
    labels = np.array(positive)
    return analyzers.WeightedMeanAndVarCombiner.accumulator_class(
        count=np.array(count),
        mean=labels / (count if weight is None else weight),
        variance=np.array(0.0),
        weight=None if weight is None else weight / count,
    )


def _pairs(tokens: Any, values: Any) -> Iterator[tuple[Token, Any]]:
    return zip(tokens.to_pylist(), values.to_pylist(), strict=True)


def _to_ipc(tokens: pa.Array[Any], values: pa.Array[Any]) -> bytes:
    batch = pa.record_batch([tokens, values], names=["token", "value"])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    encoded: bytes = sink.getvalue().to_pybytes()
    return encoded


def _from_ipc(data: bytes) -> tuple[pa.Array[Any], pa.Array[Any]]:
    with pa.ipc.open_stream(data) as reader:
        batch = reader.read_next_batch()
    return batch.column(0), batch.column(1)


def _below(directory: str, path: str) -> str:
    """The path of a run in the spill directory: bytes may name any file of this machine."""
    home = os.path.realpath(directory)
    if os.path.commonpath([home, os.path.realpath(path)]) != home:
        raise ValueError(f"An accumulator names {path}, which is not in {directory}.")
    return path
