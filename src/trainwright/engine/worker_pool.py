"""WorkerPool: shards to worker processes, results in order."""

from __future__ import annotations

import logging
import selectors
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import TracebackType

from trainwright.engine.engine import ShardError
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
    """A number of processes for one pass, which end with the `with` block."""

    def __init__(self, spec: PassSpec, processes: int) -> None:
        self._spec = spec
        self._window = _AHEAD * processes
        self._idle: list[WorkerProcess] = []
        self._busy = selectors.DefaultSelector()
        self._outcomes: dict[int, bytes | ShardError] = {}
        try:
            for _ in range(processes):
                self._idle.append(WorkerProcess(spec))
        except BaseException:
            self._end(kill=True)
            raise

    @property
    def process_ids(self) -> list[int]:
        return [worker.process.pid for worker in self._workers()]

    def run(self, shards: Sequence[Shard], progress: Progress) -> Iterator[bytes]:
        """Yields each shard's result in the order of the shards; raises as `Engine.run` does."""
        waiting = deque(_Task(index, shard) for index, shard in enumerate(shards))
        for turn in range(len(shards)):
            while turn not in self._outcomes:
                self._hand_out(waiting, before=turn + self._window)
                self._listen(waiting, progress)
            outcome = self._outcomes.pop(turn)
            if isinstance(outcome, ShardError):
                raise outcome
            # Before the caller merges this one, the processes get the next.
            self._hand_out(waiting, before=turn + 1 + self._window)
            yield outcome

    def _hand_out(self, waiting: deque[_Task], before: int) -> None:
        while self._idle and waiting and waiting[0].index < before:
            worker, task = self._idle.pop(), waiting.popleft()
            self._busy.register(worker.replies, selectors.EVENT_READ, (worker, task))
            worker.start(task.shard)

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
                worker = WorkerProcess(self._spec)
            elif message[0] is Kind.ERROR:
                self._fail(task, message[1].decode(), waiting, progress)
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
            # One that is still busy does work that nobody waits for.
            if kill or worker not in self._idle:
                worker.kill()
            else:
                worker.close()
        self._busy.close()
