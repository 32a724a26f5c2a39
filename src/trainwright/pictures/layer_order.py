"""The order within layers: few crossings, found by moving vertices towards their neighbours."""

from __future__ import annotations

import itertools
from bisect import bisect_right, insort

from trainwright.pictures.layers import Layers

# Sweeps over a graph of usual size, and how many segments may be looked at in all: large graphs
# get fewer sweeps, so that every picture is there at once.
_MOST_SWEEPS = 24
_MOST_SEGMENTS = 120_000
_PATIENCE = 4


def order_layers(layers: Layers) -> None:
    """Sorts the members of every layer so that few edges cross.

    Sweeps go down and up in turn; each sorts a layer by the mean position of the neighbours in the
    layer before (their barycenter). The best order that was seen is the one that stays.
    """
    above, below = layers.neighbours()
    segments = sum(map(len, above))
    members = layers.members
    best, fewest = [list(layer) for layer in members], count_crossings(members, below)
    useless = 0
    for sweep in range(max(2, min(_MOST_SWEEPS, _MOST_SEGMENTS // max(segments, 1)))):
        if fewest == 0 or useless == _PATIENCE:
            break
        if sweep % 2 == 0:
            for upper, lower in itertools.pairwise(members):
                _sort_by_barycenter(lower, upper, above)
        else:
            for upper, lower in zip(members[-2::-1], members[:0:-1], strict=False):
                _sort_by_barycenter(upper, lower, below)
        crossings = count_crossings(members, below)
        useless += 1
        if crossings < fewest:
            best, fewest, useless = [list(layer) for layer in members], crossings, 0
    members[:] = best


def count_crossings(members: list[list[int]], below: list[list[int]]) -> int:
    """How many pairs of segments between neighbouring layers cross."""
    total = 0
    for upper, lower in itertools.pairwise(members):
        position = {vertex: index for index, vertex in enumerate(lower)}
        seen: list[int] = []
        for vertex in upper:
            ends = [position[other] for other in below[vertex]]
            # Segments from further left cross this one if they end further right.
            total += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def _sort_by_barycenter(moving: list[int], fixed: list[int], neighbours: list[list[int]]) -> None:
    """Sorts one layer by the mean position of its neighbours; who has none stays where it is."""
    position = {vertex: index for index, vertex in enumerate(fixed)}
    # Positions of both layers on one scale, so that a vertex without neighbours keeps its place.
    scale = len(fixed) / max(len(moving), 1)
    barycenter = {}
    for index, vertex in enumerate(moving):
        ends = [position[other] for other in neighbours[vertex]]
        barycenter[vertex] = sum(ends) / len(ends) if ends else index * scale
    moving.sort(key=barycenter.__getitem__)
