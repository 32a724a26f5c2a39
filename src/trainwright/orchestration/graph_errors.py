"""TensorFlow's errors of a graph, told by their reason.

TensorFlow begins with "Graph execution error:", goes on with where the failing op was made, from
the first line of the process on, and says at the very end what was wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from trainwright.orchestration.first_party import is_first_party

_HEADING = "Graph execution error:"
_FUNCTION_NODE = re.compile(r"^\{\{function_node [^}]*\}\} ")
_FRAME = re.compile(r'^  File "(?P<file>.*)", line \d+, in .*$')
# What stands between the heading and the reason.
_ABOUT_PLACES = re.compile(
    r'^(Detected at node .*|<stack traces unavailable>|Node: .*|  File ".*", line \d+, in .*|\s*)$'
)
_SEVERAL = re.compile(r"^\d+ root error\(s\) found\.$")
_FIRST_OF_SEVERAL = re.compile(r"^\s*\(0\)\s+[A-Z_]+:\s*(?P<reason>.*\S)")


def reason_first(message: str, is_hidden: Callable[[str], bool]) -> str:
    """A message that has an error of a graph with its reason first and the frames that help.

    Args:
        message: The message of any exception.
        is_hidden: Whether frames of a file concern nobody.
    """
    # What passes an error on may have put its own words before it.
    before, heading, told = message.partition(_HEADING)
    if not heading:
        return _FUNCTION_NODE.sub("", message)
    lines = told.strip("\n").splitlines()
    start = next((n for n, line in enumerate(lines) if not _ABOUT_PLACES.match(line)), None)
    if start is None:
        return message
    places = [line for line in lines[:start] if line.strip()]
    return before + "\n".join([*_reason(lines[start:]), "", *_helpful(places, is_hidden)]).rstrip()


def _reason(lines: list[str]) -> list[str]:
    first = _FIRST_OF_SEVERAL.match(lines[1]) if len(lines) > 1 else None
    if _SEVERAL.match(lines[0]) and first is not None:
        return [first["reason"], *lines]
    return lines


def _helpful(places: list[str], is_hidden: Callable[[str], bool]) -> list[str]:
    """The user's own frames, where there are any: else all but the hidden ones."""
    files = [match["file"] for match in map(_FRAME.match, places) if match]
    shown = {file for file in files if not is_hidden(file)}
    shown = {file for file in shown if is_first_party(file)} or shown
    return [line for line in places if not (match := _FRAME.match(line)) or match["file"] in shown]
