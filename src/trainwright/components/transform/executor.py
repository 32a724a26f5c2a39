"""Executor: from the artifacts of a Transform to the work, which is in `transformation.py`."""

from __future__ import annotations

import tempfile
from typing import Any

from trainwright.components.example_validator.executor import SUMMARY_KEY
from trainwright.components.transform.request import read_request
from trainwright.components.transform.splits import in_order
from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor
from trainwright.types.artifact_utils import get_single_instance
from trainwright.types.payload_format import set_payload_format
from trainwright.types.standard_component_specs import (
    EXAMPLES_KEY,
    TRANSFORM_GRAPH_KEY,
    TRANSFORMED_EXAMPLES_KEY,
)


class Executor(BaseExecutor):
    """Writes a transform graph and, as far as there are outputs for them, transformed examples,
    the analyzer cache, statistics, schemas and anomalies."""

    REPLACES_BEAM = True

    PRELOAD = (
        "tensorflow",
        "tensorflow_transform",
        "trainwright.components.transform.transformation",
        "trainwright.statistics.statistics_pass",
        "trainwright.transform.transform_pass",
    )
    VERSION = 2

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        # TensorFlow is not imported by a run that finds this node cached.
        from trainwright.components.transform.transformation import run_transform
        from trainwright.transform.transformed_files import payload_format_of_transformed

        request = read_request(input_dict, output_dict, exec_properties)
        with tempfile.TemporaryDirectory(dir=self._own_directory()) as directory:
            outcome = run_transform(request, directory, self.context.report_progress)
        self.context.report_progress({"examples": sum(outcome.examples.values())})
        if outcome.remarks:
            graph = get_single_instance(output_dict[TRANSFORM_GRAPH_KEY])
            graph.set_string_custom_property(SUMMARY_KEY, "\n".join(outcome.remarks))
        if TRANSFORMED_EXAMPLES_KEY in output_dict:
            newest = in_order(input_dict[EXAMPLES_KEY])[-1]
            transformed: Any = get_single_instance(output_dict[TRANSFORMED_EXAMPLES_KEY])
            transformed.splits = list(outcome.examples)
            transformed.span = newest.span
            transformed.version = newest.version
            set_payload_format(transformed, payload_format_of_transformed(request.payload_format))

    def _own_directory(self) -> str | None:
        return self._get_tmp_dir() if self.context.tmp_dir else None
