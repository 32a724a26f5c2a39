"""Text size, near enough: a picture is drawn before its font is known."""

from __future__ import annotations

import unicodedata

_NARROW = frozenset("iljtfrI.,:;'|!()[]{}` ")
_WIDE = frozenset("mwMW@%")
LINE_HEIGHT = 1.35


def text_width(text: str, font_size: float, *, is_bold: bool = False) -> float:
    """The width of a line in a usual sans-serif font, rather too wide than too narrow.

    >>> text_width("Trainer", 10) < text_width("CsvExampleGen", 10)
    True
    """
    width = sum(map(_character_width, text))
    return width * font_size * (1.07 if is_bold else 1.0)


def shortened(text: str, longest: int) -> str:
    """The text in one line; what is too long loses its middle, since ends tell names apart.

    >>> shortened("a_very_long_name_of_a_node", 11)
    'a_ver…_node'
    """
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    end = (longest - 1) // 2
    return f"{line[: longest - 1 - end]}…{line[-end:]}"


def _character_width(character: str) -> float:
    if character in _NARROW:
        return 0.34
    if character in _WIDE:
        return 0.9
    if character.isupper():
        return 0.7
    if unicodedata.east_asian_width(character) in ("W", "F"):
        return 1.05
    return 0.57
