"""Formats of the rows in a block, and how each kind becomes records in splits.

A block of rows crosses a process boundary as bytes, with its format beside it as JSON. So a format
says how rows are packed into bytes and unpacked, and how they are encoded and assigned to splits.
"""

from __future__ import annotations

import abc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from trainwright.data.arrow_arrays import FEW_ROWS
from trainwright.data.example_codec import encode_examples
from trainwright.data.example_writing.bad_records import BadRecord
from trainwright.data.example_writing.column_types import ColumnType, convert_columns
from trainwright.data.example_writing.overflows import Overflows
from trainwright.data.example_writing.splits import HashSplits
from trainwright.data.tfrecord_frames import frame

# This many cells are encoded at a time: enough to make the cost per column small, and few enough to
# stay in the processor's cache and far below the 2 GiB that an Arrow array can hold.
_CELLS_PER_SLICE = 1 << 17


@dataclass(frozen=True, kw_only=True)
class EncodedRows:
    """Some rows as records.

    Args:
      records: one for each row.
      assigned: the position of each record's split in `HashSplits.names`.
      are_framed: whether the records have their TFRecord frames already.
      bad: rows that are not among the records.
      overflows: numbers in the records that became infinite.
    """

    records: Sequence[bytes]
    assigned: npt.NDArray[np.integer[Any]]
    are_framed: bool = False
    bad: Sequence[BadRecord] = ()
    overflows: Overflows = field(default_factory=Overflows)

    def frames(self, own: Sequence[bytes]) -> bytes:
        """Some of the records in their frames."""
        return b"".join(own) if self.are_framed else frame(own)


class RowFormat(abc.ABC):
    """How the rows of a block are read. The rows themselves are of a type that it knows."""

    KIND: ClassVar[str]

    @abc.abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The fields, without the kind."""

    @classmethod
    @abc.abstractmethod
    def from_json(cls, fields: Mapping[str, Any]) -> RowFormat: ...

    @abc.abstractmethod
    def pack(self, rows: Any) -> bytes | pa.Buffer: ...

    @abc.abstractmethod
    def unpack(self, packed: bytes) -> Any: ...

    @abc.abstractmethod
    def encode(self, rows: Any, splits: HashSplits) -> Iterator[EncodedRows]:
        """The rows as records, in their order."""


class _ArrowRows(RowFormat):
    """Rows are a list of record batches."""

    def pack(self, rows: list[pa.RecordBatch]) -> pa.Buffer:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, rows[0].schema) as stream:
            for batch in rows:
                stream.write_batch(batch)
        return sink.getvalue()

    def unpack(self, packed: bytes) -> Iterable[pa.RecordBatch]:
        with pa.ipc.open_stream(packed) as batches:
            return list(batches)


@dataclass(frozen=True)
class TextRows(_ArrowRows):
    """Columns of text, as in a CSV file, and the types that they have.

    A missing value becomes an empty list of the column's kind, as in TFX's CsvExampleGen.
    """

    column_types: Mapping[str, ColumnType]

    KIND = "text"

    def to_json(self) -> dict[str, Any]:
        return {"column_types": {name: kind.name for name, kind in self.column_types.items()}}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> TextRows:
        return cls({name: ColumnType[kind] for name, kind in fields["column_types"].items()})

    def encode(self, rows: Iterable[pa.RecordBatch], splits: HashSplits) -> Iterator[EncodedRows]:
        names, types = list(self.column_types), list(self.column_types.values())
        for text in _slices(rows):
            converted = convert_columns(text.columns, types)
            batch = pa.RecordBatch.from_arrays(converted.columns, names=names)
            overflows = Overflows()
            for number, cell in converted.overflows:
                overflows.add(names[number], 1, repr(cell))
            examples: list[Any] = encode_examples(batch).to_pylist()
            assigned = splits.assign(examples, batch)
            yield EncodedRows(records=examples, assigned=assigned, overflows=overflows)


@dataclass(frozen=True)
class ColumnRows(_ArrowRows):
    """Columns of int64, float32 or binary, or of lists of these.

    A missing value or an empty list becomes a feature without a kind, as TFX's `dict_to_example`
    makes it.
    """

    KIND = "columns"

    def to_json(self) -> dict[str, Any]:
        return {}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> ColumnRows:
        return cls()

    def encode(self, rows: Iterable[pa.RecordBatch], splits: HashSplits) -> Iterator[EncodedRows]:
        for batch in _slices(rows):
            encoded = encode_examples(batch, kind_without_values=False)
            examples: list[Any] = encoded.to_pylist()
            yield EncodedRows(records=examples, assigned=splits.assign(examples, batch))


def _slices(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        # Fewer rows would only repeat the cost per column: a batch itself is bounded by its bytes.
        rows_per_slice = max(FEW_ROWS - 1, _CELLS_PER_SLICE // batch.num_columns)
        for start in range(0, batch.num_rows, rows_per_slice):
            yield batch.slice(start, rows_per_slice)
