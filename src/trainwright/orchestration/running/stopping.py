"""Stopping: a run that is asked to stop, and nodes whose time is over."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Collection, Iterator

from trainwright.orchestration.launching.launcher import Launcher
from trainwright.orchestration.planning import lookup_stop
from trainwright.storage import patience

# How long a node gets to stop by itself before it is killed, and an object store to answer.
_STOP_SECONDS = 10.0


class StopRequest:
    """Whether a run should stop, and how urgently. May be asked by signals and other threads."""

    def __init__(self) -> None:
        self._interrupts = 0
        self._kill_at: float | None = None

    def interrupt(self) -> None:
        """Asks the run to stop; the second time, to stop at once. May be called by a signal."""
        self._interrupts += 1
        patience.end_in(_STOP_SECONDS if self._interrupts == 1 else 0.0)
        lookup_stop.interrupt()

    def cancel(self) -> None:
        """Asks the run to stop, unless it is stopping already. May be called by another thread."""
        self._interrupts = max(self._interrupts, 1)
        patience.end_in(_STOP_SECONDS)

    @property
    def is_wanted(self) -> bool:
        return self._interrupts > 0

    @property
    def has_begun(self) -> bool:
        """Whether the running nodes were told."""
        return self._kill_at is not None

    def end_nodes(self, launcher: Launcher) -> None:
        """Ends all nodes: gently at first; for good after a while, or if asked a second time."""
        now = time.monotonic()
        if self._kill_at is None:
            self._kill_at = now + _STOP_SECONDS
            launcher.signal_all(signal.SIGTERM)
        elif self._interrupts > 1 or now >= self._kill_at:
            launcher.signal_all(signal.SIGKILL)

    @contextlib.contextmanager
    def made_by_signals(self) -> Iterator[None]:
        """Lets Ctrl-C, SIGTERM and SIGHUP stop the run cleanly; only a main thread may say so."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        numbers = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup has set it
            numbers.append(signal.SIGHUP)
        previous = {
            number: signal.signal(number, lambda *unused: self.interrupt()) for number in numbers
        }
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)


def end_overdue(launcher: Launcher, lost: Collection[int]) -> None:
    """Ends the nodes that take longer than they may, and those that another run has taken over.

    Args:
        launcher: Has the running nodes.
        lost: The executions that another run has ended, taking this one for dead.
    """
    now = time.monotonic()
    for running in launcher.running:
        timeout = running.node.options.timeout_seconds
        is_late = running.kill_at is not None and now >= running.kill_at
        if is_late or running.execution_id in lost:
            running.signal(signal.SIGKILL)
        elif running.kill_at is None and timeout and now - running.began > timeout:
            running.kill_at = now + _STOP_SECONDS
            running.signal(signal.SIGTERM)
