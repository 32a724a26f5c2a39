"""Places of a node's processes on a Ray cluster: actors with resources of their own."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from trainwright._amounts import in_words
from trainwright.dsl.node_resources import NodeResources
from trainwright.orchestration.launching.node_request import NodeRequest
from trainwright.orchestration.launching.on_ray.ray_host import NodeHost, end_zygotes
from trainwright.ray_cluster.connection import RayCluster
from trainwright.ray_cluster.errors import RayResourcesError

# A process of Ray that has a place may need this long to be started on a machine that is busy.
_SECONDS_TO_START = 15.0


@dataclass(frozen=True, kw_only=True)
class Place:
    """An actor, which Ray starts where there is room for it.

    Args:
        actor: Ray's handle.
        resources: What it has of its machine.
        group: The placement group that it is in, if it is for a node of several processes.
    """

    actor: Any
    resources: NodeResources
    group: Any = None


class RayPlaces:
    """Asks the cluster for places of one run, and gives them back.

    Args:
        cluster: Where they are.
        lease_seconds: How long an actor that hears nothing of this process goes on.
    """

    def __init__(self, cluster: RayCluster, lease_seconds: float) -> None:
        self.cluster = cluster
        self._ray = cluster.ray
        self._lease_seconds = lease_seconds
        self._groups: dict[int, Any] = {}  # by execution

    def ask(self, request: NodeRequest, rank: int) -> Place:
        """A place for a process of a node, which is there at some time."""
        resources = resources_of(request)
        options: dict[str, Any] = {
            "max_restarts": 0,
            "num_cpus": resources.cpus,
            "num_gpus": resources.gpus,
            "memory": resources.memory,
        }
        group = self._group_of(request, resources) if request.num_processes > 1 else None
        if group is not None:
            strategies = self._ray.util.scheduling_strategies
            options["scheduling_strategy"] = strategies.PlacementGroupSchedulingStrategy(
                placement_group=group, placement_group_bundle_index=rank
            )
        path = [os.path.abspath(entry) for entry in sys.path]
        actor_class = self._ray.remote(NodeHost).options(**options)
        actor = actor_class.remote(path, sys.prefix, self._lease_seconds)
        return Place(actor=actor, resources=resources, group=group)

    def _group_of(self, request: NodeRequest, resources: NodeResources) -> Any:
        """The placement group of a node's processes: they get their places all at once."""
        execution_id = request.started.execution.id
        if execution_id not in self._groups:
            bundles = [resources.as_amounts()] * request.num_processes
            group = self._ray.util.placement_group(bundles, strategy="PACK")
            self._groups[execution_id] = group
        return self._groups[execution_id]

    def give_back(self, place: Place, others: Iterable[Place]) -> None:
        """Ends an actor; its placement group goes with the last of those that are in it."""
        self._ray.kill(place.actor)
        if place.group is None or any(other.group is place.group for other in others):
            return
        for execution_id, group in list(self._groups.items()):
            if group is place.group:
                del self._groups[execution_id]
                self._ray.util.remove_placement_group(group)

    def why_waiting(self, request: NodeRequest, seconds: float) -> str:
        """Why a process has no place after this time; empty if it may just be starting."""
        resources = resources_of(request)
        amounts = resources.as_amounts()
        try:
            what = f"The node {request.started.node.id!r}"
            self.cluster.check_resources(amounts, what, processes=request.num_processes)
        except RayResourcesError as error:
            return str(error).rstrip(".")
        # Of all machines together, so that it may be free in pieces that are too small.
        free = self._ray.available_resources()
        has_room = all(free.get(name, 0) >= amount for name, amount in amounts.items())
        if has_room and seconds < _SECONDS_TO_START:
            return ""
        left = {name: free.get(name, 0) for name in amounts}
        return f"free are {in_words(left)} in all"

    def sweep(self, node_id: str, zygotes: list[int]) -> Any:
        """Ends what a dead actor may have left; None if its machine is not there any more."""
        if node_id not in {node["NodeID"] for node in self._ray.nodes() if node["Alive"]}:
            return None
        strategies = self._ray.util.scheduling_strategies
        there = strategies.NodeAffinitySchedulingStrategy(node_id=node_id, soft=False)
        task = self._ray.remote(end_zygotes)
        return task.options(num_cpus=0, max_retries=0, scheduling_strategy=there).remote(zygotes)


def resources_of(request: NodeRequest) -> NodeResources:
    """What each process of a node gets: one processor if nothing was said."""
    return request.started.node.options.resources or NodeResources()


def describe_death(error: BaseException) -> str:
    """What Ray says of the end of an actor, without what else could have been."""
    words = " ".join(str(error).split())
    words = re.sub(r"^.*[Tt]he actor (is dead|died) because ", "", words)
    return re.sub(r" Some common causes include: .*", "", words)


def is_nodes_fault(death: str) -> bool:
    """Whether an actor would die again elsewhere: for want of memory, or of what it imports."""
    reasons = ("NODE_OUT_OF_MEMORY", "running low on memory", "in its creation task")
    return any(reason in death for reason in reasons)
