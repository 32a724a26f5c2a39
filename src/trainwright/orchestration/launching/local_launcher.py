"""LocalLauncher: the nodes of a run as processes of this machine, forked from zygotes."""

from __future__ import annotations

from collections.abc import Iterable

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.containers.container_spec import ContainerSpec
from trainwright.orchestration.launching.containers import ContainerGuard, container_name, find_tool
from trainwright.orchestration.launching.launcher import Launcher, NodeProcess
from trainwright.orchestration.launching.machine_room import room_for, room_of_machine
from trainwright.orchestration.launching.node_request import (
    PLAIN_PRELOAD,
    NodeRequest,
    environment_of,
    preload_of,
)
from trainwright.orchestration.launching.worker_pool import WorkerPool
from trainwright.orchestration.publishing import layout


class LocalLauncher(Launcher):
    """Starts nodes as worker processes of this machine.

    Args:
        pool: The worker processes; by default a pool that ends with the run.
    """

    def __init__(self, pool: WorkerPool | None = None) -> None:
        super().__init__()
        self._pool = pool or WorkerPool()

    def has_room_for(self, node: BaseNode, max_parallel: int) -> bool:
        """A node counts as what it asks for by `with_resources`, else as one processor."""
        machine = room_of_machine(max_parallel)
        return room_for(node).fits(machine, [room_for(other.node) for other in self.running])

    def start(self, request: NodeRequest, rank: int) -> NodeProcess:
        return self._pool.start(
            request.header(rank),
            request.payload,
            log_path=request.log_path(rank),
            preload=request.preload,
            environment=request.environment,
            guard=_guard(request),
        )

    def wait(self, timeout: float) -> Iterable[NodeProcess]:
        return self._pool.wait(timeout)

    def signal_all(self, number: int) -> None:
        self._pool.signal_all(number)

    def close(self) -> None:
        """Ends all processes, unless the pool is one that outlives the run."""
        self._pool.close()

    def warm_up(self, nodes: Iterable[BaseNode]) -> None:
        """Starts importing what these nodes will need while others work."""
        components = [node for node in nodes if isinstance(node, BaseComponent)]
        # A zygote with many modules also does for nodes that need fewer.
        for node in sorted(components, key=lambda node: len(preload_of(node)), reverse=True):
            if preload_of(node) != PLAIN_PRELOAD:
                self._pool.warm_up(preload_of(node), environment_of(node))


def _guard(request: NodeRequest) -> ContainerGuard | None:
    """What removes the node's container, if it has one, when its worker has died."""
    spec = request.started.node.executor_spec
    tool = find_tool() if isinstance(spec, ContainerSpec) else None
    if tool is None:
        return None
    temporary = layout.temporary_directory(request.work_directory)
    return ContainerGuard(tool, container_name(temporary))
