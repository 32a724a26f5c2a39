"""Exceptions of user code, told so that the user's own lines come first."""

from __future__ import annotations

import json
import os
import traceback
from pathlib import Path
from typing import Any

from trainwright.orchestration.first_party import is_first_party

_OUR_PACKAGE = str(Path(__file__).resolve().parent.parent) + os.sep


def describe_exception(error: BaseException) -> dict[str, Any]:
    """The type, the message and the traceback without our own frames around the user's.

    An error that we raised for the user, with no line of theirs on the way, is told by its message
    alone; the log has the whole traceback. `classes` and `arguments` are for `component_errors`.
    """
    return {
        "type": type(error).__name__,
        "message": _message(error),
        "traceback": _traceback(error) if _concerns_user_code(error) else "",
        "classes": " ".join(f"{c.__module__}:{c.__qualname__}" for c in type(error).__mro__),
        "arguments": _arguments(error),
    }


def _arguments(error: BaseException) -> str:
    """The arguments in JSON, or nothing if one of them is not a plain value."""
    arguments = vars(BaseException)["args"].__get__(error)  # a class of the user's may hide them
    if not all(type(value) in (str, int, float, bool, type(None)) for value in arguments):
        return ""
    return json.dumps(arguments)


def _concerns_user_code(error: BaseException) -> bool:
    """Whether the user's own code is on the way to the error, or it is none that we raised."""
    for current in _chain(error):
        frames = traceback.extract_tb(current.__traceback__)
        # Compiled modules have relative names, notebook cells names in angle brackets.
        if any(_is_the_users(frame.filename) for frame in frames):
            return True
        if frames and not _is_ours(frames[-1].filename) and current is error:
            return True
    return isinstance(error, SyntaxError)


def _chain(error: BaseException) -> list[BaseException]:
    """The error and what it came from; an error may be raised from itself."""
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and not any(current is known for known in chain):
        chain.append(current)
        current = current.__context__ if current.__cause__ is None else current.__cause__
    return chain


def _is_the_users(filename: str) -> bool:
    if not os.path.isabs(filename):
        return filename.startswith("<") and not filename.startswith("<frozen")
    return is_first_party(filename)


def _message(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return (
            f"user code called sys.exit({error.code!r}). "
            "A component must return; raise an exception to fail."
        )
    try:
        return str(error)
    except Exception as second:
        return (
            f"it has no message that can be shown, for its __str__ raised {type(second).__name__}."
        )


def _traceback(error: BaseException) -> str:
    """Empty for an exception whose class breaks what Python does to show it."""
    try:
        return "".join(_format(error))
    except Exception:
        return ""


def _format(error: BaseException) -> list[str]:
    trimmed = traceback.TracebackException.from_exception(error)
    seen: set[int] = set()
    current: traceback.TracebackException | None = trimmed
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        current.stack = _without_our_frames(current.stack)
        current = current.__context__ if current.__cause__ is None else current.__cause__
    return list(trimmed.format())


def _without_our_frames(stack: traceback.StackSummary) -> traceback.StackSummary:
    """Drops what comes before the user's own lines, or before a library's if there are none.

    An error that we raised, with no line of the user's on the way, keeps the last frame.
    """
    frames = list(stack)
    names = [frame.filename for frame in frames]
    if any(map(_is_the_users, names)):
        first = next(index for index, name in enumerate(names) if _is_the_users(name))
    elif names and _is_ours(names[-1]):
        first = len(names) - 1
    else:
        first = next((index for index, name in enumerate(names) if not _is_ours(name)), 0)
    return traceback.StackSummary.from_list(frames[first:])


def _is_ours(filename: str) -> bool:
    return filename.startswith((_OUR_PACKAGE, "<frozen importlib"))
