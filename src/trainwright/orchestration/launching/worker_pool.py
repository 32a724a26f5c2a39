"""The runner's side of its worker processes: starting zygotes, sending requests, hearing back."""

from __future__ import annotations

import contextlib
import itertools
import os
import selectors
import signal
import socket
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from trainwright.orchestration.launching.containers import ContainerGuard
from trainwright.orchestration.publishing.plain_files import open_plain
from trainwright.orchestration.publishing.result_file import are_strings, is_error, is_result
from trainwright.processes.child import Child, describe_exit
from trainwright.processes.frame import MalformedMessageError, MessageBuffer, send_message

# What takes seconds to import.
_HEAVY_MODULE = "tensorflow"
# How long a zygote gets to end its workers and what they started.
_END_SECONDS = 8.0


@dataclass(eq=False)
class Worker:
    """One node's process, as the runner sees it."""

    request: int
    zygote: _ZygoteProcess
    channel: MessageBuffer
    socket: socket.socket
    pid: int | None = None
    exit_status: int | None = None
    result: dict[str, Any] | None = None
    progress: dict[str, Any] = field(default_factory=dict)
    is_stopped: bool = False
    fault: str = ""  # what was wrong with the process itself
    was_lost: ClassVar[bool] = False
    may_wake_up: ClassVar[bool] = False
    guard: ContainerGuard | None = None

    def release_guard(self) -> None:
        """Has the container removed, unless the worker has seen its end."""
        guard, self.guard = self.guard, None
        if guard is not None:
            guard.close(is_gone=self.result is not None)

    def take_progress(self) -> dict[str, Any]:
        """The progress that was not taken yet."""
        taken, self.progress = self.progress, {}
        return taken

    def take(self, message: Mapping[str, Any]) -> None:
        """Takes in one message; raises MalformedMessageError if a worker sends no such message."""
        event, progress = message.get("event"), message.get("progress")
        if event == "progress" and isinstance(progress, dict):
            self.progress = progress
        elif event == "result" and _is_result(message):
            self.result = self.result or dict(message)
        else:
            raise MalformedMessageError(f"unknown message {str(message)[:200]}")

    def take_notice(self, message: Mapping[str, Any]) -> bool:
        """Takes in what a zygote says of this worker; True if it has ended."""
        if message.get("event") == "started":
            self.pid = int(message["pid"])
            if self.is_stopped:
                self.signal(signal.SIGKILL)  # it was stopped before it had a process
            return False
        self.exit_status = int(message.get("status", 1))
        self.fault = self.fault or str(message.get("fault", ""))
        return True

    def lose_zygote(self, status: int) -> None:
        """Its zygote has died, and so has this worker, if it was there at all."""
        self.exit_status = status
        if self.pid is None:
            self.fault = (
                "the node's process could not be started: the interpreter that it is forked from "
                f"{describe_exit(status)}. The machine may be out of memory or processes."
            )

    @property
    def is_over(self) -> bool:
        return self.exit_status is not None

    def signal(self, number: int) -> None:
        """Sends a signal to the worker's process and what it started."""
        if self.pid is None or self.is_over:
            return
        try:
            os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            # Not the leader of a group: it was forked just now, or never forked at all.
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)


def _is_result(message: Mapping[str, Any]) -> bool:
    if message.get("ok") is True:
        return is_result(message)
    is_failure = message.get("ok") is False and is_error(message.get("error"))
    return is_failure and are_strings(message.get("changed_inputs", []))


@dataclass(eq=False)
class _ZygoteProcess:
    child: Child
    buffer: MessageBuffer
    can_fork: bool

    def end(self) -> None:
        """Ends it at once, with all that it started: its keeper does that when it is asked to."""
        if self.can_fork:
            self.child.terminate(_END_SECONDS)
        self.child.kill()


class WorkerPool:
    """Starts workers and waits for news of them; used by one thread.

    `warm_up` starts a zygote early, so that a node which needs its modules does not wait for them.
    """

    # Fork only where that is safe: not with macOS' system frameworks.
    CAN_FORK = sys.platform == "linux"

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._zygotes: dict[Any, _ZygoteProcess] = {}
        self._workers: dict[int, Worker] = {}
        self._requests = itertools.count(1)

    def fileno(self) -> int:
        """A descriptor that is readable when `wait` would return at once; where there is epoll, or
        kqueue."""
        return int(self._selector.fileno())

    @property
    def zygote_pids(self) -> list[int]:
        """The processes below which all others are; each ends with what is below it on SIGTERM."""
        return [zygote.child.pid for zygote in self._zygotes.values() if zygote.child.is_running]

    def warm_up(self, preload: Iterable[str], environment: Mapping[str, str]) -> None:
        if self.CAN_FORK:
            self._zygote(tuple(preload), environment)

    def start(
        self,
        header: Mapping[str, Any],
        payload: bytes,
        *,
        log_path: str,
        preload: Iterable[str],
        environment: Mapping[str, str],
        guard: ContainerGuard | None = None,
    ) -> Worker:
        """Sends a request to a fork of a zygote that has these modules and this environment.

        The guard, if there is one, is told when the worker has ended.
        """
        zygote_process = self._zygote(tuple(preload), environment)
        log_fd = open_plain(log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        ours, theirs = socket.socketpair()
        request = next(self._requests)
        worker = Worker(request, zygote_process, MessageBuffer(ours), ours, guard=guard)
        try:
            send_message(
                zygote_process.child.socket,
                {**header, "request": request},
                payload,
                (theirs.fileno(), log_fd),
            )
        except OSError:
            worker.lose_zygote(zygote_process.child.wait())
        finally:
            theirs.close()
            os.close(log_fd)
        self._workers[request] = worker
        self._selector.register(ours, selectors.EVENT_READ, worker)
        return worker

    def wait(self, timeout: float) -> list[Worker]:
        """Waits for news; returns the workers that have any (progress, a result, their end)."""
        changed: dict[Worker, None] = {
            worker: None for worker in self._workers.values() if worker.is_over
        }
        for key, _ in self._selector.select(0 if changed else timeout):
            if isinstance(key.data, Worker):
                self._read_channel(key.data)
                changed[key.data] = None
            else:
                changed.update(dict.fromkeys(self._read_zygote(key.data)))
        for worker in changed:
            if worker.is_over:
                self._read_channel(worker)
                self._forget(worker)
        return list(changed)

    def signal_all(self, number: int) -> None:
        """Sends a signal to every worker; what ends now was stopped."""
        for worker in self.workers:
            worker.is_stopped = True
            worker.signal(number)

    @property
    def workers(self) -> list[Worker]:
        return list(self._workers.values())

    def close(self) -> None:
        """Ends all workers and zygotes."""
        self._selector.close()
        for zygote_process in self._zygotes.values():
            # The zygote kills its children when its socket closes.
            zygote_process.child.socket.close()
        for worker in self.workers:
            worker.signal(signal.SIGKILL)
            worker.socket.close()
        busy = {worker.zygote for worker in self.workers}
        for zygote_process in self._zygotes.values():
            # One without workers may be in the middle of an import, and has nothing to end.
            seconds = _END_SECONDS if zygote_process in busy else 0.2
            if not zygote_process.child.ends_within(seconds):
                zygote_process.end()
        for worker in self.workers:
            worker.release_guard()

    def _zygote(self, preload: tuple[str, ...], environment: Mapping[str, str]) -> _ZygoteProcess:
        key: Any = (preload, tuple(sorted(environment.items())))
        if not self.CAN_FORK:
            key = next(self._requests)  # every worker is an interpreter of its own
        existing = self._zygotes.get(key) or self._zygote_with_more(preload, environment)
        if existing is not None and existing.child.is_running:
            return existing
        started = self._start_zygote(preload, environment)
        self._zygotes[key] = started
        return started

    def _zygote_with_more(
        self, preload: tuple[str, ...], environment: Mapping[str, str]
    ) -> _ZygoteProcess | None:
        """One that has these modules and others: as good, where TensorFlow has to be imported."""
        if not self.CAN_FORK or _HEAVY_MODULE not in preload:
            return None
        wanted = tuple(sorted(environment.items()))
        candidates = (
            started
            for (modules, has), started in self._zygotes.items()
            if has == wanted and set(modules) >= set(preload)
        )
        return next(candidates, None)

    def _start_zygote(
        self, preload: tuple[str, ...], environment: Mapping[str, str]
    ) -> _ZygoteProcess:
        child = Child(
            "trainwright.orchestration.launching.zygote:main",
            [preload, self.CAN_FORK],
            environment=environment,
            is_daemon=True,
        )
        started = _ZygoteProcess(child, MessageBuffer(child.socket), self.CAN_FORK)
        self._selector.register(child.socket, selectors.EVENT_READ, started)
        return started

    def _read_channel(self, worker: Worker) -> None:
        try:
            for message, _ in worker.channel.read():
                worker.take(message)
        except MalformedMessageError as error:
            # Nothing more can be understood, and what it does is not known: it must end.
            worker.fault = (
                f"what came from the node's process is not a message of its worker: {error}. User "
                "code wrote into a file descriptor that it did not open, or closed and reopened."
            )
            worker.signal(signal.SIGKILL)
        if worker.channel.closed:
            with contextlib.suppress(KeyError, ValueError):
                self._selector.unregister(worker.socket)

    def _read_zygote(self, zygote_process: _ZygoteProcess) -> list[Worker]:
        """Takes in what a zygote says; its death is the death of its workers."""
        ended = []
        try:
            for message, _ in zygote_process.buffer.read():
                worker = self._workers.get(int(message.get("request", 0)))
                if worker is not None and worker.take_notice(message):
                    ended.append(worker)
        except (MalformedMessageError, TypeError, ValueError):
            # Where processes are not forked it is the worker itself, and user code wrote there.
            zygote_process.buffer.closed = True
            zygote_process.end()
        if zygote_process.buffer.closed:
            status = zygote_process.child.wait()
            for worker in self._workers.values():
                if worker.zygote is zygote_process and not worker.is_over:
                    worker.lose_zygote(status)
                    ended.append(worker)
            self._selector.unregister(zygote_process.child.socket)
        return ended

    def _forget(self, worker: Worker) -> None:
        self._workers.pop(worker.request, None)
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(worker.socket)
        worker.socket.close()
        worker.release_guard()


class LastingWorkerPool(WorkerPool):
    """Keeps its zygotes from one run to the next, so that TensorFlow is imported once for all.

    A run ends its workers with `close`; `end` ends everything. What the zygotes have taken from
    this process must still hold: a changed `sys.path` or environment variable means new ones.
    """

    def __init__(self) -> None:
        super().__init__()
        self._surroundings = _surroundings()

    def close(self) -> None:
        """Ends all workers; the zygotes wait for more."""
        self.signal_all(signal.SIGKILL)
        deadline = time.monotonic() + _END_SECONDS
        while self._workers and time.monotonic() < deadline:
            self.wait(timeout=0.1)
        if self._workers:
            self._start_anew()

    def end(self) -> None:
        """Ends the zygotes, too."""
        super().close()

    def _start_anew(self) -> None:
        super().close()
        self._selector = selectors.DefaultSelector()
        self._zygotes, self._workers = {}, {}
        self._surroundings = _surroundings()

    def _zygote(self, preload: tuple[str, ...], environment: Mapping[str, str]) -> _ZygoteProcess:
        if not self._workers and self._surroundings != _surroundings():
            self._start_anew()
        return super()._zygote(preload, environment)

    def _zygote_with_more(
        self, preload: tuple[str, ...], environment: Mapping[str, str]
    ) -> _ZygoteProcess | None:
        """One that has TensorFlow: nobody knew what else later components would import."""
        wanted = (_HEAVY_MODULE,) if _HEAVY_MODULE in preload else preload
        return super()._zygote_with_more(wanted, environment)


def _surroundings() -> tuple[list[str], dict[str, str]]:
    return list(sys.path), dict(os.environ)
