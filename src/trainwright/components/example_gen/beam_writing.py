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

    def process(self, e: Any) -> Iterator[bytes]:
        self._num_instances.inc(1)
        yield e if isinstance(e, bytes) else e.SerializeToString()


@beam.ptransform_fn  # type: ignore[untyped-decorator]
def WriteSplit(
    example_split: Any,
    output_split_path: str,
    output_format: int | str,
    exec_properties: Mapping[str, Any] | None = None,
) -> Any:
    """Writes a collection of examples to a directory, in an order of Beam's.

    Messages and bytes become gzip TFRecords. With the payload format FORMAT_PARQUET in the
    properties, dicts become Parquet files of the Arrow schema `pyarrow_schema` in the properties.

    Args:
        example_split: The examples.
        output_split_path: The directory.
        output_format: TFX's argument; the payload format decides.
        exec_properties: The properties of the ExampleGen.
    """
    properties = exec_properties or {}
    if properties.get(OUTPUT_DATA_FORMAT_KEY) == example_gen_pb2.FORMAT_PARQUET:
        return _write_parquet(example_split, output_split_path, properties.get("pyarrow_schema"))
    prefix = os.path.join(output_split_path, DEFAULT_TF_RECORD_FILE_NAME)
    return (
        example_split
        | "MaybeSerialize" >> beam.ParDo(MaybeSerialize()).with_output_types(bytes)
        | "Shuffle" >> beam.Reshuffle()
        | "Write" >> beam.io.WriteToTFRecord(prefix, file_name_suffix=".gz")
    )


def _write_parquet(rows: Any, directory: str, schema: Any) -> Any:
    if schema is None:
        raise ValueError(
            "Rows of FORMAT_PARQUET need an Arrow schema: the transform that makes them puts it "
            "into exec_properties['pyarrow_schema']."
        )
    prefix = os.path.join(directory, DEFAULT_PARQUET_FILE_NAME)
    write = beam.io.WriteToParquet(prefix, schema, file_name_suffix=".parquet", codec="snappy")
    return rows | "Shuffle" >> beam.Reshuffle() | "WriteParquet" >> write
