"""From `tuner_fn` to a search: what is around the function, and what it may return."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from trainwright.components.tuner.keras_tuner_adaptation import adapt_keras_tuner
from trainwright.components.tuner.keras_tuner_search import KerasTunerSearch
from trainwright.components.tuner.optuna_search import OptunaSearch, is_study
from trainwright.components.tuner.project_repair import repair_project
from trainwright.components.tuner.results import SearchResults
from trainwright.components.tuner.search_progress import ReportProgress, SearchProgress
from trainwright.components.tuner.trial_place import TrialPlace
from trainwright.components.user_module import get_user_function
from trainwright.components.user_training import environment
from trainwright.components.user_training.explanations import explain
from trainwright.components.user_training.fn_args import FnArgs, make_common_fn_args
from trainwright.dsl.base_executor import ArtifactDict

_logger = logging.getLogger(__name__)

TUNER_FN = "tuner_fn"

_EXPECTED = (
    "expected TunerFnResult(tuner=..., fit_kwargs={...}), in which the tuner is one of keras_tuner "
    "(any subclass of its BaseTuner) and fit_kwargs are the arguments of its search, or the tuner "
    "is an optuna.Study and fit_kwargs those of its optimize: func, n_trials"
)


class Search(Protocol):
    """A search that `tuner_fn` has prepared."""

    @property
    def tuner(self) -> Any:
        """What searches: a tuner of keras_tuner, or a study."""

    def run(self, print_summary: bool = True) -> None:
        """Searches to the end."""

    def results(self) -> SearchResults:
        """What was found; raises RuntimeError if there is nothing."""


def open_search(
    input_dict: ArtifactDict,
    exec_properties: Mapping[str, Any],
    working_dir: str,
    report: ReportProgress,
    *,
    is_first_opened: bool = True,
) -> Search:
    """Calls `tuner_fn` with its environment prepared; the search that it returns has not begun.

    Args:
        input_dict: The Tuner's inputs.
        exec_properties: Its properties.
        working_dir: Where trials outlive an attempt.
        report: Takes the progress.
        is_first_opened: Whether no other process has this search open: then what a killed attempt
            has left is put in order.

    Raises:
        TypeError: if `tuner_fn` returned something else than a search.
    """
    place = TrialPlace(working_dir)
    if is_first_opened:
        for project in place.projects():
            repair_project(project)
    progress = SearchProgress(report)
    adapt_keras_tuner(place)
    environment.prepare(progress.report_training)
    fn_args = make_common_fn_args(input_dict, exec_properties, place.directory)
    function = get_user_function(exec_properties, TUNER_FN)
    _logger.info("Tuning with %s, files %s", function.__qualname__, fn_args.train_files)
    tuner, fit_kwargs = _check_result(_call(function, fn_args))
    if is_study(tuner):
        return OptunaSearch(tuner, fit_kwargs, progress, place, is_first_opened=is_first_opened)
    return KerasTunerSearch(tuner, fit_kwargs, progress, lambda error: explain(error, fn_args))


def _call(function: Callable[[FnArgs], Any], fn_args: FnArgs) -> Any:
    """Calls code of the user's; an error whose message says too little gets a better one."""
    try:
        return function(fn_args)
    except Exception as error:
        explanation = explain(error, fn_args)
        if explanation is None:
            raise
        raise RuntimeError(explanation) from error


def _check_result(result: Any) -> tuple[Any, dict[str, Any]]:
    """The tuner and the arguments of its search; users may have a tuple of their own."""
    tuner, fit_kwargs = getattr(result, "tuner", None), getattr(result, "fit_kwargs", None)
    if tuner is None:
        raise TypeError(f"tuner_fn returned {_describe(result)}: {_EXPECTED}.")
    if not is_study(tuner) and not all(
        callable(getattr(tuner, name, None)) for name in ("search", "get_best_hyperparameters")
    ):
        raise TypeError(f"The tuner that tuner_fn returned is {_describe(tuner)}: {_EXPECTED}.")
    if not isinstance(fit_kwargs, Mapping):
        raise TypeError(f"The fit_kwargs that tuner_fn returned is {fit_kwargs!r}: {_EXPECTED}.")
    return tuner, dict(fit_kwargs)


def _describe(value: Any) -> str:
    return "nothing" if value is None else f"a {type(value).__name__}"
