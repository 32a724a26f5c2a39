"""Work files: what a node's processes leave on this machine's disk if the root is elsewhere.

If the root is in an object store, a node's log is copied to the execution's directory while it
grows, and so is what another attempt could go on from, on any machine: its state, and the outputs
that are kept on failure. When the node is over its work directory goes. For a root on a disk there
is nothing to do: processes write to where all of it belongs.

This is done by the process that launched the node, not by the node's own, which user code may kill,
and which can be forked only as long as it has no threads.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trainwright._paths import is_remote
from trainwright.orchestration.publishing import layout
from trainwright.storage import uris
from trainwright.storage.held_directories import hold, is_held
from trainwright.storage.local_copies import default_copies
from trainwright.storage.mirror import Mirror
from trainwright.storage.private_directories import make_private_directory

# How far behind the copy of a log may be.
_MIRROR_SECONDS = 5.0
# Whose work directory it is.
_ADDRESS = "address"
# A work directory that nobody came back to: its store was on another machine, for example.
_STALE_SECONDS = 3 * 24 * 3600.0


# The places of outputs that are worth keeping although a node failed, by key.
KeptPlaces = Mapping[str, Sequence[str]]


def local_output(work_directory: str, key: str, place: str) -> str:
    """Where a process writes the output whose place in the object store is this."""
    return os.path.join(work_directory, "outputs", key, os.path.basename(place))


class WorkFiles:
    """The work files of the nodes of one run."""

    def __init__(self) -> None:
        self._mirror = Mirror(seconds=_MIRROR_SECONDS)

    def follow(self, directory: str, ranks: int, kept: KeptPlaces) -> None:
        """Copies, while a node runs, the logs of its processes, and what another attempt could go
        on from; `kept` are the places of outputs that are worth keeping, by key."""
        for log, uri in _logs(directory, ranks):
            self._mirror.add(log, uri)
        for path, uri in _remains(directory, kept):
            self._mirror.add(path, uri, gate=_gate(layout.work_directory(directory)))

    def keep(self, directory: str, kept: KeptPlaces) -> None:
        """Copies, for the last time, what another attempt could go on from."""
        for path, _ in _remains(directory, kept):
            self._mirror.finish(path)

    def drop(self, directory: str, kept: KeptPlaces) -> None:
        """Copies no more of that: the node is done."""
        for path, _ in _remains(directory, kept):
            self._mirror.forget(path)

    def finish(self, directory: str, ranks: int) -> None:
        """Copies what is new in the logs of a node that is over; its work directory goes."""
        for log, _ in _logs(directory, ranks):
            self._mirror.finish(log)
        discard_work(directory)

    def close(self) -> None:
        """Copies what is left, and no more after that; may be repeated."""
        self._mirror.close()


class HostedWork:
    """The work files of one node on a machine that the run is not on.

    If the root is in an object store, the run cannot see what is written here, so the process that
    has started the node's copies it.

    Args:
        header: What the node's process is told.
    """

    def __init__(self, header: Mapping[str, Any]) -> None:
        plan = header["staging"] or {}
        self._directory: str = plan.get("directory", "")
        self._kept: KeptPlaces = plan.get("kept", {})
        theirs = header["work_directory"]
        # Where the run's machine is this one, the run follows it.
        self.is_on_another_machine = is_remote(self._directory) and not os.path.isdir(theirs)
        self._work_files = WorkFiles()
        self.header = dict(header)
        if self.is_on_another_machine:
            discard_stale_work()
            self.header = _with_prefix(header, theirs, make_work_directory(self._directory))
            self._work_files.follow(self._directory, 0, self._kept)

    def end(self, *, is_done: bool) -> None:
        """Copies what another attempt could go on from, if there will be one, and clears up."""
        if not self.is_on_another_machine:
            return
        if is_done:
            self._work_files.drop(self._directory, self._kept)
        else:
            self._work_files.keep(self._directory, self._kept)
        self._work_files.close()
        discard_work(self._directory)


def _with_prefix(value: Any, old: str, new: str) -> Any:
    """A JSON value in which paths that begin with one directory begin with another."""
    if isinstance(value, str):
        is_below = value == old or value.startswith(old + os.sep)
        return new + value[len(old) :] if is_below else value
    if isinstance(value, Mapping):
        return {name: _with_prefix(item, old, new) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_prefix(item, old, new) for item in value]
    return value


def save_remains(directory: str, kept: KeptPlaces) -> None:
    """Uploads what the node of a run that was killed on this machine has left."""
    if not is_remote(directory) or not os.path.isdir(layout.work_directory(directory)):
        return
    with Mirror() as mirror:
        for path, uri in [*_logs(directory, 1), *_remains(directory, kept)]:
            mirror.add(path, uri)


def end_copies(work_directory: str) -> None:
    """Waits for a copy that is being made of what a node keeps, and has no more made."""
    with open(_gate(work_directory), "w") as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)
        gate.write("The node uploads its outputs itself.")


def discard_work(directory: str, patience: float = 0.0) -> None:
    """Removes the work directory of an execution, unless one of its processes is still there.

    Args:
        directory: That of the execution.
        patience: How many seconds such a process has to end.
    """
    work = layout.work_directory(directory)
    if not is_remote(directory):
        return
    deadline = time.monotonic() + patience
    while is_held(work):
        if time.monotonic() >= deadline:
            return
        time.sleep(0.05)
    shutil.rmtree(work, ignore_errors=True)


def make_work_directory(directory: str) -> str:
    """Makes the work directory of a run or an execution, for this user's eyes, and returns it."""
    default_copies().make_directory()
    make_private_directory(layout.work_home(), "The directory of work files")
    work = layout.work_directory(directory)
    return make_private_directory(work, "The work directory")


@contextlib.contextmanager
def in_use(directory: str) -> Iterator[None]:
    """Makes the work directory of a run or an execution, and holds it: no other process discards
    it before this one has left it, or died."""
    work = make_work_directory(directory)
    with open(os.path.join(work, _ADDRESS), "w") as file:
        file.write(directory)
    lock = hold(work)
    try:
        yield
    finally:
        os.close(lock)


def find_left_work(root: str) -> Iterator[str]:
    """The directories below a root in an object store for which this machine has a work directory
    that no process holds."""
    for work in _unused_work():
        with contextlib.suppress(OSError), open(os.path.join(work, _ADDRESS)) as address:
            directory = address.read()
            if directory.startswith(f"{root.rstrip('/')}/"):
                yield directory


def discard_stale_work() -> None:
    """Discards what nobody on this machine has come back to for days."""
    for work in _unused_work():
        with contextlib.suppress(OSError):
            if time.time() - os.stat(work).st_mtime > _STALE_SECONDS:
                shutil.rmtree(work, ignore_errors=True)


def clear_up_runs(root: str, runs: str, file: str) -> None:
    """Uploads what killed runs have left on this machine of their files, and discards what nobody
    has come back to for days.

    Args:
        root: The pipeline root, in an object store.
        runs: Where the directories of runs are below it.
        file: The name of a run's file.
    """
    for directory in find_left_work(root):
        if os.path.dirname(directory) == uris.join(root, runs):
            work = layout.work_directory(directory)
            with contextlib.suppress(OSError), Mirror() as mirror:
                mirror.add(os.path.join(work, file), uris.join(directory, file))
            shutil.rmtree(work, ignore_errors=True)
    discard_stale_work()


def _unused_work() -> Iterator[str]:
    """The work directories of this user on this machine that no process holds."""
    home = layout.work_home()
    for name in os.listdir(home) if os.path.isdir(home) else ():
        work = os.path.join(home, name)
        if not is_held(work):
            yield work


def _gate(work_directory: str) -> str:
    return os.path.join(work_directory, "copies")


def _remains(directory: str, kept: KeptPlaces) -> list[tuple[str, str]]:
    """What another attempt could go on from: local path and place in the object store."""
    if not is_remote(directory):
        return []
    work = layout.work_directory(directory)
    outputs = [(local_output(work, key, place), place) for key in kept for place in kept[key]]
    return [(layout.state_directory(work), layout.state_directory(directory)), *outputs]


def _logs(directory: str, ranks: int) -> list[tuple[str, str]]:
    if not is_remote(directory):
        return []
    uris = [layout.log_path(directory, rank) for rank in range(ranks)]
    return [(layout.work_path(uri), uri) for uri in uris]
