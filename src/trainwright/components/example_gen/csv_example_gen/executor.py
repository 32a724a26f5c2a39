"""Converts CSV files into an Examples artifact."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainwright.components.example_gen.base_example_gen_executor import BaseExampleGenExecutor
from trainwright.components.example_gen.request import Request

if TYPE_CHECKING:
    from trainwright.data.example_writing.examples_output import WrittenExamples


class Executor(BaseExampleGenExecutor):
    """Reads, types, encodes and splits; see `trainwright.data.example_writing.csv_to_examples`."""

    REPLACES_BEAM = True
    BEAM_SOURCE = "CsvToExample"

    def convert(self, request: Request, output_dir: str) -> WrittenExamples:
        from trainwright.data.example_writing.csv_to_examples import convert_csv_to_examples

        with self.writing_engine() as engine:
            return convert_csv_to_examples(
                request.input_files,
                output_dir,
                output_splits=request.hash_splits,
                max_bad_rows=request.max_bad_records,
                report_progress=self.progress_of("rows"),
                engine=engine,
            )
