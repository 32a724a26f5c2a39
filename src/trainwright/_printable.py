"""Text of others on a terminal: control characters are shown, not obeyed.

Messages of exceptions, properties, names, paths and what nodes print come from user code and from
data. Written as they are, an escape sequence in them moves the cursor over what was said before,
hides text, renames the window or answers in place of the user.
"""

from __future__ import annotations

import io
import re
from typing import TextIO

# All of C0 but tab and newline, DEL, C1, the separators and the marks that reorder text, and halves
# of surrogate pairs, which no terminal can be sent.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_LINE_BREAKS = str.maketrans({"\n": "\\n", "\t": "\\t"})


def printable(text: str) -> str:
    r"""The text with its control characters escaped as Python writes them; lines stay lines.

    >>> printable("done\r\n\x1b[2Jnothing happened\r")
    'done\n\\x1b[2Jnothing happened\\r'
    """
    return _CONTROLS.sub(_escaped, text.replace("\r\n", "\n"))


def printable_line(text: str) -> str:
    r"""The same in one line, for a cell of a table: text of others must not begin a new row.

    >>> printable_line("one\ntwo")
    'one\\ntwo'
    """
    if text.isprintable():  # as nearly every cell is
        return text
    return printable(text).translate(_LINE_BREAKS)


def _escaped(match: re.Match[str]) -> str:
    return match.group().encode("unicode_escape", "surrogatepass").decode("ascii")


class PrintableStream(io.TextIOBase):
    """A stream of text whose control characters arrive escaped at another one."""

    def __init__(self, target: TextIO) -> None:
        self._target = target

    @property
    def buffer(self) -> io.BufferedIOBase:
        """Where programs write bytes, which are theirs to answer for."""
        return self._target.buffer  # type: ignore[return-value]

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self._target.write(printable(text))
        return len(text)

    def flush(self) -> None:
        self._target.flush()

    def fileno(self) -> int:
        return self._target.fileno()
