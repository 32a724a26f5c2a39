"""Ending what nodes leave behind: processes in sessions of their own, too.

A worker's children may start sessions of their own (`setsid`, daemons), where a signal to the
worker's group does not find them. On Linux a process can be the "subreaper" of what is below it:
whatever loses its parent there becomes its child, not that of the machine's first process. A worker
is one, so that its daemons stay below it, and so is its zygote: when the worker is gone, children
of the zygote that are not workers are just what was left behind. The keeper, which the zygote was
forked from and which does nothing but wait, does the same for a zygote that is killed.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Collection

# How long is waited for killed processes to be gone; one in the middle of a system call may not.
_END_SECONDS = 5.0
_SECONDS_BETWEEN_LOOKS = 0.01

# From <linux/prctl.h>.
_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36
_LIBC = ctypes.CDLL(None)


def go_on_in_kept_child() -> None:
    """Goes on in a fork of this process, which stays behind as its keeper.

    The keeper ends after its child, in the way that it did. SIGTERM to the keeper ends all that is
    below it; if the keeper is killed, its child gets SIGTERM.
    """
    adopt_orphans()
    keeper = os.getpid()
    child = os.fork()
    if child == 0:
        die_with(keeper, signal.SIGTERM)
        return
    try:
        _keep(child)
    finally:
        os._exit(1)


def adopt_orphans() -> None:
    """Makes this process the parent of whatever loses its own below it; only Linux can."""
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with(parent: int, number: signal.Signals) -> None:
    """Lets this process get the signal when its parent dies, which may have happened already."""
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_PDEATHSIG, number)
        if os.getppid() != parent:
            os.kill(os.getpid(), number)


def kill_group(leader: int) -> None:
    """Kills what is in the group of a worker, which may be gone itself."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def end_children(spare: Collection[int] = ()) -> list[int]:
    """Kills and reaps the children of this process, and theirs, which become its own then.

    Returns those that are still there after a while: processes of another user (a setuid program)
    cannot be killed.
    """
    deadline = time.monotonic() + _END_SECONDS
    while left := [pid for pid in _children() if pid not in spare]:
        if time.monotonic() > deadline:
            break
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    return left


def _children() -> list[int]:
    """The processes whose parent this one is, dead ones that wait to be reaped among them."""
    try:
        threads = os.listdir("/proc/self/task")
        lists = [_read(f"/proc/self/task/{thread}/children") for thread in threads]
    except OSError:  # a kernel without these lists
        return _children_among_all()
    return [int(pid) for pids in lists for pid in pids.split()]


def _children_among_all() -> list[int]:
    try:
        names = [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:  # not mounted
        return []
    return [int(name) for name in names if _parent(name) == os.getpid()]


def _parent(pid: str) -> int | None:
    try:
        # The name, in brackets, may hold anything; state and parent come after it.
        return int(_read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[1])
    except (OSError, IndexError):  # it has just ended
        return None


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _keep(child: int) -> None:
    """Waits for the child's end, ends what it left, and ends as it did."""

    def end_child(*unused: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)

    signal.signal(signal.SIGTERM, end_child)
    _close_descriptors()
    while True:
        pid, status = os.waitpid(-1, 0)  # orphans that end before it are reaped on the way
        if pid == child:
            break
    end_children()
    _end_like(os.waitstatus_to_exitcode(status))


def _close_descriptors() -> None:
    """Holds on to nothing of the child's, whose ends tell others that it is gone."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2:
            with contextlib.suppress(OSError):  # that of the listing itself
                os.close(int(name))


def _end_like(code: int) -> None:
    if code < 0:
        _LIBC.prctl(_PR_SET_DUMPABLE, 0)  # the child has dumped core, if anything should
        with contextlib.suppress(OSError):  # SIGKILL
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)
