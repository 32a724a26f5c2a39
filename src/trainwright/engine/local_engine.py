"""LocalEngine: passes on this machine, by this process or by several."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from functools import partial

from trainwright.engine.engine import Engine, ReportProgress, ShardError
from trainwright.engine.passes import PassSpec, Shard
from trainwright.engine.progress import Progress
from trainwright.engine.worker import describe
from trainwright.engine.worker_pool import ATTEMPTS, WorkerPool

_logger = logging.getLogger(__name__)

# Up to this size of all shards together, starting other processes takes longer than it saves.
INLINE_BYTES = 4 << 20


class LocalEngine(Engine):
    """Runs passes over shards in parallel, in processes of their own.

    Small inputs and single shards are done by the calling process.

    Args:
        processes: How many; by default one for each processor. With 1 the calling process does
            everything.
        inline_bytes: Up to this size of all shards together, the calling process does everything.

    Example:
        ```py
        engine = LocalEngine()
        words = engine.accumulate(PassSpec("my_package.counting:CountWords"), shards)
        ```
    """

    def __init__(self, processes: int | None = None, *, inline_bytes: int = INLINE_BYTES) -> None:
        if processes is not None and processes < 1:
            raise ValueError(
                f"processes is {processes}: expected 1 or more, or None for one per processor."
            )
        self._processes = processes or _available_processors()
        self._inline_bytes = inline_bytes

    def run(
        self,
        spec: PassSpec,
        shards: Sequence[Shard],
        report_progress: ReportProgress | None = None,
    ) -> Iterator[bytes]:
        progress = Progress(report_progress)
        processes = min(self._processes, len(shards))
        if processes <= 1 or sum(shard.size for shard in shards) <= self._inline_bytes:
            yield from _run_inline(spec, shards, progress)
        else:
            with WorkerPool(spec, processes) as pool:
                yield from pool.run(shards, progress)


def _run_inline(spec: PassSpec, shards: Sequence[Shard], progress: Progress) -> Iterator[bytes]:
    built = spec.build()
    for index, shard in enumerate(shards):
        for attempt in range(1, ATTEMPTS + 1):
            try:
                result = built.run(shard, partial(progress.add, index))
                break
            except Exception as error:
                progress.forget(index)
                if attempt == ATTEMPTS:
                    raise ShardError(shard.name, describe(error), ATTEMPTS) from error
                _logger.warning("%s failed and is tried again: %s", shard.name, describe(error))
        yield result


def _available_processors() -> int:
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
