"""Markup: HTML and SVG as a type of its own, so that text cannot become markup unescaped.

`html` puts values into a template and escapes whatever is not `Markup` yet; `join` and what pages
are made of take `Markup` alone, which mypy checks. A template is always a literal: a test holds it.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape as _escape


class Markup(str):
    """HTML or SVG in which all text is escaped; `html`, `join` and `escape` make it."""

    __slots__ = ()

    def __add__(self, other: Markup) -> Markup:  # type: ignore[override]
        return Markup(str.__add__(self, other))


# No markup at all.
EMPTY = Markup()


def escape(text: str) -> Markup:
    """The text as it may stand in markup or in an attribute.

    >>> escape('<b> "x"')
    '&lt;b&gt; &quot;x&quot;'
    """
    return Markup(_escape(text))


def html(template: str, *values: str | float) -> Markup:
    """A literal template with values in the place of its braces, escaped unless they are markup.

    >>> html("<td>{}</td>", "a < b")
    '<td>a &lt; b</td>'
    >>> html("<tr>{}</tr>", html("<td>{}</td>", 3))
    '<tr><td>3</td></tr>'
    """
    return Markup(template.format(*map(_inserted, values)))


def join(parts: Iterable[Markup], separator: str = "") -> Markup:
    """Markup one after the other; the separator is text, unless it is markup.

    >>> join([html("<b>1</b>"), escape("2")], " & ")
    '<b>1</b> &amp; 2'
    """
    return Markup(_inserted(separator).join(parts))


def _inserted(value: str | float) -> str:
    return value if isinstance(value, Markup) else _escape(str(value))
