"""Positions along the layers: everything as near to its neighbours as the room allows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from trainwright.pictures.layers import Layers

_MOST_SWEEPS = 60
_MOST_SEGMENTS = 150_000
# How much more a segment wants to be vertical in the middle of a long edge than at a node: a kink
# there is seen, while at a node edges spread anyway.
_NODE_TO_NODE, _NODE_TO_PASSING, _PASSING_TO_PASSING = 1.0, 2.0, 8.0


def place_along_layers(layers: Layers, widths: Sequence[float], node_count: int) -> list[float]:
    """The center of every vertex, in the order that the layers have; the leftmost edge is at 0.

    Each sweep moves a layer to where the squares of the (weighted) distances to the neighbours are
    smallest, while those of one layer do not overlap. That is a regression with increasing values,
    which has an exact solution. The first `node_count` vertices are nodes.
    """
    neighbours = _weighted_neighbours(layers, node_count)
    centers = _packed(layers, widths)
    segments = sum(map(len, neighbours)) // 2
    sweeps = max(3, min(_MOST_SWEEPS, _MOST_SEGMENTS // max(segments, 1)))
    for sweep in range(sweeps):
        downwards = sweep % 2 == 0
        order = layers.members if downwards else layers.members[::-1]
        # First towards what has been placed already; in the end towards both sides.
        both = sweep >= sweeps - 3
        for layer in order:
            _move_layer(layer, layers.layer_of, centers, widths, neighbours, both, downwards)
    _straighten_long_edges(layers, centers, widths)
    left = min(center - width / 2 for center, width in zip(centers, widths, strict=True))
    return [center - left for center in centers]


def _weighted_neighbours(layers: Layers, node_count: int) -> list[list[tuple[int, float]]]:
    neighbours: list[list[tuple[int, float]]] = [[] for _ in layers.layer_of]
    weights = (_NODE_TO_NODE, _NODE_TO_PASSING, _PASSING_TO_PASSING)
    for chain in layers.chains:
        for upper, lower in itertools.pairwise(chain):
            weight = weights[(upper >= node_count) + (lower >= node_count)]
            neighbours[upper].append((lower, weight))
            neighbours[lower].append((upper, weight))
    return neighbours


def _packed(layers: Layers, widths: Sequence[float]) -> list[float]:
    """Every layer from left to right without more room than needed, around one middle line."""
    centers = [0.0] * len(layers.layer_of)
    for layer in layers.members:
        x = -sum(widths[vertex] for vertex in layer) / 2
        for vertex in layer:
            centers[vertex] = x + widths[vertex] / 2
            x += widths[vertex]
    return centers


def _move_layer(
    layer: Sequence[int],
    layer_of: Sequence[int],
    centers: list[float],
    widths: Sequence[float],
    neighbours: Sequence[Sequence[tuple[int, float]]],
    both: bool,
    downwards: bool,
) -> None:
    wanted, weights, offsets = [], [], []
    offset, previous = 0.0, None
    for vertex in layer:
        if previous is not None:
            offset += (widths[previous] + widths[vertex]) / 2
        previous = vertex
        pulls = [
            (centers[other], weight)
            for other, weight in neighbours[vertex]
            if both or (layer_of[other] < layer_of[vertex]) == downwards
        ]
        total = sum(weight for _, weight in pulls)
        # Who has no neighbours there gives way to those who have.
        center = sum(x * weight for x, weight in pulls) / total if pulls else centers[vertex]
        wanted.append(center - offset)
        weights.append(total or 0.01)
        offsets.append(offset)
    fitted = increasing_fit(wanted, weights)
    for vertex, value, offset in zip(layer, fitted, offsets, strict=True):
        centers[vertex] = value + offset


def _straighten_long_edges(layers: Layers, centers: list[float], widths: Sequence[float]) -> None:
    """Takes the kinks out of edges: as long as there is room, they go straight down."""
    position = {vertex: index for layer in layers.members for index, vertex in enumerate(layer)}
    for source, *passed, target in layers.chains:
        run: list[int] = []
        low, high = -math.inf, math.inf
        for vertex in passed:
            layer = layers.members[layers.layer_of[vertex]]
            room_low, room_high = _room(layer, position[vertex], centers, widths)
            if max(low, room_low) > min(high, room_high):
                _align(run, low, high, centers, source, target)
                run, low, high = [], -math.inf, math.inf
            run.append(vertex)
            low, high = max(low, room_low), min(high, room_high)
        _align(run, low, high, centers, source, target)


def _room(
    layer: Sequence[int], index: int, centers: Sequence[float], widths: Sequence[float]
) -> tuple[float, float]:
    """How far left and right the center of a vertex can be."""
    half = widths[layer[index]] / 2
    low, high = -math.inf, math.inf
    if index > 0:
        left = layer[index - 1]
        low = centers[left] + widths[left] / 2 + half
    if index + 1 < len(layer):
        right = layer[index + 1]
        high = centers[right] - widths[right] / 2 - half
    # Rounding must not make what just fits look as if it did not.
    return min(low, centers[layer[index]]), max(high, centers[layer[index]])


def _align(
    run: Sequence[int], low: float, high: float, centers: list[float], source: int, target: int
) -> None:
    """Puts a run of passing points on one vertical, below the source or above the target."""
    if not run:
        return
    ends = [x for x in (centers[source], centers[target]) if low <= x <= high]
    mean = sum(centers[vertex] for vertex in run) / len(run)
    x = min(ends, key=lambda end: abs(end - mean)) if ends else min(max(mean, low), high)
    for vertex in run:
        centers[vertex] = x


def increasing_fit(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The never decreasing numbers that are nearest to the values (weighted least squares).

    >>> increasing_fit([1.0, 5.0, 3.0], [1.0, 1.0, 1.0])
    [1.0, 4.0, 4.0]
    """
    blocks: list[tuple[float, float, int]] = []  # mean, weight, how many values
    for value, weight in zip(values, weights, strict=True):
        mean, total, count = value, weight, 1
        while blocks and blocks[-1][0] > mean:
            other_mean, other_total, other_count = blocks.pop()
            mean = (mean * total + other_mean * other_total) / (total + other_total)
            total += other_total
            count += other_count
        blocks.append((mean, total, count))
    return [mean for mean, _, count in blocks for _ in range(count)]
