"""Exceptions of user code, told so that the user's own lines come first."""

from __future__ import annotations

import os
import traceback
from pathlib import Path
from typing import Any

_OUR_PACKAGE = str(Path(__file__).resolve().parent.parent) + os.sep


def describe_exception(error: BaseException) -> dict[str, Any]:
    """The type, the message and the traceback without our own frames around the user's."""
    return {
        "type": type(error).__name__,
        "message": _message(error),
        "traceback": "".join(_format(error)),
    }


def _message(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return (
            f"user code called sys.exit({error.code!r}). "
            "A component must return; raise an exception to fail."
        )
    return str(error)


def _format(error: BaseException) -> list[str]:
    trimmed = traceback.TracebackException.from_exception(error)
    seen: set[int] = set()
    current: traceback.TracebackException | None = trimmed
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        current.stack = _without_our_frames(current.stack)
        current = current.__cause__ or current.__context__
    return list(trimmed.format())


def _without_our_frames(stack: traceback.StackSummary) -> traceback.StackSummary:
    """Drops the leading frames of this package; an error that is all ours keeps the last one."""
    frames = list(stack)
    first_user_frame = next(
        (index for index, frame in enumerate(frames) if not _is_ours(frame.filename)), None
    )
    if first_user_frame is None:
        return traceback.StackSummary.from_list(frames[-1:])
    return traceback.StackSummary.from_list(frames[first_user_frame:])


def _is_ours(filename: str) -> bool:
    return filename.startswith((_OUR_PACKAGE, "<frozen importlib"))
