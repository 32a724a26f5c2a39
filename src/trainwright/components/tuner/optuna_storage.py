"""The storage of an Optuna study in a Tuner's state, and what a killed attempt has left in it.

A study in memory gets a journal file that outlives an attempt; one with a storage of the user's own
keeps that. Trials that a dead process left running are failed, and enqueued once more with the same
parameters. What belongs to this search is known by a token in the state directory, so that in a
storage that others share nothing of theirs is touched.
"""

from __future__ import annotations

import contextlib
import logging
import os
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from trainwright.components.tuner.trial_place import TrialPlace

_logger = logging.getLogger(__name__)

_JOURNAL = "optuna_journal.log"
_SEARCH_FILE = "optuna_search"
_STUDY_NAME = "tuner"

# Attributes of studies and trials.
SEARCH = "trainwright:search"
_IS_WHOLE = "trainwright:is_whole"
_ABANDONED = "trainwright:abandoned"
_RETRY_OF = "trainwright:retry_of"
_DEATHS = "trainwright:deaths"
ENDED_SEARCH = "trainwright:ended_search"
ERROR = "trainwright:error"

# A trial whose process dies as often counts as failed.
_MOST_DEATHS = 2


class StudyStorage:
    """Where a study lives, over all attempts at a search.

    Args:
        study: The user's study, which keeps its identity, its sampler and its pruner.
        place: The state of the search.
        is_first_opened: Whether no other process works on this search: then what a killed attempt
            has left is put in order.
    """

    def __init__(self, study: Any, place: TrialPlace, *, is_first_opened: bool) -> None:
        self._study = study
        self._is_ours = _is_in_memory(study)
        self.token = _read_token(place.directory)
        if self._is_ours:
            _move_to_journal(study, place.directory, is_first_opened=is_first_opened)
        if is_first_opened:
            self._take_up()
        else:
            # Other processes draw from equal samplers.
            study.sampler.reseed_rng()

    def trials(self) -> list[Any]:
        """The trials of this search that count, in the order in which they were begun."""
        found = self._study.get_trials(deepcopy=False)
        return [trial for trial in found if self._is_of_search(trial) and not is_abandoned(trial)]

    def count_finished(self) -> int:
        """How many trials need not be tried again, whatever became of them."""
        return sum(
            trial.state.is_finished() and not trial.user_attrs.get(ENDED_SEARCH)
            for trial in self.trials()
        )

    def give_up(self, number: int, cause: str) -> bool:
        """Ends a trial whose process is dead; says whether it will be tried once more."""
        trial = next((one for one in self.trials() if one.number == number), None)
        if trial is None or trial.state.is_finished():
            return False
        return self._end(trial, cause)

    def _is_of_search(self, trial: Any) -> bool:
        return self._is_ours or trial.user_attrs.get(SEARCH) == self.token

    def _take_up(self) -> None:
        """Puts trials in order that an earlier attempt has begun."""
        earlier = self.trials()
        again = []
        for trial in earlier:
            if trial.state.name == "RUNNING":
                self._enqueue(trial, 0)
                self._fail(trial)
                again.append(trial.number)
            elif trial.user_attrs.get(ENDED_SEARCH) and self._enqueue(trial, 0):
                again.append(trial.number)
        if earlier:
            # A sampler with a seed would begin its sequence again.
            self._study.sampler.reseed_rng()
            _logger.info(
                "Trials of an earlier attempt: %d are kept%s",
                self.count_finished(),
                f", tried again: {', '.join(map(str, again))}" if again else "",
            )

    def _end(self, trial: Any, cause: str) -> bool:
        deaths = trial.user_attrs.get(_DEATHS, 0) + 1
        if deaths >= _MOST_DEATHS:
            self._note(trial, ERROR, cause)
            self._set_failed(trial)
            return False
        self._enqueue(trial, deaths)
        self._fail(trial)
        return True

    def _enqueue(self, trial: Any, deaths: int) -> bool:
        """Lets a trial be tried again; says so unless it is in the queue already."""
        trials = self._study.get_trials(deepcopy=False)
        if any(one.user_attrs.get(_RETRY_OF) == trial.number for one in trials):
            return False
        fixed: Mapping[str, Any] = trial.system_attrs.get("fixed_params", {})
        attributes = {_RETRY_OF: trial.number, _DEATHS: deaths, SEARCH: self.token}
        self._study.enqueue_trial({**fixed, **trial.params}, user_attrs=attributes)
        return True

    def _fail(self, trial: Any) -> None:
        self._note(trial, _ABANDONED, True)
        self._set_failed(trial)

    def _note(self, trial: Any, name: str, value: Any) -> None:
        self._study._storage.set_trial_user_attr(trial._trial_id, name, value)

    def _set_failed(self, trial: Any) -> None:
        from optuna.trial import TrialState

        self._study._storage.set_trial_state_values(trial._trial_id, state=TrialState.FAIL)


def is_abandoned(trial: Any) -> bool:
    """Whether a trial was ended because its process had died, and another has its place."""
    return bool(trial.user_attrs.get(_ABANDONED))


def _is_in_memory(study: Any) -> bool:
    from optuna.storages import InMemoryStorage

    return isinstance(study._storage, InMemoryStorage)


def _move_to_journal(study: Any, directory: str, *, is_first_opened: bool) -> None:
    """Gives a study in memory a storage on disk; code that holds the study notices nothing."""
    import optuna
    from optuna.storages import JournalStorage
    from optuna.storages.journal import JournalFileBackend

    path = os.path.join(directory, _JOURNAL)
    if is_first_opened:
        _cut_torn_line(path)
    storage = JournalStorage(JournalFileBackend(path))
    if is_first_opened:
        _remove_unfinished_copy(storage)
    stored = optuna.create_study(
        storage=storage,
        study_name=_STUDY_NAME,
        directions=study.directions,
        load_if_exists=True,
    )
    if not stored.user_attrs.get(_IS_WHOLE):
        _copy(study, stored)
    study._storage, study._study_id = stored._storage, stored._study_id
    study.study_name = stored.study_name


def _copy(study: Any, stored: Any) -> None:
    """What the user has put into the study: attributes, enqueued and finished trials."""
    for name, value in study.user_attrs.items():
        stored.set_user_attr(name, value)
    if study.metric_names is not None:
        stored.set_metric_names(study.metric_names)
    stored.add_trials(study.get_trials(deepcopy=False))
    stored.set_user_attr(_IS_WHOLE, True)


def _remove_unfinished_copy(storage: Any) -> None:
    import optuna

    with contextlib.suppress(KeyError):
        study_id = storage.get_study_id_from_name(_STUDY_NAME)
        if not storage.get_study_user_attrs(study_id).get(_IS_WHOLE):
            optuna.delete_study(study_name=_STUDY_NAME, storage=storage)


def _cut_torn_line(path: str) -> None:
    """Removes what a killed process left: a line without its end, which would spoil the next, and
    the lock that it held."""
    for name in _locks_of(path):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
    if not os.path.exists(path):
        return
    with open(path, "rb+") as file:
        content = file.read()
        end = content.rfind(b"\n") + 1
        if end < len(content):
            _logger.warning("The journal of the study ended in the middle of a line; it was cut.")
            file.truncate(end)


def _locks_of(path: str) -> Sequence[str]:
    return [entry.path for entry in os.scandir(os.path.dirname(path)) if _is_lock(entry.path, path)]


def _is_lock(path: str, journal: str) -> bool:
    return path != journal and path.startswith(journal)


def _read_token(directory: str) -> str:
    """What marks the trials of this search; the same in all attempts and processes."""
    path = os.path.join(directory, _SEARCH_FILE)
    with contextlib.suppress(FileNotFoundError), open(path, encoding="utf-8") as file:
        return file.read()
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(uuid.uuid4().hex)
    os.replace(temporary, path)
    return _read_token(directory)
