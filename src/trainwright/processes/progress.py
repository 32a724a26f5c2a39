"""Progress: how much of a job is done, counting no task twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

# Takes how many units (examples, rows) are done in all.
ReportProgress = Callable[[int], None]


class Progress:
    """Adds up what tasks report and tells the sum to whoever wants to know."""

    def __init__(self, report: ReportProgress | None) -> None:
        self._report = report
        self._units: defaultdict[int, int] = defaultdict(int)
        self._total = 0

    def add(self, index: int, units: int) -> None:
        """Notes that this many more units of a task are done."""
        self._units[index] += units
        self._total += units
        if self._report:
            self._report(self._total)

    @property
    def total(self) -> int:
        """How many units all tasks have done."""
        return self._total

    def forget(self, index: int) -> None:
        """Takes back what a task reported, which will be done again."""
        self._total -= self._units.pop(index, 0)
