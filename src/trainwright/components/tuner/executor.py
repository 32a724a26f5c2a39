"""TFX's executor of a Tuner, and the functions beside it that executors of users call."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from typing import Any

from trainwright.components.unsupported import UnsupportedExecutor
from trainwright.dsl.base_executor import ArtifactDict
from trainwright.proto import proto_json, tuner_pb2
from trainwright.types.artifact_utils import get_single_uri

_logger = logging.getLogger(__name__)

_BEST_HYPERPARAMETERS_FILE_NAME = "best_hyperparameters.txt"
_RESULTS_FILE_NAME = "tuner_results.json"

CANNOT_SEARCH = (
    "this version declares a Tuner and does not run it. Search in run_fn, for example with "
    "keras_tuner, or import hyperparameters that were found before: Importer("
    "source_uri='best_hyperparameters.txt', artifact_type=HyperParameters)."
)


class Executor(UnsupportedExecutor):
    """Says that nothing searches here."""

    CANNOT_RUN = CANNOT_SEARCH


def get_tune_args(exec_properties: Mapping[str, Any]) -> tuner_pb2.TuneArgs | None:
    """The `tune_args` of an execution; None if there are none."""
    encoded = exec_properties.get("tune_args")
    return proto_json.json_to_proto(encoded, tuner_pb2.TuneArgs()) if encoded else None


def write_best_hyperparameters(tuner: Any, output_dict: ArtifactDict) -> None:
    """Writes what a tuner of keras_tuner has found, as a Trainer reads it, and all its trials.

    Args:
        tuner: The tuner after its search.
        output_dict: With `best_hyperparameters` and `tuner_results`.
    """
    best = tuner.get_best_hyperparameters()[0].get_config()
    _write_json(
        get_single_uri(output_dict["best_hyperparameters"]), _BEST_HYPERPARAMETERS_FILE_NAME, best
    )
    trials = [
        {"trial_id": one.trial_id, "score": one.score, **one.hyperparameters.values}
        for one in tuner.oracle.get_best_trials(tuner.oracle.max_trials)
        if one.status == "COMPLETED" and one.hyperparameters.values
    ]
    _write_json(get_single_uri(output_dict["tuner_results"]), _RESULTS_FILE_NAME, trials)


def _write_json(directory: str, name: str, value: Any) -> None:
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)
    _logger.info("Written: %s", path)


def search(
    input_dict: ArtifactDict,
    exec_properties: Mapping[str, Any],
    working_dir: str,
    print_tuning_summary: bool = True,
) -> Any:
    """Would search with the user's tuner; says that nothing searches here."""
    raise RuntimeError(CANNOT_SEARCH)
