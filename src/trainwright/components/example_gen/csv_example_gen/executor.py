"""Converts CSV files into an Examples artifact."""

from __future__ import annotations

from typing import Any

from trainwright.components.example_gen.base_example_gen_executor import BaseExampleGenExecutor
from trainwright.components.example_gen.request import Request
from trainwright.types.artifact import Artifact


class Executor(BaseExampleGenExecutor):
    """Reads, types, encodes and splits; see `trainwright.data.csv_to_examples`."""

    REPLACES_BEAM = True

    def write_examples(self, request: Request, examples: Artifact) -> None:
        # Arrow and NumPy are not imported by a run that finds this node cached.
        from trainwright.data.csv_to_examples import convert_csv_to_examples

        written = convert_csv_to_examples(
            request.input_files,
            examples.uri,
            output_splits=request.hash_splits,
            max_bad_rows=request.max_bad_records,
            report_progress=lambda rows: self.context.report_progress({"rows": rows}),
        )
        request.describe_written(examples, written)

    def GetInputSourceToExamplePTransform(self) -> Any:
        """Returns the Beam transform for those who read CSV files in a pipeline of their own."""
        from trainwright.components.example_gen.beam_sources import CsvToExample

        return CsvToExample
