"""A search for hyperparameters as its page needs it, from the files of a Tuner or of TFX's."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# TFX's file, of finished trials, the best first; and the Tuner's own, of all in their order.
RESULTS_FILE = "tuner_results.json"
SEARCH_FILE = "tuner_search.json"

_FINISHED = "finished"
_MAX, _MIN = "max", "min"
_OWN_COLUMNS = ("trial_id", "score")


@dataclass(frozen=True, kw_only=True)
class ShownTrial:
    """A trial as it is shown.

    Args:
        trial_id: Its id.
        status: `finished`, `pruned` or `failed`.
        score: A finite number, or None.
        values: The hyperparameters.
        message: Why it failed.
    """

    trial_id: str
    status: str
    score: float | None
    values: Mapping[str, Any]
    message: str = ""


@dataclass(frozen=True, kw_only=True)
class ShownSearch:
    """A search as it is shown.

    Args:
        objective: What was to become small or large.
        direction: "min" or "max".
        trials: In the order in which they were begun, if that is known; else the best first.
    """

    objective: str
    direction: str
    trials: Sequence[ShownTrial]

    @property
    def ranked(self) -> list[ShownTrial]:
        """The finished trials that have a score, the best first."""
        scored = [trial for trial in self.trials if trial.status == _FINISHED]
        return sorted(
            (trial for trial in scored if trial.score is not None),
            key=lambda trial: trial.score or 0.0,
            reverse=self.direction == _MAX,
        )

    @property
    def parameters(self) -> list[str]:
        """The names of all hyperparameters, in the order in which trials have them."""
        return list(dict.fromkeys(name for trial in self.trials for name in trial.values))


def read_search(uri: str) -> ShownSearch:
    """The search in the directory of a TunerResults, or in TFX's file alone.

    Raises:
        ValueError: if there is no such file, or it is damaged.

    Example: `read_search("output/Tuner/tuner_results/7").ranked[0].values`
    """
    path = uri if os.path.isfile(uri) else os.path.join(uri, RESULTS_FILE)
    beside = os.path.join(os.path.dirname(path), SEARCH_FILE)
    if not os.path.exists(path):
        raise ValueError(f"{uri} has no {RESULTS_FILE}, the file of an artifact of a Tuner.")
    for chosen, parse in ((beside, _parse_search), (path, _parse_results)):
        if os.path.exists(chosen):
            try:
                with open(chosen, encoding="utf-8") as file:
                    return parse(json.load(file))
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
                raise ValueError(f"{chosen} is not a result of a Tuner: {error}") from error
    raise AssertionError(path)


def _parse_search(written: Any) -> ShownSearch:
    trials = [
        ShownTrial(
            trial_id=str(trial["trial_id"]),
            status=str(trial["status"]),
            score=_score(trial["score"]),
            values=_values(trial["values"]),
            message=str(trial["message"]),
        )
        for trial in written["trials"]
    ]
    direction = _MAX if written["direction"] == _MAX else _MIN
    return ShownSearch(objective=str(written["objective"]), direction=direction, trials=trials)


def _parse_results(rows: Any) -> ShownSearch:
    """TFX's rows say neither the objective nor its direction: the best is the first."""
    trials = [
        ShownTrial(
            trial_id=str(row["trial_id"]),
            status=_FINISHED,
            score=_score(row["score"]),
            values=_values({name: row[name] for name in row if name not in _OWN_COLUMNS}),
        )
        for row in rows
    ]
    scores = [trial.score for trial in trials if trial.score is not None]
    direction = _MAX if scores and scores[0] > scores[-1] else _MIN
    return ShownSearch(objective="score", direction=direction, trials=trials)


def _score(value: Any) -> float | None:
    if value is None:
        return None
    number = float(value)
    return number if math.isfinite(number) else None


def _values(values: Any) -> dict[str, Any]:
    return {str(name): value for name, value in values.items()}
