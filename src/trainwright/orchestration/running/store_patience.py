"""Store patience: a run goes on when its store was away for a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from trainwright.metadata.store import StoreUnavailableError
from trainwright.orchestration.events import RunEventKind
from trainwright.orchestration.running.stopping import StopRequest

# How long a run waits for a store that has gone away before it gives up.
STORE_PATIENCE_SECONDS = 600.0
_LONGEST_STORE_WAIT_SECONDS = 10.0

_T = TypeVar("_T")


class StorePatience:
    """Repeats calls while the store is away.

    Args:
        tell: Tells the run's observer of an event.
        stop: A run that should stop waits no longer.
    """

    def __init__(self, tell: Callable[..., Any], stop: StopRequest) -> None:
        self._tell = tell
        self._stop = stop

    def call(self, call: Callable[[], _T]) -> _T:
        """Calls again and again while the store is away; each such call may be repeated."""
        deadline = time.monotonic() + STORE_PATIENCE_SECONDS
        wait = 0.5
        while True:
            try:
                return call()
            except StoreUnavailableError as error:
                if self._stop.is_wanted or time.monotonic() >= deadline:
                    raise
                if wait == 0.5:
                    self._tell(RunEventKind.STORE_LOST, error=str(error))
            time.sleep(wait)
            wait = min(2 * wait, _LONGEST_STORE_WAIT_SECONDS)
