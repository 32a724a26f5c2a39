"""The files of an evaluation: what its page is made of."""

from __future__ import annotations

import os
from dataclasses import dataclass

from trainwright.evaluation.tfma_format.reading import (
    load_eval_run,
    load_metrics,
    load_plots,
    load_validation_result,
)
from trainwright.html_views.artifact_files import EVALUATION, require_files
from trainwright.proto.tfma import config_pb2, metrics_for_slice_pb2, validation_result_pb2


@dataclass(frozen=True, kw_only=True)
class EvaluationFiles:
    """What the files hold; None where there is no such file.

    Args:
        metrics: The metrics of each slice.
        plots: The plots of each slice.
        validation: What came of the thresholds.
        run: The config, and where models and examples were.
    """

    metrics: list[metrics_for_slice_pb2.MetricsForSlice]
    plots: list[metrics_for_slice_pb2.PlotsForSlice]
    validation: validation_result_pb2.ValidationResult | None
    run: config_pb2.EvalRun | None


def read_evaluation(uri: str) -> EvaluationFiles:
    """Reads the files of an evaluation; raises ValueError if there are none, or one is damaged.

    Args:
        uri: Its directory, or one of its files of metrics.

    Example: `read_evaluation("output/Evaluator/evaluation/7").metrics[0]`
    """
    directory = os.path.dirname(require_files(EVALUATION, uri)[0]) or os.curdir
    return EvaluationFiles(
        metrics=list(load_metrics(directory)),
        plots=list(load_plots(directory)),
        validation=_read_validation(directory),
        run=load_eval_run(directory),
    )


def _read_validation(directory: str) -> validation_result_pb2.ValidationResult | None:
    try:
        return load_validation_result(directory)
    except FileNotFoundError:
        return None
