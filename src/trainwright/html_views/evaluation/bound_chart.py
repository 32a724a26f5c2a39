"""A threshold as a picture: what is allowed, and on which side of it a value is."""

from __future__ import annotations

import math
from collections.abc import Iterator

from trainwright._markup import EMPTY, Markup, html, join
from trainwright.html_views.evaluation.checks import Check
from trainwright.html_views.evaluation.values import score
from trainwright.html_views.histogram_chart import Scale
from trainwright.html_views.svg_parts import Size, coordinate, draw_svg

_SIZE = Size(170, 18)
_MIDDLE = _SIZE.height / 2
# What is left free on both sides, in parts of the width.
_MARGIN = 0.12
# As wide a scale is at least, in parts of the values on it.
_NARROWEST = 0.15


def bound_chart(check: Check) -> Markup:
    """A strip with the allowed values shaded, a dot for the value and a bar to the bound it missed.

    A line across it is the baseline's value; a thin line is the confidence interval. Without a
    number there is no picture.

    Example: `bound_chart(check)` begins with `<svg `.
    """
    if check.number is None or check.allowed is None or check.miss is None:
        return EMPTY
    if not check.number.is_finite:
        return EMPTY
    ends = [end for end in check.allowed if math.isfinite(end)]
    marks = [*check.number, *ends, *([] if check.baseline is None else [check.baseline])]
    marks = [mark for mark in marks if math.isfinite(mark)]
    scale = _with_margins(min(marks), max(marks))
    title = f"{score(check.number.value)}, allowed is {check.words}"
    return draw_svg(join(_draw(check, scale)), _SIZE, title=title, look="bound")


def _draw(check: Check, scale: Scale) -> Iterator[Markup]:
    assert check.number is not None
    assert check.allowed is not None
    low, high = (_place(scale, end) for end in check.allowed)
    yield html('<path class="axis" d="M0 {}H{}"/>', coordinate(_MIDDLE), _SIZE.width)
    left, right = coordinate(low), coordinate(high)
    yield html('<path class="allowed" d="M{} 1H{}V17H{}z"/>', left, right, left)
    for bound, x in zip(check.allowed, (left, right), strict=True):
        if math.isfinite(bound):
            yield html('<path class="end" d="M{} 1V17"/>', x)
    at = _place(scale, check.number.value)
    if check.miss:
        missed = low if check.number.value < check.allowed.lower else high
        start, end = coordinate(at), coordinate(missed)
        yield html('<path class="missed" d="M{} 6H{}V12H{}z"/>', start, end, start)
    if check.number.has_interval:
        ends = (check.number.low, check.number.high)
        left, right = (coordinate(_place(scale, end)) for end in ends)
        yield html('<path class="whisker" d="M{} 6v6M{} 9H{}M{} 6v6"/>', left, left, right, right)
    if check.baseline is not None and math.isfinite(check.baseline):
        yield html('<path class="before" d="M{} 4v10"/>', coordinate(_place(scale, check.baseline)))
    yield html('<circle cx="{}" cy="{}" r="4"/>', coordinate(at), coordinate(_MIDDLE))


def _with_margins(low: float, high: float) -> Scale:
    """The scale of these; so wide that a value which is hardly off does not look far away."""
    span = max(high - low, _NARROWEST * max(abs(low), abs(high))) or 1.0
    middle = low / 2 + high / 2
    reach = span * (0.5 + _MARGIN)
    return Scale(middle - reach, middle + reach)


def _place(scale: Scale, value: float) -> float:
    return min(max(scale.place(value), 0.0), 1.0) * _SIZE.width
