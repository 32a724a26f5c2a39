"""The parts of the small pictures in a page's rows; the page's style gives them their colours."""

from __future__ import annotations

from typing import NamedTuple

from trainwright._markup import EMPTY, Markup, html
from trainwright.html_views.text import cut, hint, markup

_LONGEST_TITLE = 120


class Size(NamedTuple):
    """The size of a picture in pixels."""

    width: int
    height: int


def draw_svg(content: Markup, size: Size, *, title: str, look: str) -> Markup:
    """A picture with a title for who does not see it.

    >>> draw_svg(EMPTY, Size(10, 5), title="a & b", look="s0")
    '<svg class="s0" role="img" width="10" height="5"><title>a &amp; b</title></svg>'
    """
    words = markup(cut(title, _LONGEST_TITLE))
    return html(
        '<svg class="{}" role="img" width="{}" height="{}"><title>{}</title>{}</svg>',
        look,
        size.width,
        size.height,
        words,
        content,
    )


def draw_text(
    text: str,
    x: float,
    y: float,
    look: str = "",
    *,
    anchor: str = "",
    longest: int = 24,
) -> Markup:
    """A line of text; what is too long is cut, with the whole text as a hint.

    >>> draw_text("18", 0, 59)
    '<text x="0" y="59">18</text>'
    """
    short = cut(text, longest)
    title = html("<title>{}</title>", markup(hint(text))) if short != text else ""
    attributes = html(' class="{}"', look) if look else EMPTY
    attributes += html(' text-anchor="{}"', anchor) if anchor else EMPTY
    return html(
        '<text x="{}" y="{}"{}>{}{}</text>',
        coordinate(x),
        coordinate(y),
        attributes,
        title,
        markup(short),
    )


def coordinate(value: float) -> str:
    """A place in a picture, exact enough for the eye.

    >>> coordinate(12.0), coordinate(3.14159)
    ('12', '3.1')
    """
    return f"{value:.1f}".removesuffix(".0")
