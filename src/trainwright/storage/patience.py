"""Patience: how long this process waits for object stores after it was asked to stop.

Until then the stores' own timeouts count. A call of obstore waits outside of Python, where no
signal reaches it, so it is made in a thread that is left alone when patience is over.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

from trainwright.storage.errors import StorageUnreachableError

# Also after that: enough for a store that is well, so that what it is told last arrives.
_LEAST_SECONDS = 1.0
_SECONDS_BETWEEN_LOOKS = 0.2

_until: float | None = None


@contextlib.contextmanager
def of_a_run() -> Iterator[None]:
    """Around a run: whatever it was asked, whoever comes after it waits as long as ever."""
    global _until
    try:
        yield
    finally:
        _until = None


def end_in(seconds: float) -> None:
    """Has calls of stores given up after this time, unless they already are. May be called by a
    signal."""
    global _until
    until = time.monotonic() + seconds
    _until = until if _until is None else min(until, _until)


def is_limited() -> bool:
    """Whether this process was asked to stop."""
    return _until is not None


def is_over(since: float) -> bool:
    """Whether what has been waited for since a moment of `time.monotonic` is to be given up."""
    return _until is not None and time.monotonic() >= max(_until, since + _LEAST_SECONDS)


def join(thread: threading.Thread) -> None:
    """Waits for a thread that calls a store.

    Raises:
        StorageUnreachableError: if patience is over before it has ended; it goes on by itself.
    """
    since = time.monotonic()
    while thread.is_alive():
        thread.join(_SECONDS_BETWEEN_LOOKS)
        if thread.is_alive() and is_over(since):
            raise given_up()


@contextlib.contextmanager
def held(lock: threading.Lock) -> Iterator[None]:
    """Holds a lock that others hold while they call a store.

    Raises:
        StorageUnreachableError: if patience is over before it is free.
    """
    since = time.monotonic()
    while not lock.acquire(timeout=_SECONDS_BETWEEN_LOOKS):
        if is_over(since):
            raise given_up()
    try:
        yield
    finally:
        lock.release()


def given_up() -> StorageUnreachableError:
    return StorageUnreachableError(
        "The object store does not answer, and is not waited for any longer: this process was "
        "asked to stop."
    )
