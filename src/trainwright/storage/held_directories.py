"""Held directories: what processes work in, and nobody removes while one of them lives.

The hold is a lock that the system lets go of when a process ends, however it does; forks of it hold
it, too.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import shutil

# The file that the lock is on. It lies in the directory, and goes with it.
HOLD = "in-use"


def hold(directory: str) -> int:
    """Holds a directory until the descriptor that this returns is closed.

    Raises:
        FileNotFoundError: if the directory is not there, or was removed just now.
    """
    path = os.path.join(directory, HOLD)
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_SH)
        # Who removes a directory has the lock meanwhile, and another may have come in its place.
        if not os.path.samestat(os.fstat(lock), os.stat(path)):
            raise FileNotFoundError(path)
    except BaseException:
        os.close(lock)
        raise
    return lock


def is_held(directory: str) -> bool:
    """Whether a process holds it; False for one that is not there."""
    try:
        lock = os.open(os.path.join(directory, HOLD), os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(lock)
    return False


def remove_left(directory: str) -> None:
    """Removes a directory whose processes have all ended. One that was never held is left alone: it
    may just be being made."""
    with contextlib.suppress(OSError):
        lock = os.open(os.path.join(directory, HOLD), os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Under another name first: nobody finds half of it.
            removed = f"{directory}.{secrets.token_hex(4)}"
            os.rename(directory, removed)
            shutil.rmtree(removed, ignore_errors=True)
        finally:
            os.close(lock)
