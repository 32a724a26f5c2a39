"""OptunaSearch: a study of Optuna as the search of a Tuner."""

from __future__ import annotations

import functools
import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trainwright.components.tuner.optuna_storage import (
    ENDED_SEARCH,
    ERROR,
    SEARCH,
    StudyStorage,
    is_abandoned,
)
from trainwright.components.tuner.results import (
    FAILED,
    FINISHED,
    PRUNED,
    SearchResults,
    TrialResult,
    plain_score,
    plain_value,
    require_finished,
)
from trainwright.components.tuner.search_progress import SearchProgress
from trainwright.components.tuner.trial_place import TrialPlace

_logger = logging.getLogger(__name__)

_STATUSES = {"COMPLETE": FINISHED, "PRUNED": PRUNED, "FAIL": FAILED}


class OptunaSearch:
    """The search of a study of Optuna.

    `n_trials` is how many trials there are in all: what earlier attempts have finished counts.

    Args:
        study: What `tuner_fn` returned; it is given a storage that outlives an attempt.
        fit_kwargs: The arguments of its `optimize`.
        progress: Is told which trial runs.
        place: The state of the search.
        is_first_opened: Whether no other process has the search open.
    """

    def __init__(
        self,
        study: Any,
        fit_kwargs: Mapping[str, Any],
        progress: SearchProgress,
        place: TrialPlace,
        *,
        is_first_opened: bool = True,
    ) -> None:
        self.tuner = study
        self.fit_kwargs = dict(fit_kwargs)
        self._progress = progress
        if not callable(self.fit_kwargs.get("func")):
            raise TypeError(
                "tuner_fn returned a study of Optuna without an objective: expected fit_kwargs="
                f"{{'func': objective, 'n_trials': 20}}, got {sorted(self.fit_kwargs)}."
            )
        self.on_begin: Callable[[Any], None] = lambda trial: None
        self.storage = StudyStorage(study, place, is_first_opened=is_first_opened)

    @property
    def remaining(self) -> int | None:
        """How many trials are still to be finished; None if only time or the study ends it."""
        wanted = self.fit_kwargs.get("n_trials")
        return None if wanted is None else max(wanted - self.storage.count_finished(), 0)

    def run(self, print_summary: bool = True) -> None:
        """Searches until `n_trials` are finished, the time is over, or the study is stopped."""
        remaining = self.remaining
        if remaining != 0:
            self.optimize(n_trials=remaining)

    def optimize(
        self, *, n_trials: int | None, callbacks: Sequence[Callable[..., Any]] = ()
    ) -> None:
        """Runs this many more trials in this process."""
        given = dict(self.fit_kwargs)
        own = [*(given.pop("callbacks", None) or ()), self._end_trial, *callbacks]
        given["func"] = self._watched(given["func"], given.get("catch", ()))
        given["n_trials"] = n_trials
        self.tuner.optimize(**given, callbacks=own)

    def results(self) -> SearchResults:
        """What was found; raises RuntimeError if no trial was finished."""
        return results_of_study(self.tuner, self.storage.trials())

    def _watched(self, objective: Callable[[Any], Any], catch: Any) -> Callable[[Any], Any]:
        from optuna import TrialPruned

        caught = catch if isinstance(catch, type) else tuple(catch)

        @functools.wraps(objective)
        def watched(trial: Any) -> Any:
            trial.set_user_attr(SEARCH, self.storage.token)
            self.on_begin(trial)
            self._begin_trial(trial)
            try:
                return objective(trial)
            except TrialPruned:
                raise
            except Exception as error:
                trial.set_user_attr(ERROR, f"{type(error).__name__}: {error}")
                if not isinstance(error, caught):
                    trial.set_user_attr(ENDED_SEARCH, True)
                raise

        return watched

    def _begin_trial(self, trial: Any) -> None:
        _logger.info("Trial %s begins", trial.number)
        begun = [one.number for one in self.storage.trials() if one.state.name != "WAITING"]
        place = sum(number <= trial.number for number in begun)
        self._progress.begin_trial(place, self.fit_kwargs.get("n_trials"))

    def _end_trial(self, study: Any, trial: Any) -> None:
        if trial.state.name == "FAIL":
            message = trial.user_attrs.get(ERROR, "its objective is not a number")
            _logger.warning("Trial %s failed: %s", trial.number, message)
        if len(study.directions) == 1 and trial.state.name == "COMPLETE":
            self._progress.note_best(_objective_names(study)[0], study.best_value)


def is_study(tuner: Any) -> bool:
    """Whether this is a study of Optuna, which is not imported for the question."""
    optuna = sys.modules.get("optuna")
    return optuna is not None and isinstance(tuner, optuna.study.Study)


def results_of_study(study: Any, trials: Sequence[Any] | None = None) -> SearchResults:
    """What a study has found.

    Args:
        study: The study after its search.
        trials: Those of them that count; by default all.

    Raises:
        RuntimeError: if no trial was finished.
    """
    if trials is None:
        trials = [one for one in study.get_trials(deepcopy=False) if not is_abandoned(one)]
    shown = [trial for trial in trials if trial.state.name in _STATUSES]
    names = _objective_names(study)
    results = [_result_of(trial, names) for trial in shown]
    require_finished(results)
    finished = [trial for trial in shown if trial.state.name == "COMPLETE"]
    direction = "max" if study.directions[0].name == "MAXIMIZE" else "min"
    ranked = sorted(finished, key=lambda one: one.values[0], reverse=direction == "max")
    if len(study.directions) > 1:
        # Of those that no other trial beats in all objectives, the best by the first counts.
        undominated = {trial.number for trial in study.best_trials}
        ranked.sort(key=lambda one: one.number not in undominated)
        _logger.info(
            "Trials %s are not beaten in all objectives (%s); the best by %s is taken.",
            sorted(undominated),
            ", ".join(names),
            names[0],
        )
    return SearchResults(
        objective=names[0],
        direction=direction,
        best=hyperparameters_of(ranked[0]),
        trials=results,
        ranking=[str(trial.number) for trial in ranked],
    )


def hyperparameters_of(trial: Any) -> dict[str, Any]:
    """A trial's parameters as the config of `keras_tuner.HyperParameters`, space and values."""
    space = [_entry_of(name, one, trial.params[name]) for name, one in trial.distributions.items()]
    return {
        "space": [entry for entry in space if entry is not None],
        "values": {name: plain_value(value) for name, value in trial.params.items()},
    }


def _entry_of(name: str, distribution: Any, value: Any) -> dict[str, Any] | None:
    """How keras_tuner writes down a distribution; None for values that it has no class for."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution

    common = {"name": name, "default": plain_value(value), "conditions": []}
    if isinstance(distribution, CategoricalDistribution):
        choices = list(distribution.choices)
        kinds = {type(choice) for choice in choices}
        if len(kinds) > 1 or not kinds <= {int, float, str, bool}:
            return None
        return {"class_name": "Choice", "config": {**common, "values": choices, "ordered": False}}
    is_float = isinstance(distribution, FloatDistribution)
    config = {
        **common,
        "min_value": distribution.low,
        "max_value": distribution.high,
        # Steps of keras_tuner multiply where they are logarithmic.
        "step": None if distribution.log else distribution.step,
        "sampling": "log" if distribution.log else "linear",
    }
    return {"class_name": "Float" if is_float else "Int", "config": config}


def _objective_names(study: Any) -> list[str]:
    names = study.metric_names
    if names is not None:
        return list(names)
    count = len(study.directions)
    return ["value"] if count == 1 else [f"value {index}" for index in range(count)]


def _result_of(trial: Any, names: Sequence[str]) -> TrialResult:
    status = _STATUSES[trial.state.name]
    values = {name: plain_value(value) for name, value in trial.params.items()}
    message = ""
    if status == FAILED:
        message = trial.user_attrs.get(ERROR, "its objective is not a number")
    scores = dict(zip(names, map(plain_score, trial.values or ()), strict=False))
    return TrialResult(
        trial_id=str(trial.number),
        status=status,
        score=scores.pop(names[0], None),
        values=values,
        message=message,
        others=scores,
    )
