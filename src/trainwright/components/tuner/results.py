"""Results of a search, and their files: those of TFX, and one with all trials for the page."""

from __future__ import annotations

import json
import logging
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from trainwright.dsl.base_executor import SUMMARY_KEY, ArtifactDict
from trainwright.types.artifact_utils import get_single_instance
from trainwright.types.standard_component_specs import (
    BEST_HYPERPARAMETERS_KEY,
    TUNER_RESULTS_KEY,
)

_logger = logging.getLogger(__name__)

# TFX's files.
BEST_HYPERPARAMETERS_FILE = "best_hyperparameters.txt"
RESULTS_FILE = "tuner_results.json"
# Beside them: the objective, and the trials that failed as well.
SEARCH_FILE = "tuner_search.json"

FINISHED, PRUNED, FAILED = "finished", "pruned", "failed"

_ROWS_IN_SUMMARY = 5
_COLUMNS_IN_SUMMARY = 6
_WIDEST_CELL = 24


@dataclass(frozen=True, kw_only=True)
class TrialResult:
    """One trial of a search.

    Args:
        trial_id: Its id, as the library has it.
        status: FINISHED, PRUNED or FAILED.
        score: The objective; None if it has none.
        values: The hyperparameters by name.
        message: Why it failed.
        others: Further objectives by name, if there are several.
    """

    trial_id: str
    status: str = FINISHED
    score: float | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    message: str = ""
    others: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class SearchResults:
    """What a search has found.

    Args:
        objective: The name of what was to become small or large.
        direction: "min" or "max".
        best: The best hyperparameters, as `keras_tuner.HyperParameters.get_config()` has them.
        trials: All trials in the order in which they were begun.
        ranking: The ids of finished trials, the best first.
    """

    objective: str
    direction: str
    best: Mapping[str, Any]
    trials: Sequence[TrialResult]
    ranking: Sequence[str]

    def to_json(self) -> dict[str, Any]:
        written: dict[str, Any] = json.loads(json.dumps(asdict(self), default=plain_value))
        return written

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> SearchResults:
        trials = [TrialResult(**trial) for trial in written["trials"]]
        return cls(**{**written, "trials": trials})

    @property
    def ranked(self) -> list[TrialResult]:
        by_id = {trial.trial_id: trial for trial in self.trials}
        return [by_id[trial_id] for trial_id in self.ranking]


def require_finished(trials: Sequence[TrialResult]) -> None:
    """Raises RuntimeError, saying why, if none of the trials was finished."""
    if any(trial.status == FINISHED for trial in trials):
        return
    if not trials:
        raise RuntimeError(
            "The search ended without a trial: the tuner that tuner_fn returned began none. Look "
            "at its number of trials (max_trials, n_trials), and whether its search space has "
            "hyperparameters."
        )
    reasons = [
        f"  trial {trial.trial_id}: {trial.status}{f', {trial.message}' if trial.message else ''}"
        for trial in trials[-_ROWS_IN_SUMMARY:]
    ]
    count = "The only trial was" if len(trials) == 1 else f"None of the {len(trials)} trials was"
    verb = "not finished" if len(trials) == 1 else "finished"
    raise RuntimeError(
        "\n".join([f"{count} {verb}, so there are no best hyperparameters.", *reasons])
    )


def write_results(results: SearchResults, output_dict: ArtifactDict) -> None:
    """Writes what was found to the Tuner's outputs, with a summary for people.

    Args:
        results: What was found.
        output_dict: With `best_hyperparameters` and `tuner_results`.
    """
    best = get_single_instance(output_dict[BEST_HYPERPARAMETERS_KEY])
    found = get_single_instance(output_dict[TUNER_RESULTS_KEY])
    rows = [
        {"trial_id": trial.trial_id, "score": trial.score, **trial.others, **trial.values}
        for trial in results.ranked
        if trial.values
    ]
    # The page reads both files; the one that TFX's readers wait for comes last.
    search = results.to_json()
    del search["best"]
    _write_json(found.uri, SEARCH_FILE, search)
    _write_json(found.uri, RESULTS_FILE, rows)
    _write_json(best.uri, BEST_HYPERPARAMETERS_FILE, results.best)
    found.set_string_custom_property(SUMMARY_KEY, describe_results(results))
    _logger.info("Best hyperparameters: %s", dict(results.best.get("values", {})))


def describe_results(results: SearchResults) -> str:
    """The best trials as a table of text."""
    ranked = results.ranked
    counts = [
        f"{count} {status}"
        for status in (PRUNED, FAILED)
        if (count := sum(trial.status == status for trial in results.trials))
    ]
    first = (
        f"best {results.objective} {format_value(ranked[0].score)} ({results.direction}), trial "
        f"{ranked[0].trial_id} of {len(results.trials)}{''.join(f', {one}' for one in counts)}"
    )
    shown = ranked[:_ROWS_IN_SUMMARY]
    names = list(dict.fromkeys(name for trial in shown for name in trial.values))
    left_out = len(names) - _COLUMNS_IN_SUMMARY
    names = names[:_COLUMNS_IN_SUMMARY]
    table = [["trial", results.objective, *names]]
    for trial in shown:
        values = [format_value(trial.values.get(name)) for name in names]
        table.append([trial.trial_id, format_value(trial.score), *values])
    widths = [max(len(row[index]) for row in table) for index in range(len(table[0]))]
    lines = [
        "  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in table
    ]
    if left_out > 0:
        lines.append(f"  and {left_out} more hyperparameters; tuner_results.html has them all")
    return "\n".join([first, *lines])


def format_value(value: object) -> str:
    """A value as a cell of a table.

    >>> format_value(0.9731234), format_value(16), format_value(None), format_value("relu")
    ('0.9731', '16', '', 'relu')
    """
    if value is None:
        return ""
    text = f"{value:.4g}" if isinstance(value, float) else " ".join(str(value).split())
    return text if len(text) <= _WIDEST_CELL else f"{text[: _WIDEST_CELL - 1]}…"


def plain_value(value: Any) -> Any:
    """A value as JSON has it: numbers of NumPy become Python's, anything unknown its text."""
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    item = getattr(value, "item", None)
    return item() if callable(item) else str(value)


def plain_score(value: Any) -> float | None:
    """A score as a number; None if it is not one."""
    if value is None or math.isnan(float(value)):
        return None
    return float(value)


def write_json(path: str, value: Any) -> None:
    """Writes a JSON file that is whole whenever it is there."""
    temporary = f"{path}.writing"
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump(value, file, default=plain_value)
    os.replace(temporary, path)


def _write_json(directory: str, name: str, value: Any) -> None:
    os.makedirs(directory, exist_ok=True)
    write_json(os.path.join(directory, name), value)
    _logger.info("Written: %s", os.path.join(directory, name))
