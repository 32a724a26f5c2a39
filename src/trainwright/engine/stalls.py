"""Warnings of a pass in which nothing is done any more, for all engines.

A shard that hangs in the user's code says nothing, and how long one may take nobody knows: so it is
told, and nothing is ended.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Generator
from contextlib import AbstractContextManager

from trainwright.processes.progress import Progress

_logger = logging.getLogger(__name__)

# After each such time without any progress there is a warning.
SECONDS = 60.0
# So often within that time it is looked whether there is any.
LOOKS = 4


def warn_of_stalls(
    results: Generator[bytes, None, None], progress: Progress, name: str
) -> Generator[bytes, None, None]:
    """Yields the results of a pass; while the next is waited for, warns if nothing is done.

    Args:
        results: What the engine gives. Where that starts forks, they are there already: this starts
            a thread.
        progress: Is told by the engine which shards are under way, and what they report.
        name: Of the pass.
    """
    with contextlib.closing(results), _Watch(progress, name) as watch:
        for result in results:
            watch.is_resting = True  # however long the caller takes with a result
            yield result
            watch.is_resting = False


class _Watch(AbstractContextManager["_Watch"]):
    """A thread that looks at the progress; the engine's own waits, or runs the user's code."""

    def __init__(self, progress: Progress, name: str) -> None:
        self.is_resting = False
        self._progress = progress
        self._name = name
        self._seconds = SECONDS
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="stalls", daemon=True)
        self._thread.start()

    def __exit__(self, *exc: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _work(self) -> None:
        moved = told = time.monotonic()
        moves = self._progress.moves
        while not self._is_over.wait(self._seconds / LOOKS):
            now = time.monotonic()
            if self.is_resting or self._progress.moves != moves:
                moved = told = now
                moves = self._progress.moves
            elif now - told >= self._seconds:
                told = now
                self._warn(now - moved)

    def _warn(self, seconds: float) -> None:
        under_way = self._progress.under_way
        what = "no shard is under way"
        if under_way:
            is_or_are = "shard is" if len(under_way) == 1 else "shards are"
            what = (
                f"{len(under_way)} {is_or_are} under way, of which {under_way[0]} was begun first"
            )
        _logger.warning(
            "Nothing of the pass %s has been heard of for %.0f s: %s. It is waited for; what ends "
            "a node that hangs is a limit of time for it, with_timeout.",
            self._name,
            seconds,
            what,
        )
