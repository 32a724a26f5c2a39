"""Converts Parquet files into an Examples artifact."""

from __future__ import annotations

from typing import Any

from trainwright.components.example_gen.request import Request
from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor
from trainwright.proto import example_gen_pb2


class Executor(BaseExecutor):
    """Flattens, encodes and splits; see `trainwright.data.parquet_to_examples`."""

    REPLACES_BEAM = True

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        # Arrow and NumPy are not imported by a run that finds this node cached.
        from trainwright.data.parquet_to_examples import convert_parquet_to_examples

        request = Request.read(exec_properties)
        if request.payload_format != example_gen_pb2.FORMAT_TF_EXAMPLE:
            raise ValueError(
                "Rows of Parquet files become tf.Examples: expected the output_data_format "
                "FORMAT_TF_EXAMPLE, got "
                f"{example_gen_pb2.PayloadFormat.Name(request.payload_format)}."
            )
        [examples] = output_dict["examples"]
        written = convert_parquet_to_examples(
            request.input_files,
            examples.uri,
            output_splits=request.hash_splits,
            report_progress=lambda rows: self.context.report_progress({"rows": rows}),
        )
        request.describe_written(examples, written)
