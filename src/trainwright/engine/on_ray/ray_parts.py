"""The work of one pass on a Ray cluster: parts, which are shards or groups of merged ones."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from trainwright.engine.engine import ShardError
from trainwright.engine.hosted.carried_files import CarriedFiles
from trainwright.engine.hosted.hosting import HostedTask, Outcome, log_warnings
from trainwright.engine.on_ray import ray_tasks
from trainwright.engine.passes import PassSpec, Shard
from trainwright.engine.worker import carried_data, carried_result, carry_job, merge_job
from trainwright.processes.pool import ATTEMPTS
from trainwright.processes.progress import Progress

_logger = logging.getLogger(__name__)

# When this long nothing was done, it is said that the cluster may have no processor free.
_SECONDS_TO_WONDER = 30.0


@dataclass(eq=False)
class Part:
    """A shard, or the parts whose accumulators are merged into one.

    Args:
        name: What an error calls it.
        index: Of a shard, for its progress; -1 of what is merged.
        shard: None of what is merged, or if it is not kept.
        children: What is merged.
    """

    name: str
    index: int = -1
    shard: Shard | None = None
    children: Sequence[Part] = ()
    result: Any = None
    is_settled: bool = False
    outcome: Outcome = field(default_factory=Outcome)
    losses: int = 0

    def forget_shard(self) -> None:
        """Gives back the memory of a shard that brought its data."""
        self.shard = None


class RayWork(AbstractContextManager["RayWork"]):
    """Hands parts to the cluster and hears what became of them; what is not done ends with it.

    Args:
        ray: The module, connected.
        spec: The pass.
        setting: What worker processes are like.
        progress: Told what shards report.
        at_once: How many shards are handed out at a time.
        carries: Whether files travel with the shards, because the cluster has other disks.
    """

    def __init__(
        self,
        ray: Any,
        spec: PassSpec,
        setting: dict[str, Any],
        progress: Progress,
        *,
        at_once: int,
        carries: bool,
    ) -> None:
        self.at_once = at_once
        self._ray = ray
        self._spec = spec
        self._setting = setting
        self._progress = progress
        self._carries = carries
        self._pending: dict[Any, tuple[Part, Any]] = {}
        self._waiting: list[Part] = []  # groups of which something is not done
        self._started = 0
        self._digests: dict[str, str] = {}
        self._files: dict[str, list[Any]] = {}
        if carries:
            for path in spec.paths():
                carried = CarriedFiles.read(path)
                self._digests[path] = carried.digest
                self._files[carried.digest] = [ray.put(carried.data)]
        # Tries are counted here: a task that Ray tried again by itself would have more of them.
        options = {"num_cpus": 1, "max_retries": 0, "num_returns": 2}
        self._run_shard = ray.remote(**options)(ray_tasks.run_shard)
        self._merge_group = ray.remote(**options)(ray_tasks.merge_group)

    def __exit__(self, *exc: object) -> None:
        for outcome in self._pending:
            self._ray.cancel(outcome, force=True)

    @property
    def has_room(self) -> bool:
        """Whether another shard can be handed out."""
        return len(self._pending) < self.at_once

    def start(self, shard: Shard) -> Part:
        """Hands out the next shard."""
        part = Part(shard.name, self._started, shard)
        self._started += 1
        self._submit(part)
        return part

    def merge(self, group: Sequence[Part]) -> Part:
        """What neighbours are merged into, as soon as all of them are done."""
        part = Part(f"{group[0].name} and {len(group) - 1} others, merged", children=list(group))
        self._waiting.append(part)
        self._start_merges()
        return part

    def fetch(self, part: Part) -> bytes:
        """The result of a part, waiting for it."""
        while True:
            while not part.is_settled:
                self.listen()
            self.check(part)
            try:
                result: bytes = self._ray.get(part.result)
            except self._ray.exceptions.RayError as error:
                self._lose(part, error)
                continue
            part.result = None
            if self._carries and part.shard is not None:
                return carried_result(part.shard, result)
            return result

    def check(self, part: Part) -> None:
        """Raises the error of a part that was given up."""
        part.outcome.check(part.name)

    def listen(self) -> None:
        """Waits until something is done, or lost."""
        began = time.monotonic()
        ready: list[Any] = []
        has_wondered = False
        while not ready:
            ready, _ = self._ray.wait(list(self._pending), num_returns=1, timeout=1.0)
            if not ready and not has_wondered and time.monotonic() - began > _SECONDS_TO_WONDER:
                has_wondered = True
                free = self._ray.available_resources().get("CPU", 0)
                if not free:
                    _logger.warning(
                        "No processor of the Ray cluster is free: shards of %s wait for one.",
                        self._spec.factory,
                    )
        for outcome in ready:
            part, result = self._pending.pop(outcome)
            self._progress.end(part)
            try:
                self._settle(part, Outcome.from_json(self._ray.get(outcome)), result)
            except self._ray.exceptions.RayError as error:
                self._lose(part, error)
        self._start_merges()

    def _settle(self, part: Part, outcome: Outcome, result: Any) -> None:
        log_warnings(outcome)
        part.outcome, part.result, part.is_settled = outcome, result, True
        if part.index >= 0:
            if outcome.units:
                self._progress.add(part.index, outcome.units)
        else:
            self.check(part)
            for child in part.children:
                child.result = None

    def _lose(self, part: Part, error: Exception) -> None:
        """Has a part done again that was lost with who had it, or whose result was."""
        cause = " ".join(str(error).split()) or type(error).__name__
        part.losses += 1
        part.is_settled = False
        if part.index >= 0:
            self._progress.forget(part.index)
        if part.losses == ATTEMPTS or (part.index >= 0 and part.shard is None):
            raise ShardError(part.name, f"it was lost: {cause}", part.losses)
        _logger.warning("%s was lost and is tried again: %s", part.name, cause)
        if part.index >= 0:
            self._submit(part)
            return
        for child in part.children:
            # What is on a node that is gone comes from its shards again.
            if child.result is None or not self._is_there(child.result):
                self._lose(child, error)
        self._waiting.append(part)

    def _is_there(self, result: Any) -> bool:
        try:
            ready, _ = self._ray.wait([result], timeout=5.0, fetch_local=True)
            return bool(ready) and self._ray.get(result) is not None
        except self._ray.exceptions.RayError:
            return False

    def _start_merges(self) -> None:
        for part in [one for one in self._waiting if all(c.is_settled for c in one.children)]:
            self._waiting.remove(part)
            self._submit(part)

    def _submit(self, part: Part) -> None:
        part.is_settled = False
        shard = part.shard
        if shard is None:
            task = self._task(part.name, merge_job(self._spec))
            results = [child.result for child in part.children]
            outcome, result = self._merge_group.remote(task, self._files, *results)
        elif self._carries:
            task = self._task(part.name, carry_job(self._spec), shard)
            outcome, result = self._run_shard.remote(task, carried_data(shard), self._files)
        else:
            task = self._task(part.name, self._spec.to_json(), shard)
            data = bytes(shard.packed_data)
            outcome, result = self._run_shard.remote(task, data, self._files)
        self._pending[outcome] = (part, result)
        self._progress.begin(part, part.name)

    def _task(self, name: str, job: dict[str, Any], shard: Shard | None = None) -> str:
        return HostedTask(
            job=job,
            name=name,
            config={} if shard is None else shard.to_json(),
            files=self._digests,
            setting=self._setting,
        ).to_json()
