"""Progress: how much of a job is done, counting no task twice, and what is under way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable

# Takes how many units (examples, rows) are done in all.
ReportProgress = Callable[[int], None]


class Progress:
    """Adds up what tasks report and tells the sum to whoever wants to know.

    One thread tells it; others may read.
    """

    def __init__(self, report: ReportProgress | None) -> None:
        self._report = report
        self._units: defaultdict[int, int] = defaultdict(int)
        self._total = 0
        self._under_way: dict[Hashable, str] = {}
        self._moves = 0

    def add(self, index: int, units: int) -> None:
        """Notes that this many more units of a task are done."""
        self._moves += 1
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

    def begin(self, key: Hashable, name: str) -> None:
        """Notes that a task is under way; harmless if that is known."""
        if key not in self._under_way:
            self._moves += 1
            self._under_way[key] = name

    def end(self, key: Hashable) -> None:
        """Notes that a task is not under way any more, however it has ended."""
        if self._under_way.pop(key, None) is not None:
            self._moves += 1

    @property
    def moves(self) -> int:
        """A number that grows whenever anything is heard of any task."""
        return self._moves

    @property
    def under_way(self) -> list[str]:
        """The names of the tasks that are under way, in the order in which they were begun."""
        return list(self._under_way.values())
