"""Converts TFRecord files into an Examples artifact, or divides Parquet files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainwright.components.example_gen.base_example_gen_executor import BaseExampleGenExecutor
from trainwright.components.example_gen.request import Request
from trainwright.proto import example_gen_pb2

if TYPE_CHECKING:
    from trainwright.data.example_writing.examples_output import WrittenExamples


class Executor(BaseExampleGenExecutor):
    """Checks and splits records; see `trainwright.data.example_writing.tfrecords_to_examples`."""

    REPLACES_BEAM = True
    BEAM_SOURCE = "ImportRecord"

    def convert(self, request: Request, output_dir: str) -> WrittenExamples:
        from trainwright.data.example_writing.parquet_splits import divide_parquet
        from trainwright.data.example_writing.tfrecords_to_examples import (
            convert_tfrecords_to_examples,
        )

        if request.payload_format == example_gen_pb2.FORMAT_PARQUET:
            return divide_parquet(
                request.input_files,
                output_dir,
                output_splits=request.hash_splits,
                report_progress=self.progress_of("rows"),
            )
        with self.writing_engine() as engine:
            return convert_tfrecords_to_examples(
                request.input_files,
                output_dir,
                payload_format=request.payload_format,
                output_splits=request.hash_splits,
                max_bad_records=request.max_bad_records,
                report_progress=self.progress_of("records"),
                engine=engine,
            )
