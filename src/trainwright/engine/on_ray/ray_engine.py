"""RayEngine: passes on a Ray cluster."""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from typing import Any

from trainwright._checks import check_integer
from trainwright.engine.engine import Engine
from trainwright.engine.hosted.hosting import setting
from trainwright.engine.merging import Levels
from trainwright.engine.on_ray import ray_tasks
from trainwright.engine.on_ray.ray_parts import Part, RayWork
from trainwright.engine.passes import PassSpec, Shards
from trainwright.engine.stalls import warn_of_stalls
from trainwright.processes.progress import Progress, ReportProgress
from trainwright.ray_cluster.connection import RayCluster, connect, disconnect

_logger = logging.getLogger(__name__)


class RayEngine(Engine):
    """Runs passes over shards as tasks of a Ray cluster, one processor each.

    Where a task runs, a worker process like the local engine's does the work and stays for the next
    shard. Accumulators stay in Ray's object store and are merged there. A shard whose Ray worker or
    node is lost is processed again, once.

    Args:
        address: `host:port` of the cluster's head; "auto" for the one that runs on this machine; ""
            for one that is started on this machine and ends with the process.
        processes: How many shards are processed at once; by default twice as many as the cluster
            has processors, so that one that can grow does.
        shares_filesystem: Whether the cluster's machines see the files of this one under the same
            paths; by default, if they are this machine. If not, what passes need travels to them,
            and what they write comes back.
        preload: Modules that worker processes import when they start.

    Example:
        ```py
        with RayEngine("10.0.0.5:6379") as engine:
            words = engine.accumulate(PassSpec("my_package.counting:CountWords"), shards)
        ```
    """

    carries_files = True

    def __init__(
        self,
        address: str = "",
        *,
        processes: int | None = None,
        shares_filesystem: bool | None = None,
        preload: Sequence[str] = (),
    ) -> None:
        if processes is not None:
            check_integer("processes", processes, least=1)
        self._address = address
        self._processes = processes
        self._shares_filesystem = shares_filesystem
        self._preload = tuple(preload)
        self._is_warm = False

    @property
    def shares_filesystem(self) -> bool:
        """As it was given, or whether all nodes of the cluster are this machine."""
        if self._shares_filesystem is not None:
            return self._shares_filesystem
        return not self._address or self._cluster().is_on_this_machine

    def __exit__(self, *exc: object) -> None:
        self._is_warm = False
        disconnect()

    def _cluster(self) -> RayCluster:
        return connect(self._address, cpus=self._processes)

    def warm_up(self, shards: Shards) -> None:
        """Connects, and starts worker processes if there are modules to import."""
        cluster = self._cluster()
        if self._preload and not self._is_warm:
            self._is_warm = True
            start = cluster.ray.remote(num_cpus=1, max_retries=0)(ray_tasks.warm_up)
            for _ in range(int(cluster.ray.cluster_resources().get("CPU", 1))):
                start.remote(json.dumps(self._setting(cluster)))

    def _setting(self, cluster: RayCluster) -> dict[str, Any]:
        return setting(self._preload, is_on_this_machine=cluster.is_on_this_machine)

    def _work(self, spec: PassSpec, progress: Progress) -> RayWork:
        cluster = self._cluster()
        cluster.check_resources({"CPU": 1}, "A shard")
        processors = int(cluster.ray.cluster_resources().get("CPU", 1))
        return RayWork(
            cluster.ray,
            spec,
            self._setting(cluster),
            progress,
            at_once=self._processes or 2 * processors,
            carries=not self.shares_filesystem,
        )

    def run(
        self,
        spec: PassSpec,
        shards: Shards,
        report_progress: ReportProgress | None = None,
    ) -> Iterator[bytes]:
        progress = Progress(report_progress)
        yield from warn_of_stalls(self._run(spec, shards, progress), progress, spec.factory)

    def _run(
        self, spec: PassSpec, shards: Shards, progress: Progress
    ) -> Generator[bytes, None, None]:
        with self._work(spec, progress) as work:
            for part in _in_order(work, shards, keeps_shards=True):
                yield work.fetch(part)

    def gather(
        self,
        spec: PassSpec,
        shards: Shards,
        report_progress: ReportProgress | None = None,
    ) -> Iterator[bytes]:
        progress = Progress(report_progress)
        yield from warn_of_stalls(self._gather(spec, shards, progress), progress, spec.factory)

    def _gather(
        self, spec: PassSpec, shards: Shards, progress: Progress
    ) -> Generator[bytes, None, None]:
        keeps_shards = isinstance(shards, Sequence)
        with self._work(spec, progress) as work:
            levels: Levels[Part] = Levels()

            def add(part: Part, level: int = 0) -> None:
                group = levels.add(part, level)
                if group is not None:
                    add(work.merge(group), level + 1)

            for part in _in_order(work, shards, keeps_shards=keeps_shards):
                add(part)
            level = 0
            while (group := levels.close(level)) is not None:
                add(work.merge(group), level + 1)
                level += 1
            for part in levels.top:
                yield work.fetch(part)


def _in_order(work: RayWork, shards: Shards, *, keeps_shards: bool) -> Iterator[Part]:
    """Yields shards that are done, in their order; takes new ones as there is room for them."""
    source = iter(shards)
    queue: deque[Part] = deque()
    is_over = False
    while True:
        # Some are done ahead of the one whose turn it is, and their results wait.
        while not is_over and work.has_room and len(queue) < 2 * work.at_once:
            shard = next(source, None)
            if shard is None:
                is_over = True
            else:
                queue.append(work.start(shard))
        if queue and queue[0].is_settled:
            part = queue.popleft()
            work.check(part)
            if not keeps_shards:
                part.forget_shard()
            yield part
        elif queue:
            work.listen()
        else:
            return
