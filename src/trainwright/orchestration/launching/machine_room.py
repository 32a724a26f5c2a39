"""Room of this machine: whether a node may run beside those that are running."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from dataclasses import dataclass

from trainwright.dsl.base_node import BaseNode


@dataclass(frozen=True, kw_only=True)
class Room:
    """Amounts of each resource, on a machine or for a node.

    >>> machine = Room(cpus=2, gpus=0, memory=8.0)
    >>> Room(cpus=1).fits(machine, beside=[Room(cpus=1)])
    True
    >>> Room(cpus=1, gpus=1).fits(machine, beside=[Room(cpus=1)])
    False
    """

    cpus: float = 1
    gpus: float = 0
    memory: float = 0

    def fits(self, machine: Room, beside: Iterable[Room]) -> bool:
        """Whether this much is left beside what others need.

        What fits nowhere fits where nothing else is: a node that needs more than the machine has
        runs alone, rather than never.
        """
        others = list(beside)
        return not others or all(
            (one := getattr(self, name)) == 0
            or one + sum(getattr(other, name) for other in others) <= getattr(machine, name)
            for name in ("cpus", "gpus", "memory")
        )


def room_for(node: BaseNode) -> Room:
    """What a node needs: as it says for each of its processes, else one processor."""
    asked, processes = node.options.resources, node.options.num_processes
    if asked is None:
        return Room()
    return Room(
        cpus=processes * asked.cpus,
        gpus=processes * asked.gpus,
        memory=processes * (asked.memory or 0),
    )


def room_of_machine(max_parallel: int) -> Room:
    """What this machine has for the nodes of a run."""
    return Room(
        cpus=max_parallel,
        gpus=_count_gpus(),
        memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
    )


def _count_gpus() -> int:
    """The GPUs that processes of this machine see."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        return len([one for one in visible.split(",") if one.strip() not in ("", "-1")])
    return len(glob.glob("/dev/nvidia[0-9]*"))
