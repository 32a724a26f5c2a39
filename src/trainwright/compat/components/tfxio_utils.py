"""`tfx.components.util.tfxio_utils`: readers of tfx-bsl for Examples artifacts.

Our own components read examples without them. They are for programs that build such a reader; they
need `pip install 'trainwright[transform]'`, and those that read with Beam need Beam.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from trainwright._imports import require
from trainwright.compat.components import examples_utils
from trainwright.proto import example_gen_pb2
from trainwright.types.artifact import Artifact
from trainwright.types.payload_format import resolve_payload_format_and_data_view_uri

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import schema_pb2

OneOrMorePatterns = str | list[str]

_FILE_FORMATS = (example_gen_pb2.FILE_FORMAT_PARQUET, example_gen_pb2.FORMAT_TFRECORDS_GZIP)


def get_file_format_and_patterns(
    examples: Sequence[Artifact], split: str
) -> tuple[list[str], list[str]]:
    """The file pattern of a split in each artifact, and the format of the files."""
    patterns = examples_utils.get_split_file_patterns(examples, split)
    return patterns, [examples_utils.get_file_format(artifact) for artifact in examples]


def get_split_tfxio(
    examples: Sequence[Artifact],
    split: str,
    telemetry_descriptors: list[str],
    schema: schema_pb2.Schema | None = None,
    read_as_raw_records: bool = False,
    raw_record_column_name: str | None = None,
) -> Any:
    """A TFXIO that reads one split of artifacts; `make_tfxio` says what the arguments are."""
    payload_format, data_view_uri = resolve_payload_format_and_data_view_uri(examples)
    patterns, file_formats = get_file_format_and_patterns(examples, split)
    return make_tfxio(
        patterns,
        telemetry_descriptors,
        payload_format,
        data_view_uri,
        schema,
        read_as_raw_records,
        raw_record_column_name,
        file_formats,
    )


def get_tfxio_factory_from_artifact(
    examples: Sequence[Artifact],
    telemetry_descriptors: list[str],
    schema: schema_pb2.Schema | None = None,
    read_as_raw_records: bool = False,
    raw_record_column_name: str | None = None,
) -> Callable[[OneOrMorePatterns], Any]:
    """A function from a file pattern to a TFXIO for files like those of the artifacts."""
    payload_format, data_view_uri = resolve_payload_format_and_data_view_uri(examples)
    return lambda file_pattern: make_tfxio(
        file_pattern,
        telemetry_descriptors,
        payload_format,
        data_view_uri,
        schema,
        read_as_raw_records,
        raw_record_column_name,
    )


def get_tf_dataset_factory_from_artifact(
    examples: Sequence[Artifact], telemetry_descriptors: list[str]
) -> Callable[[list[str], Any, schema_pb2.Schema | None], Any]:
    """A function from patterns, TensorFlowDatasetOptions and a schema to a `tf.data.Dataset`."""
    import tensorflow as tf

    payload_format, data_view_uri = resolve_payload_format_and_data_view_uri(examples)

    def dataset_factory(
        file_pattern: list[str], options: Any, schema: schema_pb2.Schema | None
    ) -> Any:
        reader = make_tfxio(
            file_pattern, telemetry_descriptors, payload_format, data_view_uri, schema
        )
        return reader.TensorFlowDataset(options)

    # Programs look at it; as an annotation it would be a string here.
    dataset_factory.__annotations__["return"] = tf.data.Dataset
    return dataset_factory


def get_record_batch_factory_from_artifact(
    examples: Sequence[Artifact], telemetry_descriptors: list[str]
) -> Callable[[list[str], Any, schema_pb2.Schema | None], Any]:
    """A function from patterns, RecordBatchesOptions and a schema to Arrow record batches."""
    import typing

    import pyarrow as pa

    payload_format, data_view_uri = resolve_payload_format_and_data_view_uri(examples)

    def record_batch_factory(
        file_pattern: list[str], options: Any, schema: schema_pb2.Schema | None
    ) -> Iterator[Any]:
        reader = make_tfxio(
            file_pattern, telemetry_descriptors, payload_format, data_view_uri, schema
        )
        batches: Iterator[Any] = reader.RecordBatches(options)
        return batches

    record_batch_factory.__annotations__["return"] = typing.Iterator[pa.RecordBatch]
    return record_batch_factory


def get_data_view_decode_fn_from_artifact(
    examples: Sequence[Artifact], telemetry_descriptors: list[str]
) -> Callable[[Any], dict[str, Any]] | None:
    """The decoder of the artifacts' DataView, from a tensor of records to tensors; or None."""
    _, data_view = resolve_payload_format_and_data_view_uri(examples)
    if data_view is None:
        return None
    from trainwright.data.example_reading.data_views import load_data_view

    return load_data_view(data_view).decode


def make_tfxio(
    file_pattern: OneOrMorePatterns,
    telemetry_descriptors: list[str],
    payload_format: int | str,
    data_view_uri: str | None = None,
    schema: schema_pb2.Schema | None = None,
    read_as_raw_records: bool = False,
    raw_record_column_name: str | None = None,
    file_format: int | str | Sequence[int | str] | None = None,
) -> Any:
    """A TFXIO of tfx-bsl that reads files of a payload format.

    Args:
        file_pattern: The pattern of the files, or several.
        telemetry_descriptors: What the TFXIO is used for; a name for Beam's metrics.
        payload_format: What the records are, of `PayloadFormat`, as a number or by name.
        data_view_uri: The DataView by which records of FORMAT_PROTO are decoded.
        schema: The schema. Without one, some methods of the TFXIO cannot be used.
        read_as_raw_records: Whether the records are given as they are, whatever they are.
        raw_record_column_name: The column for the records themselves.
        file_format: The format of the files of each pattern, as a number or by name.

    Raises:
        AssertionError: if an argument is missing that this format needs, as in TFX.
        NotImplementedError: if tfx-bsl cannot read the format.
        ValueError: if patterns and file formats do not fit together.
    """
    _check_file_formats(file_pattern, file_format)
    number = (
        payload_format
        if isinstance(payload_format, int)
        else example_gen_pb2.PayloadFormat.Value(payload_format)
    )
    common: dict[str, Any] = {
        "file_pattern": file_pattern,
        "telemetry_descriptors": telemetry_descriptors,
    }
    if read_as_raw_records:
        if raw_record_column_name is None:
            raise AssertionError(
                "read_as_raw_records is specified - must provide raw_record_column_name"
            )
        return _bsl("raw_tf_record").RawTfRecordTFXIO(
            raw_record_column_name=raw_record_column_name, **common
        )
    if number == example_gen_pb2.FORMAT_PARQUET:
        return _bsl("parquet_tfxio").ParquetTFXIO(schema=schema, **common)
    common["raw_record_column_name"] = raw_record_column_name
    if number == example_gen_pb2.FORMAT_TF_EXAMPLE:
        return _bsl("tf_example_record").TFExampleRecord(schema=schema, **common)
    if number == example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE:
        return _bsl("tf_sequence_example_record").TFSequenceExampleRecord(schema=schema, **common)
    if number == example_gen_pb2.FORMAT_PROTO:
        if data_view_uri is None:
            raise AssertionError("Accessing FORMAT_PROTO requires a DataView to parse the proto.")
        return _bsl("record_to_tensor_tfxio").TFRecordToTensorTFXIO(
            saved_decoder_path=data_view_uri, **common
        )
    raise NotImplementedError(f"Unsupport payload format: {payload_format}")


def _bsl(module: str) -> Any:
    return require(f"tfx_bsl.tfxio.{module}", extra="transform")


def _check_file_formats(file_pattern: OneOrMorePatterns, file_format: Any) -> None:
    if file_format is None:
        return
    given = f"Given: file_pattern={file_pattern}, file_format={file_format}"
    if isinstance(file_format, list) is not isinstance(file_pattern, list):
        raise ValueError(f"The type of file_pattern and file_formats should be the same. {given}")
    listed = file_format if isinstance(file_format, list) else [file_format]
    if isinstance(file_pattern, list) and len(listed) != len(file_pattern):
        raise ValueError(f"The length of file_pattern and file_formats should be the same. {given}")
    if any(_file_format(one) not in _FILE_FORMATS for one in listed):
        raise NotImplementedError(f"{file_format} is not supported yet.")


def _file_format(given: int | str) -> int:
    if isinstance(given, int):
        return given
    if given == "tfrecords_gzip":
        return int(example_gen_pb2.FORMAT_TFRECORDS_GZIP)
    return int(example_gen_pb2.FileFormat.Value(given))
