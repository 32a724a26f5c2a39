"""RayLauncher: the nodes of a run as processes on the machines of a Ray cluster."""

from __future__ import annotations

import time
from collections.abc import Iterable

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.containers.container_spec import ContainerSpec
from trainwright.dsl.node_resources import NodeResources
from trainwright.orchestration.launching.launcher import Launcher, NodeProcess
from trainwright.orchestration.launching.node_request import (
    PLAIN_PRELOAD,
    NodeRequest,
    environment_of,
    preload_of,
)
from trainwright.orchestration.launching.on_ray.ray_hosts import RayHosts
from trainwright.ray_cluster.connection import RayCluster


class RayLauncher(Launcher):
    """Starts each process of a node on a machine that has what the node asks for.

    Args:
        cluster: The cluster that this process is connected to.
        lease_seconds: How long a process of a node goes on when nothing is heard of this one; after
            that time, a node on a machine that does not answer is given up and tried again.
    """

    def __init__(self, cluster: RayCluster, lease_seconds: float) -> None:
        super().__init__()
        self._hosts = RayHosts(cluster, lease_seconds)

    def start(self, request: NodeRequest, rank: int) -> NodeProcess:
        if isinstance(request.started.node.executor_spec, ContainerSpec):
            raise ValueError(
                f"{request.started.node.id} runs in a container, which RayDagRunner cannot start: "
                "run this pipeline with LocalDagRunner."
            )
        return self._hosts.start(request, rank)

    def wait(self, timeout: float) -> Iterable[NodeProcess]:
        news = self._hosts.wait(timeout)
        for process, running in self._running.items():
            if not process.is_over and process in self._hosts.unplaced:
                running.began = time.monotonic()  # its time is that of its work
        return news

    def signal_all(self, number: int) -> None:
        for process in self._hosts.processes:
            process.is_stopped = True
            process.signal(number)

    def close(self) -> None:
        self._hosts.close()

    def warm_up(self, nodes: Iterable[BaseNode]) -> None:
        """Starts importing what these nodes will need on a machine that may run them."""
        for node in nodes:
            if isinstance(node, BaseComponent) and preload_of(node) != PLAIN_PRELOAD:
                resources = node.options.resources or NodeResources()
                self._hosts.warm_up(resources, preload_of(node), environment_of(node))
