"""The records in the files of an Examples artifact, whatever its payload format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from trainwright.data.tfrecord import read_record_batches
from trainwright.proto import example_gen_pb2

# Yields the serialized records of a file, a list for each megabyte or so.
ReadRecords = Callable[[str], Iterator[list[bytes]]]


def choose_reader(payload_format: int) -> tuple[ReadRecords, int]:
    """What reads files of a payload format, and what format the records have that it gives.

    Rows of Parquet files become tf.Examples on the way, so that there is one way to decode them.

    Example: `read, record_format = choose_reader(example_gen_pb2.FORMAT_PARQUET)`
    """
    if payload_format == example_gen_pb2.FORMAT_PARQUET:
        return _read_parquet, int(example_gen_pb2.FORMAT_TF_EXAMPLE)
    return read_record_batches, payload_format


def _read_parquet(path: str) -> Iterator[list[bytes]]:
    # Arrow is imported by whoever reads Parquet.
    from trainwright.data.example_codec import encode_examples
    from trainwright.data.parquet_reader import read_feature_columns

    for _, columns in read_feature_columns(path):
        records: Any = encode_examples(columns)
        yield records.to_pylist()
