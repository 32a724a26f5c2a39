"""Thin curves: as few points as the eye needs."""

from __future__ import annotations

import math
from collections.abc import Sequence

# In pixels: nearer points look the same, and so does a line that is no farther from its points.
_NEAREST = 0.7
_FARTHEST = 0.25

_Place = tuple[float, float]


def thin(places: Sequence[_Place]) -> list[_Place]:
    """The points, in pixels, that draw the same line; the first and the last stay.

    >>> thin([(0, 0), (1, 1.01), (1.1, 1.1), (50, 50), (50, 90)])
    [(0, 0), (50, 50), (50, 90)]
    """
    if len(places) < 3:
        return list(places)
    apart = [places[0]]
    for place in places[1:-1]:
        if math.dist(place, apart[-1]) >= _NEAREST:
            apart.append(place)
    apart.append(places[-1])
    return [apart[index] for index in sorted(_corners(apart))]


def _corners(places: Sequence[_Place]) -> set[int]:
    """By Ramer, Douglas and Peucker: a stretch is a line if no point is far from it."""
    kept = {0, len(places) - 1}
    stretches = [(0, len(places) - 1)]
    while stretches:
        first, last = stretches.pop()
        farthest, distance = first, _FARTHEST
        for index in range(first + 1, last):
            away = _distance(places[index], places[first], places[last])
            if away > distance:
                farthest, distance = index, away
        if farthest != first:
            kept.add(farthest)
            stretches += [(first, farthest), (farthest, last)]
    return kept


def _distance(place: _Place, start: _Place, end: _Place) -> float:
    """From a point to the stretch between two others."""
    across, up = end[0] - start[0], end[1] - start[1]
    length = across * across + up * up
    if not length:
        return math.dist(place, start)
    along = ((place[0] - start[0]) * across + (place[1] - start[1]) * up) / length
    along = min(max(along, 0.0), 1.0)
    return math.dist(place, (start[0] + along * across, start[1] + along * up))
