"""The layout of graphs: nothing overlaps, all arrows point down, the same graph looks the same."""

import itertools
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainwright.pictures.layered_layout import (
    Edge,
    Size,
    Spacing,
    count_crossings,
    lay_out,
    order_layers,
)
from trainwright.pictures.layers import Layers, longest_path_layers
from trainwright.pictures.straightening import increasing_fit


@st.composite
def graphs(draw, most_nodes=14):
    """Nodes of many sizes, and edges that only lead to later nodes; some are parallel."""
    count = draw(st.integers(1, most_nodes))
    sizes = st.builds(Size, st.floats(1, 300), st.floats(1, 90))
    nodes = {f"n{number}": draw(sizes) for number in range(count)}
    pairs = [(a, b) for a in range(count) for b in range(a + 1, count)]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=3 * count)) if pairs else []
    # Names in another order than the edges: layers must not depend on it.
    names = draw(st.permutations(list(nodes)))
    labels = st.none() | st.builds(Size, st.floats(1, 200), st.floats(1, 60))
    edges = [Edge(names[a], names[b], draw(labels)) for a, b in chosen]
    return nodes, edges


def overlap(one, other):
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


@settings(max_examples=150, deadline=None)
@given(graphs())
def test_boxes_and_texts_do_not_overlap_and_edges_go_down(graph):
    nodes, edges = graph
    layout = lay_out(nodes, edges)
    texts = [route.label for route in layout.routes if route.label is not None]
    assert len(texts) == sum(edge.label is not None for edge in edges)
    for one, other in itertools.combinations([*layout.nodes.values(), *texts], 2):
        assert not overlap(one, other)

    for edge, route in zip(edges, layout.routes, strict=True):
        heights = [y for _, y in route.points]
        assert heights == sorted(heights)
        assert heights[0] < heights[-1]
        assert route.points[0][1] == pytest.approx(layout.nodes[edge.source].bottom)
        assert route.points[-1][1] == pytest.approx(layout.nodes[edge.target].y)

    for place in [*layout.nodes.values(), *texts]:
        assert place.x >= -1e-6
        assert place.x + place.width <= layout.width + 1e-6
        assert place.y >= 0
        assert place.bottom <= layout.height + 1e-6
    for name, size in nodes.items():
        assert (layout.nodes[name].width, layout.nodes[name].height) == (size.width, size.height)


@settings(max_examples=60, deadline=None)
@given(graphs())
def test_edges_do_not_run_through_boxes(graph):
    nodes, edges = graph
    layout = lay_out(nodes, edges)
    for edge, route in zip(edges, layout.routes, strict=True):
        others = [
            place for name, place in layout.nodes.items() if name not in (edge.source, edge.target)
        ]
        for (x, y), (next_x, next_y) in itertools.pairwise(route.points):
            if abs(x - next_x) < 1e-9:  # straight through a layer
                middle = (y + next_y) / 2
                assert not any(p.x < x < p.x + p.width and p.y < middle < p.bottom for p in others)


@given(graphs())
@settings(max_examples=30, deadline=None)
def test_the_same_graph_gets_the_same_layout(graph):
    assert lay_out(*graph) == lay_out(*graph)


def test_a_chain_is_a_straight_line():
    nodes = {name: Size(80, 30) for name in "abcd"}
    layout = lay_out(nodes, [Edge(a, b, Size(40, 12)) for a, b in itertools.pairwise("abcd")])
    centers = {round(place.center, 6) for place in layout.nodes.values()}
    assert len(centers) == 1
    assert {round(x, 6) for route in layout.routes for x, _ in route.points} == centers


def test_a_diamond_is_symmetric():
    nodes = {name: Size(80, 30) for name in ("top", "left", "right", "bottom")}
    edges = [
        Edge("top", "left"),
        Edge("top", "right"),
        Edge("left", "bottom"),
        Edge("right", "bottom"),
    ]
    places = lay_out(nodes, edges).nodes
    assert places["top"].center == pytest.approx(places["bottom"].center)
    assert places["left"].center + places["right"].center == pytest.approx(2 * places["top"].center)


def test_crossings_that_need_not_be_are_taken_out():
    # Two ladders whose rungs are given crosswise.
    edges = [(0, 3), (1, 2), (2, 5), (3, 4)]
    layers = Layers.build(6, edges, [False] * 4)
    _, below = layers.neighbours()
    assert count_crossings(layers.members, below) > 0
    order_layers(layers)
    assert count_crossings(layers.members, below) == 0


def test_parts_that_nothing_joins_go_into_rows():
    nodes = {str(number): Size(200, 40) for number in range(20)}
    layout = lay_out(nodes, [], Spacing(row_width=1000))
    assert layout.width <= 1000
    assert len({place.y for place in layout.nodes.values()}) > 1


def test_an_empty_graph_and_a_single_node():
    assert lay_out({}, []).nodes == {}
    assert lay_out({"a": Size(10, 10)}, []).nodes["a"].y == 0


def test_a_circle_is_refused():
    nodes = {"a": Size(10, 10), "b": Size(10, 10)}
    with pytest.raises(ValueError, match="round in a circle"):
        lay_out(nodes, [Edge("a", "b"), Edge("b", "a")])
    with pytest.raises(ValueError, match="round in a circle"):
        lay_out(nodes, [Edge("a", "a")])
    with pytest.raises(KeyError):
        lay_out(nodes, [Edge("a", "nowhere")])


def test_layers_are_longest_paths():
    assert longest_path_layers(5, [(0, 1), (1, 2), (0, 2), (3, 2)]) == [0, 1, 2, 0, 0]


def test_two_hundred_nodes_are_laid_out_at_once():
    chance = random.Random(7)
    nodes = {str(number): Size(120, 50) for number in range(200)}
    edges = [
        Edge(str(max(0, number - chance.randint(1, 12))), str(number), Size(60, 15))
        for number in range(1, 200)
        for _ in range(2)
    ]
    began = time.process_time()
    lay_out(nodes, edges)
    assert time.process_time() - began < 10.0


@given(st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(0.1, 10)), min_size=1, max_size=30))
def test_an_increasing_fit_never_decreases_and_keeps_the_mean(pairs):
    values, weights = zip(*pairs, strict=True)
    fitted = increasing_fit(values, weights)
    assert all(a <= b for a, b in itertools.pairwise(fitted))
    total = sum(weights)
    mean = sum(v * w for v, w in zip(values, weights, strict=True)) / total
    assert sum(v * w for v, w in zip(fitted, weights, strict=True)) / total == pytest.approx(
        mean, abs=1e-6
    )
