"""Errors of TensorFlow and Keras, told by their reason.

Both put what was wrong last. An error of a graph begins with "Graph execution error:" and where
the failing op was made, from the first line of the process on. An error of code that is traced
begins with "in user code:" and its frames. Keras adds which layer was called, and with what.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from trainwright.orchestration.planning.first_party import is_first_party

# Longer than any error of theirs: data that somebody has put into a message is not searched.
_LONGEST = 1 << 20

_HEADING = "Graph execution error:"
_FUNCTION_NODE = re.compile(r"^\{\{function_node [^}]*\}\} ")
# A session indents them more than a function does.
_FRAME = re.compile(r'^(?:  )?  File "(?P<file>.*)", line \d+, in ')
# What stands between the heading and the reason.
_ABOUT_PLACES = re.compile(
    r"^(Detected at node .*|<stack traces unavailable>|Node: .*|\s*)$|" + _FRAME.pattern
)
# A session says the places twice, and the second time after the reason.
_PLACES_AGAIN = re.compile(r"^\s*Original stack trace for .*\Z", re.MULTILINE | re.DOTALL)
_SEVERAL = re.compile(r"^\d+ root error\(s\) found\.$")
_FIRST_OF_SEVERAL = re.compile(r"^\s*\(0\)\s+[A-Z_]+:\s*(?P<reason>.*\S)")

# The error and its frames are indented by four; words of others may stand before and after.
_TRACED = re.compile(
    r"(?P<before>[^\n]*?)in user code:\n\n(?P<frames>(?: {4}[^\n]*\n)*)\n"
    r"(?P<error>(?: {4}[^\n]*(?:\n|\Z)|\n)+)(?P<after>.*)",
    re.DOTALL,
)
_TRACED_FRAME = re.compile(
    r'^ {4}(?P<place>File ".*", line \d+, in .*?)(?:  \*{1,2})?\n {8}(?P<code>.*)$', re.MULTILINE
)
_INDENT = re.compile(r"^ {4}", re.MULTILINE)
# Of Keras 2 and 3; the latter has the reason in bold.
_IN_LAYER = re.compile(
    r"(?P<call>Exception encountered when calling [^\n]*)\n\n"
    r"(?:\x1b\[1m)?(?P<error>.*?)(?:\x1b\[0m)?"
    r"(?:\n+(?P<after>(?:Call arguments|Arguments) received by [^\n]*(?:\n  [^\n]*)*))?\s*\Z",
    re.DOTALL,
)
_INFERRING = re.compile(
    r"(?P<call>Could not automatically infer the output shape[^\n]*)"
    r" Error encountered:\n\n(?P<error>.*)(?P<after>)",
    re.DOTALL,
)


def reason_first(message: str, type_name: str, is_hidden: Callable[[str], bool]) -> str:
    """The message with the reason of TensorFlow's or Keras's error first, and the frames that help.

    Args:
        message: The message of any exception.
        type_name: The name of its class, which need not be said again.
        is_hidden: Whether frames of a file concern nobody.
    """
    if len(message) > _LONGEST:
        return message
    before, frames, notes = "", list[str](), list[str]()
    while match := _TRACED.match(message) or _IN_LAYER.match(message) or _INFERRING.match(message):
        found = match.groupdict()
        message = found["error"].rstrip()
        if match.re is _TRACED:
            frames += _frames(found["frames"])
            message = _INDENT.sub("", message).removeprefix(f"{type_name}:").lstrip(" ")
        before += found.get("before", "")
        # Keras names the layer with its arguments again. The innermost call comes first.
        note = (found["after"] or found.get("call", "")).strip()
        notes = [note, *notes] if note else notes
    reason = _graph_reason_first(message, is_hidden)
    places = _helpful(frames, is_hidden)
    headed = ["", "Traced at (most recent call last):", *places] if places else []
    return before + "\n".join([reason, *headed, *([""] if notes else []), *notes])


def _frames(text: str) -> list[str]:
    """Frames in Python's form: TensorFlow indents them more and marks those that it converted."""
    return [f"  {frame['place']}\n    {frame['code']}" for frame in _TRACED_FRAME.finditer(text)]


def _graph_reason_first(message: str, is_hidden: Callable[[str], bool]) -> str:
    # What passes an error on may have put its own words before it.
    before, heading, told = message.partition(_HEADING)
    if not heading:
        return _FUNCTION_NODE.sub("", message)
    lines = _PLACES_AGAIN.sub("", told).strip("\n").splitlines()
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
