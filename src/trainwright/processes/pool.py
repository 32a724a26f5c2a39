"""TaskPool: tasks to processes, results in order."""

from __future__ import annotations

import contextlib
import logging
import selectors
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from trainwright.processes.child import Child
from trainwright.processes.frame import (
    ConnectionClosedError,
    MalformedMessageError,
    receive_message,
    send_message,
)
from trainwright.processes.progress import Progress
from trainwright.processes.tasks import InvalidTaskError, TaskFailedError

_logger = logging.getLogger(__name__)

# How often a task is tried before the job is given up.
ATTEMPTS = 2
# How far ahead of the task whose turn it is others may be done, in tasks per process: this many
# results are held at most.
_AHEAD = 2


class PoolStoppedError(RuntimeError):
    """Another thread has stopped the pool."""


@dataclass(frozen=True)
class Task:
    """What one process does at a time.

    Args:
        name: What an error calls it.
        config: What to do, as JSON.
        data: What to do it with.
    """

    name: str
    config: Mapping[str, Any] = field(default_factory=dict)
    data: bytes | memoryview = b""


@dataclass(eq=False)
class _Worker:
    """A process that takes one task at a time."""

    child: Child
    _job: Any = None  # what it was told last

    def start(self, job: Any, task: Task) -> None:
        """Hands over a task; of a process that is gone already, `receive` will tell."""
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            if job is not self._job:
                send_message(self.child.socket, {"job": job})
                self._job = job
            send_message(self.child.socket, {"task": dict(task.config)}, task.data)

    def receive(self) -> tuple[dict[str, Any], bytes]:
        """The next answer, waiting for it; the "death" of a process that will not give one."""
        try:
            answer, result, _ = receive_message(self.child.socket)
            return answer, result
        except ConnectionClosedError:
            return {"death": self.child.describe_death()}, b""
        except MalformedMessageError as error:
            cause = f"what came from its process {self.child.pid} is not an answer: {error}"
            return {"death": cause}, b""


@dataclass
class _Attempt:
    index: int
    task: Task
    failures: int = 0


class TaskPool(AbstractContextManager["TaskPool"]):
    """A number of processes for one job after the other, which end with the `with` block.

    Results come in the order of the tasks. A task that fails, or whose process dies, is tried once
    more; then `TaskFailedError` names it when its turn comes. Tasks may be made while the job runs:
    one is taken whenever a process is free, and one ahead of that. Memory holds the tasks that are
    being done and two results for each process, however many tasks there are.

    Used by one thread at a time, but for `stop`.

    Args:
        entry: `"module:function"` for the processes to run, which calls `serve_tasks` with the
            socket that is its first argument.
        processes: How many.
        arguments: Further arguments of the function, as JSON.
        environment: Variables that are set in the processes.
        fork: Whether the first processes are forks of this one; see `Child` for what that takes.
            Those that take the place of others are fresh interpreters in any case.
    """

    def __init__(
        self,
        entry: str,
        processes: int,
        *,
        arguments: Sequence[Any] = (),
        environment: Mapping[str, str] | None = None,
        fork: bool = False,
    ) -> None:
        self._entry = entry
        self._processes = processes
        self._arguments = arguments
        self._environment = environment
        self._window = _AHEAD * processes
        self._is_stopped = False
        self._children: tuple[Child, ...] = ()  # for other threads: never changed in place
        self._idle: list[_Worker] = []
        self._busy = selectors.DefaultSelector()
        self._outcomes: dict[int, bytes | TaskFailedError | InvalidTaskError] = {}
        try:
            self._fill_up(fork=fork)
        except BaseException:
            self._end(kill=True)
            raise

    @property
    def process_ids(self) -> list[int]:
        return [worker.child.pid for worker in self._workers()]

    @property
    def is_stopped(self) -> bool:
        return self._is_stopped

    def stop(self) -> None:
        """Kills the processes, whatever they are doing; any thread may call it.

        The thread that uses the pool gets PoolStoppedError, and ends it.
        """
        self._is_stopped = True
        for child in self._children:
            child.kill_from_other_thread()

    def _check_stopped(self) -> None:
        if self._is_stopped:
            raise PoolStoppedError("the pool was stopped")

    def run(self, job: Any, tasks: Iterable[Task], progress: Progress) -> Iterator[bytes]:
        """Yields each task's result in the order of the tasks.

        A job that is not listened to until its end leaves nothing behind for the next.

        Args:
            job: What the tasks belong to, as JSON.
            tasks: Taken one by one, by this thread.
            progress: Told what the processes report.

        Raises:
            TaskFailedError: when the turn comes of a task that failed.
            InvalidTaskError: when the turn comes of a task that says that it cannot be done.
            PoolStoppedError: if another thread has stopped the pool.
        """
        waiting = _Waiting(tasks)
        turn = 0
        self._fill_up()
        try:
            while True:
                self._hand_out(job, waiting, progress, before=turn + self._window)
                if turn in self._outcomes:
                    outcome = self._outcomes.pop(turn)
                    if isinstance(outcome, Exception):
                        raise outcome
                    turn += 1
                    # Before the caller uses this one, the processes get the next.
                    self._hand_out(job, waiting, progress, before=turn + self._window)
                    yield outcome
                elif self._busy.get_map():
                    # While all processes are busy, this one makes the next task.
                    waiting.has_next(before=turn + self._window)
                    self._listen(waiting, progress)
                else:
                    return
        finally:
            self._abandon()

    def _fill_up(self, *, fork: bool = False) -> None:
        """Starts processes in the place of those that are gone."""
        while len(self._workers()) < self._processes:
            child = Child(self._entry, self._arguments, environment=self._environment, fork=fork)
            self._idle.append(_Worker(child))
            self._children = tuple(worker.child for worker in self._workers())
            # Who stops the pool has seen this child, or is seen here.
            self._check_stopped()

    def _hand_out(self, job: Any, waiting: _Waiting, progress: Progress, before: int) -> None:
        while self._idle and waiting.has_next(before):
            worker, attempt = self._idle.pop(), waiting.take()
            self._busy.register(worker.child.socket, selectors.EVENT_READ, (worker, attempt))
            worker.start(job, attempt.task)
            progress.begin(attempt.index, attempt.task.name)

    def _listen(self, waiting: _Waiting, progress: Progress) -> None:
        """Takes one message from each process that has something to say."""
        for key, _ in self._busy.select():
            self._check_stopped()
            worker, attempt = key.data
            answer, result = worker.receive()
            if "progress" in answer:
                progress.add(attempt.index, answer["progress"])
                continue
            self._busy.unregister(worker.child.socket)
            progress.end(attempt.index)
            if "invalid" in answer:
                self._outcomes[attempt.index] = InvalidTaskError(answer["invalid"])
            elif "error" in answer:
                self._fail(attempt, answer["error"], waiting, progress)
            elif "death" in answer:
                self._fail(attempt, answer["death"], waiting, progress)
                worker.child.kill()
                self._fill_up()
                continue
            else:
                if answer["done"]:
                    progress.add(attempt.index, answer["done"])
                self._outcomes[attempt.index] = result
            self._idle.append(worker)

    def _fail(self, attempt: _Attempt, cause: str, waiting: _Waiting, progress: Progress) -> None:
        progress.forget(attempt.index)
        attempt.failures += 1
        name = attempt.task.name
        if attempt.failures == ATTEMPTS:
            self._outcomes[attempt.index] = TaskFailedError(name, cause, ATTEMPTS)
        else:
            _logger.warning("%s failed and is tried again: %s", name, cause)
            waiting.put_back(attempt)

    def _abandon(self) -> None:
        """Ends the processes whose work nobody waits for, and forgets what others have done."""
        self._outcomes.clear()
        # There is no map any more if the pool has ended before whoever listened to the job did.
        for key in list((self._busy.get_map() or {}).values()):
            self._busy.unregister(key.fileobj)
            key.data[0].child.kill()

    def _workers(self) -> list[_Worker]:
        return self._idle + [key.data[0] for key in self._busy.get_map().values()]

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._end(kill=exc_type is not None)

    def _end(self, *, kill: bool) -> None:
        for worker in self._workers():
            if kill:
                worker.child.kill()
            else:
                worker.child.close()
        self._busy.close()


class _Waiting:
    """The tasks that no process has, those that are tried again first."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = iter(tasks)
        self._ready: deque[_Attempt] = deque()
        self._taken = 0

    def has_next(self, before: int) -> bool:
        """Whether there is a task with an index below the limit; if there may be, it is made."""
        if not self._ready and self._taken < before:
            for task in self._tasks:
                self._ready.append(_Attempt(self._taken, task))
                self._taken += 1
                break
        return bool(self._ready) and self._ready[0].index < before

    def take(self) -> _Attempt:
        return self._ready.popleft()

    def put_back(self, attempt: _Attempt) -> None:
        # Its turn may be next: others wait for it.
        self._ready.appendleft(attempt)
