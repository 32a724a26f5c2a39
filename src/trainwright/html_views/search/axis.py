"""Axes of the pictures of a search: where a value stands, and what is written at the ends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from trainwright.html_views.numbers import number

# Positive values that differ by this factor are spread by their logarithms.
_LOGARITHMIC = 50
# More values of a string than this are not told apart.
_MOST_CATEGORIES = 12
_OTHERS = "others"


@dataclass(frozen=True)
class Axis:
    """An axis of numbers or of categories.

    Args:
        low: The smallest number.
        high: The largest.
        is_logarithmic: Whether equal steps are equal factors.
        categories: The values, if they are not numbers; the last stands for all that are not here.
    """

    low: float = 0.0
    high: float = 1.0
    is_logarithmic: bool = False
    categories: Sequence[str] = ()

    def place(self, value: Any) -> float | None:
        """Where a value stands, from 0 to 1; None if it has no place.

        >>> Axis(1, 100, is_logarithmic=True).place(10)
        0.5
        >>> Axis(categories=("relu", "tanh", "elu")).place("tanh")
        0.5
        """
        if self.categories:
            text = str(value)
            last = len(self.categories) - 1
            index = self.categories.index(text) if text in self.categories else last
            return index / last if last else 0.5
        if not _is_number(value):
            return None
        if self.high == self.low:
            return 0.5
        low, high, at = (
            (math.log(self.low), math.log(self.high), math.log(value))
            if self.is_logarithmic
            else (self.low, self.high, value)
        )
        # Halved: the difference of two large numbers may be more than there is.
        return float((at / 2 - low / 2) / (high / 2 - low / 2))

    @property
    def labels(self) -> list[tuple[float, str]]:
        """What is written along the axis, each with its place."""
        if self.categories:
            return [(self.place(one) or 0.0, one) for one in self.categories]
        if self.high == self.low:
            return [(0.5, number(self.low))]
        return [(0.0, number(self.low)), (1.0, number(self.high))]


def axis_of(values: Iterable[Any]) -> Axis:
    """The axis that has room for all these values.

    >>> axis_of([0.001, 0.1]).is_logarithmic, axis_of(["relu", True]).categories
    (True, ('relu', 'True'))
    """
    known = [value for value in values if value is not None]
    if known and all(map(_is_number, known)):
        low, high = float(min(known)), float(max(known))
        return Axis(low, high, is_logarithmic=low > 0 and high / low >= _LOGARITHMIC)
    categories = list(dict.fromkeys(map(str, known)))
    if len(categories) > _MOST_CATEGORIES:
        categories = [*categories[: _MOST_CATEGORIES - 1], _OTHERS]
    return Axis(categories=tuple(categories))


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:  # an integer beyond floats
        return False
