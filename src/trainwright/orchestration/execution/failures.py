"""Failures of executors, as a worker tells them to the runner: always something, never too much."""

from __future__ import annotations

import contextlib
import sys

from trainwright.orchestration.execution.tracebacks import describe_exception, format_for_log

# Of a longer message or traceback the middle is left out: it is sent, stored and printed.
_LONGEST = 64 * 1024
# Parts that a program reads: half of one is worth nothing.
_ENCODED = ("classes", "arguments", "attributes")


def describe_failure(error: BaseException) -> dict[str, str]:
    """What `describe_exception` says and an entry for the log; what is left out is logged here."""
    try:
        described = {**describe_exception(error), "for_log": format_for_log(error)}
    except BaseException as second:  # whatever the user's class does when it is looked at
        return _describe_by_type(error, second)
    if all(len(part) <= _LONGEST for part in described.values()):
        return described
    with contextlib.suppress(Exception):  # a full disk, or user code has closed the stream
        sys.stderr.write(described["for_log"] or f"{described['type']}: {described['message']}\n")
    return {
        name: _drop_if_long(part) if name in _ENCODED else _shorten(part)
        for name, part in described.items()
    }


def _describe_by_type(error: BaseException, second: BaseException) -> dict[str, str]:
    """By the names of the types alone, asked for past what their metaclasses make of them."""
    raised, in_turn = (vars(type)["__name__"].__get__(type(one)) for one in (error, second))
    message = f"it cannot be described, for its class raised {in_turn} when it was looked at."
    return {"type": raised, "message": message}


def _drop_if_long(part: str) -> str:
    return part if len(part) <= _LONGEST else ""


def _shorten(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2
    note = f"{len(text) - 2 * half} characters are left out here; the log has all of them"
    return f"{text[:half]}\n... {note} ...\n{text[-half:]}"
