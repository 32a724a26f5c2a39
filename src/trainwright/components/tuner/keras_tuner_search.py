"""KerasTunerSearch: the search of a tuner of keras_tuner, watched and explained."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Mapping
from typing import Any

from trainwright.components.tuner.results import (
    FAILED,
    FINISHED,
    SearchResults,
    TrialResult,
    plain_score,
    plain_value,
    require_finished,
)
from trainwright.components.tuner.search_progress import SearchProgress

_logger = logging.getLogger(__name__)

_COMPLETED, _RUNNING = "COMPLETED", "RUNNING"
# How keras_tuner begins to say that it gives up.
_GIVEN_UP = "Number of consecutive failures exceeded"


class KerasTunerSearch:
    """The search of a tuner of keras_tuner, or of what has its methods.

    Args:
        tuner: What `tuner_fn` returned.
        fit_kwargs: The arguments of its search.
        progress: Is told which trial runs.
        explain: Says what an error probably comes from, or None.
    """

    def __init__(
        self,
        tuner: Any,
        fit_kwargs: Mapping[str, Any],
        progress: SearchProgress,
        explain: Callable[[BaseException], str | None] = lambda error: None,
    ) -> None:
        self.tuner = tuner
        self.fit_kwargs = dict(fit_kwargs)
        self._progress = progress
        self._explain = explain

    def run(self, print_summary: bool = True) -> None:
        """Searches until the tuner has tried all that it wants to try.

        Raises RuntimeError if too many trials in a row fail.
        """
        if print_summary:
            self.tuner.search_space_summary()
        # From now on a killed search is found again, whatever becomes of its first trial.
        self.tuner.save()
        self._watch()
        _logger.info("Searching with %s", type(self.tuner).__name__)
        self.tuner.search(**self.fit_kwargs)
        if print_summary:
            self.tuner.results_summary()

    def results(self) -> SearchResults:
        """What was found; raises RuntimeError if no trial was finished."""
        return results_of(self.tuner)

    def tell_failure(self, trial: Any) -> None:
        """Logs why a trial failed, if it did; what the error means becomes part of its message."""
        if trial.message:
            explanation = self._explain(RuntimeError(trial.message))
            if explanation:
                trial.message = f"{trial.message.rstrip()}\n{explanation}"
            _logger.warning("Trial %s failed: %s", trial.trial_id, trial.message.rstrip())

    def _watch(self) -> None:
        """Lets the tuner tell when trials begin and end."""
        begin, end = self.tuner.on_trial_begin, self.tuner.on_trial_end

        @functools.wraps(begin)
        def on_trial_begin(trial: Any) -> None:
            oracle = self.tuner.oracle
            started = list(oracle.trials)
            _logger.info("Trial %s begins: %s", trial.trial_id, trial.hyperparameters.values)
            number = started.index(trial.trial_id) + 1 if trial.trial_id in started else 0
            self._progress.begin_trial(number or len(started), oracle.max_trials)
            begin(trial)

        @functools.wraps(end)
        def on_trial_end(trial: Any) -> None:
            self.tell_failure(trial)
            try:
                end(trial)
            except RuntimeError as error:
                explained = explain_failures(error, trial)
                if explained is None:
                    raise
                raise RuntimeError(explained) from error
            self._tell_best()

        if hasattr(self.tuner.oracle, "trials"):
            self.tuner.on_trial_begin = on_trial_begin
            self.tuner.on_trial_end = on_trial_end

    def _tell_best(self) -> None:
        best = self.tuner.oracle.get_best_trials(1)
        if best and best[0].status == _COMPLETED:
            self._progress.note_best(self.tuner.oracle.objective.name, best[0].score)


def explain_failures(error: RuntimeError, trial: Any) -> str | None:
    """The message if keras_tuner gives the search up after this trial; None for other errors."""
    if not str(error).startswith(_GIVEN_UP):
        return None
    reason = (trial.message or "").rstrip() or "it has no score: its objective is not a number."
    return (
        f"The search was given up: too many trials in a row failed. Trial {trial.trial_id}, with "
        f"{dict(trial.hyperparameters.values)}, failed: {last_line(reason)}\n{reason}\n"
        "More failures are allowed by max_consecutive_failed_trials of the tuner. The next run "
        "tries these trials again and keeps the others."
    )


def last_line(text: str) -> str:
    """The line of a traceback that says what went wrong."""
    lines = [line for line in text.splitlines() if line and not line[0].isspace()]
    return lines[-1] if lines else text


def results_of(tuner: Any) -> SearchResults:
    """What a tuner of keras_tuner has found.

    Raises:
        RuntimeError: if no trial was finished.
    """
    oracle = tuner.oracle
    known = getattr(oracle, "trials", None)
    if known is None:  # an oracle of another package
        known = {trial.trial_id: trial for trial in oracle.get_best_trials(oracle.max_trials)}
    trials = [_result_of(trial) for trial in known.values()]
    require_finished(trials)
    ranking = [
        trial.trial_id for trial in oracle.get_best_trials(len(known)) if trial.status == _COMPLETED
    ]
    return SearchResults(
        objective=getattr(getattr(oracle, "objective", None), "name", "score"),
        direction=getattr(getattr(oracle, "objective", None), "direction", "min"),
        best=tuner.get_best_hyperparameters()[0].get_config(),
        trials=trials,
        ranking=ranking,
    )


def _result_of(trial: Any) -> TrialResult:
    is_finished = trial.status == _COMPLETED
    values = trial.hyperparameters.values
    message = getattr(trial, "message", None) or ""
    if not is_finished and not message:
        running = trial.status == _RUNNING
        message = "It did not end." if running else "Its objective is not a number."
    return TrialResult(
        trial_id=trial.trial_id,
        status=FINISHED if is_finished else FAILED,
        score=plain_score(trial.score),
        values={name: plain_value(value) for name, value in values.items()},
        message="" if is_finished else last_line(message),
    )
