"""WorkerPool: shards to worker processes, results in order."""

from __future__ import annotations

import logging
import selectors
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import TracebackType

from trainwright.engine.engine import InvalidInputError, ShardError
from trainwright.engine.messages import Kind
from trainwright.engine.passes import PassSpec, Shard
from trainwright.engine.progress import Progress
from trainwright.engine.worker_process import WorkerProcess

_logger = logging.getLogger(__name__)

# How often a shard is tried before the pass is given up.
ATTEMPTS = 2
# How far ahead of the shard whose turn it is others may be done, in shards per process: so many
# results are held at most.
_AHEAD = 2


@dataclass
class _Task:
    index: int
    shard: Shard
    failures: int = 0


class WorkerPool(AbstractContextManager["WorkerPool"]):
    """A number of processes for one pass after the other, which end with the `with` block.

    Args:
        processes: How many.
        preload: Modules that the processes import while they wait for their first pass.
        fork: Whether the first processes are forks of this one, which must be able to fork now.
            Those that take the place of others are fresh interpreters in any case.
    """

    def __init__(self, processes: int, preload: Sequence[str] = (), *, fork: bool = False) -> None:
        self._processes = processes
        self._preload = tuple(preload)
        self._window = _AHEAD * processes
        self._idle: list[WorkerProcess] = []
        self._busy = selectors.DefaultSelector()
        self._outcomes: dict[int, bytes | ShardError | InvalidInputError] = {}
        try:
            self._fill_up(fork=fork)
        except BaseException:
            self._end(kill=True)
            raise

    @property
    def process_ids(self) -> list[int]:
        return [worker.process.pid for worker in self._workers()]

    def run(self, spec: PassSpec, shards: Sequence[Shard], progress: Progress) -> Iterator[bytes]:
        """Yields each shard's result in the order of the shards; raises as `Engine.run` does.

        A pass that is not listened to until its end leaves nothing behind for the next.
        """
        waiting = deque(_Task(index, shard) for index, shard in enumerate(shards))
        self._fill_up()
        try:
            for turn in range(len(shards)):
                while turn not in self._outcomes:
                    self._hand_out(spec, waiting, before=turn + self._window)
                    self._listen(waiting, progress)
                outcome = self._outcomes.pop(turn)
                if isinstance(outcome, Exception):
                    raise outcome
                # Before the caller merges this one, the processes get the next.
                self._hand_out(spec, waiting, before=turn + 1 + self._window)
                yield outcome
        finally:
            self._abandon()

    def _fill_up(self, *, fork: bool = False) -> None:
        """Starts processes in the place of those that are gone."""
        while len(self._workers()) < self._processes:
            self._idle.append(WorkerProcess(self._preload, fork=fork))

    def _hand_out(self, spec: PassSpec, waiting: deque[_Task], before: int) -> None:
        while self._idle and waiting and waiting[0].index < before:
            worker, task = self._idle.pop(), waiting.popleft()
            self._busy.register(worker.replies, selectors.EVENT_READ, (worker, task))
            worker.start(spec, task.shard)

    def _listen(self, waiting: deque[_Task], progress: Progress) -> None:
        """Takes one message from each process that has something to say."""
        for key, _ in self._busy.select():
            worker, task = key.data
            message = worker.receive()
            if message is not None and message[0] is Kind.PROGRESS:
                progress.add(task.index, int(message[1]))
                continue
            self._busy.unregister(worker.replies)
            if message is None:
                self._fail(task, worker.describe_death(), waiting, progress)
                worker.kill()
                self._fill_up()
                continue
            if message[0] is Kind.ERROR:
                self._fail(task, message[1].decode(), waiting, progress)
            elif message[0] is Kind.INVALID:
                self._outcomes[task.index] = InvalidInputError(message[1].decode())
            else:
                self._outcomes[task.index] = message[1]
            self._idle.append(worker)

    def _fail(self, task: _Task, cause: str, waiting: deque[_Task], progress: Progress) -> None:
        progress.forget(task.index)
        task.failures += 1
        if task.failures == ATTEMPTS:
            self._outcomes[task.index] = ShardError(task.shard.name, cause, ATTEMPTS)
        else:
            _logger.warning("%s failed and is tried again: %s", task.shard.name, cause)
            # Its turn may be next: others wait for it.
            waiting.appendleft(task)

    def _abandon(self) -> None:
        """Ends the processes whose work nobody waits for, and forgets what others have done."""
        self._outcomes.clear()
        for key in list(self._busy.get_map().values()):
            self._busy.unregister(key.fileobj)
            key.data[0].kill()

    def _workers(self) -> list[WorkerProcess]:
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
                worker.kill()
            else:
                worker.close()
        self._busy.close()
