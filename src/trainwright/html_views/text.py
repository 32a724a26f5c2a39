"""Text from data on a page: escaped, visible and not too long.

Names and values come from whoever made the data. They must neither become markup nor hide: control
characters are shown as pictures, and what turns the direction of writing is replaced.
"""

from __future__ import annotations

import re
import unicodedata

from trainwright._markup import Markup, escape, html

# What stands for a value without any character; it is a value, unlike a missing one.
EMPTY_STRING = "(empty string)"

_LONGEST_HINT = 2000
_REPLACEMENT = "\ufffd"
_VISIBLE = {
    **{code: chr(0x2400 + code) for code in range(0x20)},
    0x7F: "\u2421",
    **dict.fromkeys(range(0x80, 0xA0), _REPLACEMENT),
    # Line separators, marks and overrides of the writing direction, and lone surrogates.
    **dict.fromkeys([0x61C, *range(0x200E, 0x2010), *range(0x2028, 0x202F)], _REPLACEMENT),
    **dict.fromkeys([*range(0x2066, 0x206A), 0xFEFF, 0xFFFE, 0xFFFF], _REPLACEMENT),
    **dict.fromkeys(range(0xD800, 0xE000), _REPLACEMENT),
}
# A space that could not be seen: at an end, or behind another one.
_UNSEEN_SPACES = re.compile(r"^[^\S\t\r\n]+|[^\S\t\r\n]+$|(?<=[^\S\t\r\n])[^\S\t\r\n]+")
_SPACE = "\u2423"
_LINE_BREAKS = {ord("\n"): "\n", ord("\t"): " ", ord("\r"): ""}


def markup(text: str) -> Markup:
    """The text as it may stand in markup or in an attribute.

    >>> markup('<b> "x"' + chr(0))
    '&lt;b&gt; &quot;x&quot;␀'
    """
    return escape(text.translate(_VISIBLE))


def prose(text: str) -> Markup:
    """A sentence from elsewhere as markup: it may have several lines, but no other controls.

    >>> prose("one<two\\nthree")
    'one&lt;two\\nthree'
    """
    return escape(text.translate({**_VISIBLE, **_LINE_BREAKS}))


def visible(text: str) -> str:
    """The text with signs for spaces that could not be seen: at its ends, or several together.

    >>> visible(" New  York ")
    '␣New ␣York␣'
    """
    return _UNSEEN_SPACES.sub(lambda spaces: _SPACE * len(spaces[0]), text)


def value(text: str, longest: int = 40) -> Markup:
    """A name or a value as markup; what is too long is cut, with the whole text as a hint.

    >>> value("Adelie"), value("Adelie ")
    ('Adelie', 'Adelie␣')
    >>> value("a long story", longest=7)
    '<span title="a long story">a long…</span>'
    """
    if not text:
        return html('<span class="muted">{}</span>', EMPTY_STRING)
    short = cut(text, longest)
    if short == text:
        return markup(visible(text))
    return html('<span title="{}">{}</span>', markup(hint(text)), markup(visible(short)))


def cut(text: str, longest: int) -> str:
    """The beginning of the text that is at most as wide as `longest` ordinary letters.

    >>> cut("東京都庁", 5)
    '東京…'
    """
    # Most texts are short, and no character is wider than two letters.
    if 2 * len(text) <= longest:
        return text
    width = 0
    fits = 0
    for character in text[: longest + 1]:
        width += 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
        if width <= longest - 1:
            fits += 1
    return text if width <= longest else f"{text[:fits]}…"


def hint(text: str) -> str:
    """The text for a `title`: whole, unless it is so long that nobody would read it there.

    >>> hint("x" * 5000)[-21:]
    'x… (5,000 characters)'
    """
    if len(text) <= _LONGEST_HINT:
        return text
    return f"{text[:_LONGEST_HINT]}… ({len(text):,} characters)"
