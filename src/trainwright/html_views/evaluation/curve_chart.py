"""A chart of curves: axes, one line per model, dots with their words, and a legend."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from trainwright._markup import EMPTY, Markup, html, join
from trainwright.html_views.evaluation.curves import Bucket, Curve
from trainwright.html_views.histogram_chart import Scale
from trainwright.html_views.numbers import number
from trainwright.html_views.svg_parts import Size, coordinate, draw_svg, draw_text
from trainwright.html_views.text import markup

Corner = Literal["lower right", "lower left", "upper left"]

SIZE = Size(304, 278)

_LEFT, _TOP, _RIGHT, _BOTTOM = 46.0, 8.0, 10.0, 40.0
_WIDTH = SIZE.width - _LEFT - _RIGHT
_HEIGHT = SIZE.height - _TOP - _BOTTOM
_STEPS = 4
_SMALLEST_DOT, _LARGEST_DOT = 1.8, 5.0
_HIGHEST_BAR = 26.0
_LINE = 16
_LONGEST_NAME = 18

# In pixels: nearer points look the same, and so does a line that is no farther from its points.
_NEAREST = 0.7
_FARTHEST = 0.25

_Place = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Chart:
    """What a chart shows.

    Args:
        title: For who does not see it.
        x_label: What is measured to the right.
        y_label: What is measured upwards.
        curves: By the model's name; each has the colour of its place.
        scale: Of both axes.
        has_diagonal: Whether to draw where both are the same.
        legend: In which corner the models' names are: where there is seldom a curve.
        buckets: Of each curve, how many examples there are where; empty to not draw that.
    """

    title: str
    x_label: str
    y_label: str
    curves: Sequence[tuple[str, Curve | None]]
    scale: Scale = field(default_factory=lambda: Scale(0.0, 1.0))
    has_diagonal: bool = False
    legend: Corner = "lower right"
    buckets: Sequence[Sequence[Bucket]] = ()


def curve_chart(chart: Chart) -> Markup:
    """The chart as markup; "" if no curve has points.

    Example: `curve_chart(Chart(title="ROC", x_label="x", y_label="y", curves=[("", curve)]))`
    """
    if not any(curve for _, curve in chart.curves):
        return EMPTY
    parts = [*_draw_axes(chart)]
    for index, buckets in enumerate(chart.buckets):
        parts.extend(_draw_sizes(buckets, index, chart))
    for index, (name, curve) in reversed(list(enumerate(chart.curves))):
        if curve is not None:
            parts.extend(_draw_curve(name if len(chart.curves) > 1 else "", curve, index, chart))
    if len(chart.curves) > 1:
        parts.extend(_draw_legend(chart))
    return draw_svg(join(parts), SIZE, title=chart.title, look="curves")


def _draw_axes(chart: Chart) -> Iterator[Markup]:
    steps = []
    for step in range(_STEPS + 1):
        share = step / _STEPS
        x, y = _LEFT + share * _WIDTH, _TOP + (1 - share) * _HEIGHT
        steps.append(f"M{coordinate(_LEFT)} {coordinate(y)}h{coordinate(_WIDTH)}")
        steps.append(f"M{coordinate(x)} {coordinate(_TOP)}v{coordinate(_HEIGHT)}")
        label = number(chart.scale.low + (chart.scale.high - chart.scale.low) * share)
        yield draw_text(label, x, _TOP + _HEIGHT + 15, "muted", anchor="middle", longest=9)
        yield draw_text(label, _LEFT - 6, y + 4, "muted", anchor="end", longest=6)
    yield html('<path class="axis" d="{}"/>', "".join(steps))
    if chart.has_diagonal:
        yield html(
            '<path class="diagonal" d="M{} {}L{} {}"/>',
            coordinate(_LEFT),
            coordinate(_TOP + _HEIGHT),
            coordinate(_LEFT + _WIDTH),
            coordinate(_TOP),
        )
    middle = coordinate(_TOP + _HEIGHT / 2)
    yield draw_text(
        chart.x_label, _LEFT + _WIDTH / 2, SIZE.height - 6, "muted", anchor="middle", longest=40
    )
    yield html(
        '<text class="muted" text-anchor="middle" transform="translate(11 {}) '
        'rotate(-90)">{}</text>',
        middle,
        markup(chart.y_label),
    )


def _draw_curve(name: str, curve: Curve, index: int, chart: Chart) -> Iterator[Markup]:
    places = thin([_place(point.x, point.y, chart.scale) for point in curve.points])
    steps = "L".join(f"{coordinate(x)} {coordinate(y)}" for x, y in places)
    yield html('<g class="s{}"><path class="curve" d="M{}"/>', index, steps)
    for mark in curve.marks:
        x, y = _place(mark.x, mark.y, chart.scale)
        radius = _SMALLEST_DOT + mark.size * (_LARGEST_DOT - _SMALLEST_DOT)
        words = f"{name}: {mark.words}" if name else mark.words
        yield html(
            '<circle cx="{}" cy="{}" r="{}"><title>{}</title></circle>',
            coordinate(x),
            coordinate(y),
            coordinate(radius),
            markup(words),
        )
    yield html("</g>")


def _draw_sizes(buckets: Sequence[Bucket], index: int, chart: Chart) -> Iterator[Markup]:
    """Thin bars on the axis, as high as there are examples with such a prediction."""
    if not buckets:
        return
    fullest = max(bucket.examples for bucket in buckets)
    base = _TOP + _HEIGHT
    bars = "".join(
        f"M{coordinate(_place(bucket.prediction, 0, chart.scale)[0] + 3 * index)} "
        f"{coordinate(base)}v{coordinate(-bucket.examples / fullest * _HIGHEST_BAR)}"
        for bucket in buckets
    )
    yield html('<path class="s{} sizes" d="{}"/>', index, bars)


def _draw_legend(chart: Chart) -> Iterator[Markup]:
    names = [(index, name) for index, (name, curve) in enumerate(chart.curves) if curve]
    x = _LEFT + _WIDTH - 126 if chart.legend == "lower right" else _LEFT + 12
    last = _TOP + _HEIGHT - 12
    if chart.legend == "upper left":
        last = _TOP + 18 + (len(names) - 1) * _LINE
    for row, (index, name) in enumerate(reversed(names)):
        y = last - row * _LINE
        yield html('<path class="s{} key" d="M{} {}h14"/>', index, coordinate(x), coordinate(y - 4))
        yield draw_text(name, x + 20, y, longest=_LONGEST_NAME)


def _place(x: float, y: float, scale: Scale) -> tuple[float, float]:
    across = min(max(scale.place(x), 0.0), 1.0)
    up = min(max(scale.place(y), 0.0), 1.0)
    return _LEFT + across * _WIDTH, _TOP + (1 - up) * _HEIGHT


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
