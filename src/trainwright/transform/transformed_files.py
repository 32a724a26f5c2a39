"""Files of transformed examples: gzip TFRecords of tf.Examples, or Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pyarrow as pa
import pyarrow.parquet
from tensorflow_metadata.proto.v0 import schema_pb2
from tfx_bsl.coders import example_coder

from trainwright.data.example_codec import encode_examples
from trainwright.data.tfrecord import open_gzip_writer
from trainwright.proto import example_gen_pb2

_PLAIN_VALUES = (pa.int64(), pa.float32(), pa.binary())

# Writes the examples of a batch, whose columns are lists; returns how many there were.
WriteBatch = Callable[[pa.RecordBatch], int]


def payload_format_of_transformed(raw_format: int) -> int:
    """What examples are when they have been transformed: Parquet stays Parquet.

    >>> name = example_gen_pb2.PayloadFormat.Name
    >>> name(payload_format_of_transformed(example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE))
    'FORMAT_TF_EXAMPLE'
    """
    is_parquet = raw_format == example_gen_pb2.FORMAT_PARQUET
    return int(example_gen_pb2.FORMAT_PARQUET if is_parquet else example_gen_pb2.FORMAT_TF_EXAMPLE)


def file_ending(payload_format: int) -> str:
    """How the names of files end.

    >>> file_ending(example_gen_pb2.FORMAT_TF_EXAMPLE)
    '.gz'
    """
    return ".parquet" if payload_format == example_gen_pb2.FORMAT_PARQUET else ".gz"


def open_transformed_file(
    path: str, schema: schema_pb2.Schema, arrow_schema: pa.Schema
) -> AbstractContextManager[WriteBatch]:
    """Opens a file for transformed examples and gives a function that appends a batch.

    Args:
        path: The file; its ending says what it is.
        schema: What the examples are.
        arrow_schema: What their batches are.
    """
    if path.endswith(file_ending(example_gen_pb2.FORMAT_PARQUET)):
        return _open_parquet(path, schema, arrow_schema)
    return _open_tfrecords(path, schema)


@contextmanager
def _open_tfrecords(path: str, schema: schema_pb2.Schema) -> Iterator[WriteBatch]:
    encoder = example_coder.RecordBatchToExamplesEncoder(schema)
    # A ragged column goes to features of other names, which the encoder knows.
    own_names = {feature.name for feature in schema.feature}
    with open_gzip_writer(path) as write:

        def write_batch(batch: pa.RecordBatch) -> int:
            plain = _plain_lists(batch) if own_names.issuperset(batch.schema.names) else None
            records = encode_examples(plain).to_pylist() if plain else encoder.encode(batch)
            write(records)
            return len(records)

        yield write_batch


def _plain_lists(batch: pa.RecordBatch) -> pa.RecordBatch | None:
    """The batch for our own encoder, which gives the same bytes for the same rows: tfx-bsl's puts
    features in the order of a hash map. None if it has nested lists or missing values."""
    columns = []
    for column in batch.columns:
        values = getattr(column.type, "value_type", None)
        values = pa.binary() if values == pa.large_binary() else values
        if values not in _PLAIN_VALUES or column.null_count:
            return None
        columns.append(column.cast(pa.list_(values)))
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


@contextmanager
def _open_parquet(
    path: str, schema: schema_pb2.Schema, arrow_schema: pa.Schema
) -> Iterator[WriteBatch]:
    """Features of one number or string for each example are plain columns; others are lists."""
    scalars = {
        feature.name
        for feature in schema.feature
        if feature.HasField("shape") and not feature.shape.dim
    }

    def to_rows(batch: pa.RecordBatch) -> pa.RecordBatch:
        lists: list[Any] = batch.columns
        columns = [
            column.flatten() if name in scalars else column
            for name, column in zip(batch.schema.names, lists, strict=True)
        ]
        return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)

    empty = pa.RecordBatch.from_pylist([], arrow_schema)
    with pyarrow.parquet.ParquetWriter(path, to_rows(empty).schema, compression="zstd") as writer:

        def write_batch(batch: pa.RecordBatch) -> int:
            rows = to_rows(batch)
            writer.write_batch(rows)
            return int(rows.num_rows)

        yield write_batch
