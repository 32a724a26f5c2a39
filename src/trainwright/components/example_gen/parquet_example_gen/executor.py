"""Converts Parquet files into an Examples artifact."""

from __future__ import annotations

from typing import Any

from trainwright.components.example_gen.base_example_gen_executor import BaseExampleGenExecutor
from trainwright.components.example_gen.request import Request
from trainwright.proto import example_gen_pb2
from trainwright.types.artifact import Artifact


class Executor(BaseExampleGenExecutor):
    """Flattens, encodes and splits; see `trainwright.data.parquet_to_examples`."""

    REPLACES_BEAM = True

    def write_examples(self, request: Request, examples: Artifact) -> None:
        # Arrow and NumPy are not imported by a run that finds this node cached.
        from trainwright.data.parquet_to_examples import convert_parquet_to_examples

        if request.payload_format != example_gen_pb2.FORMAT_TF_EXAMPLE:
            raise ValueError(
                "Rows of Parquet files become tf.Examples: expected the output_data_format "
                "FORMAT_TF_EXAMPLE, got "
                f"{example_gen_pb2.PayloadFormat.Name(request.payload_format)}."
            )
        written = convert_parquet_to_examples(
            request.input_files,
            examples.uri,
            output_splits=request.hash_splits,
            report_progress=lambda rows: self.context.report_progress({"rows": rows}),
        )
        request.describe_written(examples, written)

    def GetInputSourceToExamplePTransform(self) -> Any:
        """Returns the Beam transform for those who read Parquet in a pipeline of their own."""
        from trainwright.components.example_gen.beam_sources import ParquetToExample

        return ParquetToExample
