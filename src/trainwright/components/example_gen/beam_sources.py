"""Beam transforms from files to examples, as in TFX's executors. Importing this imports Beam.

Our executors do not use them: they read files without Beam. They are for pipelines of users' own
and for tests that apply a single transform. Each is called with the properties of an ExampleGen and
the pattern of a split below `input_base`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from trainwright._imports import require
from trainwright.components.example_gen.dict_examples import dict_to_example
from trainwright.components.example_gen.span_patterns import matching_files
from trainwright.proto import example_gen_pb2
from trainwright.types.standard_component_specs import INPUT_BASE_KEY, OUTPUT_DATA_FORMAT_KEY

beam: Any = require("apache_beam", extra="beam")

_logger = logging.getLogger(__name__)


class _FileSource(beam.PTransform):  # type: ignore[misc]
    """Reads the files of one input split."""

    KIND: ClassVar[str]

    def __init__(self, exec_properties: dict[str, Any], split_pattern: str) -> None:
        super().__init__()
        self._exec_properties = exec_properties
        self._input_base = exec_properties[INPUT_BASE_KEY]
        self._pattern = os.path.join(self._input_base, split_pattern)
        self._split_pattern = split_pattern

    def expand(self, pipeline: Any) -> Any:
        _logger.info("Reading %s data %s", self.KIND, self._pattern)
        return self._read(pipeline)

    def _read(self, pipeline: Any) -> Any:
        raise NotImplementedError

    def _files(self) -> list[str]:
        files = matching_files(self._input_base, self._split_pattern)
        if not files:
            raise RuntimeError(f"Split pattern {self._pattern} does not match any files.")
        return files


class CsvToExample(_FileSource):
    """CSV files to tf.Examples, with the column types of all files of the split."""

    KIND = "CSV"

    def _read(self, pipeline: Any) -> Any:
        from trainwright.data.example_writing.csv_diagnosis import CsvError
        from trainwright.data.example_writing.csv_reader import (
            infer_column_types,
            read_column_names,
        )

        files = self._files()
        try:
            names = read_column_names(files)
        except CsvError as error:
            raise RuntimeError(
                f"Files in same split {self._pattern} have different header. {error}"
            ) from error
        types = infer_column_types(files, names)
        return (
            pipeline
            | "CreateFilenames" >> beam.Create(files)
            | "ToTFExample" >> beam.FlatMap(_read_csv, types).with_output_types(_example_class())
        )


class ImportSerializedRecord(_FileSource):
    """TFRecord files to the bytes of their records."""

    KIND = "TFRecord"

    def _read(self, pipeline: Any) -> Any:
        return pipeline | "ReadFromTFRecord" >> beam.io.ReadFromTFRecord(self._pattern)


class ImportParquetRecord(_FileSource):
    """Parquet files to dicts; the Arrow schema goes into the properties, for the writing."""

    KIND = "Parquet"

    def _read(self, pipeline: Any) -> Any:
        import pyarrow.parquet

        schema = pyarrow.parquet.read_schema(self._files()[0])
        self._exec_properties["pyarrow_schema"] = schema
        return pipeline | "ReadParquet" >> beam.io.ReadFromParquet(self._pattern)


class ImportRecord(_FileSource):
    """Files of the payload format that the properties name, to messages, bytes or dicts."""

    KIND = "examples"

    def _read(self, pipeline: Any) -> Any:
        given = (self._exec_properties, self._split_pattern)
        payload_format = self._exec_properties.get(OUTPUT_DATA_FORMAT_KEY)
        if payload_format == example_gen_pb2.FORMAT_PARQUET:
            return pipeline | ImportParquetRecord(*given)
        if payload_format == example_gen_pb2.FORMAT_PROTO:
            return pipeline | ImportSerializedRecord(*given)
        parse = self._parser(payload_format)
        return pipeline | ImportSerializedRecord(*given) | "ToMessage" >> beam.Map(parse)

    @staticmethod
    def _parser(payload_format: Any) -> Callable[[bytes], Any]:
        import tensorflow as tf

        if payload_format == example_gen_pb2.FORMAT_TF_EXAMPLE:
            return tf.train.Example.FromString  # type: ignore[no-any-return]
        if payload_format == example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE:
            return tf.train.SequenceExample.FromString  # type: ignore[no-any-return]
        raise ValueError(
            "output_payload_format must be one of FORMAT_TF_EXAMPLE, FORMAT_TF_SEQUENCE_EXAMPLE, "
            f"FORMAT_PROTO or FORMAT_PARQUET, got {payload_format!r}"
        )


class AvroToExample(_FileSource):
    """Avro files to tf.Examples, as `dict_to_example` makes them."""

    KIND = "Avro"

    def _read(self, pipeline: Any) -> Any:
        return _to_examples(pipeline | "ReadFromAvro" >> beam.io.ReadFromAvro(self._pattern))


class ParquetToExample(_FileSource):
    """Parquet files to tf.Examples, as `dict_to_example` makes them."""

    KIND = "Parquet"

    def _read(self, pipeline: Any) -> Any:
        return _to_examples(pipeline | "ReadFromParquet" >> beam.io.ReadFromParquet(self._pattern))


def _to_examples(rows: Any) -> Any:
    to_example = beam.Map(dict_to_example).with_output_types(_example_class())
    return rows | "ToTFExample" >> to_example


def _read_csv(path: str, types: Mapping[str, Any]) -> Iterator[Any]:
    from trainwright.data.example_writing.csv_reader import READ_BLOCK_BYTES, read_batches
    from trainwright.data.example_writing.row_formats import TextRows
    from trainwright.data.example_writing.splits import HashSplits

    parse = _example_class().FromString
    rows = read_batches([path], list(types), READ_BLOCK_BYTES)
    for encoded in TextRows(types).encode(rows, HashSplits(buckets=(("all", 1),))):
        yield from map(parse, encoded.records)


def _example_class() -> Any:
    import tensorflow as tf

    return tf.train.Example
