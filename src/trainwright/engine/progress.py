"""Progress: how much of a pass is done, counting no shard twice."""

from __future__ import annotations

from collections import defaultdict

from trainwright.engine.engine import ReportProgress


class Progress:
    """Adds up what shards report and tells the sum to whoever wants to know."""

    def __init__(self, report: ReportProgress | None) -> None:
        self._report = report
        self._units: defaultdict[int, int] = defaultdict(int)
        self._total = 0

    def add(self, index: int, units: int) -> None:
        """Notes that this many more units of a shard are done."""
        self._units[index] += units
        self._total += units
        if self._report:
            self._report(self._total)

    def forget(self, index: int) -> None:
        """Takes back what a shard reported, which will be done again."""
        self._total -= self._units.pop(index, 0)
