"""Histograms of numbers as small pictures, which share their scale across splits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainwright._markup import EMPTY, Markup, html, join
from trainwright.html_views.features import Entry, Feature
from trainwright.html_views.numbers import number
from trainwright.html_views.svg_parts import Size, coordinate, draw_svg, draw_text

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import statistics_pb2

FULL, SMALL = Size(176, 62), Size(110, 24)

_LABELS = 15.0
_GAP = 0.8
# The part of the width that a bucket without a width takes, as of a value that occurs often.
_THINNEST = 1 / 50
# As wide a bucket counts at least: next to a crowd of equal values all else would be flat.
_NARROWEST = 1 / 10
_STANDARD, _QUANTILES = 0, 1


@dataclass(frozen=True)
class Scale:
    """Where numbers are on a chart: from 0 at the lowest to 1 at the highest of all splits."""

    low: float
    high: float

    def place(self, value: float) -> float:
        if math.isinf(value):
            return 0.0 if value < 0 else 1.0
        # Halves, because the distance of two numbers can be too large for a number.
        span = self.high / 2 - self.low / 2
        return (value / 2 - self.low / 2) / span if span else 0.5


@dataclass(frozen=True)
class Bar:
    """A bucket on a scale; its height is how dense values are in it."""

    left: float
    right: float
    density: float


def histogram_charts(feature: Feature, size: Size = FULL) -> list[Markup]:
    """A picture for each column: bars of equal widths, and quantiles to be switched to.

    Example: `histogram_charts(feature, SMALL)[0]` begins with `<svg `.
    """
    scale = _common_scale(feature)
    if scale is None:
        return [EMPTY] * len(feature.entries)
    bars = [_bars(_histogram(entry, _STANDARD), scale) for entry in feature.entries]
    densest = max((bar.density for group in bars for bar in group), default=0.0)
    charts = []
    for index, entry in enumerate(feature.entries):
        standard = _draw_bars(bars[index], densest, size)
        chart = _chart(feature, index, "standard", standard, scale, size) if standard else EMPTY
        if size == FULL:
            boxes = _draw_quantiles(_bars(_histogram(entry, _QUANTILES), scale), size)
            chart += _chart(feature, index, "quantiles", boxes, scale, size) if boxes else EMPTY
        charts.append(chart)
    return charts


def _histogram(entry: Entry | None, kind: int) -> statistics_pb2.Histogram | None:
    if entry is None or entry.kind != "numeric":
        return None
    histograms = entry.statistics.num_stats.histograms
    return next((histogram for histogram in histograms if histogram.type == kind), None)


def _common_scale(feature: Feature) -> Scale | None:
    """From the lowest to the highest number of all columns; None if there is nothing to draw."""
    ends = [
        end
        for entry in feature.entries
        for kind in (_STANDARD, _QUANTILES)
        for bucket in getattr(_histogram(entry, kind), "buckets", ())
        for end in (bucket.low_value, bucket.high_value)
        if math.isfinite(end)
    ]
    return Scale(min(ends), max(ends)) if ends else None


def _bars(histogram: statistics_pb2.Histogram | None, scale: Scale) -> list[Bar]:
    buckets = [bucket for bucket in histogram.buckets if _is_sound(bucket)] if histogram else []
    total = sum(bucket.sample_count for bucket in buckets)
    bars = []
    for bucket in buckets if total else ():
        left, right = scale.place(bucket.low_value), scale.place(bucket.high_value)
        if right - left < _THINNEST:
            left = min(max((left + right - _THINNEST) / 2, 0.0), 1 - _THINNEST)
            right = left + _THINNEST
        density = bucket.sample_count / total / max(right - left, _NARROWEST)
        bars.append(Bar(left, right, density))
    return bars


def _is_sound(bucket: statistics_pb2.Histogram.Bucket) -> bool:
    is_range = bucket.low_value <= bucket.high_value  # false if one of them is NaN
    return bool(is_range and math.isfinite(bucket.sample_count) and bucket.sample_count > 0)


def _draw_bars(bars: Sequence[Bar], densest: float, size: Size) -> Markup:
    base = _base(size)
    steps = []
    for bar in bars:
        left, right = bar.left * size.width, bar.right * size.width
        # A bucket with few values is to be seen as well.
        height = max(bar.density / densest * (base - 2), 0.8)
        steps.append(
            f"M{coordinate(left)} {coordinate(base)}V{coordinate(base - height)}"
            f"H{coordinate(max(right - _GAP, left + _GAP))}V{coordinate(base)}z"
        )
    return html('<path d="{}"/>', "".join(steps)) if steps else EMPTY


def _draw_quantiles(bars: Sequence[Bar], size: Size) -> Markup:
    """Boxes that hold about the same number of values each; narrow ones are where values crowd."""
    base = _base(size)
    top = base * 0.3
    shades: list[list[str]] = [[], []]
    for index, bar in enumerate(bars):
        left, right = coordinate(bar.left * size.width), coordinate(bar.right * size.width)
        shades[index % 2].append(f"M{left} {coordinate(base)}V{coordinate(top)}H{right}V{base}z")
    return join(
        html('<path class="{}" d="{}"/>', name, "".join(steps))
        for name, steps in zip(("dense", "faint"), shades, strict=True)
        if steps
    )


def _chart(
    feature: Feature, index: int, kind: str, drawn: Markup, scale: Scale, size: Size
) -> Markup:
    name = feature.columns[index].name
    if size != FULL:
        return draw_svg(drawn, size, title=f"{feature.name} in {name}", look=f"s{index}")
    ends = f"from {number(scale.low)} to {number(scale.high)}"
    words = "Histogram" if kind == "standard" else "Quantiles"
    title = f"{words} of {feature.name} in {name}, {ends}"
    return draw_svg(
        drawn + join(_draw_axis(scale, size)), size, title=title, look=f"s{index} {kind}"
    )


def _draw_axis(scale: Scale, size: Size) -> Iterator[Markup]:
    yield html('<path class="axis" d="M0 {}h{}"/>', coordinate(_base(size)), size.width)
    y = size.height - 3
    if scale.low == scale.high:
        yield draw_text(number(scale.low), size.width / 2, y, "muted", anchor="middle")
        return
    yield draw_text(number(scale.low), 0, y, "muted")
    yield draw_text(number(scale.high), size.width, y, "muted", anchor="end")


def _base(size: Size) -> float:
    return size.height - _LABELS if size == FULL else float(size.height)
