"""The runs of this process, and which executions in the store are still being worked on."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from trainwright.metadata.internal_properties import RUN_ID
from trainwright.metadata.leases import current_lease, is_alive
from trainwright.metadata.records import ExecutionRecord

_active: set[str] = set()


@contextlib.contextmanager
def active(run_id: str) -> Iterator[None]:
    """Counts the run as one of this process."""
    _active.add(run_id)
    try:
        yield
    finally:
        _active.discard(run_id)


def is_worked_on(execution: ExecutionRecord, now: float) -> bool:
    """Whether the run that registered a RUNNING execution is still there to finish it.

    A process that lives, such as a notebook, may have given up an earlier run: its own executions
    count only as long as their run does.
    """
    if is_own_lease(execution):
        return execution.custom_properties.get(RUN_ID) in _active
    return is_alive(execution.lease, now)


def is_own_lease(execution: ExecutionRecord) -> bool:
    """Whether this process registered an execution."""
    lease, own = execution.lease, current_lease()
    return lease is not None and (lease.host, lease.pid, lease.process_started_at) == (
        own.host,
        own.pid,
        own.process_started_at,
    )
