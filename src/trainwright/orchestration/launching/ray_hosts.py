"""Hosts of a run on a Ray cluster: the actors that run its nodes, as the run sees them.

A thread follows them, so that a run which is busy with something else renews their leases, and
copies the logs of those whose files it does not see.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import queue
import re
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from trainwright.dsl.node_resources import NodeResources
from trainwright.orchestration.launching.node_request import NodeRequest
from trainwright.orchestration.launching.ray_host import NodeHost, end_zygotes
from trainwright.orchestration.launching.remote_needs import RemoteNeeds, needs_of
from trainwright.orchestration.publishing.plain_files import open_plain
from trainwright.ray_cluster.connection import RayCluster
from trainwright.ray_cluster.errors import RayResourcesError, RayVersionError
from trainwright.ray_cluster.versions import check_version

# From the end of a lease until what it stood for is surely over: the actor looks at its clock four
# times a second, and the zygotes that see it end need a moment.
_MARGIN_SECONDS = 3.0
_SECONDS_BETWEEN_LOOKS = 0.25
# An actor is kept for the next node, which finds its zygotes warm; not for long, as its resources
# are others' to use.
_IDLE_SECONDS = 5.0
# A process of Ray that has a place may need so long to be started on a machine that is busy.
_SECONDS_TO_START = 15.0
# A place that is not there after this time waits for others to be given back.
_SECONDS_TO_PLACE = 1.0
# When a node that has no place is spoken of, for the first time and again.
_PENDING_SECONDS = 3.0
_PENDING_AGAIN_SECONDS = 60.0
_SECONDS_TO_CLOSE = 12.0

_numbers = itertools.count(1)


class RayProcess:
    """A process of a node in a Ray cluster: see `NodeProcess`."""

    def __init__(self, request: NodeRequest, rank: int, needs: RemoteNeeds, host: RayHost) -> None:
        self.request = request
        self.rank = rank
        self.needs = needs
        self.host = host
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
        self.exit_status, self.is_over = status, True
        self.fault = self.fault or fault

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
        hosts: All of them.
        actor: Ray's handle.
        resources: What it has of its machine.
        group: The placement group that it is in, if it is for a node of several processes.
    """

    hosts: RayHosts
    actor: Any
    resources: NodeResources
    group: Any = None
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
    def is_placed(self) -> bool:
        return bool(self.machine)

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
        seconds = self.hosts.lease_seconds
        self.lease_end = self.heard_at + seconds + _MARGIN_SECONDS
        return self.clock + seconds

    def signal(self, process: RayProcess, number: int) -> None:
        with self.hosts.changed:
            if process.is_over:
                return
            if process in self.unsent:
                self.unsent.remove(process)  # it is not to begin
                process.end(-number)
                self.hosts.tell(process)
            elif not self.death:
                is_stop = process.is_stopped
                self.actor.signal.remote(process.number, int(number), is_stop=is_stop)


class RayHosts:
    """The actors of one run. Called by the run's thread; `changed` guards what two threads use.

    Args:
        cluster: Where they are.
        lease_seconds: How long an actor that hears nothing of this process goes on.
    """

    def __init__(self, cluster: RayCluster, lease_seconds: float) -> None:
        self._ray = cluster.ray
        self._cluster = cluster
        self.lease_seconds = lease_seconds
        self.changed = threading.Condition(threading.RLock())
        self._hosts: list[RayHost] = []
        self._news: dict[RayProcess, None] = {}
        self._answers: queue.SimpleQueue[tuple[RayHost, str, Any] | None] = queue.SimpleQueue()
        self._groups: dict[int, Any] = {}  # by execution
        self._is_closing = False
        self._follower: threading.Thread | None = None

    def start(self, request: NodeRequest, rank: int) -> RayProcess:
        """Starts a process on an actor that is free, or has one made for it."""
        with self.changed:
            if self._follower is None:
                self._follower = threading.Thread(
                    target=self._follow, name="ray-hosts", daemon=True
                )
                self._follower.start()
            needs = needs_of(request)
            host = self._find_host(request, rank)
            process = RayProcess(request, rank, needs, host)
            host.unsent.append(process)
            if host.is_placed:
                self._send(host)
            return process

    def wait(self, timeout: float) -> list[RayProcess]:
        with self.changed:
            self.changed.wait_for(lambda: bool(self._news), timeout)
            news, self._news = self._news, {}
            return list(news)

    def tell(self, process: RayProcess) -> None:
        """There is news of a process."""
        self._news[process] = None
        self.changed.notify_all()

    @property
    def processes(self) -> list[RayProcess]:
        """Those that are not over."""
        with self.changed:
            lists = [[*host.processes.values(), *host.unsent] for host in self._hosts]
        return [process for found in lists for process in found if not process.is_over]

    @property
    def unplaced(self) -> list[RayProcess]:
        """Those that wait for a place."""
        with self.changed:
            return [process for host in self._hosts for process in host.unsent]

    def warm_up(
        self, resources: NodeResources, preload: tuple[str, ...], environment: Mapping[str, str]
    ) -> None:
        """Has one actor with these resources import what a node will need."""
        what = (preload, tuple(sorted(environment.items())))
        with self.changed:
            fitting = [host for host in self._hosts if self._is_usable(host, resources)]
            if fitting and not any(what in host.warm for host in fitting):
                fitting[0].warm.add(what)
                fitting[0].actor.warm_up.remote(preload, environment)

    def close(self) -> None:
        """Ends all actors and what they have started, and waits for their end."""
        with self.changed:
            self._is_closing = True
            self._answers.put(None)
            hosts, self._hosts = self._hosts, []
        placed = [host for host in hosts if host.is_placed and not host.death]
        closing = {host.actor.close.remote(): host for host in placed}
        ended, _ = (
            self._ray.wait(list(closing), num_returns=len(closing), timeout=_SECONDS_TO_CLOSE)
            if closing
            else ([], [])
        )
        silent = [host for reference, host in closing.items() if reference not in ended]
        silent += [host for host in hosts if host.death]
        for host in hosts:
            self._ray.kill(host.actor)
        for host in silent:
            if host.processes:
                time.sleep(max(0.0, host.lease_end - time.monotonic()))
        for host in hosts:
            for process in [*host.processes.values(), *host.unsent]:
                process.end(-9)
            self._remove_group(host)
        if self._follower is not None:
            self._follower.join()

    def _find_host(self, request: NodeRequest, rank: int) -> RayHost:
        resources = request.started.node.options.resources or NodeResources()
        if request.num_processes == 1:
            for host in self._hosts:
                if self._is_usable(host, resources) and host.is_free:
                    return host
        return self._make_host(resources, request, rank)

    def _is_usable(self, host: RayHost, resources: NodeResources) -> bool:
        """Whether another node may run there: not in a group, and not where nobody answers."""
        is_well = not host.death and time.monotonic() - host.heard_at < self.lease_seconds / 2
        return host.is_placed and host.group is None and host.resources == resources and is_well

    def _make_host(self, resources: NodeResources, request: NodeRequest, rank: int) -> RayHost:
        options: dict[str, Any] = {
            "max_restarts": 0,
            "num_cpus": resources.cpus,
            "num_gpus": resources.gpus,
            "memory": resources.memory,
        }
        group = None
        if request.num_processes > 1:
            group = self._group_of(request, resources)
            strategies = self._ray.util.scheduling_strategies
            options["scheduling_strategy"] = strategies.PlacementGroupSchedulingStrategy(
                placement_group=group, placement_group_bundle_index=rank
            )
        actor_class = self._ray.remote(NodeHost).options(**options)
        path = [os.path.abspath(entry) for entry in sys.path]
        host = RayHost(
            self, actor_class.remote(path, sys.prefix, self.lease_seconds), resources, group
        )
        self._hosts.append(host)
        host.next_notice = host.asked_at + _PENDING_SECONDS
        self._call(host, "introduce", host.actor.introduce.remote())
        return host

    def _group_of(self, request: NodeRequest, resources: NodeResources) -> Any:
        """The placement group of a node's processes: they get their places all at once."""
        execution_id = request.started.execution.id
        if execution_id in self._groups:
            return self._groups[execution_id]
        bundles = [resources.as_amounts()] * request.num_processes
        group = self._ray.util.placement_group(bundles, strategy="PACK")
        self._groups[execution_id] = group
        return group

    def _call(self, host: RayHost, what: str, reference: Any) -> None:
        """Has the answer of an actor handed to the thread that follows it."""
        future = reference.future()
        future.add_done_callback(lambda done: self._answers.put((host, what, done)))

    def _follow(self) -> None:
        while not self._is_closing:
            answer = None
            with contextlib.suppress(queue.Empty):
                answer = self._answers.get(timeout=_SECONDS_BETWEEN_LOOKS)
            with self.changed:
                if self._is_closing:
                    return
                if answer is not None and answer[0] in self._hosts:
                    self._guarded(answer[0], self._take, *answer)
                for host in list(self._hosts):
                    self._guarded(host, self._look_at, host)

    def _guarded(self, host: RayHost, act: Callable[..., None], *arguments: Any) -> None:
        """What goes wrong with one host, or with Ray, is a fault of its nodes."""
        try:
            act(*arguments)
        except Exception as error:
            self._note_death(host, error)

    def _take(self, host: RayHost, what: str, future: Any) -> None:
        error = future.exception()
        if error is None:
            getattr(self, f"_take_{what}")(host, future.result())
        elif isinstance(error, self._ray.exceptions.ActorUnavailableError) and host.is_placed:
            if what == "news":
                self._ask_for_news(host)  # it may be well; its lease is not renewed by that
        elif what == "sweep":
            pass  # the machine is gone, too: the end of the lease is waited for
        elif isinstance(error, self._ray.exceptions.RayActorError):
            self._note_death(host, error)
        else:
            self._end_all(host, f"the actor of the node on {host.machine} failed: {error}")

    def _take_introduce(self, host: RayHost, facts: Mapping[str, Any]) -> None:
        host.machine, host.node_id = facts["machine"], facts["node"]
        host.hear(facts["clock"])
        host.idle_since = time.monotonic()
        try:
            check_version(facts, host.machine, self._cluster.address)
        except RayVersionError as error:
            self._end_all(host, str(error))
            return
        self._send(host)
        self._ask_for_news(host)

    def _take_start(self, host: RayHost, answer: None) -> None:
        """What became of it comes with the news."""

    def _take_sweep(self, host: RayHost, answer: None) -> None:
        """Nothing of an actor that has died is left on its machine."""
        self._conclude(host)

    def _take_news(self, host: RayHost, answer: Mapping[str, Any]) -> None:
        host.hear(answer["clock"])
        host.version, host.zygotes = answer["version"], answer["zygotes"]
        for number, text in answer["logs"].items():
            if process := host.processes.get(number):
                process.write_log(text)
                process.log_position += len(text)
        for number, told in answer["processes"].items():
            if process := host.processes.get(number):
                self._take_state(process, told)
        self._ask_for_news(host)

    def _take_state(self, process: RayProcess, told: Mapping[str, Any]) -> None:
        process.report(told["progress"])
        process.result = process.result or told["result"]
        process.fault = process.fault or told["fault"]
        if told["exit_status"] is not None:
            process.end(told["exit_status"])
            self._forget(process)
        self.tell(process)

    def _forget(self, process: RayProcess) -> None:
        host = process.host
        host.processes.pop(process.number, None)
        host.forgotten.append(process.number)
        host.idle_since = time.monotonic()

    def _ask_for_news(self, host: RayHost) -> None:
        logs = {number: one.log_position for number, one in host.processes.items()}
        forgotten, host.forgotten = host.forgotten, []
        reference = host.actor.news.remote(host.renew(), host.version, forgotten, logs)
        self._call(host, "news", reference)

    def _send(self, host: RayHost) -> None:
        """Has the actor start what was waiting for it to have a place."""
        for process in host.unsent:
            request = process.request
            host.processes[process.number] = process
            reference = host.actor.start.remote(
                process.number,
                lease_end=host.renew(),
                needs=process.needs,
                header=request.header(process.rank),
                payload=request.payload,
                log_path=request.log_path(process.rank),
                preload=request.preload,
                environment=request.environment,
            )
            if process.is_waiting_told:
                process.report({"on": host.machine})  # in place of what it waited for
            self._call(host, "start", reference)
            self.tell(process)
        host.unsent = []

    def _look_at(self, host: RayHost) -> None:
        now = time.monotonic()
        if host.processes and now >= host.lease_end:
            host.death = host.death or f"it did not answer for {self.lease_seconds:g} seconds"
            for process in host.processes.values():
                process.may_wake_up = True
            self._conclude(host)
        elif not host.is_placed and now >= host.next_notice and host.unsent:
            self._tell_pending(host, now)
        elif host.is_free and self._take_over(host):
            self._send(host)
        elif not host.unsent and not host.processes and self._is_dispensable(host, now):
            self._dismiss(host)

    def _take_over(self, host: RayHost) -> bool:
        """Gives a host that is free the work of one that has no place yet."""
        if not self._is_usable(host, host.resources):
            return False
        for other in self._hosts:
            waits = other.unsent and not other.is_placed and other.group is None
            if waits and other.resources == host.resources:
                host.unsent, other.unsent = other.unsent, []
                for process in host.unsent:
                    process.host = host
                return True
        return False

    def _is_dispensable(self, host: RayHost, now: float) -> bool:
        if host.death or host.group or not host.is_placed:
            return True
        is_wanted = any(
            one.unsent and now - one.asked_at > _SECONDS_TO_PLACE for one in self._hosts
        )
        return is_wanted or now - host.idle_since > _IDLE_SECONDS

    def _tell_pending(self, host: RayHost, now: float) -> None:
        seconds = now - host.asked_at
        free = self._ray.available_resources()
        wanted = host.resources.as_amounts().items()
        may_be_starting = all(free.get(name, 0) >= amount for name, amount in wanted)
        if may_be_starting and seconds < _SECONDS_TO_START:
            return
        host.next_notice = now + _PENDING_AGAIN_SECONDS
        for process in host.unsent:
            count = process.request.num_processes
            what = f"{host.resources}" + (f" for each of {count} processes" if count > 1 else "")
            try:
                self.check(process.request.started.node.id, host.resources)
                why = f"free are {free.get('CPU', 0):g} CPUs and {free.get('GPU', 0):g} GPUs in all"
            except RayResourcesError as error:
                why = str(error).rstrip(".")
            text = f"Waits for {what} on the Ray cluster, for {seconds:.0f} s now: {why}.\n"
            process.is_waiting_told = True
            process.write_log(text.encode())
            process.report({"waits for": what})
            self.tell(process)

    def check(self, node_id: str, resources: NodeResources) -> None:
        """Raises RayResourcesError if no machine can ever give a node what it needs."""
        self._cluster.check_resources(resources.as_amounts(), f"The node {node_id!r}")

    def _note_death(self, host: RayHost, error: BaseException) -> None:
        if host.death:
            return
        host.death = _describe_death(error)
        if not host.is_placed or not host.processes:
            self._conclude(host)
            return
        alive = {node["NodeID"] for node in self._ray.nodes() if node["Alive"]}
        if host.node_id in alive:
            # Its zygotes end with it; when this is sure, nobody has to wait for the lease.
            strategies = self._ray.util.scheduling_strategies
            sweep = self._ray.remote(end_zygotes).options(
                num_cpus=0,
                max_retries=0,
                scheduling_strategy=strategies.NodeAffinitySchedulingStrategy(
                    node_id=host.node_id, soft=False
                ),
            )
            self._call(host, "sweep", sweep.remote(host.zygotes))

    def _conclude(self, host: RayHost) -> None:
        """Nothing of a host can be at work any more."""
        where = f"on {host.machine}" if host.machine else "on no machine yet"
        self._end_all(
            host,
            f"its place in the Ray cluster, {where}, was lost: {host.death}",
            was_lost=not _is_out_of_memory(host.death),
        )

    def _end_all(self, host: RayHost, fault: str, *, was_lost: bool = False) -> None:
        for process in [*host.processes.values(), *host.unsent]:
            if not process.is_over:
                process.was_lost = was_lost
                process.end(1, fault)
                self.tell(process)
        host.processes, host.unsent = {}, []
        host.death = host.death or fault
        self._dismiss(host)

    def _dismiss(self, host: RayHost) -> None:
        self._hosts.remove(host)
        self._ray.kill(host.actor)
        self._remove_group(host)

    def _remove_group(self, host: RayHost) -> None:
        """Gives back the places of a node when the last of its processes is gone."""
        if host.group is None or any(other.group is host.group for other in self._hosts):
            return
        for execution_id, group in list(self._groups.items()):
            if group is host.group:
                del self._groups[execution_id]
                self._ray.util.remove_placement_group(group)


def _describe_death(error: BaseException) -> str:
    """What Ray says of the end of an actor, without what else could have been."""
    words = " ".join(str(error).split())
    words = re.sub(r"^.*[Tt]he actor (is dead|died) because ", "", words)
    return re.sub(r" Some common causes include: .*", "", words)


def _is_out_of_memory(death: str) -> bool:
    """Whether Ray has ended an actor because its machine ran out of memory: it would again."""
    return "NODE_OUT_OF_MEMORY" in death or "running low on memory" in death
