"""An evaluation from the request to the files, for the Evaluator and `run_model_analysis`."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from trainwright.components.evaluator.blessing_decision import BlessingDecision, judge
from trainwright.components.evaluator.request import EvaluationRequest
from trainwright.components.forking import can_fork
from trainwright.engine.choice import open_engine
from trainwright.engine.engine import ReportProgress
from trainwright.evaluation.config.config_check import check_with_models
from trainwright.evaluation.evaluate import evaluate
from trainwright.evaluation.metrics.keras.graph_metrics import graph_metric_keys
from trainwright.evaluation.models.evaluated_model import SAVED_MODEL, read_compiled_models
from trainwright.evaluation.models.model_formats import format_of_factory
from trainwright.evaluation.models.signatures import check_same_signature, read_signatures
from trainwright.evaluation.slices.cross_slices import compare_slices
from trainwright.evaluation.slices.slice_results import Evaluation
from trainwright.evaluation.tfma_format.writing import write_evaluation
from trainwright.proto.tfma import config_pb2

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import schema_pb2

_logger = logging.getLogger(__name__)


def run_evaluation(
    request: EvaluationRequest,
    given: config_pb2.EvalConfig,
    directory: str,
    *,
    schema: schema_pb2.Schema | None = None,
    file_format: str = "tfrecords_gzip",
    engine: str | None = None,
    report_progress: ReportProgress | None = None,
) -> tuple[Evaluation, BlessingDecision]:
    """Evaluates what is asked for, writes the files of the evaluation, and judges.

    Args:
        request: What to evaluate.
        given: The config as the user wrote it.
        directory: Where the files are written.
        schema: Of the examples.
        file_format: Of the examples, for the record.
        engine: What runs the pass, by name or URL; the local engine if None.
        report_progress: Told how many examples were read so far.
    """
    _check_signatures(request)
    check_with_models(
        request.config,
        read_compiled_models(request.config, request.models),
        graph_metric_keys(request.config, request.models),
    )
    with open_engine(engine, preload=("tensorflow",), can_fork=can_fork) as opened:
        found = evaluate(
            request.examples,
            request.config,
            request.models,
            schema=schema,
            engine=opened,
            report_progress=report_progress,
        )
    decision = judge(given, request.config, found)
    write_evaluation(
        directory,
        found.slices,
        request.config,
        cross_slices=compare_slices(found.slices, request.config.cross_slicing_specs),
        data_location=request.data_location,
        file_format=file_format,
        model_locations={name: source.path for name, source in request.models.items()},
        validation=decision.validation,
    )
    for problem in decision.problems:
        _logger.warning("%s", problem)
    return found, decision


def _check_signatures(request: EvaluationRequest) -> None:
    """The models are there, and SavedModels are compared only if they take and return the same.

    A model of another format is made to be compared with what it was converted from, whose
    signature may have other names and types.
    """
    sources = request.models
    for source in sources.values():
        found = format_of_factory(source.factory)
        if found:
            found.require_file(source.path)
        elif source.factory == SAVED_MODEL:
            read_signatures(source.path)
    specs = {spec.is_baseline: spec for spec in request.config.model_specs}
    are_saved_models = all(source.factory == SAVED_MODEL for source in sources.values())
    if are_saved_models and len(specs) == 2 and len(sources) == 2:
        candidate, baseline = specs[False], specs[True]
        check_same_signature(
            sources[candidate.name].path, sources[baseline.name].path, candidate, baseline
        )
