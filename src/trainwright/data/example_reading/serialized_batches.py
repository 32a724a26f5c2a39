"""Serialized records of example files, and the rule by which they are cut into batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trainwright.data.tfrecord import read_record_batches
from trainwright.proto import example_gen_pb2

# Sketches of quantiles depend on what is added at once: these figures must not depend on the
# machine, nor on how many processes there are.
_ENOUGH_ROWS = 1000
_ENOUGH_BYTES = 2 << 20
_MOST_BYTES = 32 << 20


def read_blocks(path: str, payload_format: int) -> Iterator[list[bytes]]:
    """Yields the records of a file, a list for each megabyte or so.

    Rows of Parquet files become tf.Examples on the way, so that there is one way to decode them.
    """
    if payload_format == example_gen_pb2.FORMAT_PARQUET:
        return _read_parquet(path)
    return read_record_batches(path)


def _read_parquet(path: str) -> Iterator[list[bytes]]:
    # Arrow is imported by whoever reads Parquet.
    from trainwright.data.example_codec import encode_examples
    from trainwright.data.example_writing.parquet_reader import read_feature_columns

    for _, columns in read_feature_columns(path):
        records: Any = encode_examples(columns)
        yield records.to_pylist()


def cut_batches(blocks: Iterator[list[bytes]], rows: int | None = None) -> Iterator[list[bytes]]:
    """Cuts the records of a file into batches.

    A batch ends after `rows` records. Without `rows` it ends with the block that makes it 1000
    records and 2 MB, so that what is done once for each column does not weigh. Either way it ends
    with the block that makes it 32 MB.

    >>> [len(batch) for batch in cut_batches(iter([[b"x"] * 5, [b"x"] * 2]), rows=3)]
    [3, 3, 1]
    """
    batch: list[bytes] = []
    size = 0
    for block in blocks:
        batch += block
        size += sum(map(len, block))
        if rows is not None and len(batch) >= rows:
            whole = len(batch) - len(batch) % rows
            for start in range(0, whole, rows):
                yield batch[start : start + rows]
            del batch[:whole]
            size = sum(map(len, batch))
        is_enough = rows is None and len(batch) >= _ENOUGH_ROWS and size >= _ENOUGH_BYTES
        if is_enough or size >= _MOST_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
