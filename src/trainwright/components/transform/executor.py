"""Executor: from the artifacts of a Transform to the work, which is in `transformation.py`."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Callable, Mapping
from typing import Any

from trainwright.components.transform.request import find_stats_options_updater, read_request
from trainwright.components.transform.splits import in_order
from trainwright.components.user_module import get_user_function
from trainwright.dsl.base_executor import SUMMARY_KEY, ArtifactDict, BaseExecutor
from trainwright.types.artifact_utils import get_single_instance
from trainwright.types.payload_format import set_payload_format
from trainwright.types.splits import encode_split_names
from trainwright.types.standard_component_specs import (
    EXAMPLES_KEY,
    PREPROCESSING_FN_KEY,
    TRANSFORM_GRAPH_KEY,
    TRANSFORMED_EXAMPLES_KEY,
)

# TFX's names, for executors of users: a key of the outputs, the feature of examples that are not
# parsed, and files.
TEMP_PATH_KEY = "temp_path"
RAW_EXAMPLE_KEY = "raw_example"
STATS_FILE = "FeatureStats.pb"
SAMPLE_FILE_NAME = "Sample.rio"
SHARDED_STATS_PREFIX = "FeatureStats.rio"
_SCHEMA_FILE = "schema.pbtxt"
_ANOMALIES_FILE = "SchemaDiff.pb"


class Executor(BaseExecutor):
    """Writes a transform graph and, as far as there are outputs for them, transformed examples,
    the analyzer cache, statistics, schemas and anomalies."""

    STREAMED_INPUTS = (EXAMPLES_KEY,)

    REPLACES_BEAM = True

    PRELOAD = (
        "tensorflow",
        "tensorflow_transform",
        "trainwright.components.keras_preload",
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

        request = dataclasses.replace(
            read_request(input_dict, output_dict, exec_properties),
            preprocessing_fn=self._GetPreprocessingFn(exec_properties),
            stats_options_updater_fn=self._GetStatsOptionsUpdaterFn(exec_properties),
        )
        with tempfile.TemporaryDirectory(dir=self._own_directory()) as directory:
            outcome = run_transform(
                request, directory, self.context.report_progress, engine=self.context.engine
            )
        self.context.report_progress({"examples": sum(outcome.examples.values())})
        if outcome.remarks:
            graph = get_single_instance(output_dict[TRANSFORM_GRAPH_KEY])
            graph.set_string_custom_property(SUMMARY_KEY, "\n".join(outcome.remarks))
        payload_format = payload_format_of_transformed(request.examples.payload_format)
        outputs = output_dict.get(TRANSFORMED_EXAMPLES_KEY, [])
        sources = input_dict[EXAMPLES_KEY]
        if len(outputs) == 1:
            sources = in_order(sources)[-1:]  # the newest of what is in it
        for transformed, source in zip(outputs, sources, strict=False):
            transformed.split_names = encode_split_names(list(outcome.examples))
            transformed.span = source.span
            transformed.version = source.version
            set_payload_format(transformed, payload_format)

    def _GetPreprocessingFn(self, inputs: Mapping[str, Any]) -> Callable[..., Any]:
        """The user's function; executors of users may find it elsewhere, as in TFX."""
        return get_user_function(inputs, PREPROCESSING_FN_KEY)

    def _GetStatsOptionsUpdaterFn(self, inputs: Mapping[str, Any]) -> Callable[..., Any] | None:
        """Likewise; None if there is none."""
        return find_stats_options_updater(inputs)

    def _own_directory(self) -> str | None:
        return self._get_tmp_dir() if self.context.tmp_dir else None
