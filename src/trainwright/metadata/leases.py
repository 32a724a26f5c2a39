"""Leases: telling an execution or a run that goes on from one whose process is gone."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from trainwright.metadata.records import Lease, RunRecord, RunState

# Another host's execution is taken for dead when nothing was heard of it for this long.
HEARTBEAT_SECONDS = 10.0
STALE_SECONDS = 120.0

# A run whose nodes are run by commands of their own is not held by a process: it lives as long as
# heartbeats of its commands come, as one on another host does.
SHARED_LEASE = Lease(host="execute-node", pid=0, process_started_at=0.0)

# The inode of the first pid namespace of every Linux kernel (PROC_PID_INIT_INO).
_INITIAL_PID_NAMESPACE = 0xEFFFFFFC


def current_lease() -> Lease:
    """A lease held by this process."""
    pid = os.getpid()
    return Lease(host=_host(), pid=pid, process_started_at=_process_start(pid) or 0.0)


def is_alive(lease: Lease | None, now: float) -> bool:
    """Whether the holder still runs; known for sure on its own host, by heartbeat elsewhere.

    Args:
        lease: What the holder has left behind.
        now: The time by the clock that the heartbeats go by: the store's.
    """
    if lease is None:
        return False
    if lease.host == _host():
        started = _process_start(lease.pid)
        return started is not None and started == lease.process_started_at
    return now - lease.heartbeat_at < STALE_SECONDS


def is_shared(run: RunRecord) -> bool:
    """Whether the nodes of a run are run by commands of their own."""
    lease = run.lease
    return lease is not None and (lease.host, lease.pid) == (SHARED_LEASE.host, SHARED_LEASE.pid)


# The states of runs as people are told them.
RUN_STATES = (*(state.value for state in RunState), "died")


def run_state(run: RunRecord, now: float) -> str:
    """What became of a run: the name of its state, or "died" if it runs but its process is gone.

    Args:
        run: The run as it is stored.
        now: The store's time.
    """
    if run.state is RunState.RUNNING and not is_alive(run.lease, now):
        return "died"
    return run.state.value


def _host() -> str:
    """A name for where pids mean the same: the host, or a container on it.

    Containers may share a hostname, for example with `docker run --network=host`, but a pid of one
    says nothing in another.
    """
    hostname = socket.gethostname()
    try:
        namespace = os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return hostname
    return hostname if namespace == _INITIAL_PID_NAMESPACE else f"{hostname}/{namespace}"


def _process_start(pid: int) -> float | None:
    """When a process started, in whatever unit the system counts; None if there is none."""
    stat = Path(f"/proc/{pid}/stat")
    if Path("/proc/self/stat").exists():
        try:
            # The command name, in parentheses, may hold spaces; field 22 counts from the start.
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            return None
        return None if fields[0] == "Z" else float(fields[19])
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    return 0.0
