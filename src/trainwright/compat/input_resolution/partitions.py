"""Partitions: which of several inputs belong together."""

from __future__ import annotations

from collections import UserDict, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

T = TypeVar("T")


class Partition(UserDict[str, int]):
    """A place in a space whose dimensions are loops: the number of the turn of each."""

    @property
    def dimensions(self) -> tuple[str, ...]:
        return tuple(sorted(self))

    def partial(self, dimensions: Sequence[str]) -> tuple[int, ...]:
        """The place in some of the dimensions."""
        return tuple(self[dimension] for dimension in dimensions)

    def __or__(self, other: Any) -> Partition:  # type: ignore[override]
        common = [dimension for dimension in self if dimension in other]
        if any(self[dimension] != other[dimension] for dimension in common):
            raise ValueError(f"Cannot merge {self} and {other} on {common}")
        return Partition({**self, **other})

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))


NO_PARTITION = Partition({})


def join(
    lhs: Sequence[tuple[Partition, T]],
    rhs: Sequence[tuple[Partition, T]],
    merge_fn: Callable[[T, T], T],
) -> Sequence[tuple[Partition, T]]:
    """Joins values whose places agree in the dimensions that both sides have.

    Without such dimensions each goes with each; with the same dimensions on both sides, each goes
    with the one of the same place.
    """
    if not lhs or not rhs:
        return []
    common = sorted(set(lhs[0][0]) & set(rhs[0][0]))
    right: Mapping[tuple[int, ...], list[tuple[Partition, T]]] = defaultdict(list)
    for partition, value in rhs:
        right[partition.partial(common)].append((partition, value))
    left: dict[tuple[int, ...], list[tuple[Partition, T]]] = {}
    for partition, value in lhs:
        left.setdefault(partition.partial(common), []).append((partition, value))
    return [
        (left_partition | right_partition, merge_fn(left_value, right_value))
        for place, entries in left.items()
        for left_partition, left_value in entries
        for right_partition, right_value in right[place]
    ]
