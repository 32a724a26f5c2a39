"""The layers of an acyclic graph: nodes by their longest path, long edges cut into short ones."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

Pairs = Sequence[tuple[int, int]]


@dataclass(frozen=True, kw_only=True)
class Layers:
    """Vertices in layers. The first ones are the nodes, the others are where edges pass a layer.

    Args:
        layer_of: The layer of each vertex.
        members: The vertices of each layer, from left to right.
        chains: For each edge the vertices from its source to its target, a layer apart.
        label_vertices: For each edge the vertex at which its text is, if it has one.
    """

    layer_of: list[int]
    members: list[list[int]]
    chains: list[list[int]]
    label_vertices: list[int | None]

    @classmethod
    def build(cls, node_count: int, edges: Pairs, has_label: Sequence[bool]) -> Layers:
        """Puts nodes into layers; with texts on edges, every second layer is left to the texts."""
        stride = 2 if any(has_label) else 1
        layer_of = [stride * layer for layer in longest_path_layers(node_count, edges)]
        chains: list[list[int]] = []
        label_vertices: list[int | None] = []
        for source, target in edges:
            first, last = layer_of[source], layer_of[target]
            passed = list(range(len(layer_of), len(layer_of) + last - first - 1))
            layer_of += range(first + 1, last)
            chains.append([source, *passed, target])
            label_vertices.append(_middle(passed, stride))
        members: list[list[int]] = [[] for _ in range(max(layer_of, default=0) + 1)]
        for vertex, layer in enumerate(layer_of):
            members[layer].append(vertex)
        return cls(layer_of=layer_of, members=members, chains=chains, label_vertices=label_vertices)

    def neighbours(self) -> tuple[list[list[int]], list[list[int]]]:
        """For each vertex the ones above that it is joined to, and the ones below."""
        above: list[list[int]] = [[] for _ in self.layer_of]
        below: list[list[int]] = [[] for _ in self.layer_of]
        for chain in self.chains:
            for upper, lower in itertools.pairwise(chain):
                below[upper].append(lower)
                above[lower].append(upper)
        return above, below


def longest_path_layers(node_count: int, edges: Pairs) -> list[int]:
    """For each node the number of edges on the longest path that leads to it.

    >>> longest_path_layers(3, [(0, 1), (1, 2), (0, 2)])
    [0, 1, 2]
    """
    below: list[list[int]] = [[] for _ in range(node_count)]
    waiting_for = [0] * node_count
    for source, target in edges:
        below[source].append(target)
        waiting_for[target] += 1
    layers = [0] * node_count
    ready = [node for node in range(node_count) if waiting_for[node] == 0]
    for node in ready:  # which grows
        for target in below[node]:
            layers[target] = max(layers[target], layers[node] + 1)
            waiting_for[target] -= 1
            if waiting_for[target] == 0:
                ready.append(target)
    if len(ready) < node_count:
        raise ValueError("The edges go round in a circle, so there is no up and down.")
    return layers


def split_into_components(node_count: int, edges: Pairs) -> list[tuple[list[int], list[int]]]:
    """The parts that no edge joins, each as its nodes and the numbers of its edges."""
    leader = list(range(node_count))

    def find(node: int) -> int:
        while leader[node] != node:
            leader[node] = leader[leader[node]]
            node = leader[node]
        return node

    for source, target in edges:
        low, high = sorted((find(source), find(target)))
        leader[high] = low
    parts: dict[int, tuple[list[int], list[int]]] = {}
    for node in range(node_count):
        parts.setdefault(find(node), ([], []))[0].append(node)
    for number, (source, _) in enumerate(edges):
        parts[find(source)][1].append(number)
    return list(parts.values())


def _middle(passed: Sequence[int], stride: int) -> int | None:
    """The vertex in the middle of an edge, in a layer without nodes."""
    if not passed:
        return None
    if stride == 1:
        return passed[len(passed) // 2]
    without_nodes = passed[::2]
    return without_nodes[(len(without_nodes) - 1) // 2]
