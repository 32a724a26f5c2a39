"""Process of a node on a Ray cluster, and the actor that it is below, as the run sees them."""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Condition
from typing import Any

from trainwright.dsl.node_resources import NodeResources
from trainwright.orchestration.launching.node_request import NodeRequest
from trainwright.orchestration.launching.on_ray.ray_places import Place
from trainwright.orchestration.launching.on_ray.remote_needs import RemoteNeeds
from trainwright.orchestration.publishing.plain_files import open_plain

# From the end of a lease until what it stood for is surely over: the actor looks at its clock four
# times a second, and the zygotes that see it end need a moment.
_MARGIN_SECONDS = 3.0

_numbers = itertools.count(1)


class RayProcess:
    """A process of a node in a Ray cluster: see `NodeProcess`."""

    def __init__(self, request: NodeRequest, rank: int, needs: RemoteNeeds, host: RayHost) -> None:
        self.request = request
        self.rank = rank
        self.needs = needs
        self.host = host  # another one, if it gets a place there earlier
        self.number = next(_numbers)
        self.result: dict[str, Any] | None = None
        self.exit_status: int | None = None
        self.fault = ""
        self.is_over = False
        self.is_stopped = False
        self.is_waiting_told = False
        self.was_lost = False
        self.may_wake_up = False
        self.log_position = 0
        self._progress: dict[str, Any] = {}
        self._reported: dict[str, Any] = {}

    def take_progress(self) -> dict[str, Any]:
        taken, self._progress = self._progress, {}
        return taken

    def report(self, progress: Mapping[str, Any]) -> None:
        """Takes in all that it has reported so far."""
        if progress and progress != self._reported:
            self._reported = dict(progress)
            self._progress.update(progress)

    def end(self, status: int, fault: str = "") -> None:
        # In this order: the run's thread looks at it meanwhile.
        self.fault = self.fault or fault
        self.exit_status, self.is_over = status, True

    def signal(self, number: int) -> None:
        self.host.signal(self, number)

    def write_log(self, text: bytes) -> None:
        """Adds to the log what its own process could not write there."""
        path = self.request.log_path(self.rank)
        with (
            contextlib.suppress(OSError),
            open(open_plain(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), "ab") as log,
        ):
            log.write(text)


@dataclass(eq=False)
class RayHost:
    """An actor and its lease, in this process' clock.

    Args:
        place: The actor, and what it has of its machine.
        lease_seconds: How long it goes on when nothing is heard of this process.
        changed: Guards this, which two threads use.
        tell: Is told of a process of which there is news.
    """

    place: Place
    lease_seconds: float
    changed: Condition
    tell: Callable[[RayProcess], None]
    asked_at: float = field(default_factory=time.monotonic)
    machine: str = ""
    node_id: str = ""
    processes: dict[int, RayProcess] = field(default_factory=dict)
    unsent: list[RayProcess] = field(default_factory=list)  # until it has a place
    forgotten: list[int] = field(default_factory=list)
    zygotes: list[int] = field(default_factory=list)
    version: int = 0
    clock: float = 0.0  # what its clock showed when it was last heard of
    heard_at: float = 0.0
    lease_end: float = 0.0  # when, at the latest, it has ended if it is not heard of
    death: str = ""
    idle_since: float = field(default_factory=time.monotonic)
    next_notice: float = 0.0
    warm: set[Any] = field(default_factory=set)

    @property
    def actor(self) -> Any:
        return self.place.actor

    @property
    def resources(self) -> NodeResources:
        return self.place.resources

    @property
    def is_placed(self) -> bool:
        """Whether it runs on a machine, and has said on which."""
        return bool(self.machine)

    @property
    def is_usable(self) -> bool:
        """Whether another node may run there: not in a group, and not where nobody answers."""
        is_well = not self.death and time.monotonic() - self.heard_at < self.lease_seconds / 2
        return self.is_placed and self.place.group is None and is_well

    @property
    def is_free(self) -> bool:
        """Whether its processes have said all that they will say."""
        at_work = [one for one in self.processes.values() if not one.is_over and not one.result]
        return not at_work and not self.unsent

    def hear(self, clock: float) -> None:
        self.clock, self.heard_at = clock, time.monotonic()

    def renew(self) -> float:
        """The end of a new lease in the actor's clock. What it showed when it was heard of was
        earlier than that moment, so that its lease is over before this process thinks so."""
        seconds = self.lease_seconds
        self.lease_end = self.heard_at + seconds + _MARGIN_SECONDS
        return self.clock + seconds

    def signal(self, process: RayProcess, number: int) -> None:
        with self.changed:
            if process.is_over:
                return
            if process in self.unsent:
                self.unsent.remove(process)  # it is not to begin
                process.end(-number)
                self.tell(process)
            elif not self.death:
                is_stop = process.is_stopped
                self.actor.signal.remote(process.number, int(number), is_stop=is_stop)
