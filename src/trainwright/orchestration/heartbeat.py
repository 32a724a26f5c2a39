"""The heartbeat: tells other hosts that a run is alive, and hears from them that it should stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from trainwright.metadata.leases import HEARTBEAT_SECONDS
from trainwright.metadata.store import MetadataError, MetadataStore

_LISTEN_SECONDS = 2.0


class Heartbeat(AbstractContextManager["Heartbeat"]):
    """Beats in a thread of its own, so that a runner which is busy does not look dead.

    Args:
        store: What is remembered.
        run_id: The run whose heart it is.
        on_cancel: Called, in that thread, when somebody asked for the run to be stopped.
    """

    def __init__(self, store: MetadataStore, run_id: str, on_cancel: Callable[[], None]) -> None:
        self._store = store
        self._run_id = run_id
        self._on_cancel = on_cancel
        self._executions: set[int] = set()
        self._lost: set[int] = set()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(self, *unused: object) -> None:
        self._over.set()
        self._thread.join()

    def add(self, execution_id: int) -> None:
        """Keeps this execution's lease alive from now on."""
        with self._lock:
            self._executions.add(execution_id)

    def remove(self, execution_id: int) -> None:
        with self._lock:
            self._executions.discard(execution_id)

    def take_lost(self) -> set[int]:
        """Executions that another run has ended since the last call, taking this one for dead."""
        with self._lock:
            lost, self._lost = self._lost, set()
            return lost

    def _beat(self) -> None:
        next_beat = time.monotonic() + HEARTBEAT_SECONDS
        was_canceled = False
        while not self._over.wait(_LISTEN_SECONDS):
            try:
                if time.monotonic() >= next_beat:
                    next_beat = time.monotonic() + HEARTBEAT_SECONDS
                    self._renew_leases()
                if not was_canceled and self._is_cancel_requested():
                    was_canceled = True
                    self._on_cancel()
            except MetadataError:
                # The store is away; whoever needs it in the run says so.
                continue

    def _renew_leases(self) -> None:
        with self._lock:
            beaten = set(self._executions)
        alive = self._store.heartbeat(beaten)
        self._store.update_run(self._run_id, is_alive=True)
        with self._lock:
            # One that was ended by its own run in the meantime is not lost.
            self._lost |= (beaten - alive) & self._executions

    def _is_cancel_requested(self) -> bool:
        run = self._store.get_run(self._run_id)
        return run is not None and run.cancel_requested_at is not None
