"""Example files as Arrow record batches, decoded by tfx-bsl and with every record accounted for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from trainwright._errors import TrainwrightError
from trainwright._imports import require
from trainwright.data.payload_reader import choose_reader
from trainwright.proto import example_gen_pb2

# The column that tfx-bsl puts the sequence features of a tf.SequenceExample in.
SEQUENCE_COLUMN = "##SEQUENCE##"

# A batch has so many examples at least, so that what is done once for each column does not weigh,
# but not more than so many bytes.
_ENOUGH_ROWS = 1000
_ENOUGH_BYTES = 2 << 20
_MOST_BYTES = 64 << 20


class UndecodableRecordError(TrainwrightError, ValueError):
    """Records of a file are no examples, or their features have different types."""


def read_example_batches(
    path: str, payload_format: int, rows: int | None = None
) -> Iterator[tuple[int, int, pa.RecordBatch]]:
    """Yields the examples of a file: the number of the first record, how many, and their batch.

    Args:
        path: A TFRecord file, gzip or plain, or a Parquet file.
        payload_format: Of `PayloadFormat`: tf.Example, tf.SequenceExample or Parquet.
        rows: How many records a batch has; by default as many as suit.

    Raises:
        TFRecordError: where the file is damaged.
        UndecodableRecordError: where a record is not an example.
    """
    decoder = make_decoder(payload_format)
    read_records, _ = choose_reader(payload_format)
    first = 0
    for records in _regroup(read_records(path), rows):
        yield first, len(records), _decode(decoder, records, path, first)
        first += len(records)


def make_decoder(payload_format: int) -> Any:
    """tfx-bsl's decoder, which loads neither Beam nor TensorFlow."""
    _, record_format = choose_reader(payload_format)
    if record_format == example_gen_pb2.FORMAT_TF_EXAMPLE:
        coder = require("tfx_bsl.coders.example_coder", extra="transform")
        return coder.ExamplesToRecordBatchDecoder()
    if record_format == example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE:
        coder = require("tfx_bsl.coders.sequence_example_coder", extra="transform")
        return coder.SequenceExamplesToRecordBatchDecoder(SEQUENCE_COLUMN)
    name = example_gen_pb2.PayloadFormat.Name(payload_format)
    raise ValueError(
        f"The examples are {name}: statistics can be computed of FORMAT_TF_EXAMPLE, "
        "FORMAT_TF_SEQUENCE_EXAMPLE and FORMAT_PARQUET."
    )


def _regroup(lists: Iterator[list[bytes]], rows: int | None) -> Iterator[list[bytes]]:
    """The records of a file in lists that are good to decode."""
    group: list[bytes] = []
    size = 0
    for records in lists:
        group += records
        size += sum(map(len, records))
        if rows is not None:
            while len(group) >= rows:
                yield group[:rows]
                del group[:rows]
        elif (len(group) >= _ENOUGH_ROWS and size >= _ENOUGH_BYTES) or size >= _MOST_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _decode(decoder: Any, records: list[bytes], path: str, first: int) -> pa.RecordBatch:
    try:
        batch: pa.RecordBatch = decoder.DecodeBatch(records)
    except RuntimeError as error:
        raise _explain(decoder, records, path, first, error) from error
    # Without any column a batch does not know its length.
    if batch.num_columns and batch.num_rows != len(records):
        raise AssertionError(
            f"{path}: {len(records)} records gave {batch.num_rows} rows from record {first} on."
        )
    return batch


def _explain(
    decoder: Any, records: list[bytes], path: str, first: int, error: RuntimeError
) -> UndecodableRecordError:
    """The error with the record in it that is not an example, if it is one record's fault."""
    for number, record in enumerate(records, start=first):
        try:
            decoder.DecodeBatch([record])
        except RuntimeError as cause:
            return UndecodableRecordError(
                f"Record {number} of {path}, counted from 0, cannot be decoded: {cause}. Expected "
                "a serialized example of the artifact's payload format."
            )
    last = first + len(records) - 1
    return UndecodableRecordError(
        f"Records {first} to {last} of {path} do not fit together: {error}. Expected one type of "
        "a feature in all examples. Convert the feature where the examples are made."
    )
