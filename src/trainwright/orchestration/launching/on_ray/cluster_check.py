"""Check of a Ray cluster before a run: what its machines would refuse when a node gets there.

A Trainer may get to its machine hours after the run has begun; that its module file is not there
can be known before. A cluster that is this machine alone has what this process has.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable, Mapping
from typing import Any

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.node_resources import NodeResources
from trainwright.orchestration.launching.on_ray.remote_needs import (
    files_named,
    lacks_directory,
    lacks_file,
)
from trainwright.orchestration.planning.node_resolution import resolve_runtime_parameters
from trainwright.ray_cluster.connection import RayCluster
from trainwright.ray_cluster.errors import RayUnreachableError
from trainwright.ray_cluster.versions import NodeFacts, check_nodes

# A machine that starts its first process for a run takes some of this.
_SECONDS_TO_ANSWER = 15.0


def check_machines(
    cluster: RayCluster, components: Iterable[BaseComponent], parameters: Mapping[str, Any]
) -> None:
    """Refuses what a machine would refuse when a node gets there, hours after the run has begun.

    Machines that do not answer soon are asked when they get work.

    Args:
        cluster: Its machines are asked, if they are not this one.
        components: What is to run.
        parameters: Values of runtime parameters.

    Raises:
        RayVersionError: if a machine has another Trainwright.
        ValueError: naming a file or directory, and a machine that a node may get to and that does
            not have it.
    """
    if cluster.is_on_this_machine:
        return
    files = {
        node.id: files_named(node, resolve_runtime_parameters(node, parameters))
        for node in components
        if not node.placeholders
    }
    paths = {path for named in files.values() for path in named.values()} | {os.getcwd()}
    try:
        machines = check_nodes(
            cluster.ray, cluster.address, seconds=_SECONDS_TO_ANSWER, paths=sorted(paths)
        )
    except RayUnreachableError:
        return
    here = socket.gethostname()
    for node in components:
        for machine in (machine for machine in machines if _may_get_to(node, machine)):
            if os.getcwd() in machine.missing:
                raise ValueError(f"{node.id}: {lacks_directory(machine.host, os.getcwd(), here)}")
            for name, path in files.get(node.id, {}).items():
                if path in machine.missing:
                    raise ValueError(f"{node.id}: {lacks_file(machine.host, name, path, here)}")


def _may_get_to(node: BaseComponent, machine: NodeFacts) -> bool:
    needed = (node.options.resources or NodeResources()).as_amounts()
    return all(machine.resources.get(name, 0) >= amount for name, amount in needed.items())
