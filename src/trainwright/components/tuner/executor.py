"""The Tuner's executor, and the functions beside it that executors of users call."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import Any

from trainwright.components.tuner.keras_tuner_search import results_of
from trainwright.components.tuner.optuna_search import is_study, results_of_study
from trainwright.components.tuner.parallel_search import search_in_parallel
from trainwright.components.tuner.results import write_results
from trainwright.components.tuner.search import open_search
from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor
from trainwright.proto import proto_json, tuner_pb2
from trainwright.types.standard_component_specs import TUNE_ARGS_KEY

_logger = logging.getLogger(__name__)


class Executor(BaseExecutor):
    """Searches for hyperparameters with what `tuner_fn(fn_args)` returns.

    Trials are kept in the node's state: an attempt that dies leaves them to the next.
    """

    PRELOAD = (
        "tensorflow",
        "trainwright.components.keras_preload",
        "trainwright.components.tuner.executor",
    )

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        tune_args = get_tune_args(exec_properties)
        processes = tune_args.num_parallel_trials if tune_args else 0
        working_dir = self.context.stateful_working_dir or self._get_tmp_dir()
        if processes > 1:
            results = search_in_parallel(
                input_dict,
                exec_properties,
                working_dir,
                processes=processes,
                log_dir=self.context.log_dir or os.path.dirname(working_dir),
                temporary_dir=self._get_tmp_dir(),
                report=self.context.report_progress,
            )
        else:
            opened = open_search(
                input_dict, exec_properties, working_dir, self.context.report_progress
            )
            opened.run()
            results = opened.results()
        write_results(results, output_dict)


def get_tune_args(exec_properties: Mapping[str, Any]) -> tuner_pb2.TuneArgs | None:
    """The `tune_args` of an execution; None if there are none."""
    encoded = exec_properties.get(TUNE_ARGS_KEY)
    return proto_json.json_to_proto(encoded, tuner_pb2.TuneArgs()) if encoded else None


def search(
    input_dict: ArtifactDict,
    exec_properties: Mapping[str, Any],
    working_dir: str,
    print_tuning_summary: bool = True,
) -> Any:
    """Searches in this process with the user's `tuner_fn`, and returns the tuner.

    Args:
        input_dict: The Tuner's inputs.
        exec_properties: Its properties.
        working_dir: Where trials are kept; a later search with the same directory goes on there.
        print_tuning_summary: Whether the search space and the results are printed.
    """
    opened = open_search(input_dict, exec_properties, working_dir, lambda progress: None)
    opened.run(print_tuning_summary)
    return opened.tuner


def write_best_hyperparameters(tuner: Any, output_dict: ArtifactDict) -> None:
    """Writes what a tuner has found, as a Trainer reads it, and all its trials.

    Args:
        tuner: The tuner of keras_tuner, or the study of Optuna, after its search.
        output_dict: With `best_hyperparameters` and `tuner_results`.
    """
    results = results_of_study(tuner) if is_study(tuner) else results_of(tuner)
    write_results(results, output_dict)
