"""The worker process of the local engine: `python -m trainwright.engine.worker [module ...]`.

It imports the modules, then gets a pass and shards over its stdin and answers each shard with a
result or an error over what was its stdout. It ends when its stdin is closed, so it outlives its
parent by one shard at most.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Sequence

from trainwright._autograph_files import keep_autograph_files_of_node
from trainwright.engine.engine import InvalidInputError
from trainwright.engine.messages import Kind, receive, send
from trainwright.engine.passes import Pass, PassSpec, Shard

_REQUESTS = 0  # stdin, by its number: what Python made of it may be a fork's parent's
_SECONDS_BETWEEN_REPORTS = 0.2


def describe(error: BaseException) -> str:
    """An error in one line, by its type and message.

    >>> describe(ValueError("no such column"))
    'ValueError: no such column'
    """
    message = str(error)
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


class _Reporter:
    """Passes on how many units are done, a few times a second at most."""

    def __init__(self, replies: int) -> None:
        self._replies = replies
        self._units = 0
        self._reported = time.monotonic()

    def __call__(self, units: int) -> None:
        self._units += units
        now = time.monotonic()
        if now - self._reported >= _SECONDS_BETWEEN_REPORTS:
            self._reported = now
            self.flush()

    def flush(self) -> None:
        if self._units:
            send(self._replies, Kind.PROGRESS, str(self._units).encode())
            self._units = 0


def main(preload: Sequence[str] = ()) -> None:
    """Imports modules and answers until stdin is closed."""
    # Ctrl-C reaches the whole process group; the parent decides what happens then.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Replies get a descriptor of their own, so that nothing printed can end up between them.
    replies = os.dup(1)
    os.dup2(2, 1)
    keep_autograph_files_of_node()
    for module in preload:
        importlib.import_module(module)
    built: Pass | str = "no pass was sent"
    while (message := receive(_REQUESTS)) is not None:
        kind, body = message
        if kind is Kind.PASS:
            built = _build(body)
        else:
            kind, body = _answer(built, Shard.from_json(json.loads(body)), replies)
            send(replies, kind, body)


def _build(body: bytes) -> Pass | str:
    """The pass, or why there is none: shards are answered with that."""
    try:
        return PassSpec.from_json(json.loads(body)).build()
    except Exception as error:
        traceback.print_exc()
        return describe(error)


def _answer(built: Pass | str, shard: Shard, replies: int) -> tuple[Kind, bytes]:
    if isinstance(built, str):
        return Kind.ERROR, built.encode()
    report = _Reporter(replies)
    try:
        result = built.run(shard, report)
        report.flush()
    except InvalidInputError as error:
        return Kind.INVALID, str(error).encode()
    except Exception as error:
        # The parent gets one line; where it happened goes to the log.
        traceback.print_exc()
        return Kind.ERROR, describe(error).encode()
    return Kind.RESULT, result


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main(sys.argv[1:])
