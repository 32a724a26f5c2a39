"""The Arrow record batches behind `fn_args.data_accessor`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright._imports import require
from trainwright.data.dataset_factory import check_payload_format, serialized_batches
from trainwright.data.dataset_options import AUTOTUNE, RecordBatchesOptions
from trainwright.proto import example_gen_pb2

if TYPE_CHECKING:
    import pyarrow as pa

# The column that tfx_bsl puts the sequence features of a tf.SequenceExample in.
_SEQUENCE_COLUMN = "##SEQUENCE##"


def make_record_batches(
    file_patterns: str | Sequence[str],
    options: RecordBatchesOptions,
    schema: schema_pb2.Schema | None = None,
    *,
    payload_format: int = example_gen_pb2.FORMAT_TF_EXAMPLE,
) -> Iterator[pa.RecordBatch]:
    """Reads example files as Arrow record batches, decoded by tfx_bsl.

    Args:
        file_patterns: glob patterns of the files; TFRecords named `*.gz` are decompressed.
        options: ours or tfx_bsl's `RecordBatchesOptions`.
        schema: the columns to decode and their types; without it they are taken from the records,
            batch by batch.
        payload_format: what the files hold: tf.Examples, tf.SequenceExamples or Parquet.

    Raises:
        ModuleNotFoundError: if tfx_bsl is not installed.
        ValueError: if no file matches or the payload format is another. Both are raised by this
            call, not by the first batch.
    """
    decoder = _decoder(schema, payload_format)
    batches = serialized_batches(file_patterns, options, payload_format=payload_format)
    dataset = batches.prefetch(AUTOTUNE)
    return (decoder.DecodeBatch(records) for records in dataset.as_numpy_iterator())


def _decoder(schema: schema_pb2.Schema | None, payload_format: int) -> Any:
    check_payload_format(payload_format)
    arguments = [] if schema is None else [schema.SerializeToString()]
    if payload_format == example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE:
        coder = require("tfx_bsl.coders.sequence_example_coder", extra="transform")
        return coder.SequenceExamplesToRecordBatchDecoder(_SEQUENCE_COLUMN, *arguments)
    coder = require("tfx_bsl.coders.example_coder", extra="transform")
    return coder.ExamplesToRecordBatchDecoder(*arguments)
