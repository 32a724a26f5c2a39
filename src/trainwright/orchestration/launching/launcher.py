"""Launcher: the interface between a run, which schedules nodes, and what starts their processes.

A run prepares a node (`node_request.py`), has it launched and hears of it; where its processes are
is the launcher's business. `LocalLauncher` starts them on this machine. A runner of your own is
LocalDagRunner with another launcher:

    class ClusterRunner(LocalDagRunner):
        def make_launcher(self) -> Launcher:
            return ClusterLauncher()

`trainwright.testing.launcher_contract.LauncherContract` has this contract as tests.
"""

from __future__ import annotations

import abc
import signal
import time
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.orchestration.launching.node_request import NodeRequest
from trainwright.orchestration.planning.node_plan import StartedNode
from trainwright.orchestration.publishing import layout


class NodeProcess(Protocol):
    """One process of a node, as its launcher sees it. All of it is asked by the run's thread alone.

    What a process says may be lost: its result and its error are also in files of the node's work
    directory (`NodeRequest.result_path`), where the run looks for them when the process is over. So
    a launcher that hears nothing but exit statuses leaves `result` None and is complete, as long as
    the processes and the run share a filesystem. One to machines that do not share it brings
    results and logs back itself, as RayLauncher does.
    """

    @property
    def result(self) -> dict[str, Any] | None:
        """The last that it said: "ok", and its result or its "error"; None if nothing was heard.
        Only `execution/worker.py` makes one; what is not of its form is a fault."""

    @property
    def is_over(self) -> bool:
        """Whether it has ended, or is lost: it can no longer write anywhere. A launcher to another
        machine says so only if it is sure, because the run removes what a lost process was
        making; until then `with_timeout` and a stop of the run are how a silent node ends."""

    @property
    def is_stopped(self) -> bool:
        """Whether `Launcher.signal_all` has asked it to end."""

    @property
    def fault(self) -> str:
        """What was wrong with the process itself, in words: it could not be started, it is lost, it
        sent what is not a message. Empty if nothing was. The files of a process with a fault are
        not looked at."""

    @property
    def was_lost(self) -> bool:
        """Whether the fault is that of the machine, and not of the node, which is then tried again.
        False for processes of this machine."""

    @property
    def may_wake_up(self) -> bool:
        """Whether it is over because its time has run out on a machine that is not heard of: should
        that only have slept, the process goes on for a moment. What it was making is then left to
        recovery. False for processes of this machine."""

    @property
    def exit_status(self) -> int | None:
        """How it ended: its exit status, or minus the number of the signal that ended it."""

    def take_progress(self) -> dict[str, Any]:
        """The progress that it has reported since the last call; empty if there is none."""

    def signal(self, number: int) -> None:
        """Sends a signal to the process and what it has started. Does nothing if it is over; may be
        called again and again."""


class RunningNode:
    """A node that was launched, with what has been heard of it.

    Its processes are ranks of one group: rank 0 makes the result when all others are done. If one
    fails or dies, the others are ended, and the node has failed with that one's error.

    Args:
        request: What was launched.
        processes: Its processes by rank.
    """

    def __init__(self, request: NodeRequest, processes: list[NodeProcess]) -> None:
        self.request = request
        self.processes = processes
        self.began = time.monotonic()  # when it was launched
        self.kill_at: float | None = None  # when it is killed, if its time is over
        self.progress: dict[str, Any] = {}  # the last value of each name that it has reported
        self._failed_rank: int | None = None

    @property
    def node(self) -> BaseComponent:
        return self.request.started.node

    @property
    def started(self) -> StartedNode:
        """Its execution, and what its executor gets."""
        return self.request.started

    @property
    def execution_id(self) -> int:
        return self.started.execution.id

    @property
    def seconds(self) -> float:
        """How long it has been running."""
        return time.monotonic() - self.began

    @property
    def rank(self) -> int:
        """The process that speaks for the node: the first that failed, else that of rank 0."""
        return self._failed_rank or 0

    @property
    def log(self) -> str:
        """Where people find the log of the process that speaks for the node."""
        return layout.log_path(self.started.directory, self.rank)

    @property
    def result(self) -> dict[str, Any] | None:
        """The last that was said for the node: whether all went well ("ok"), and its result."""
        return self.processes[self.rank].result

    @property
    def is_done(self) -> bool:
        """Whether nothing more is to be heard of it. The end of a process that has sent its result
        need not be waited for, unless another is still at work on the same outputs."""
        first = self.processes[0]
        if first.result is not None and (first.result["ok"] or len(self.processes) == 1):
            return True
        return all(process.is_over for process in self.processes)

    @property
    def is_stopped(self) -> bool:
        """Whether it was among the nodes that `Launcher.signal_all` has stopped."""
        return any(process.is_stopped for process in self.processes)

    @property
    def fault(self) -> str:
        """What was wrong with the process that speaks for the node; empty if nothing was."""
        return self.processes[self.rank].fault

    @property
    def was_lost(self) -> bool:
        """Whether the fault is that of the machine that it was on, and not of the node."""
        return self.processes[self.rank].was_lost

    @property
    def may_wake_up(self) -> bool:
        """Whether one of its processes may go on for a moment although it counts as over."""
        return any(process.may_wake_up for process in self.processes)

    @property
    def exit_status(self) -> int:
        return self.processes[self.rank].exit_status or 0

    def attribute(self, error: Mapping[str, str]) -> dict[str, str]:
        """An error of the node that names which of its processes it comes from."""
        if len(self.processes) == 1:
            return dict(error)
        which = f"process {self.rank} of {len(self.processes)}"
        return {**error, "message": f"{which}: {error['message']}"}

    def take_progress(self) -> dict[str, Any]:
        """The progress that rank 0 has reported since the last call."""
        news = self.processes[0].take_progress()
        self.progress.update(news)
        return news

    def signal(self, number: int) -> None:
        """Sends a signal to its processes and what they have started."""
        for process in self.processes:
            process.signal(number)

    def end_if_one_failed(self) -> None:
        """Ends the other processes of a node of which one has failed; may be called again."""
        if len(self.processes) == 1:
            return
        if self._failed_rank is None:
            failed = [rank for rank in range(len(self.processes)) if self._has_failed(rank)]
            # Of several, one that says why: others may have died of its end.
            failed.sort(key=lambda rank: self.processes[rank].result is None)
            self._failed_rank = failed[0] if failed else None
        being_stopped = self.is_stopped or self.kill_at is not None
        if self._failed_rank is not None and not being_stopped:
            # Again at each call: one that had no process yet has not got the signal.
            for process in self.processes:
                process.signal(signal.SIGKILL)

    def _has_failed(self, rank: int) -> bool:
        process = self.processes[rank]
        if process.result is not None or process.fault:
            return bool(process.fault) or not process.result["ok"]  # type: ignore[index]
        return process.is_over and not self.request.has_result(rank)


class Launcher(abc.ABC):
    """Launches the prepared nodes of one run and hears of them.

    A launcher has to `start` a process for each rank of a node, and to `wait` for news of them; the
    rest is here. It belongs to one run and its one thread: nothing is called from elsewhere, or at
    the same time. No method but `wait` and `close` may take long.

    The files of a node are the run's: its work directory is made before it is launched, and
    removed, if at all, when `RunningNode.is_done`. A launcher writes nothing there but the log. If
    the root is on a disk, that is the execution's directory, and those of the outputs are there,
    too. If it is in an object store, it is a directory of the run's machine: a process elsewhere
    gets another one, which whoever started it uploads from (`HostedWork`).

    The processes must not outlive the run: they end at `close`, and when the runner is killed.
    """

    def __init__(self) -> None:
        self._running: dict[NodeProcess, RunningNode] = {}

    @property
    def running(self) -> list[RunningNode]:
        """The nodes that were launched and not forgotten since."""
        return list(dict.fromkeys(self._running.values()))

    def launch(self, request: NodeRequest) -> RunningNode:
        """Starts the processes of a node.

        Raises OSError or ValueError if the first cannot be started; if another cannot, the node
        fails as if that one had died.
        """
        processes: list[NodeProcess] = [self.start(request, 0)]
        for rank in range(1, request.num_processes):
            try:
                processes.append(self.start(request, rank))
            except (OSError, ValueError) as error:
                processes.append(UnstartedProcess(error))
        running = RunningNode(request, processes)
        self._running |= dict.fromkeys(processes, running)
        return running

    def hear(self, timeout: float) -> list[RunningNode]:
        """Waits for news; the nodes of which there are some: progress, a result, or their end."""
        for running in self.running:
            running.end_if_one_failed()
        heard = [self._running.get(process) for process in self.wait(timeout)]
        news = [running for running in dict.fromkeys(heard) if running is not None]
        for running in news:
            running.end_if_one_failed()
        return news

    def forget(self, running: RunningNode) -> None:
        """The node is ended: of its processes nothing more needs to be heard."""
        for process in running.processes:
            del self._running[process]

    def has_room_for(self, node: BaseNode, max_parallel: int) -> bool:
        """Whether a node may run beside those that are running, up to `max_parallel` of them."""
        return len(self.running) < max_parallel

    @abc.abstractmethod
    def start(self, request: NodeRequest, rank: int) -> NodeProcess:
        """Starts one process of a node, which may not run yet when this returns.

        Raises OSError or ValueError, and leaves nothing, if it cannot be started.
        """

    @abc.abstractmethod
    def wait(self, timeout: float) -> Iterable[NodeProcess]:
        """Waits for news, at most this many seconds; the processes of which there are some.

        The end of a process is told once at least, also if its result was told before.
        """

    @abc.abstractmethod
    def signal_all(self, number: int) -> None:
        """Sends a signal to every process that is not over: `is_stopped` from now on. One that does
        not run yet is not to begin. May be called again, with a stronger signal."""

    @abc.abstractmethod
    def close(self) -> None:
        """Ends all processes, at once and for good, and waits for their end: whoever calls it may
        remove what they were making. The last call but `running`; may be repeated."""

    def warm_up(self, nodes: Iterable[BaseNode]) -> None:  # noqa: B027
        """Is told which nodes will come, so that what they need can be made ready meanwhile."""


class UnstartedProcess:
    """A process of a group that could not be started."""

    result: dict[str, Any] | None = None
    is_over = True
    is_stopped = False
    was_lost = False
    may_wake_up = False
    exit_status: int | None = 1

    def __init__(self, error: Exception) -> None:
        self.fault = f"it could not be started: {error}"

    def take_progress(self) -> dict[str, Any]:
        return {}

    def signal(self, number: int) -> None:
        """There is nothing to signal."""
