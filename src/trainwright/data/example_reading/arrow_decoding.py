"""Records as Arrow record batches, decoded by tfx-bsl or by a DataView."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from trainwright._errors import TrainwrightError
from trainwright._imports import require
from trainwright.data.example_reading.data_views import load_data_view
from trainwright.proto import example_gen_pb2

if TYPE_CHECKING:
    import pyarrow as pa

    from trainwright.data.example_reading.example_files import ExampleFiles

# The column that tfx-bsl puts the sequence features of a tf.SequenceExample in.
SEQUENCE_COLUMN = "##SEQUENCE##"


class UndecodableRecordError(TrainwrightError, ValueError):
    """Records of a file are not examples, or their features have different types."""


class ArrowBatch(NamedTuple):
    """Some examples of a file.

    Args:
        first: The number of the first record in its file.
        examples: How many there are; a batch without columns does not know it.
        batch: Their columns.
    """

    first: int
    examples: int
    batch: pa.RecordBatch


class ArrowDecoder(Protocol):
    """tfx-bsl's interface of a decoder."""

    def DecodeBatch(self, records: list[bytes]) -> pa.RecordBatch:
        """The records as a batch; raises RuntimeError if they cannot be decoded."""


def make_decoder(examples: ExampleFiles) -> ArrowDecoder:
    """What decodes records of these files; it imports TensorFlow only for a DataView.

    Raises:
        ModuleNotFoundError: if tfx-bsl is not installed.
    """
    if examples.data_view is not None:
        return _DataViewToArrow(examples.data_view)
    arguments = [] if examples.schema is None else [examples.schema.SerializeToString()]
    decoder: ArrowDecoder
    if examples.record_format == example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE:
        coder = require("tfx_bsl.coders.sequence_example_coder", extra="transform")
        decoder = coder.SequenceExamplesToRecordBatchDecoder(SEQUENCE_COLUMN, *arguments)
    else:
        coder = require("tfx_bsl.coders.example_coder", extra="transform")
        decoder = coder.ExamplesToRecordBatchDecoder(*arguments)
    return decoder


def read_arrow_batches(examples: ExampleFiles, rows: int | None) -> Iterator[ArrowBatch]:
    """Yields the batches of all files, each with the number of its first record in its file."""
    decoder = make_decoder(examples)
    for path in examples.paths:
        first = 0
        for records in examples.at(path).batches(rows):
            batch = _decode(decoder, records, path, first)
            # A DataView may make several rows of a record.
            count = len(records) if examples.data_view is None else batch.num_rows
            if batch.num_columns and batch.num_rows != count:
                raise AssertionError(
                    f"{path}: {count} records gave {batch.num_rows} rows from record {first} on."
                )
            yield ArrowBatch(first, count, batch)
            first += len(records)


class _DataViewToArrow:
    """Tensors that a DataView gives as columns."""

    def __init__(self, directory: str) -> None:
        converters = require("tfx_bsl.tfxio.tensor_to_arrow", extra="transform")
        self._view = load_data_view(directory)
        self._converter = converters.TensorsToRecordBatchConverter(self._view.type_specs)

    def DecodeBatch(self, records: list[bytes]) -> pa.RecordBatch:
        import tensorflow as tf

        try:
            tensors = self._view.decode(tf.constant(records, tf.string))
        except tf.errors.OpError as error:
            raise RuntimeError(error.message) from error
        batch: pa.RecordBatch = self._converter.convert(tensors)
        return batch


def _decode(decoder: ArrowDecoder, records: list[bytes], path: str, first: int) -> pa.RecordBatch:
    try:
        return decoder.DecodeBatch(records)
    except RuntimeError as error:
        raise _explain(decoder, records, path, first, error) from error


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
