"""The actor on a machine of a Ray cluster: it starts processes of nodes, and tells of them.

The processes are those of local runs, forked from a zygote, with a log in a file, a group and an
exit status of their own: whatever user code does to its process, the actor is there to say so. They
end with the actor, which ends with the run.

The machine may be cut off from the run without noticing, or the other way round. So the actor has a
lease, which each call of the run renews; when it is over, the actor ends all that it has started.
The lease is told in the actor's own clock, so that the run knows, without knowing that clock, from
when on nothing of the actor can be at work: see `RayHost` on the other side.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import math
import os
import shutil
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trainwright._version import __version__
from trainwright.orchestration.launching.on_ray.remote_needs import RemoteNeeds, merge_paths
from trainwright.orchestration.launching.worker_pool import Worker, WorkerPool
from trainwright.orchestration.publishing import claims
from trainwright.orchestration.publishing.plain_files import open_plain
from trainwright.orchestration.publishing.work_files import HostedWork
from trainwright.storage.held_directories import make_temporary

_SECONDS_BETWEEN_LOOKS = 0.25
# A call for news returns without any after this part of a lease, so that the next renews it.
_POLLS_IN_A_LEASE = 4
# At most this much of a log goes with one answer.
_LOG_BYTES = 1 << 20
_SECONDS_TO_END = 10.0
# Logs that the run cannot see are in a directory of the actor's own.
_OWN_DIRECTORY = "trainwright-ray-"
# The exit status of an actor whose lease was over.
LEASE_OVER = 75


def clock() -> float:
    """Seconds on a clock that goes on while the machine sleeps, where there is one."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


@dataclass(eq=False)
class _Hosted:
    """A process of a node. Its log is shipped to the run if that cannot see its file."""

    worker: Worker | None
    log_path: str
    ships_log: bool
    work: HostedWork | None = None
    ending: asyncio.Future[None] | None = None  # of its work files, when it is over
    error: dict[str, str] | None = None  # why it was not started
    progress: dict[str, Any] = field(default_factory=dict)

    def describe(self) -> dict[str, Any]:
        if self.worker is None:
            refused = {"ok": False, "error": self.error}
            return {"result": refused, "exit_status": 1, "fault": "", "progress": {}}
        self.progress.update(self.worker.take_progress())
        told = {
            "result": self.worker.result,
            "exit_status": self.worker.exit_status,
            "fault": self.worker.fault,
            "progress": dict(self.progress),
        }
        has_failed = self.worker.result is None or not self.worker.result["ok"]
        if has_failed and self._is_kept_back:
            told |= {"result": None, "exit_status": None, "fault": ""}
        return told

    @property
    def _is_kept_back(self) -> bool:
        """A failure is told when what the next attempt goes on from is in the object store."""
        is_ended = self.ending is not None and self.ending.done()
        return self.work is not None and self.work.is_on_another_machine and not is_ended

    @property
    def log_size(self) -> int:
        try:
            return os.stat(self.log_path).st_size if self.ships_log else 0
        except OSError:
            return 0

    def read_log(self, position: int) -> bytes:
        """What the log has behind a position; not all of it, if it is much."""
        if self.log_size <= position:
            return b""
        with (
            contextlib.suppress(OSError),
            open(open_plain(self.log_path, os.O_RDONLY), "rb") as log,
        ):
            log.seek(position)
            return log.read(_LOG_BYTES)
        return b""


class NodeHost:
    """Starts processes of nodes on the machine that it is on; the class of a Ray actor.

    Its methods run in one event loop, one at a time.

    Args:
        sys_path: Where the run finds modules.
        prefix: Where its Python is.
        lease_seconds: How long it lives without a call.
    """

    def __init__(self, sys_path: Sequence[str], prefix: str, lease_seconds: float) -> None:
        sys.path[:] = merge_paths(sys_path, prefix)
        self._pool = WorkerPool()
        self._hosted: dict[int, _Hosted] = {}
        self._version = 0
        self._news = asyncio.Event()
        self._is_watched = False
        self._poll_seconds = lease_seconds / _POLLS_IN_A_LEASE
        self._lease_end = clock() + lease_seconds
        self._directory = ""
        threading.Thread(target=self._end_without_lease, daemon=True).start()

    async def introduce(self) -> dict[str, Any]:
        """Says where it is; the first call."""
        ray: Any = sys.modules["ray"]  # which has started this process
        node = ray.get_runtime_context().get_node_id()
        return {
            "clock": clock(),
            "machine": socket.gethostname(),
            "node": node,
            "trainwright": __version__,
            "python": sys.executable,
        }

    async def warm_up(self, preload: Sequence[str], environment: Mapping[str, str]) -> None:
        """Starts importing what a node will need."""
        self._watch()
        self._pool.warm_up(preload, environment)

    async def start(
        self,
        number: int,
        *,
        lease_end: float,
        needs: RemoteNeeds,
        header: Mapping[str, Any],
        payload: bytes,
        log_path: str,
        preload: Sequence[str],
        environment: Mapping[str, str],
    ) -> None:
        """Starts a process, of which `news` tells under this number, also if it cannot be."""
        self._renew(lease_end)
        self._watch()
        ships_log = not claims.is_marked(os.path.dirname(log_path), needs.token)
        missing = needs.find_missing()
        if missing:
            error = {"type": "FileNotFoundError", "message": missing, "traceback": ""}
            self._hosted[number] = _Hosted(None, log_path, ships_log=False, error=error)
            self._tell()
            return
        if ships_log:
            log_path = os.path.join(self._own_directory(), f"{number}.log")
        work = HostedWork(header)
        try:
            worker = self._pool.start(
                work.header, payload, log_path=log_path, preload=preload, environment=environment
            )
        except (OSError, ValueError) as failure:
            error = {"type": type(failure).__name__, "message": str(failure), "traceback": ""}
            self._hosted[number] = _Hosted(None, log_path, ships_log=False, error=error)
        else:
            self._hosted[number] = _Hosted(worker, log_path, ships_log, work)
        self._tell()

    async def news(
        self, lease_end: float, known: int, forgotten: Iterable[int], logs: Mapping[int, int]
    ) -> dict[str, Any]:
        """Waits for news, and tells of all processes that are not forgotten.

        Args:
            lease_end: Until when this actor may live on.
            known: The version of the last news that the caller has got.
            forgotten: Processes of which it needs no more.
            logs: How much it has of the logs that it cannot see.
        """
        self._renew(lease_end)
        for number in forgotten:
            self._hosted.pop(number, None)
        await self._wait_for_news(known, logs)
        grown = {
            number: hosted.read_log(logs.get(number, 0)) for number, hosted in self._hosted.items()
        }
        answer = {
            "clock": clock(),
            "zygotes": self._pool.zygote_pids,
            "logs": {number: text for number, text in grown.items() if text},
        }
        if any(len(text) == _LOG_BYTES for text in grown.values()):
            # The end of a process is told when all that it has logged was.
            return {**answer, "version": known, "processes": {}}
        told = {number: hosted.describe() for number, hosted in self._hosted.items()}
        return {**answer, "version": self._version, "processes": told}

    async def signal(self, number: int, signal_number: int, *, is_stop: bool) -> None:
        """Sends a signal to a process and what it has started; what is stopped may not begin."""
        hosted = self._hosted.get(number)
        if hosted is not None and hosted.worker is not None:
            hosted.worker.is_stopped |= is_stop
            hosted.worker.signal(signal_number)

    async def close(self) -> None:
        """Ends all processes and waits for their end; its own is up to who has called."""
        self._lease_end = math.inf  # nothing is left that somebody has to end
        if self._is_watched:
            asyncio.get_running_loop().remove_reader(self._pool.fileno())
        self._pool.close()
        shutil.rmtree(self._directory, ignore_errors=True)

    def _watch(self) -> None:
        """Has the pool looked at when there is news; in the event loop, which is there by now."""
        if not self._is_watched:
            self._is_watched = True
            asyncio.get_running_loop().add_reader(self._pool.fileno(), self._take_news)

    def _take_news(self) -> None:
        if self._pool.wait(0):
            self._tell()
        for hosted in self._hosted.values():
            if hosted.worker is not None and hosted.worker.is_over and hosted.ending is None:
                self._end(hosted)

    def _end(self, hosted: _Hosted) -> None:
        """Has the work files of a process that is over copied by a thread: the run is waited on."""
        assert hosted.worker is not None
        assert hosted.work is not None
        result = hosted.worker.result
        is_done = result is not None and bool(result["ok"])
        loop = asyncio.get_running_loop()
        end = functools.partial(hosted.work.end, is_done=is_done)
        hosted.ending = loop.run_in_executor(None, end)
        hosted.ending.add_done_callback(lambda _: self._tell())

    def _tell(self) -> None:
        self._version += 1
        self._news.set()

    async def _wait_for_news(self, known: int, logs: Mapping[int, int]) -> None:
        deadline = time.monotonic() + self._poll_seconds
        self._take_news()
        while self._version == known and not self._has_longer_log(logs):
            ships_log = any(hosted.ships_log for hosted in self._hosted.values())
            wait = deadline - time.monotonic()
            if wait <= 0:
                return
            self._news.clear()
            with contextlib.suppress(asyncio.TimeoutError):
                longest = _SECONDS_BETWEEN_LOOKS if ships_log else wait
                await asyncio.wait_for(self._news.wait(), min(wait, longest))

    def _has_longer_log(self, logs: Mapping[int, int]) -> bool:
        return any(hosted.log_size > logs.get(number, 0) for number, hosted in self._hosted.items())

    def _renew(self, lease_end: float) -> None:
        self._lease_end = max(self._lease_end, lease_end)

    def _end_without_lease(self) -> None:
        """Ends this process when its lease is over, and with it all that it has started."""
        while (left := self._lease_end - clock()) > 0:
            if left == math.inf:
                return
            time.sleep(min(left, _SECONDS_BETWEEN_LOOKS))
        shutil.rmtree(self._directory, ignore_errors=True)
        os._exit(LEASE_OVER)

    def _own_directory(self) -> str:
        if not self._directory:
            self._directory, _ = make_temporary(_OWN_DIRECTORY)  # held until this process ends
        return self._directory


def end_zygotes(pids: Iterable[int]) -> None:
    """Ends what an actor that has died may have left on this machine, and waits for its end."""
    deadline = time.monotonic() + _SECONDS_TO_END
    for pid in pids:
        while _is_zygote(pid):
            # Its keeper ends all that is below it, and so does the end of the actor's socket.
            number = signal.SIGTERM if time.monotonic() < deadline else signal.SIGKILL
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
            time.sleep(0.05)


def _is_zygote(pid: int) -> bool:
    """Whether a process is one of ours: the number may be another's by now."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return b"launching.zygote:main" in file.read()
    except OSError:
        return False
