"""Converts Parquet files into an Examples artifact."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainwright.components.example_gen.base_example_gen_executor import BaseExampleGenExecutor
from trainwright.components.example_gen.request import Request
from trainwright.proto import example_gen_pb2

if TYPE_CHECKING:
    from trainwright.data.example_writing.examples_output import WrittenExamples


class Executor(BaseExampleGenExecutor):
    """Flattens, encodes and splits; see `trainwright.data.example_writing.parquet_to_examples`."""

    REPLACES_BEAM = True
    BEAM_SOURCE = "ParquetToExample"

    def convert(self, request: Request, output_dir: str) -> WrittenExamples:
        from trainwright.data.example_writing.parquet_to_examples import convert_parquet_to_examples

        if request.payload_format != example_gen_pb2.FORMAT_TF_EXAMPLE:
            raise ValueError(
                "Rows of Parquet files become tf.Examples: expected the output_data_format "
                "FORMAT_TF_EXAMPLE, got "
                f"{example_gen_pb2.PayloadFormat.Name(request.payload_format)}."
            )
        with self.writing_engine() as engine:
            return convert_parquet_to_examples(
                request.input_files,
                output_dir,
                output_splits=request.hash_splits,
                report_progress=self.progress_of("rows"),
                engine=engine,
            )
