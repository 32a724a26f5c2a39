"""LocalEngine: passes on this machine, by this process or by several."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from types import TracebackType

from trainwright._checks import check_integer
from trainwright.engine.engine import Engine, InvalidInputError, ShardError
from trainwright.engine.passes import PassSpec, Shards, ShardStream
from trainwright.engine.shard_files import expecting
from trainwright.engine.stalls import warn_of_stalls
from trainwright.processes.pool import ATTEMPTS, Task, TaskPool
from trainwright.processes.progress import Progress, ReportProgress
from trainwright.processes.tasks import InvalidTaskError, TaskFailedError, describe

_logger = logging.getLogger(__name__)

# Up to this size of all shards together, starting other processes takes longer than it saves.
INLINE_BYTES = 4 << 20
# Each process has a core: TensorFlow, which would take all of them, takes one.
THREADS_OF_TENSORFLOW = ("TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS")


class LocalEngine(Engine, AbstractContextManager["LocalEngine"]):
    """Runs passes over shards in parallel, in processes of their own.

    Small inputs and single shards are done by the calling process. As a context manager it keeps
    its processes from one pass to the next.

    Args:
        processes: How many; by default one for each processor. With 1 the calling process does
            everything.
        inline_bytes: Up to this size of all shards together, the calling process does everything.
        preload: Modules that the processes import when they start, before they know their pass.
        can_fork: Asked when processes are about to be started: whether they may be forks of this
            one, which have its modules already. See `Child` for what that takes.

    Example:
        ```py
        with LocalEngine() as engine:
            words = engine.accumulate(PassSpec("my_package.counting:CountWords"), shards)
        ```
    """

    def __init__(
        self,
        processes: int | None = None,
        *,
        inline_bytes: int = INLINE_BYTES,
        preload: Sequence[str] = (),
        can_fork: Callable[[], bool] = lambda: False,
    ) -> None:
        if processes is not None:
            check_integer("processes", processes, least=1)
        self._processes = processes or available_processors()
        self._inline_bytes = inline_bytes
        self._preload = tuple(preload)
        self._can_fork = can_fork
        self._kept = ExitStack()
        self._pool: TaskPool | None = None
        self._keeps_processes = False

    def __enter__(self) -> LocalEngine:
        self._keeps_processes = True
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._keeps_processes, self._pool = False, None
        self._kept.__exit__(exc_type, exc, traceback)

    def warm_up(self, shards: Shards) -> None:
        """Starts the processes that a pass over these shards will need, within a `with` block."""
        if self._keeps_processes and self._pool is None and self._processes_for(shards) > 1:
            self._pool = self._kept.enter_context(self._start_pool(self._processes))

    def _start_pool(self, processes: int) -> TaskPool:
        return TaskPool(
            "trainwright.engine.worker:main",
            processes,
            arguments=[self._preload],
            environment={name: os.environ.get(name, "1") for name in THREADS_OF_TENSORFLOW},
            fork=self._can_fork(),
        )

    def run(
        self,
        spec: PassSpec,
        shards: Shards,
        report_progress: ReportProgress | None = None,
    ) -> Iterator[bytes]:
        progress = Progress(report_progress)
        self.warm_up(shards)
        processes = self._processes_for(shards)
        with ExitStack() as stack:
            if processes == 1:
                results = _run_inline(spec, shards, progress)
            else:
                pool = self._pool or stack.enter_context(self._start_pool(processes))
                results = _run_in(pool, spec, shards, progress)
            yield from warn_of_stalls(results, progress, spec.factory)

    def _processes_for(self, shards: Shards) -> int:
        if isinstance(shards, ShardStream):
            return 1 if shards.size <= self._inline_bytes else self._processes
        is_small = sum(shard.size for shard in shards) <= self._inline_bytes
        return 1 if is_small else max(1, min(self._processes, len(shards)))


def _run_in(
    pool: TaskPool, spec: PassSpec, shards: Shards, progress: Progress
) -> Generator[bytes, None, None]:
    tasks = (Task(shard.name, shard.to_json(), shard.packed_data) for shard in shards)
    try:
        yield from pool.run(spec.to_json(), tasks, progress)
    except (ShardError, InvalidInputError):
        raise  # by the code that makes the shards
    except TaskFailedError as error:
        raise ShardError(error.task, error.cause, error.attempts) from None
    except InvalidTaskError as error:
        raise InvalidInputError(str(error)) from None


def _run_inline(spec: PassSpec, shards: Shards, progress: Progress) -> Generator[bytes, None, None]:
    built = spec.build()
    for index, shard in enumerate(shards):
        progress.begin(index, shard.name)
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with expecting(shard.contents):
                    result = built.run(shard, partial(progress.add, index))
                break
            except InvalidInputError:
                raise
            except Exception as error:
                progress.forget(index)
                if attempt == ATTEMPTS:
                    raise ShardError(shard.name, describe(error), ATTEMPTS) from error
                _logger.warning("%s failed and is tried again: %s", shard.name, describe(error))
        progress.end(index)
        yield result


def available_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
