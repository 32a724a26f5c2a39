"""Repair of a project of keras_tuner that a killed attempt has left, before a tuner reloads it.

keras_tuner's own reload tries the trials again that its oracle calls ongoing. That is not enough: a
trial is ended in several writes, and between two of them it is finished and ongoing, or begun and
in no list, where it would count and never run. So the lists are made to agree with the trials:

- what is finished stays so, and is not tried again;
- what was begun is tried again with the same hyperparameters, and with nothing that it reported;
- trials at the end of the order that failed, for which a search may have been given up, are tried
  again: whatever was wrong may be right by now;
- what the oracle does not know of (it was killed before it noted the trial) is removed, and comes
  again with the same id and, from the oracle's seed, the same hyperparameters.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
from collections.abc import Mapping
from typing import Any

from trainwright.components.tuner.results import write_json

_logger = logging.getLogger(__name__)

_ORACLE_FILE = "oracle.json"
# The state of the tuner itself; of workers, and of the process that leads them.
_TUNER_FILE = re.compile(r"(tuner\d+|worker\d+|chief)\.json")
_TRIAL_PREFIX = "trial_"
_DAMAGED = "The file of the trial was damaged."
_COMPLETED, _FAILED, _RUNNING = "COMPLETED", "FAILED", "RUNNING"


def repair_project(project: str) -> None:
    """Makes the files of a project agree with each other; trials without an oracle go.

    Killed in its middle, it finishes the next time.
    """
    if not os.path.isdir(project):
        return
    oracle = _read_json(os.path.join(project, _ORACLE_FILE))
    if oracle is None or not _has_lists(oracle):
        if os.path.exists(os.path.join(project, _ORACLE_FILE)):
            _logger.warning("%s cannot be read: the search begins anew.", project)
        _clear(project)
        return
    trials = _read_trials(project, oracle)
    again = _trials_to_try_again(oracle, trials)
    finished = [trial for trial in oracle["start_order"] if trial not in again]
    for trial_id in again:
        trial = trials[trial_id]
        reset: dict[str, Any] = {
            "metrics": {"metrics": {}},
            "score": None,
            "best_step": 0,
            "message": None,
        }
        write_json(_trial_file(project, trial_id), {**trial, **reset, "status": _RUNNING})
    oracle["ongoing_trials"] = {}
    known_ends = [trial for trial in oracle["end_order"] if trial in finished]
    oracle["end_order"] = known_ends + [trial for trial in finished if trial not in known_ends]
    # The last one of this list is taken first.
    oracle["retry_queue"] = list(reversed(again))
    run_times = {**dict.fromkeys(finished, 1), **oracle["run_times"]}
    oracle["run_times"] = {trial: run_times[trial] for trial in finished}
    write_json(os.path.join(project, _ORACLE_FILE), oracle)
    _logger.info(
        "Trials of an earlier attempt: %d are kept%s",
        len(finished),
        f", tried again: {', '.join(again)}" if again else "",
    )


def _clear(project: str) -> None:
    """Removes what keras_tuner has written; the directory may be one of the user's own."""
    for name in os.listdir(project):
        path = os.path.join(project, name)
        if name.startswith(_TRIAL_PREFIX) and os.path.isdir(path):
            shutil.rmtree(path, ignore_errors=True)
        elif name == _ORACLE_FILE or _TUNER_FILE.fullmatch(name):
            os.remove(path)


def _trials_to_try_again(
    oracle: Mapping[str, Any], trials: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    """The ids, in the order in which they were begun."""
    order = list(oracle["start_order"])
    again = {trial for trial in order if trials[trial]["status"] not in (_COMPLETED, _FAILED)}
    # Trials that had failed but are asked for once more are in the queue as well.
    again |= {
        trial
        for trial in oracle["retry_queue"]
        if trial in trials and trials[trial]["status"] != _COMPLETED
    }
    ended = [trial for trial in oracle["end_order"] if trial in trials and trial not in again]
    while ended and _may_succeed(trials[ended[-1]]):
        again.add(ended.pop())
    return [trial for trial in order if trial in again]


def _may_succeed(trial: Mapping[str, Any]) -> bool:
    """Whether a trial has failed that can be tried again: its hyperparameters are known."""
    return trial["status"] == _FAILED and trial.get("message") != _DAMAGED


def _read_trials(project: str, oracle: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The trials that the oracle knows, by id; what else there is goes.

    A trial whose file is damaged is forgotten if it is the last one, so that its id comes again.
    In the middle of the order it counts as failed.
    """
    known = set(oracle["start_order"])
    for name in os.listdir(project):
        if name.startswith(_TRIAL_PREFIX) and name.removeprefix(_TRIAL_PREFIX) not in known:
            shutil.rmtree(os.path.join(project, name), ignore_errors=True)
    trials = {trial: _read_trial(project, trial) for trial in oracle["start_order"]}
    while oracle["start_order"] and trials[oracle["start_order"][-1]] is None:
        lost = oracle["start_order"].pop()
        del trials[lost]
        shutil.rmtree(os.path.join(project, _TRIAL_PREFIX + lost), ignore_errors=True)
        _forget(oracle, lost)
    for trial, content in trials.items():
        if content is None:
            trials[trial] = _damaged(trial, oracle)
            os.makedirs(os.path.dirname(_trial_file(project, trial)), exist_ok=True)
            write_json(_trial_file(project, trial), trials[trial])
    return {trial: content for trial, content in trials.items() if content is not None}


def _forget(oracle: dict[str, Any], trial: str) -> None:
    for name in ("end_order", "retry_queue"):
        oracle[name] = [one for one in oracle[name] if one != trial]
    hashed = oracle.get("id_to_hash", {}).pop(trial, None)
    oracle["tried_so_far"] = [one for one in oracle.get("tried_so_far", ()) if one != hashed]


def _damaged(trial: str, oracle: Mapping[str, Any]) -> dict[str, Any]:
    space = oracle["hyperparameters"]["space"]
    return {
        "trial_id": trial,
        "hyperparameters": {"space": space, "values": {}},
        "metrics": {"metrics": {}},
        "score": None,
        "best_step": 0,
        "status": _FAILED,
        "message": _DAMAGED,
    }


def _read_trial(project: str, trial_id: str) -> dict[str, Any] | None:
    trial = _read_json(_trial_file(project, trial_id))
    needed = ("status", "hyperparameters", "metrics")
    return trial if trial is not None and all(name in trial for name in needed) else None


def _trial_file(project: str, trial_id: str) -> str:
    return os.path.join(project, _TRIAL_PREFIX + trial_id, "trial.json")


def _has_lists(oracle: Mapping[str, Any]) -> bool:
    lists = [oracle.get(name) for name in ("start_order", "end_order", "retry_queue")]
    dicts = [oracle.get(name) for name in ("run_times", "hyperparameters")]
    return all(isinstance(one, list) for one in lists) and all(
        isinstance(one, dict) for one in dicts
    )


def _read_json(path: str) -> dict[str, Any] | None:
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) else None
