"""The keeper: a process between the zygote and one worker that ends what the worker leaves.

A worker's children may start sessions of their own (`setsid`, daemons), where a signal to the
worker's group does not find them. On Linux the keeper is their "subreaper": whatever loses its
parent below it becomes its child, not that of the machine's first process. So when the worker is
gone, the keeper's children are just what was left behind, and end with it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import struct
import sys
import time
from collections.abc import Callable, Collection

# How long is waited for killed processes to be gone; one in the middle of a system call may not.
_END_SECONDS = 5.0
_SECONDS_BETWEEN_LOOKS = 0.01

_PID = struct.Struct("<i")

# From <linux/prctl.h>.
_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36
_LIBC = ctypes.CDLL(None)


def fork_kept(work: Callable[[], None]) -> tuple[int, int | None]:
    """Forks a keeper and, from that, a process that does the work and must not return from it.

    Returns the keeper's and the worker's process id; the latter is None if the keeper failed to
    fork. The keeper ends after the worker, in the way that the worker did, and ends it when it
    gets SIGTERM or this process dies. Raises OSError if nothing could be forked.
    """
    read_end, write_end = os.pipe()
    parent = os.getpid()
    try:
        keeper = os.fork()
    except OSError:
        os.close(read_end)
        os.close(write_end)
        raise
    if keeper == 0:
        try:
            _keep(work, write_end, parent)
        finally:
            os._exit(1)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        told = pipe.read(_PID.size)
    return keeper, _PID.unpack(told)[0] if told else None


def adopt_orphans() -> None:
    """Makes this process the parent of whatever loses its own below it; only Linux can."""
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1)


def kill_group(leader: int) -> None:
    """Kills a process and what is in the group that it leads."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def end_children(spare: Collection[int] = ()) -> None:
    """Kills and reaps the children of this process, and theirs, which become its own then.

    A process of another user (a setuid program) cannot be killed; it is left after a while.
    """
    deadline = time.monotonic() + _END_SECONDS
    while time.monotonic() < deadline:
        left = [pid for pid in _children() if pid not in spare]
        if not left:
            return
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        time.sleep(_SECONDS_BETWEEN_LOOKS)


def end_all_children() -> None:
    """Like `end_children`, but where there are none, as nearly always, it is known at once."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return
    end_children()


def _children() -> list[int]:
    """The processes whose parent this one is, dead ones that wait to be reaped among them."""
    try:
        names = os.listdir("/proc")
    except OSError:  # not mounted
        return []
    return [int(name) for name in names if name.isdigit() and _parent(name) == os.getpid()]


def _parent(pid: str) -> int | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The name, in brackets, may hold anything; state and parent come after it.
            return int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):  # it has just ended
        return None


def _keep(work: Callable[[], None], tell: int, parent: int) -> None:
    """Forks the worker, waits for its end, ends what it left, and ends as it did."""
    worker: list[int] = []

    def end_worker(*unused: object) -> None:
        for pid in worker:
            kill_group(pid)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)  # it may not lead its group yet
        if not worker:
            os._exit(1)

    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, end_worker)
    adopt_orphans()
    _die_with(parent, signal.SIGTERM)
    keeper = os.getpid()
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.setsid()
        _die_with(keeper, signal.SIGKILL)
        os.close(tell)
        work()
        os._exit(1)
    worker.append(pid)
    os.write(tell, _PID.pack(pid))
    _close_descriptors()
    status = _wait_for(pid)
    worker.clear()
    kill_group(pid)
    end_all_children()
    _end_like(os.waitstatus_to_exitcode(status))


def _die_with(parent: int, number: signal.Signals) -> None:
    """Lets this process get the signal when its parent dies, which may have happened already."""
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_PDEATHSIG, number)
        if os.getppid() != parent:
            os.kill(os.getpid(), number)


def _close_descriptors() -> None:
    """Holds on to nothing of the worker's, whose ends tell others that it is gone."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2:
            with contextlib.suppress(OSError):  # that of the listing itself
                os.close(int(name))


def _wait_for(worker: int) -> int:
    """The worker's wait status; orphans that end before it are reaped on the way."""
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == worker:
            return status


def _end_like(code: int) -> None:
    if code < 0:
        _LIBC.prctl(_PR_SET_DUMPABLE, 0)  # the worker has dumped core, if anything should
        with contextlib.suppress(OSError):  # SIGKILL
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)
