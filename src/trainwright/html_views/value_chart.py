"""The most frequent strings as bars: the same values in the same order for every split."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trainwright._markup import EMPTY, Markup, html, join
from trainwright.html_views.features import Feature
from trainwright.html_views.numbers import counted, percent
from trainwright.html_views.shares import Shares, shares_of
from trainwright.html_views.svg_parts import Size, coordinate, draw_svg, draw_text
from trainwright.html_views.text import EMPTY_STRING, visible

MOST_VALUES, FEW_VALUES = 6, 1

_WIDTH = 200
# Bars end here, so that the numbers beside them stand free.
_LONGEST_BAR = 150
_ROW = 18
_LONGEST_LABEL = 21


def value_charts(feature: Feature, most: int = MOST_VALUES) -> list[Markup]:
    """A picture for each column, with about that many values and a line for all others.

    Example: `value_charts(feature)[0]` begins with `<svg `.
    """
    shares = [shares_of(entry) for entry in feature.entries]
    values = _common_values(shares, most)
    if not values:
        return [EMPTY] * len(shares)
    longest = max(share.of(value) or 0.0 for share in shares if share for value in values)
    has_others = any(share and share.unique > len(values) for share in shares)
    size = Size(_WIDTH, _ROW * (len(values) + has_others))
    charts = []
    for index, share in enumerate(shares):
        title = f"Values of {feature.name} in {feature.columns[index].name}"
        content = join(_draw(share, values, longest)) if share else EMPTY
        look = f"s{index} values"
        charts.append(draw_svg(content, size, title=title, look=look) if content else EMPTY)
    return charts


def _common_values(shares: Sequence[Shares | None], most: int) -> list[str]:
    """The values with the largest parts, all columns counted alike."""
    totals: dict[str, float] = {}
    for share in shares:
        for value, part in share.by_value.items() if share else ():
            totals[value] = totals.get(value, 0.0) + part
    ordered = sorted(totals, key=lambda value: (-totals[value], value))
    # One more value takes no more room than the line that would stand for it.
    return ordered if 1 < most == len(ordered) - 1 else ordered[:most]


def _draw(share: Shares, values: Sequence[str], longest: float) -> Iterator[Markup]:
    parts = [share.of(value) for value in values]
    bars = "".join(
        f"M0 {row * _ROW + 1}h{coordinate(part / longest * _LONGEST_BAR)}v{_ROW - 2}H0z"
        for row, part in enumerate(parts)
        if part
    )
    if bars:
        yield html('<path d="{}"/>', bars)
    for row, (value, part) in enumerate(zip(values, parts, strict=True)):
        shown = "seldom" if part is None else percent(part)
        label = visible(value) or EMPTY_STRING
        yield from _draw_row(row, label, shown, "" if value else "muted")
    others = share.unique - sum(part != 0 for part in parts)
    if others > 0:
        rest = max(1 - sum(part or 0.0 for part in parts), 0.0)
        yield from _draw_row(len(values), counted(others, "other"), percent(rest), "muted")


def _draw_row(row: int, label: str, shown: str, look: str) -> Iterator[Markup]:
    y = row * _ROW + 13
    yield draw_text(label, 5, y, look, longest=_LONGEST_LABEL)
    yield draw_text(shown, _WIDTH - 4, y, look, anchor="end")
