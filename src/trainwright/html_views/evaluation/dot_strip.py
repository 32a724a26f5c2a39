"""A value among those of its column: a bar from all examples, a dot, the baseline, the interval."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trainwright._markup import EMPTY, Markup, html
from trainwright.evaluation.thresholds.bounds import Measured

# As the page's style has them: between margins, so that a dot at an end is whole. The unit is a
# pixel where there is little room, and more on a wide page.
_WIDTH = 88
_MARGIN = 4

# In pixels, on a page of 1200: what the columns of metrics have together, and what a cell has
# around its strip.
_ROOM = 900
_PADDING = 26
_WIDEST = 3.0


@dataclass(frozen=True)
class Strip:
    """The scale that the strips of a column share.

    Args:
        low: The lowest number of the column.
        high: The highest.
        overall: The number of all examples, from where bars begin; None if there is none.
    """

    low: float
    high: float
    overall: float | None

    def draw(self, number: Measured, baseline: Measured | None) -> Markup:
        """The strip of a cell; the page's style makes a picture of the places in it.

        >>> Strip(0.0, 1.0, None).draw(Measured(0.5, 0.5, 0.5), None)
        '<i style="--v:48;--o:48;--w:0"></i>'
        """
        if not number.is_finite:
            return EMPTY
        value = self._place(number.value)
        start = value if self.overall is None else self._place(self.overall)
        places = [f"--v:{value}", f"--o:{min(value, start)}", f"--w:{abs(value - start)}"]
        if number.has_interval:
            low, high = self._place(number.low), self._place(number.high)
            places += [f"--l:{low}", f"--u:{high - low}"]
        if baseline is not None and baseline.is_finite:
            places.append(f"--b:{self._place(baseline.value)}")
        return html('<i style="{}"></i>', ";".join(places))

    def _place(self, value: float) -> int:
        span = self.high / 2 - self.low / 2
        share = (value / 2 - self.low / 2) / span if span else 0.5
        return _MARGIN + round(min(max(share, 0.0), 1.0) * _WIDTH)


def strip_scale(columns: int) -> float:
    """How many pixels the unit of strips has on a wide page, so that few columns use its width.

    >>> strip_scale(2), strip_scale(5), strip_scale(40)
    (3.0, 1.6041666666666667, 1.0)
    """
    whole = _WIDTH + 2 * _MARGIN
    return min(max((_ROOM / max(columns, 1) - _PADDING) / whole, 1.0), _WIDEST)


def make_strip(
    numbers: Sequence[Measured], baselines: Iterable[Measured], overall: Measured | None
) -> Strip | None:
    """The scale of a column; None if there is nothing to compare.

    Example: `make_strip([Measured(0.7, 0.7, 0.7), Measured(0.8, 0.8, 0.8)], [], None).high` is 0.8.
    """
    ends = [end for number in numbers for end in number if math.isfinite(end)]
    if len(numbers) < 2 or not ends:
        return None
    ends += [number.value for number in baselines if number.is_finite]
    middle = overall.value if overall is not None and overall.is_finite else None
    return Strip(min(ends), max(ends), middle)
