"""Converts TFRecord files into an Examples artifact."""

from __future__ import annotations

from typing import Any

from trainwright.components.example_gen.request import Request
from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor


class Executor(BaseExecutor):
    """Checks and splits records; see `trainwright.data.tfrecords_to_examples`."""

    REPLACES_BEAM = True

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        # Arrow and NumPy are not imported by a run that finds this node cached.
        from trainwright.data.tfrecords_to_examples import convert_tfrecords_to_examples

        request = Request.read(exec_properties)
        [examples] = output_dict["examples"]
        written = convert_tfrecords_to_examples(
            request.input_files,
            examples.uri,
            payload_format=request.payload_format,
            output_splits=request.hash_splits,
            max_bad_records=request.max_bad_records,
            report_progress=lambda records: self.context.report_progress({"records": records}),
        )
        request.describe_written(examples, written)
