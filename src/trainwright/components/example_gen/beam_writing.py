"""Beam transforms that write a split of examples. Importing this imports Beam."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from trainwright._imports import require
from trainwright.components.example_gen.user_helpers import (
    DEFAULT_PARQUET_FILE_NAME,
    DEFAULT_TF_RECORD_FILE_NAME,
    METRICS_NAMESPACE,
)
from trainwright.proto import example_gen_pb2
from trainwright.types.standard_component_specs import OUTPUT_DATA_FORMAT_KEY

beam: Any = require("apache_beam", extra="beam")


class MaybeSerialize(beam.DoFn):  # type: ignore[misc]
    """Messages to bytes; what is bytes already passes. Counts them as `num_instances`."""

    def __init__(self) -> None:
        self._num_instances = beam.metrics.Metrics.counter(METRICS_NAMESPACE, "num_instances")

    def process(self, element: Any) -> Iterator[bytes]:
        self._num_instances.inc(1)
        yield element if isinstance(element, bytes) else element.SerializeToString()


class WriteSplit(beam.PTransform):  # type: ignore[misc]
    """Writes a collection of examples to a directory, in an order of Beam's.

    Messages and bytes become gzip TFRecords. With the payload format FORMAT_PARQUET in the
    properties, dicts become Parquet files of the Arrow schema `pyarrow_schema` in the properties.

    Args:
        output_split_path: The directory.
        output_format: TFX's argument; the payload format decides.
        exec_properties: The properties of the ExampleGen.
    """

    def __init__(
        self,
        output_split_path: str,
        output_format: int = example_gen_pb2.FORMAT_TFRECORDS_GZIP,
        exec_properties: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self._directory = output_split_path
        properties = exec_properties or {}
        self._is_parquet = properties.get(OUTPUT_DATA_FORMAT_KEY) == example_gen_pb2.FORMAT_PARQUET
        self._schema = properties.get("pyarrow_schema")
        if self._is_parquet and self._schema is None:
            raise ValueError(
                "Rows of FORMAT_PARQUET need an Arrow schema: the transform that makes them puts "
                "it into exec_properties['pyarrow_schema']."
            )

    def expand(self, examples: Any) -> Any:
        if self._is_parquet:
            return (
                examples
                | "Shuffle" >> beam.Reshuffle()
                | "WriteParquet"
                >> beam.io.WriteToParquet(
                    os.path.join(self._directory, DEFAULT_PARQUET_FILE_NAME),
                    self._schema,
                    file_name_suffix=".parquet",
                    codec="snappy",
                )
            )
        return (
            examples
            | "MaybeSerialize" >> beam.ParDo(MaybeSerialize()).with_output_types(bytes)
            | "Shuffle" >> beam.Reshuffle()
            | "Write"
            >> beam.io.WriteToTFRecord(
                os.path.join(self._directory, DEFAULT_TF_RECORD_FILE_NAME), file_name_suffix=".gz"
            )
        )
