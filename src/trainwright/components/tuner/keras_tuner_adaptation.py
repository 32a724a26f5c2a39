"""Adaptations of keras_tuner when a Tuner's module imports it; see `both_kerases` as well.

- A tuner without a directory keeps its trials where they outlive an attempt.
- Its files are written whole or not at all.
- An objective that was not reported ends the search at once, and is named.
- A grid search that is reloaded goes on.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from trainwright._after_import import after_import
from trainwright._suggest import did_you_mean
from trainwright.components.tuner.both_kerases import (
    accept_both_kerases,
    accept_keras_3_callbacks,
)
from trainwright.components.tuner.results import write_json
from trainwright.components.tuner.trial_place import TrialPlace

# Where the tuners that are made now keep their trials. One search runs in a process at a time.
_places: list[TrialPlace] = []
_is_adapted = False


def adapt_keras_tuner(place: TrialPlace) -> None:
    """Adapts keras_tuner, now or when it is imported; its tuners keep their trials at the place."""
    global _is_adapted
    _places[:] = [place]
    if not _is_adapted:
        _is_adapted = True
        after_import("keras_tuner", _adapt)
        after_import("tf_keras", accept_keras_3_callbacks)


def _adapt(keras_tuner: ModuleType) -> None:
    from keras_tuner.src import utils
    from keras_tuner.src.engine import base_tuner, oracle, tuner_utils
    from keras_tuner.src.tuners import gridsearch

    accept_both_kerases(keras_tuner)
    _choose_place(base_tuner.BaseTuner)
    _write_whole(utils)
    _check_objective(tuner_utils, oracle.Oracle)
    _restore_grid(gridsearch.GridSearchOracle)


def _choose_place(tuner_class: Any) -> None:
    original = tuner_class.__init__
    signature = inspect.signature(original)

    @functools.wraps(original)
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(self, *args, **kwargs)
        given = bound.arguments
        given["directory"], given["overwrite"] = _places[-1].claim(
            given.get("directory"), given.get("project_name"), bool(given.get("overwrite"))
        )
        original(*bound.args, **bound.kwargs)

    tuner_class.__init__ = init


def _write_whole(utils: Any) -> None:
    original = utils.save_json

    @functools.wraps(original)
    def save_json(path: Any, obj: Any) -> Any:
        if "://" in str(path):
            return original(path, obj)
        return write_json(os.fspath(path), obj)

    utils.save_json = save_json


def _check_objective(tuner_utils: Any, oracle_class: Any) -> None:
    from keras_tuner import errors

    original: Callable[..., Any] = tuner_utils.validate_trial_results
    original_check: Callable[..., Any] = oracle_class._check_objective_found

    @functools.wraps(original)
    def validate(results: Any, objective: Any, func_name: str) -> Any:
        reported = getattr(results, "history", results)
        if isinstance(reported, dict):
            missing = [name for name in _names_of(objective) if name not in reported]
            if missing:
                raise errors.FatalValueError(missing_objective(missing[0], reported, func_name))
        return original(results, objective, func_name)

    @functools.wraps(original_check)
    def check(self: Any, metrics: Any) -> Any:
        missing = [name for name in _names_of(self.objective) if name not in metrics]
        if missing:
            raise errors.FatalValueError(missing_objective(missing[0], metrics, "update_trial"))
        return original_check(self, metrics)

    tuner_utils.validate_trial_results = validate
    oracle_class._check_objective_found = check


def _names_of(objective: Any) -> list[str]:
    return list(getattr(objective, "name_to_direction", None) or [objective.name])


def missing_objective(objective: str, reported: Iterable[str], by: str) -> str:
    """The message for an objective that was not reported."""
    names = sorted(reported)
    if not names:
        return (
            f"{by} never reported the objective {objective!r}, nor anything else. Let the model be "
            "trained for at least one epoch with steps in it."
        )
    is_validated = any(name.startswith("val_") for name in names)
    advice = (
        " Names with val_ are there only if validation_data is in fit_kwargs and has examples."
        if objective.startswith("val_") and not is_validated
        else ""
    )
    return (
        f"{by} never reported the objective {objective!r}{did_you_mean(objective, names)}{advice}"
    )


def _restore_grid(oracle_class: Any) -> None:
    """Rebuilds from the trials what a grid's oracle does not save: their order by values, and from
    which of them the next may follow."""
    original = oracle_class.set_state

    @functools.wraps(original)
    def set_state(self: Any, state: Any) -> None:
        original(self, state)
        started = [trial_id for trial_id in self.start_order if trial_id in self.trials]

        def compare(one: str, other: str) -> int:
            values = [self.trials[trial_id].hyperparameters.values for trial_id in (one, other)]
            return int(self._compare(*values))

        for trial_id in sorted(started, key=functools.cmp_to_key(compare)):
            self._ordered_ids.insert(trial_id)
        self._populate_next = started

    oracle_class.set_state = set_state
