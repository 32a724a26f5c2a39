"""Stopping the runner's own long look-ups: before a node runs, files may be read for hours.

The run is single-threaded, and a signal only notes that it should stop, so that no transaction is
cut in two. What lists files asks here between two steps; what cannot ask, a component's driver, a
resolver's strategy or a read that does not come back, is interrupted in place.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass


class LookupStopped(BaseException):
    """The run was asked to stop while something was looked up. Not an error of a node."""


@dataclass
class _Lookup:
    is_stop_wanted: Callable[[], bool]
    is_interruptible: bool = False


_current: ContextVar[_Lookup | None] = ContextVar("lookup", default=None)


@contextlib.contextmanager
def stoppable(is_stop_wanted: Callable[[], bool]) -> Iterator[None]:
    """In the block, `check_stop` raises LookupStopped once a stop is wanted."""
    token = _current.set(_Lookup(is_stop_wanted))
    try:
        yield
    finally:
        _current.reset(token)


def check_stop() -> None:
    """Raises LookupStopped if the run should stop; called between two steps of a long look-up."""
    lookup = _current.get()
    if lookup is not None and lookup.is_stop_wanted():
        raise LookupStopped


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """In the block, which must not write to the store, `interrupt` raises in place."""
    lookup = _current.get()
    if lookup is None:
        yield
        return
    before, lookup.is_interruptible = lookup.is_interruptible, True
    try:
        check_stop()  # a signal may have come just before
        yield
    finally:
        lookup.is_interruptible = before


def interrupt() -> None:
    """Ends what is interruptible and running; called by a signal handler."""
    lookup = _current.get()
    if lookup is not None and lookup.is_interruptible:
        raise LookupStopped
