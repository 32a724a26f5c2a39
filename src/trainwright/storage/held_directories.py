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
import tempfile
from collections.abc import Iterator

# The file that the lock is on. It lies in the directory, and goes with it.
HOLD = "in-use"

# Where this process has removed what others left, by prefix: once is enough, and a directory of
# temporary files may be long.
_swept: set[tuple[int, str, str]] = set()


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


def make_temporary(prefix: str) -> tuple[str, int]:
    """A new temporary directory, held until the descriptor that comes with it is closed.

    What processes of this user have left that were killed, under the same prefix, is removed first.
    """
    above = tempfile.gettempdir()
    if (os.getpid(), above, prefix) not in _swept:
        _swept.add((os.getpid(), above, prefix))
        _remove_all_left(above, prefix)
    while True:
        directory = tempfile.mkdtemp(prefix=prefix, dir=above)
        with contextlib.suppress(FileNotFoundError):  # another process took it for a left one
            return directory, hold(directory)


@contextlib.contextmanager
def held_temporary(prefix: str) -> Iterator[str]:
    """A temporary directory that the next process removes if this one is killed.

    Example: `with held_temporary("trainwright-shard-") as directory: unpack(data, directory)`
    """
    directory, lock = make_temporary(prefix)
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)
        os.close(lock)


def _remove_all_left(above: str, prefix: str) -> None:
    with contextlib.suppress(OSError), os.scandir(above) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):  # it has just gone
                is_own = entry.stat(follow_symlinks=False).st_uid == os.geteuid()
                if entry.name.startswith(prefix) and is_own and not entry.is_symlink():
                    remove_left(entry.path)
