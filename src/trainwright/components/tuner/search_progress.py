"""SearchProgress: which trial of how many runs, the best score, how far its training is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

ReportProgress = Callable[[Mapping[str, Any]], None]


class SearchProgress:
    """Puts together what a search and the training in its trials report.

    Args:
        report: Takes what a person sees.
    """

    def __init__(self, report: ReportProgress) -> None:
        self._report = report
        self._search: dict[str, Any] = {}

    def begin_trial(self, number: int, trials: int | None) -> None:
        """A trial begins, the first has number 1; `trials` is None if nobody knows how many."""
        self._search["trial"] = number
        if trials:
            self._search["trials"] = trials
        self._report(self._search)

    def note_best(self, objective: str, score: float | None) -> None:
        """The best score of the trials that are finished; None if there is none."""
        if score is not None:
            self._search[f"best {objective}"] = score
            self._report(self._search)

    def report_training(self, progress: Mapping[str, Any]) -> None:
        """What a training within a trial reports: its epoch, its loss."""
        self._report({**self._search, **progress})
