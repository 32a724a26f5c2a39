"""tf.Transform's own implementation, on Beam's in-memory runner; what TFX's Transform does."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apache_beam as beam
import pyarrow as pa
import tensorflow_transform.beam as tft_beam
from apache_beam.runners.portability import fn_api_runner
from tensorflow_metadata.proto.v0 import schema_pb2
from tfx_bsl.coders import example_coder
from tfx_bsl.public import tfxio
from transform_data import SCHEMA
from transform_results import Result, read_result

# Where Beam chooses, batches differ from run to run, and with them what depends on batches.
_BATCH_SIZE = 4096


def run_beam(
    preprocessing_fn: Any,
    paths: Sequence[str],
    directory: Path,
    *,
    schema: schema_pb2.Schema = SCHEMA,
    force_tf_compat_v1: bool = False,
) -> Result:
    """Analyzes and transforms with tf.Transform."""
    is_sequence = any(feature.name == "##SEQUENCE##" for feature in schema.feature)
    kind = tfxio.TFSequenceExampleRecord if is_sequence else tfxio.TFExampleRecord
    source = kind(file_pattern=list(paths), schema=schema, telemetry_descriptors=["test"])
    output = tempfile.mkdtemp(dir=directory)
    rows = f"{tempfile.mkdtemp(dir=directory)}/rows"
    with (
        beam.Pipeline(runner=fn_api_runner.FnApiRunner()) as pipeline,
        tft_beam.Context(
            temp_dir=tempfile.mkdtemp(dir=directory), force_tf_compat_v1=force_tf_compat_v1
        ),
    ):
        batches = pipeline | "Read" >> source.BeamSource(batch_size=_BATCH_SIZE)
        dataset = (batches, source.TensorAdapterConfig())
        transform_fn = dataset | tft_beam.AnalyzeDataset(preprocessing_fn)
        _ = transform_fn | tft_beam.WriteTransformFn(output)
        (transformed, metadata) = (dataset, transform_fn) | tft_beam.TransformDataset(
            output_record_batches=True
        )
        schema_of_output = (
            beam.pvalue.AsSingleton(metadata.deferred_metadata)
            if hasattr(metadata, "deferred_metadata")
            else metadata
        )
        _ = (
            transformed
            | "Encode" >> beam.FlatMap(_encode, schema_of_output)
            | "Write" >> beam.io.WriteToTFRecord(rows, file_name_suffix=".gz")
        )
    return read_result(output, [str(path) for path in Path(rows).parent.glob("rows*.gz")])


def _encode(element: tuple[pa.RecordBatch, Any], metadata: Any) -> list[bytes]:
    batch, _ = element
    return example_coder.RecordBatchToExamplesEncoder(metadata.schema).encode(batch)
