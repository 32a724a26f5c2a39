"""The versions in a directory that a model server watches, and the copies that become versions.

A server takes the highest number for the newest version and ignores names that are not numbers.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator

from trainwright.metadata.leases import current_lease, is_alive
from trainwright.metadata.records import Lease

# Versions are int64 for TensorFlow Serving; a longer number is not a version.
HIGHEST_VERSION = 2**63 - 1
_ASIDE = ".trainwright-push-"
_NAME_WITH_OWNER = re.compile(re.escape(_ASIDE) + r"([0-9a-f]{12})-([0-9]+)-([0-9.]+)-.*")
# Of a push on another host nothing but the age can be known.
STALE_PUSH_SECONDS = 24 * 3600


def newest_version(base_directory: str) -> int | None:
    """The highest version number in a directory, or None.

    A file counts as well: its name cannot become a version.
    """
    names = [name for name in os.listdir(base_directory) if re.fullmatch("[0-9]+", name)]
    return max((int(name) for name in names if int(name) <= HIGHEST_VERSION), default=None)


@contextlib.contextmanager
def directory_aside(base_directory: str) -> Iterator[str]:
    """A directory on the same disk that no server takes for a version; it is removed in the end.

    Its name says which process it belongs to, so that the next push can remove what a killed one
    left.
    """
    _sweep_dead_pushes(base_directory)
    owner = current_lease()
    prefix = f"{_ASIDE}{_digest(owner.host)}-{owner.pid}-{owner.process_started_at}-"
    aside = tempfile.mkdtemp(prefix=prefix, dir=base_directory)
    try:
        yield aside
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def rename_to_next_version(copy: str, base_directory: str) -> str:
    """Makes a copy the newest version: named by the time, or above the highest that is there.

    Else a version of the future, as a wrong clock leaves it, would stay the one that is served.
    """
    while True:
        newest = newest_version(base_directory) or 0
        if newest == HIGHEST_VERSION:
            raise ValueError(no_number(os.path.join(base_directory, str(newest))))
        target = os.path.join(base_directory, str(max(int(time.time()), newest + 1)))
        # A rename never replaces a directory that has files: a version is taken once.
        try:
            os.rename(copy, target)
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR):
                raise
            continue  # another push has just taken it
        return target


def no_number(highest: str) -> str:
    """What is said where no number is left above a version."""
    return (
        f"{highest} has the highest number that a version can have, so that no newer one can be "
        "pushed. Remove or rename it."
    )


def _sweep_dead_pushes(base_directory: str) -> None:
    """Removes what pushes that were killed have left behind."""
    for entry in os.scandir(base_directory):
        if not entry.name.startswith(_ASIDE):
            continue
        with contextlib.suppress(FileNotFoundError):  # another push has just finished
            changed_at = entry.stat(follow_symlinks=False).st_mtime
            if not may_go_on(_lease_of(entry.name), changed_at):
                shutil.rmtree(entry.path, ignore_errors=True)


def may_go_on(lease: Lease | None, changed_at: float) -> bool:
    """Whether a push that has left something may still be at work.

    Args:
        lease: Its process, if that is one of this host.
        changed_at: When it last changed what it has left, in seconds since the epoch.
    """
    if lease is not None:
        return is_alive(lease, now=0.0)
    return time.time() - changed_at < STALE_PUSH_SECONDS


def _lease_of(name: str) -> Lease | None:
    """The process that a directory is named for, if it is one of this host."""
    here = current_lease().host
    owner = _NAME_WITH_OWNER.fullmatch(name)
    if owner is None or owner[1] != _digest(here):
        return None
    return Lease(host=here, pid=int(owner[2]), process_started_at=float(owner[3]))


def _digest(host: str) -> str:
    """A host as a part of a file name, which it may have characters for that a name cannot have."""
    return hashlib.sha256(host.encode()).hexdigest()[:12]
