"""Output of nodes: what they print and log, shown while they run.

A node's output goes to its log, and nowhere else: its process does not depend on who reads. Shown
is what the logs have grown by, a line at a time, each with the node that it comes from.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
import time
from collections.abc import Callable, Iterator

from trainwright._paths import is_remote
from trainwright._printable import printable
from trainwright.orchestration.events import NodeStarted, RunEvent, RunEventKind, RunObserver
from trainwright.orchestration.publishing.plain_files import open_log

_SECONDS_BETWEEN_LOOKS = 0.2
# A look at what may be an object is a request.
_SECONDS_BETWEEN_REMOTE_LOOKS = 1.0
# A line that is written over and over (a progress bar) is shown when it is done, and this often.
_SECONDS_BETWEEN_REWRITES = 10.0
# Of more than this at a time only the end is shown: a notebook would not survive the rest.
_SHOWN_AT_ONCE = 256 * 1024
_LONGEST_LINE = 16 * 1024

_COLORS = re.compile(r"\x1b\[[0-9;]*m")
_OVER = (
    RunEventKind.NODE_COMPLETED,
    RunEventKind.NODE_FAILED,
    RunEventKind.NODE_RETRYING,
    RunEventKind.NODE_CANCELED,
)


@contextlib.contextmanager
def with_node_output(report: RunObserver, show: Callable[[str], None]) -> Iterator[RunObserver]:
    """A report that also shows what the nodes write, between what it says of their start and end.

    Args:
        report: What is told of the events.
        show: Is called with each line, by the thread of the run and by one of its own, never at
            the same time.
    """
    output = NodeOutput(show)
    stopped = threading.Event()

    def look_again_and_again() -> None:
        while not stopped.wait(_SECONDS_BETWEEN_LOOKS):
            output.look()

    thread = threading.Thread(target=look_again_and_again, daemon=True)
    thread.start()
    try:
        yield output.around(report)
    finally:
        stopped.set()
        thread.join()
        output.finish_all()


class NodeOutput:
    """What the logs of nodes have grown by, whenever it is asked to `look`.

    Args:
        show: Is called with each line.
    """

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._logs: dict[str, _GrowingLog] = {}
        self._lock = threading.Lock()

    def around(self, report: RunObserver) -> RunObserver:
        """The report, with what the nodes write between what it says of their start and end."""

        def observe(event: RunEvent) -> None:
            if event.kind in _OVER:
                self.finish(event.node)
            report(event)
            if isinstance(event, NodeStarted):
                self.follow(event.node, event.log)

        return observe

    def follow(self, node: str, path: str) -> None:
        with self._lock:
            self._logs[node] = _GrowingLog(path)

    def look(self) -> None:
        with self._lock:
            for node, log in self._logs.items():
                self._show_lines(node, log.new_lines())

    def finish(self, node: str) -> None:
        with self._lock:
            log = self._logs.pop(node, None)
            if log is not None:
                self._show_lines(node, log.last_lines())

    def finish_all(self) -> None:
        for node in list(self._logs):
            self.finish(node)

    def _show_lines(self, node: str, lines: list[str]) -> None:
        for line in lines:
            self._show(f"{printable(node)} | {line}")


class _GrowingLog:
    """A log, and how far it was shown."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._position = 0
        self._pending = b""
        self._shown_at = time.monotonic()
        self._look_at = 0.0

    def new_lines(self) -> list[str]:
        """The lines that were finished since the last look."""
        if is_remote(self._path) and time.monotonic() < self._look_at:
            return []
        self._look_at = time.monotonic() + _SECONDS_BETWEEN_REMOTE_LOOKS
        left_out, grown = self._read()
        *lines, self._pending = (self._pending + grown).split(b"\n")
        shown = [*left_out, *map(_as_seen, lines)]
        now = time.monotonic()
        is_due = now - self._shown_at >= _SECONDS_BETWEEN_REWRITES
        if not shown and b"\r" in self._pending and is_due:
            shown = [_as_seen(self._pending)]
        if shown:
            self._shown_at = now
        return shown

    def last_lines(self) -> list[str]:
        """What is left, with a line that was never finished."""
        self._look_at = 0.0
        lines = self.new_lines()
        pending, self._pending = self._pending, b""
        return [*lines, _as_seen(pending)] if pending else lines

    def _read(self) -> tuple[list[str], bytes]:
        """What was written since the last time, and a line about what is left out of it."""
        try:
            with open_log(self._path) as file:
                size = file.seek(0, os.SEEK_END)
                skipped = max(0, size - self._position - _SHOWN_AT_ONCE)
                file.seek(self._position + skipped)
                grown = file.read(_SHOWN_AT_ONCE)
                self._position = file.tell()
        except OSError:  # it was removed, or replaced by a pipe: there is nothing to show
            return [], b""
        if len(self._pending) > _LONGEST_LINE:
            grown = b"\n" + grown
        if not skipped:
            return [], grown
        self._pending = b""
        rest = grown.partition(b"\n")[2]
        skipped += len(grown) - len(rest)
        return [f"... {skipped} bytes are left out here; all of it is in {self._path}"], rest


def _as_seen(line: bytes) -> str:
    """A line as a terminal would show it in the end, without colors."""
    text = _COLORS.sub("", line.decode("utf-8", errors="replace"))
    # What a progress bar writes over itself: carriage returns, or steps back.
    versions = [part.strip("\b") for part in re.split("\r|\b+", text)]
    last = next((version for version in reversed(versions) if version.strip()), "")
    return printable(last)
