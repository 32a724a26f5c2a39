"""Extension of the API reference: interactive sessions in docstrings are shown as code.

Without it, the prompt `>>>` would be read as a quotation of Markdown.
"""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension

_SESSION = re.compile(r"(?:^(?P<indent>[ ]*)>>> .*\n?)(?:^(?P=indent)\S.*\n?)*", re.MULTILINE)


class Doctests(Extension):
    """Puts fences around each session."""

    def on_object(self, *, obj: Any, **unused: Any) -> None:
        if obj.docstring and ">>> " in obj.docstring.value:
            obj.docstring.value = _SESSION.sub(_fenced, obj.docstring.value)


def _fenced(match: re.Match[str]) -> str:
    indent = match["indent"]
    return f"{indent}```pycon\n{match[0].rstrip()}\n{indent}```\n"
