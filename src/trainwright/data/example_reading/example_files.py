"""ExampleFiles: the example files of a split, with all that is needed to read them."""

from __future__ import annotations

import base64
import fnmatch
import glob
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from trainwright._paths import is_remote
from trainwright.engine.shard_files import (
    expected_contents,
    expected_names,
    file_size,
    local_copy,
)
from trainwright.proto import example_gen_pb2
from trainwright.types import splits
from trainwright.types.artifact import Artifact
from trainwright.types.payload_format import resolve_payload_format_and_data_view_uri

if TYPE_CHECKING:
    import pyarrow as pa
    import tensorflow as tf
    from tensorflow_metadata.proto.v0 import schema_pb2

    from trainwright.data.dataset_options import RecordBatchesOptions, TensorFlowDatasetOptions
    from trainwright.data.example_reading.arrow_decoding import ArrowBatch
    from trainwright.data.example_reading.tensor_parsing import TensorParser
    from trainwright.data.example_reading.untyped_features import UntypedFeatures

_READABLE = (
    example_gen_pb2.FORMAT_TF_EXAMPLE,
    example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE,
    example_gen_pb2.FORMAT_PARQUET,
)

# A batch that is parsed has up to this many rows, and fewer if there are many features: the tensors
# of a batch must fit into memory.
_PARSED_ROWS = 4096
_PARSED_VALUES = 1 << 20


@dataclass(frozen=True, kw_only=True)
class ExampleFiles:
    """Example files of one payload format: as records, Arrow batches, tensors, datasets, shards.

    Files are TFRecords, gzip or plain, or Parquet, whose rows become tf.Examples. No file is opened
    before a method reads it. TensorFlow is imported by what gives tensors, and where a DataView
    decodes the records.

    Args:
        paths: The files, in the order in which they are read.
        payload_format: Of `PayloadFormat`.
        data_view: The directory of the DataView that decodes records of FORMAT_PROTO.
        schema: What is in the examples. Parsed tensors need it; Arrow batches have its columns,
            and without it those of the records. A DataView knows its tensors without it.

    Raises:
        ValueError: if nothing here can decode records of the format.

    Example:
        ```python
        examples = ExampleFiles.of_splits(artifacts, ["eval"])
        rows = sum(batch.examples for batch in examples.arrow_batches())
        ```
    """

    paths: Sequence[str] = ()
    payload_format: int = example_gen_pb2.FORMAT_TF_EXAMPLE
    data_view: str | None = None
    schema: schema_pb2.Schema | None = None

    def __post_init__(self) -> None:
        is_proto = self.payload_format == example_gen_pb2.FORMAT_PROTO
        if self.payload_format not in _READABLE and not (is_proto and self.data_view):
            raise ValueError(_describe_unreadable(self.payload_format))

    @classmethod
    def of_artifacts(cls, examples: Sequence[Artifact], paths: Sequence[str] = ()) -> ExampleFiles:
        """Files of Examples artifacts, which know their payload format and DataView.

        Raises:
            ValueError: if the artifacts differ in their formats, or cannot be decoded.
        """
        payload_format, data_view = resolve_payload_format_and_data_view_uri(examples)
        return cls(paths=paths, payload_format=payload_format, data_view=data_view)

    @classmethod
    def of_splits(cls, examples: Sequence[Artifact], split_names: Sequence[str]) -> ExampleFiles:
        """All files of some splits of Examples artifacts, split by split."""
        uris = (uri for name in split_names for uri in splits.get_split_uris(examples, name))
        return cls.of_artifacts(examples, [path for uri in uris for path in list_files(uri)])

    @classmethod
    def matching(cls, file_patterns: str | Sequence[str], **how: Any) -> ExampleFiles:
        """The files of glob patterns, as `fn_args.train_files` has them; `how` they are read.

        Raises:
            ValueError: if no file matches.
        """
        from trainwright.data.example_reading.tf_datasets import match_files

        return replace(cls(**how), paths=match_files(file_patterns))

    @classmethod
    def of_any(cls, files: ExampleFiles | Sequence[str | os.PathLike[str]]) -> ExampleFiles:
        """What functions take as files: paths are those of tf.Examples."""
        if isinstance(files, ExampleFiles):
            return files
        return cls(paths=[os.fspath(path) for path in files])

    def at(self, *paths: str) -> ExampleFiles:
        """Other files that are read in the same way."""
        return replace(self, paths=paths)

    def with_schema(self, schema: schema_pb2.Schema | None) -> ExampleFiles:
        """The same files, read by another schema."""
        return replace(self, schema=schema)

    @property
    def record_format(self) -> int:
        """The payload format of the records that are read: rows of Parquet become tf.Examples."""
        is_parquet = self.payload_format == example_gen_pb2.FORMAT_PARQUET
        return int(example_gen_pb2.FORMAT_TF_EXAMPLE if is_parquet else self.payload_format)

    @property
    def decoder_files(self) -> list[str]:
        """The files of the DataView; none without one."""
        walk = os.walk(self.data_view) if self.data_view else ()
        return sorted(
            os.path.join(directory, name) for directory, _, names in walk for name in names
        )

    def to_json(self) -> dict[str, Any]:
        """How files are read, for a pass of the engine; which, its shards say."""
        schema = None
        if self.schema is not None:
            schema = base64.b64encode(self.schema.SerializeToString(deterministic=True)).decode()
        return {
            "payload_format": int(self.payload_format),
            "data_view": self.data_view,
            "schema": schema,
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> ExampleFiles:
        """The inverse of `to_json`; the path of a shard is given to `at`."""
        from tensorflow_metadata.proto.v0 import schema_pb2

        schema = None
        if fields["schema"] is not None:
            schema = schema_pb2.Schema.FromString(base64.b64decode(fields["schema"]))
        return cls(
            payload_format=fields["payload_format"], data_view=fields["data_view"], schema=schema
        )

    def shards(self) -> list[dict[str, Any]]:
        """A shard for each file, as JSON that the engine's `Shard.from_json` takes."""
        return [
            {
                "name": path,
                "config": {"path": path},
                "size": file_size(path),
                "reads": ["path"],
                "contents": expected_contents([path]),
            }
            for path in self.paths
        ]

    def records(self) -> Iterator[bytes]:
        """Yields the serialized records of all files, in order."""
        for batch in self.batches():
            yield from batch

    def batches(self, rows: int | None = None) -> Iterator[list[bytes]]:
        """Yields serialized records in batches; where batches end depends on the file alone.

        A batch has records of one file. It has `rows` of them, the last one of a file fewer;
        without `rows`, as many as are good to decode at once. Batches of many bytes are shorter.

        Raises:
            TFRecordError: where a file is damaged.
            ParquetError: if a file is not a Parquet file but should be one.
        """
        from trainwright.data.example_reading.serialized_batches import cut_batches, read_blocks

        for path in self.paths:
            with local_copy(path) as here:
                yield from cut_batches(read_blocks(here, self.payload_format), rows)

    def parsed_batches(self) -> Iterator[list[bytes]]:
        """`batches` of a size whose tensors fit into memory, by the number of features."""
        # By the whole schema, for the same batches whatever part of it is parsed.
        features = len(self.schema.feature) if self.schema is not None else 1
        return self.batches(max(1, min(_PARSED_ROWS, _PARSED_VALUES // max(1, features))))

    def arrow_batches(self, rows: int | None = None) -> Iterator[ArrowBatch]:
        """Yields Arrow record batches, cut like `batches`, with every record accounted for.

        Raises:
            ModuleNotFoundError: if tfx-bsl is not installed.
            TFRecordError: where a file is damaged.
            UndecodableRecordError: where a record is not an example.
        """
        from trainwright.data.example_reading.arrow_decoding import read_arrow_batches

        return read_arrow_batches(self, rows)

    def parser(self, only: Collection[str] | None = None) -> TensorParser:
        """What parses a batch of records to a row for each, all of its tensors or some.

        Raises:
            ValueError: if there is no schema, nothing to parse in it, or if a DataView makes
                several rows of a record.
        """
        from trainwright.data.example_reading.tensor_parsing import make_parser

        return make_parser(self, only)

    def features(self) -> UntypedFeatures:
        """What reads features by name from batches of records, without a schema."""
        from trainwright.data.example_reading.untyped_features import find_features

        return find_features(self)

    def tf_dataset(self, options: TensorFlowDatasetOptions) -> tf.data.Dataset:
        """A `tf.data.Dataset` of parsed batches; see `make_tf_dataset`."""
        from trainwright.data.example_reading.tf_datasets import make_tf_dataset

        return make_tf_dataset(self, options)

    def record_batches(self, options: RecordBatchesOptions) -> Iterator[pa.RecordBatch]:
        """Arrow record batches of a size that the user chose, shuffled and repeated by tf.data."""
        from trainwright.data.example_reading.tf_datasets import make_record_batches

        return make_record_batches(self, options)


def list_files(directory: str) -> list[str]:
    """The files of a split's directory, in order; it may be in an object store."""
    return find_files(directory, "*")


def find_files(directory: str, pattern: str) -> list[str]:
    """The files below a directory that match a pattern like `Split-train/*`, in order."""
    if not is_remote(directory):
        return sorted(glob.glob(os.path.join(glob.escape(directory), pattern)))
    from trainwright.storage import objects, uris

    steps = pattern.split("/")
    names = expected_names(directory)
    if names is None:
        names = [uris.relative(facts.uri, directory) for facts in objects.list_tree(directory)]
    matching = [name for name in names if _matches(name.split("/"), steps)]
    return [uris.join(directory, name) for name in sorted(matching)]


def _matches(names: Sequence[str], patterns: Sequence[str]) -> bool:
    """Whether each step matches its pattern, as in a shell: `*` does not match hidden files."""
    return len(names) == len(patterns) and all(
        fnmatch.fnmatchcase(name, pattern) and (not name.startswith(".") or pattern[0] == ".")
        for name, pattern in zip(names, patterns, strict=True)
    )


def _describe_unreadable(payload_format: int) -> str:
    readable = ", ".join(map(example_gen_pb2.PayloadFormat.Name, _READABLE))
    advice = (
        f"Expected one of {readable}, or FORMAT_PROTO with a DataView. Choose one of them with "
        "the ExampleGen's payload_format or output_data_format, or bind a DataView to the examples "
        "with TfGraphDataViewProvider and DataViewBinder. In a module file the records can be read "
        "as they are: tf.data.TFRecordDataset(files, 'GZIP') with the files that match "
        "fn_args.train_files."
    )
    if payload_format == example_gen_pb2.FORMAT_PROTO:
        return (
            "The examples are in FORMAT_PROTO, and no DataView is bound to them that says how to "
            f"decode their records. {advice}"
        )
    known = example_gen_pb2.PayloadFormat.values()
    name = (
        example_gen_pb2.PayloadFormat.Name(payload_format)
        if payload_format in known
        else f"an unknown format ({payload_format})"
    )
    return f"The examples are in {name}, which cannot be read. {advice}"
