"""Shares of string values in a feature, and how much they differ between two splits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainwright.html_views.features import Entry


@dataclass(frozen=True, kw_only=True)
class Shares:
    """The values of a feature in one column that the statistics name.

    Args:
        by_value: For each its share of all values, the largest first.
        unique: How many different values there are.
        num_values: How many values there are in all.
    """

    by_value: dict[str, float]
    unique: int
    num_values: int

    @property
    def is_complete(self) -> bool:
        """Whether a value that is not named does not occur."""
        return self.unique <= len(self.by_value)

    def of(self, value: str) -> float | None:
        """The share of a value; None if it may occur, but too seldom to be named."""
        return self.by_value.get(value, 0.0 if self.is_complete else None)


@dataclass(frozen=True, kw_only=True)
class Difference:
    """The value whose share differs most between two columns."""

    value: str
    first: float
    second: float

    @property
    def distance(self) -> float:
        return abs(self.first - self.second)


def shares_of(entry: Entry | None) -> Shares | None:
    """The shares of a feature's values; None if it has none, or is not of strings.

    The rank histogram names more values than the list of the most frequent ones.
    """
    if entry is None or entry.statistics.WhichOneof("stats") != "string_stats":
        return None
    texts = entry.statistics.string_stats
    counts = {
        bucket.label: bucket.sample_count
        for bucket in texts.rank_histogram.buckets
        if bucket.low_rank == bucket.high_rank
    }
    counts.update({top.value: top.frequency for top in texts.top_values})
    total = entry.num_values
    if not total or not counts:
        return None
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    by_value = {value: count / total for value, count in ordered}
    return Shares(by_value=by_value, unique=int(texts.unique), num_values=total)


def largest_difference(first: Shares, second: Shares) -> Difference | None:
    """The L-infinity distance of two distributions, which TFDV's comparators use, and its value.

    >>> train = Shares(by_value={"a": 0.9, "b": 0.1}, unique=2, num_values=10)
    >>> test = Shares(by_value={"a": 0.5, "b": 0.5}, unique=2, num_values=10)
    >>> round(largest_difference(train, test).distance, 6)
    0.4
    """
    largest: Difference | None = None
    for shares in (first, second):
        for value, part in shares.by_value.items():
            # They get smaller, and none can differ by more than it is.
            if largest is not None and part <= largest.distance:
                break
            found = Difference(
                value=value, first=first.of(value) or 0.0, second=second.of(value) or 0.0
            )
            if largest is None or found.distance > largest.distance:
                largest = found
    return largest
