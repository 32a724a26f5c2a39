"""Converts TFRecord files into an Examples artifact, or divides Parquet files."""

from __future__ import annotations

from typing import Any

from trainwright.components.example_gen.base_example_gen_executor import BaseExampleGenExecutor
from trainwright.components.example_gen.request import Request
from trainwright.proto import example_gen_pb2
from trainwright.types.artifact import Artifact


class Executor(BaseExampleGenExecutor):
    """Checks and splits records; see `trainwright.data.tfrecords_to_examples`."""

    REPLACES_BEAM = True

    def write_examples(self, request: Request, examples: Artifact) -> None:
        # Arrow and NumPy are not imported by a run that finds this node cached.
        from trainwright.data.parquet_splits import divide_parquet
        from trainwright.data.tfrecords_to_examples import convert_tfrecords_to_examples

        if request.payload_format == example_gen_pb2.FORMAT_PARQUET:
            written = divide_parquet(
                request.input_files,
                examples.uri,
                output_splits=request.hash_splits,
                report_progress=lambda rows: self.context.report_progress({"rows": rows}),
            )
        else:
            written = convert_tfrecords_to_examples(
                request.input_files,
                examples.uri,
                payload_format=request.payload_format,
                output_splits=request.hash_splits,
                max_bad_records=request.max_bad_records,
                report_progress=lambda records: self.context.report_progress({"records": records}),
            )
        request.describe_written(examples, written)

    def GetInputSourceToExamplePTransform(self) -> Any:
        """Returns the Beam transform for those who read records in a pipeline of their own."""
        from trainwright.components.example_gen.beam_sources import ImportRecord

        return ImportRecord
