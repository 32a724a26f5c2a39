"""Layered layout: a place for every node of an acyclic graph, with all edges going downwards.

After Sugiyama: nodes go into layers, long edges get a place in every layer that they pass, the
order within the layers is chosen so that few edges cross, and then everything is moved to where its
edges are straight. The same graph always gets the same layout.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trainwright.pictures.layers import Layers, split_into_components
from trainwright.pictures.straightening import place_along_layers

# Sweeps over a graph of usual size, and how many segments may be looked at in all: large graphs
# get fewer sweeps, so that every picture is there at once.
_MOST_SWEEPS = 24
_MOST_SEGMENTS = 120_000
_PATIENCE = 4


@dataclass(frozen=True)
class Size:
    """A width and a height."""

    width: float
    height: float


@dataclass(frozen=True)
class Rectangle:
    """A place: the upper left corner, a width and a height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def center(self) -> float:
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def moved(self, x: float, y: float) -> Rectangle:
        return Rectangle(self.x + x, self.y + y, self.width, self.height)


@dataclass(frozen=True)
class Edge:
    """From one node to another, and how much room the text on the edge takes."""

    source: str
    target: str
    label: Size | None = None


@dataclass(frozen=True)
class Route:
    """The points that an edge passes, from top to bottom, and the place of its text."""

    points: tuple[tuple[float, float], ...]
    label: Rectangle | None = None

    def moved(self, x: float, y: float) -> Route:
        points = tuple((point_x + x, point_y + y) for point_x, point_y in self.points)
        return Route(points, self.label.moved(x, y) if self.label else None)


@dataclass(frozen=True)
class Layout:
    """Where everything is, from (0, 0) to (width, height); routes are in the order of the edges."""

    width: float
    height: float
    nodes: Mapping[str, Rectangle]
    routes: tuple[Route, ...]


@dataclass(frozen=True, kw_only=True)
class Spacing:
    """The distances that a layout keeps.

    Args:
        beside_nodes: To the left and to the right of a node.
        beside_edges: To the left and to the right of an edge that passes a layer, or of its text.
        between_layers: Between the lowest of one layer and the highest of the next.
        between_parts: Between parts of the graph that no edge joins.
        row_width: How wide a row of such parts gets before the next one begins.
        between_ports: Between edges that end at the same side of a node.
    """

    beside_nodes: float = 16.0
    beside_edges: float = 9.0
    between_layers: float = 34.0
    between_parts: float = 48.0
    row_width: float = 1200.0
    between_ports: float = 22.0


def lay_out(
    nodes: Mapping[str, Size], edges: Sequence[Edge], spacing: Spacing | None = None
) -> Layout:
    """Finds a place for every node and a route for every edge.

    Raises ValueError if the edges go round in a circle, KeyError if one names an unknown node.

    >>> layout = lay_out({"a": Size(80, 30), "b": Size(80, 30)}, [Edge("a", "b")])
    >>> layout.nodes["a"].y < layout.nodes["b"].y
    True
    """
    spacing = spacing or Spacing()
    names = list(nodes)
    numbers = {name: number for number, name in enumerate(names)}
    pairs = [(numbers[edge.source], numbers[edge.target]) for edge in edges]
    places: dict[str, Rectangle] = {}
    routes: dict[int, Route] = {}
    shelf = _Shelf(spacing)
    for members, edge_numbers in split_into_components(len(names), pairs):
        part = _lay_out_part(
            {names[number]: nodes[names[number]] for number in members},
            [edges[number] for number in edge_numbers],
            spacing,
        )
        x, y = shelf.put(part.width, part.height)
        places.update({name: place.moved(x, y) for name, place in part.nodes.items()})
        moved = (route.moved(x, y) for route in part.routes)
        routes.update(zip(edge_numbers, moved, strict=True))
    return Layout(
        width=shelf.width,
        height=shelf.height,
        nodes={name: places[name] for name in names},
        routes=tuple(routes[number] for number in range(len(edges))),
    )


class _Shelf:
    """Puts parts side by side, and begins a new row where one would get too wide."""

    def __init__(self, spacing: Spacing) -> None:
        self._spacing = spacing
        self._x = 0.0
        self._y = 0.0
        self.width = 0.0
        self.height = 0.0

    def put(self, width: float, height: float) -> tuple[float, float]:
        """The upper left corner for a part of that size."""
        if self._x > 0 and self._x + width > self._spacing.row_width:
            self._x = 0.0
            self._y = self.height + self._spacing.between_parts
        corner = (self._x, self._y)
        self._x += width + self._spacing.between_parts
        self.width = max(self.width, corner[0] + width)
        self.height = max(self.height, corner[1] + height)
        return corner


def _lay_out_part(nodes: Mapping[str, Size], edges: Sequence[Edge], spacing: Spacing) -> Layout:
    """The layout of nodes that edges join."""
    names = list(nodes)
    numbers = {name: number for number, name in enumerate(names)}
    layers = Layers.build(
        len(names),
        [(numbers[edge.source], numbers[edge.target]) for edge in edges],
        [edge.label is not None for edge in edges],
    )
    order_layers(layers)
    sizes = _vertex_sizes(layers, [nodes[name] for name in names], edges)
    centers = place_along_layers(layers, _needed_widths(sizes, len(names), spacing), len(names))
    tops, heights = _stack_layers(layers, sizes, spacing)
    places = [
        Rectangle(
            centers[vertex] - size.width / 2,
            # In the middle of its layer, where boxes of several heights look best.
            tops[layers.layer_of[vertex]] + (heights[layers.layer_of[vertex]] - size.height) / 2,
            size.width,
            size.height,
        )
        for vertex, size in enumerate(sizes)
    ]
    routes = _routes(layers, places, tops, heights, edges, spacing)
    return Layout(
        width=max(place.x + place.width for place in places) + spacing.beside_nodes,
        height=tops[-1] + heights[-1],
        nodes={name: places[number] for number, name in enumerate(names)},
        routes=routes,
    )


def _vertex_sizes(layers: Layers, nodes: Sequence[Size], edges: Sequence[Edge]) -> list[Size]:
    """The size of every node, and of every place at which an edge passes a layer."""
    sizes = [*nodes, *[Size(0.0, 0.0)] * (len(layers.layer_of) - len(nodes))]
    for edge, vertex in zip(edges, layers.label_vertices, strict=True):
        if edge.label is not None and vertex is not None:
            sizes[vertex] = edge.label
    return sizes


def _needed_widths(sizes: Sequence[Size], node_count: int, spacing: Spacing) -> list[float]:
    margins = (spacing.beside_edges, spacing.beside_nodes)
    return [size.width + 2 * margins[vertex < node_count] for vertex, size in enumerate(sizes)]


def _stack_layers(
    layers: Layers, sizes: Sequence[Size], spacing: Spacing
) -> tuple[list[float], list[float]]:
    """The upper end and the height of every layer."""
    tops, heights, y = [], [], 0.0
    for layer in layers.members:
        height = max((sizes[vertex].height for vertex in layer), default=0.0)
        tops.append(y)
        heights.append(height)
        y += height + spacing.between_layers
    return tops, heights


def _routes(
    layers: Layers,
    places: Sequence[Rectangle],
    tops: Sequence[float],
    heights: Sequence[float],
    edges: Sequence[Edge],
    spacing: Spacing,
) -> tuple[Route, ...]:
    leaving = _ports(layers, places, spacing, end=0)
    arriving = _ports(layers, places, spacing, end=-1)
    routes = []
    for number, chain in enumerate(layers.chains):
        source, *passed, target = chain
        start, finish = leaving[number], arriving[number]
        layer = layers.layer_of[source]
        # Straight through a layer and bent only between layers, where no box is in the way.
        points = [(start, places[source].bottom), (start, tops[layer] + heights[layer])]
        for vertex in passed:
            layer = layers.layer_of[vertex]
            x = places[vertex].center
            points += [(x, tops[layer]), (x, tops[layer] + heights[layer])]
        points += [(finish, tops[layers.layer_of[target]]), (finish, places[target].y)]
        middle = layers.label_vertices[number]
        has_label = edges[number].label is not None and middle is not None
        label = places[middle] if has_label and middle is not None else None
        routes.append(Route(tuple(_without_repeats(points)), label))
    return tuple(routes)


def _ports(
    layers: Layers, places: Sequence[Rectangle], spacing: Spacing, *, end: int
) -> dict[int, float]:
    """Where every edge leaves (end 0) or enters (end -1) its node: side by side, uncrossed."""
    by_node: dict[int, list[int]] = {}
    for number, chain in enumerate(layers.chains):
        by_node.setdefault(chain[end], []).append(number)
    neighbour = 1 if end == 0 else -2
    ports = {}
    for node, numbers in by_node.items():
        numbers.sort(key=lambda number: (places[layers.chains[number][neighbour]].center, number))
        place = places[node]
        distance = min(spacing.between_ports, place.width * 0.8 / len(numbers))
        first = place.center - distance * (len(numbers) - 1) / 2
        ports.update({number: first + distance * rank for rank, number in enumerate(numbers)})
    return ports


def _without_repeats(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return [point for index, point in enumerate(points) if index == 0 or point != points[index - 1]]


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
