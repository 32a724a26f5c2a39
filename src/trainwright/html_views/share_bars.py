"""Bars of shares: how a whole is divided, and how near a number is to its limit."""

from __future__ import annotations

from collections.abc import Sequence

from trainwright._markup import Markup, html, join
from trainwright.html_views.numbers import percent
from trainwright.html_views.svg_parts import Size, draw_svg

_SIZE = Size(160, 12)
# A bar ends at twice its limit, which is the line in its middle.
_LIMIT = _SIZE.width / 2


def share_bar(shares: Sequence[tuple[str, str, float]]) -> Markup:
    """A bar of parts, each with its look, what it is, and its fraction of the whole.

    >>> share_bar([("good", "same", 0.75), ("bad", "other", 0.25)])[:51]
    '<svg class="shares" role="img" width="160" height="'
    """
    parts, place = [], 0.0
    for look, _, fraction in shares:
        width = _SIZE.width * fraction
        if width > 0:
            parts.append(_rectangle(look, place, max(width, 1.0)))
        place += width
    title = ", ".join(f"{what} {percent(fraction)}" for _, what, fraction in shares if fraction)
    return draw_svg(join(parts), _SIZE, title=title, look="shares")


def ratio_bar(ratio: float, look: str) -> Markup:
    """A bar that grows with a number's part of its limit, which is the line in the middle.

    >>> "75.0% of the threshold" in ratio_bar(0.75, "good")
    True
    """
    shown = min(max(ratio, 0.0), 2.0)
    line = html('<path class="limit" d="M{} 0v{}h1v-{}z"/>', _LIMIT, _SIZE.height, _SIZE.height)
    title = f"{percent(ratio)} of the threshold" if ratio < 100 else "far above the threshold"
    bar = _rectangle(look, 0.0, max(shown * _LIMIT, 1.0))
    return draw_svg(bar + line, _SIZE, title=title, look="shares")


def _rectangle(look: str, start: float, width: float) -> Markup:
    return html(
        '<path class="p-{}" d="M{} 1h{}v10h-{}z"/>',
        look,
        format(start, ".2f"),
        format(width, ".2f"),
        format(width, ".2f"),
    )
