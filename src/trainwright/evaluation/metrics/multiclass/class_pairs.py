"""Pairs of classes as one number each, before anyone knows how many classes there are."""

from __future__ import annotations

import numpy as np

from trainwright.evaluation.computation import Integers

_MAX_CLASSES = 1 << 16

# The numbers of pairs are below this.
CLASS_PAIRS = (_MAX_CLASSES + 1) ** 2


def pair_number(first: Integers, second: Integers) -> Integers:
    """A number for each pair, whose root is the greater of the two; -1 is a class as well.

    Pairs of few classes have low numbers: the squares of a growing board, each laid around the
    last.

    Raises:
        ValueError: If a class number is out of all proportion.
    """
    first, second = first + 1, second + 1
    greatest = max(first.max(initial=0), second.max(initial=0))
    if greatest > _MAX_CLASSES or min(first.min(initial=0), second.min(initial=0)) < 0:
        raise ValueError(
            f"Class numbers go from 0 to {_MAX_CLASSES - 1}, and there is one outside: labels go "
            f"from {first.min() - 1} to {first.max() - 1}."
        )
    numbers: Integers = np.where(
        first < second, second * second + first, first * first + first + second
    )
    return numbers


def pair_of_number(numbers: Integers) -> tuple[Integers, Integers]:
    """The pair of each number."""
    # Numbers are far below 2 ** 52, so that the root of a square is exact.
    sides = np.floor(np.sqrt(numbers)).astype(np.int64)
    rest = numbers - sides * sides
    first = np.where(rest < sides, rest, sides)
    second = np.where(rest < sides, sides, rest - sides)
    return first - 1, second - 1
