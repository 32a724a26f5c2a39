"""Hosts of a run on a Ray cluster: the actors that run its nodes, as the run sees them.

A thread follows them, so that a run which is busy with something else renews their leases, and
copies the logs of those whose files it does not see.
"""

from __future__ import annotations

import contextlib
import queue
import signal
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from trainwright.dsl.node_resources import NodeResources
from trainwright.orchestration.launching.node_request import NodeRequest
from trainwright.orchestration.launching.on_ray.ray_places import (
    RayPlaces,
    describe_death,
    is_nodes_fault,
    resources_of,
)
from trainwright.orchestration.launching.on_ray.ray_process import RayHost, RayProcess
from trainwright.orchestration.launching.on_ray.remote_needs import needs_of
from trainwright.ray_cluster.connection import RayCluster
from trainwright.ray_cluster.errors import RayVersionError
from trainwright.ray_cluster.versions import check_version

_SECONDS_BETWEEN_LOOKS = 0.25
# An actor is kept for the next node, which finds its zygotes warm; not for long, as its resources
# are others' to use.
_IDLE_SECONDS = 5.0
# A place that is not there after this time waits for others to be given back.
_SECONDS_TO_PLACE = 1.0
# When a node that has no place is spoken of, for the first time and again.
_PENDING_SECONDS = 3.0
_PENDING_AGAIN_SECONDS = 60.0
_SECONDS_TO_CLOSE = 12.0


class RayHosts:
    """The actors of one run. Called by the run's thread; `changed` guards what two threads use.

    Args:
        cluster: Where they are.
        lease_seconds: How long an actor that hears nothing of this process goes on.
    """

    def __init__(self, cluster: RayCluster, lease_seconds: float) -> None:
        self._ray = cluster.ray
        self._cluster = cluster
        self._places = RayPlaces(cluster, lease_seconds)
        self._lease_seconds = lease_seconds
        self.changed = threading.Condition(threading.RLock())
        self._hosts: list[RayHost] = []
        self._news: dict[RayProcess, None] = {}
        self._answers: queue.SimpleQueue[tuple[RayHost, str, Any] | None] = queue.SimpleQueue()
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
            fitting = [
                host for host in self._hosts if host.is_usable and host.resources == resources
            ]
            if fitting and not any(what in host.warm for host in fitting):
                fitting[0].warm.add(what)
                fitting[0].actor.warm_up.remote(preload, environment)

    def close(self) -> None:
        """Ends all actors and what they have started, and waits for their end."""
        with self.changed:
            self._is_closing = True
            self._answers.put(None)
            hosts, self._hosts = self._hosts, []
        busy = [host for host in hosts if host.processes]
        closing = [None if host.death else host.actor.close.remote() for host in busy]
        silent = [host for host, end in zip(busy, closing, strict=True) if not self._has_ended(end)]
        for host in hosts:
            self._ray.kill(host.actor)
        for host in silent:
            time.sleep(max(0.0, host.lease_end - time.monotonic()))
        for host in hosts:
            for process in [*host.processes.values(), *host.unsent]:
                process.end(-signal.SIGKILL)
            self._places.give_back(host.place, ())
        if self._follower is not None:
            self._follower.join()

    def _has_ended(self, closing: Any) -> bool:
        """Whether an actor says that it has ended all that it has started."""
        try:
            if closing is not None:
                self._ray.get(closing, timeout=_SECONDS_TO_CLOSE)
        except self._ray.exceptions.RayError:
            return False
        return closing is not None

    def _find_host(self, request: NodeRequest, rank: int) -> RayHost:
        if request.num_processes == 1:
            for host in self._hosts:
                is_fitting = host.resources == resources_of(request)
                if is_fitting and host.is_usable and host.is_free:
                    return host
        place = self._places.ask(request, rank)
        host = RayHost(place, self._lease_seconds, self.changed, self.tell)
        host.next_notice = host.asked_at + _PENDING_SECONDS
        self._hosts.append(host)
        self._call(host, "introduce", host.actor.introduce.remote())
        return host

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
        """What goes wrong with one host, or with Ray, is a fault of its nodes.

        Should even that not be said now, it is when the lease is over.
        """
        try:
            act(*arguments)
        except Exception as error:
            with contextlib.suppress(Exception):
                self._note_death(host, error)

    def _take(self, host: RayHost, what: str, future: Any) -> None:
        error = future.exception()
        if error is None:
            getattr(self, f"_take_{what}")(host, future.result())
        elif what == "sweep":
            pass  # the machine is gone, too: the end of the lease is waited for
        elif what == "news" and isinstance(error, self._ray.exceptions.ActorUnavailableError):
            self._ask_for_news(host)  # it may be well; its lease is not renewed by that
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
            refused = {"type": type(error).__name__, "message": str(error), "traceback": ""}
            for process in host.unsent:
                process.result = {"ok": False, "error": refused}
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
            host.death = host.death or f"it did not answer for {self._lease_seconds:g} seconds"
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
        if not host.is_usable:
            return False
        for other in self._hosts:
            waits = other.unsent and not other.is_placed and other.place.group is None
            if waits and other.resources == host.resources:
                host.unsent, other.unsent = other.unsent, []
                for process in host.unsent:
                    process.host = host
                return True
        return False

    def _is_dispensable(self, host: RayHost, now: float) -> bool:
        if host.death or host.place.group or not host.is_placed:
            return True
        is_wanted = any(
            one.unsent and now - one.asked_at > _SECONDS_TO_PLACE for one in self._hosts
        )
        return is_wanted or now - host.idle_since > _IDLE_SECONDS

    def _tell_pending(self, host: RayHost, now: float) -> None:
        request = host.unsent[0].request
        why = self._places.why_waiting(request, now - host.asked_at)
        if not why:
            return
        count = request.num_processes
        what = f"{host.resources}" + (f" for each of {count} processes" if count > 1 else "")
        told = f"Waits for {what} on the Ray cluster, for {now - host.asked_at:.0f} s now: {why}.\n"
        host.next_notice = now + _PENDING_AGAIN_SECONDS
        for process in host.unsent:
            process.is_waiting_told = True
            process.write_log(told.encode())
            process.report({"waits for": what})
            self.tell(process)

    def _note_death(self, host: RayHost, error: BaseException) -> None:
        if host.death:
            return
        host.death = describe_death(error)
        self._ray.kill(host.actor)  # should it live after all
        if not host.is_placed or not host.processes:
            self._conclude(host)
            return
        # Its zygotes end with it; when this is sure, nobody has to wait for the lease.
        sweep = self._places.sweep(host.node_id, host.zygotes)
        if sweep is not None:
            self._call(host, "sweep", sweep)

    def _conclude(self, host: RayHost) -> None:
        """Nothing of a host can be at work any more."""
        where = f"on {host.machine}" if host.machine else "on no machine yet"
        fault = f"its place in the Ray cluster, {where}, was lost: {host.death}"
        self._end_all(host, fault, was_lost=not is_nodes_fault(host.death))

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
        self._places.give_back(host.place, [other.place for other in self._hosts])
