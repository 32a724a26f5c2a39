"""Exceptions of user code, told so that the user's own lines come first."""

from __future__ import annotations

import itertools
import linecache
import os
import re
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from trainwright._ipython import cell_name
from trainwright.orchestration.execution.exception_values import encode_arguments, encode_attributes
from trainwright.orchestration.execution.graph_errors import reason_first
from trainwright.orchestration.planning.first_party import is_first_party, is_generated

_OUR_PACKAGE = Path(__file__).resolve().parents[2]
_OURS = (f"{_OUR_PACKAGE}{os.sep}", f"{_OUR_PACKAGE.parent / 'tfx'}{os.sep}", "<frozen importlib")
_FRAME = re.compile(
    r'(?P<indent>[\s|+]*)File "(?P<file>[^"]*)", line (?P<number>\d+), in (?P<function>.*)'
)
# What stands between the start of a process and a node's executor.
_AROUND_NODES = tuple(
    str(_OUR_PACKAGE / "orchestration" / name)
    for name in ("execution/worker.py", "launching/zygote.py")
)


def describe_exception(error: BaseException) -> dict[str, Any]:
    """The type, the message and the traceback without our own frames around the user's.

    An error that we raised for the user, with no line of theirs on the way, is told by its message
    alone; the log has the whole traceback (`format_for_log`). `classes`, `arguments` and
    `attributes` are for `component_errors`.
    """
    return {
        "type": type(error).__name__,
        "message": _message(error),
        "traceback": _format(error, _without_our_frames) if _concerns_user_code(error) else "",
        "classes": " ".join(f"{c.__module__}:{c.__qualname__}" for c in type(error).__mro__),
        "arguments": encode_arguments(error),
        "attributes": encode_attributes(error),
    }


def format_for_log(error: BaseException) -> str:
    """The traceback with all frames but those that are the same for every node, and those of
    TensorFlow's generated files, which are gone: Python shows lines of others for them.

    Empty for a refusal that repeats another one of ours: its message says all that both say.
    """
    return "" if _repeats_refusal(error) else _format(error, _from_the_executor_on)


def with_notebook_lines(text: str) -> str:
    """A worker's traceback with what only this process knows: the code of a notebook's cells.

    Frames of a cell get its number for a file name, and the line that was executed.
    """
    lines = text.splitlines()
    shown: list[str] = []
    for line, following in itertools.zip_longest(lines, lines[1:], fillvalue=""):
        frame = _FRAME.match(line)
        cell = cell_name(frame["file"]) if frame else None
        if frame is None or cell is None:
            shown.append(line)
            continue
        shown.append(f"{frame['indent']}{cell}, line {frame['number']}, in {frame['function']}")
        source = linecache.getline(frame["file"], int(frame["number"])).strip()
        has_source = following.startswith(f"{frame['indent']}  ")
        if source and not has_source:
            shown.append(f"{frame['indent']}  {source}")
    return "\n".join(shown) + "\n" * text.endswith("\n")


def is_refusal(error: BaseException) -> bool:
    """Whether it is we who raised an error: its message is meant for the user and says it all."""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and _is_ours(frames[-1].filename)


def _repeats_refusal(error: BaseException) -> bool:
    """Whether we raised an error from another that we raised, with the same text in it.

    By a `raise` each: what a library or the interpreter raised in our code may be a fault of ours,
    and is told with its frames.
    """
    if error.__cause__ is None or _concerns_user_code(error):
        return False
    try:
        message = str(error)
        return all(_is_raised_by_us(one) and str(one) in message for one in _chain(error))
    except Exception:
        return False


def _is_raised_by_us(error: BaseException) -> bool:
    line = traceback.extract_tb(error.__traceback__)[-1].line if is_refusal(error) else None
    return line is not None and line.startswith("raise ")


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
    try:
        if isinstance(error, SystemExit):
            return (
                f"user code called sys.exit({error.code!r}). "
                "A component must return; raise an exception to fail."
            )
        return _reason_first(error)
    except Exception as second:
        return (
            f"it has no message that can be shown, for its __str__ raised {type(second).__name__}."
        )


def _reason_first(error: BaseException) -> str:
    return reason_first(str(error), type(error).__name__, _concerns_nobody)


def _concerns_nobody(filename: str) -> bool:
    """Whether a frame is ours, of a file that is gone by now, or of the command with which a
    worker's interpreter begins."""
    return _is_ours(filename) or is_generated(filename) or filename == "<string>"


_Trim = Callable[[list[traceback.FrameSummary]], list[traceback.FrameSummary]]


def _format(error: BaseException, trim: _Trim) -> str:
    """The traceback; empty for an exception whose class breaks what Python does to show it."""
    try:
        formatted = traceback.TracebackException.from_exception(error)
        current: traceback.TracebackException | None = formatted
        for _ in _chain(error):
            if current is not None:
                _trim_stack(current, trim)
                current = current.__context__ if current.__cause__ is None else current.__cause__
        text = "".join(formatted.format())
        for one in _chain(error):
            text = text.replace(str(one), _reason_first(one))
    except Exception:
        return ""
    return text


def _trim_stack(formatted: traceback.TracebackException, trim: _Trim) -> None:
    frames = trim(list(formatted.stack))
    # Without a stack the message stands alone; an empty one would still get its headline.
    stack = traceback.StackSummary.from_list(frames) if frames else None
    formatted.stack = cast(traceback.StackSummary, stack)


def _without_our_frames(frames: list[traceback.FrameSummary]) -> list[traceback.FrameSummary]:
    """The frames from the user's first line on, or from a library's if there is none, but ours:
    what we raise is told by its message, and what we wrap is called by what stands before it.

    Where TensorFlow's generated files come from is told by the message, too.
    """
    names = [frame.filename for frame in frames]
    is_wanted = _is_the_users if any(map(_is_the_users, names)) else _is_not_ours
    first = next((index for index, name in enumerate(names) if is_wanted(name)), len(names))
    return [
        frame
        for frame in frames[first:]
        if not _is_ours(frame.filename) and not is_generated(frame.filename)
    ]


def _from_the_executor_on(frames: list[traceback.FrameSummary]) -> list[traceback.FrameSummary]:
    while frames and frames[0].filename in _AROUND_NODES:
        frames = frames[1:]
    return [frame for frame in frames if not is_generated(frame.filename)]


def _is_not_ours(filename: str) -> bool:
    return not _is_ours(filename)


def _is_ours(filename: str) -> bool:
    return filename.startswith(_OURS)
