"""The tree by which accumulators are merged: the same for every engine and any number of processes.

Up to `FAN_IN` shards are merged one after the other. Of more, each `FAN_IN` neighbours are merged
into one, which becomes bytes, and so on until `FAN_IN` or fewer are left. So ten thousand shards
never meet in one process, and what floating-point sums and sketches make of the order of merging
does not depend on where it happens.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from trainwright.engine.passes import AccumulatingPass

ItemT = TypeVar("ItemT")

# Not an option: another number gives other last digits.
FAN_IN = 32


class Levels(Generic[ItemT]):
    """Which items of a stream make a group, level by level; the groups are the caller's business.

    A group is closed when its level gets one more item than fits, because until then it may be
    among the last, which are merged by whoever asked for the result.
    """

    def __init__(self) -> None:
        self._levels: list[list[ItemT]] = []

    def add(self, item: ItemT, level: int = 0) -> list[ItemT] | None:
        """Puts an item in its place; returns the group that is full because of it.

        What the group is merged into is added to the level above.
        """
        if level == len(self._levels):
            self._levels.append([])
        group = self._levels[level]
        if len(group) < FAN_IN:
            group.append(item)
            return None
        self._levels[level] = [item]
        return group

    def close(self, level: int) -> list[ItemT] | None:
        """After the last item: the group that is left on a level; None on the last level."""
        if level + 1 >= len(self._levels):
            return None
        group, self._levels[level] = self._levels[level], []
        return group

    @property
    def top(self) -> list[ItemT]:
        """The items of the last level: when all others are closed, those that are left."""
        return self._levels[-1] if self._levels else []


class MergeTree:
    """Merges what shards give, as it comes; holds one accumulator for each level.

    Args:
        built: The pass.

    Example:
        ```py
        tree = MergeTree(built)
        for data in results:
            tree.add(data)
        result = built.extract(tree.finish())
        ```
    """

    def __init__(self, built: AccumulatingPass[Any, Any]) -> None:
        self._pass = built
        self._levels: list[tuple[Any, int]] = []  # accumulators, and of how many each is made

    def add(self, data: bytes, level: int = 0) -> None:
        """Takes the next accumulator, as bytes."""
        if level == len(self._levels):
            self._levels.append((self._pass.create(), 0))
        accumulator, count = self._levels[level]
        if count == FAN_IN:
            whole = self._pass.serialize(accumulator)
            accumulator, count = self._pass.create(), 0
            self.add(whole, level + 1)
        merged = self._pass.merge(accumulator, self._pass.deserialize(data))
        self._levels[level] = (merged, count + 1)

    def finish(self) -> Any:
        """The accumulator of all, after the last one was added; an empty one without any."""
        level = 0
        while level + 1 < len(self._levels):
            accumulator, _ = self._levels[level]
            self.add(self._pass.serialize(accumulator), level + 1)
            level += 1
        return self._levels[-1][0] if self._levels else self._pass.create()


def group_sizes(count: int) -> list[int]:
    """How many groups each level above the shards has, as long as there is one.

    >>> group_sizes(32), group_sizes(33), group_sizes(10_000)
    ([], [2], [313, 10])
    """
    sizes = []
    while count > FAN_IN:
        count = -(-count // FAN_IN)
        sizes.append(count)
    return sizes
