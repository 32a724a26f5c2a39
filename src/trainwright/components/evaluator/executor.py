"""Evaluates a model, writes what was found and blesses it or not."""

from __future__ import annotations

import logging
import os
from typing import Any

from trainwright.components.evaluator.constants import (
    ARTIFACT_PROPERTY_BASELINE_MODEL_ID_KEY,
    ARTIFACT_PROPERTY_BASELINE_MODEL_URI_KEY,
    ARTIFACT_PROPERTY_BLESSED_KEY,
    ARTIFACT_PROPERTY_CURRENT_MODEL_ID_KEY,
    ARTIFACT_PROPERTY_CURRENT_MODEL_URI_KEY,
    BLESSED_FILE_NAME,
    BLESSED_VALUE,
    NOT_BLESSED_FILE_NAME,
    NOT_BLESSED_VALUE,
)
from trainwright.components.evaluator.request import EvaluationRequest, read_config, read_request
from trainwright.dsl.base_executor import SUMMARY_KEY, ArtifactDict, BaseExecutor
from trainwright.types.artifact import Artifact
from trainwright.types.artifact_utils import get_single_instance
from trainwright.types.standard_component_specs import BLESSING_KEY, EVALUATION_KEY, EXAMPLES_KEY

_logger = logging.getLogger(__name__)


class Executor(BaseExecutor):
    """Writes an evaluation, and `BLESSED` or `NOT_BLESSED` if the config has thresholds."""

    STREAMED_INPUTS = (EXAMPLES_KEY,)

    REPLACES_BEAM = True

    # No more than a Trainer has, so that one process that has imported TensorFlow serves both.
    PRELOAD = ("tensorflow", "trainwright.components.keras_preload")
    VERSION = 2

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        # TensorFlow is not imported by a run that finds this node cached.
        from trainwright.components.evaluator.evaluation_run import run_evaluation
        from trainwright.schemas.schema_file import read_schema

        request = read_request(input_dict, exec_properties)
        evaluation = get_single_instance(output_dict[EVALUATION_KEY])
        blessing = get_single_instance(output_dict[BLESSING_KEY])
        found, decision = run_evaluation(
            request,
            read_config(exec_properties),
            evaluation.uri,
            schema=read_schema(request.schema_path) if request.schema_path else None,
            engine=self.context.engine,
            report_progress=lambda done: self.context.report_progress({"examples": done}),
        )
        _logger.log(logging.INFO if decision.is_blessed else logging.WARNING, "%s", decision.text)
        _describe(blessing, request)
        blessing.set_string_custom_property(SUMMARY_KEY, decision.summary)
        _bless(blessing, decision.is_blessed)
        first_line = decision.summary.splitlines()[0]
        self.context.report_progress({"examples": found.examples, "model": first_line})


def _describe(blessing: Artifact, request: EvaluationRequest) -> None:
    """What the blessing is about; Resolvers find the blessed model by it."""
    if request.model is not None:
        blessing.set_string_custom_property(
            ARTIFACT_PROPERTY_CURRENT_MODEL_URI_KEY, request.model.uri
        )
        blessing.set_int_custom_property(ARTIFACT_PROPERTY_CURRENT_MODEL_ID_KEY, request.model.id)
    if request.baseline is not None:
        blessing.set_string_custom_property(
            ARTIFACT_PROPERTY_BASELINE_MODEL_URI_KEY, request.baseline.uri
        )
        blessing.set_int_custom_property(
            ARTIFACT_PROPERTY_BASELINE_MODEL_ID_KEY, request.baseline.id
        )


def _bless(blessing: Artifact, is_blessed: bool | None) -> None:
    os.makedirs(blessing.uri, exist_ok=True)
    if is_blessed is None:
        return
    name = BLESSED_FILE_NAME if is_blessed else NOT_BLESSED_FILE_NAME
    with open(os.path.join(blessing.uri, name), "w", encoding="utf-8"):
        pass
    blessing.set_int_custom_property(
        ARTIFACT_PROPERTY_BLESSED_KEY, BLESSED_VALUE if is_blessed else NOT_BLESSED_VALUE
    )
