"""Versions that the nodes of a Ray cluster have, asked for before they get work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainwright._version import __version__
from trainwright.ray_cluster.errors import RayUnreachableError, RayVersionError


@dataclass(frozen=True, kw_only=True)
class NodeFacts:
    """A node of a cluster that has answered.

    Args:
        host: Its machine.
        resources: What it has in all, by Ray's names.
        missing: The paths of those that were asked for that it does not have.
    """

    host: str
    resources: Mapping[str, float]
    missing: frozenset[str]


def check_nodes(
    ray: Any, address: str, *, seconds: float, paths: Sequence[str] = ()
) -> list[NodeFacts]:
    """Asks each node that is alive for its Trainwright; Ray itself has compared Ray and Python.

    Args:
        ray: The module, connected.
        address: The cluster's, for messages.
        seconds: How long the nodes have to answer; one that is being started may take a while.
        paths: What else they are asked for.

    Returns:
        The nodes that have answered.

    Raises:
        RayVersionError: if a node has another Trainwright, or none.
        RayUnreachableError: if no node answers in time.
    """
    nodes = {node["NodeID"]: node for node in ray.nodes() if node["Alive"]}
    ask = ray.remote(num_cpus=0, max_retries=0)(_question())
    strategy = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
    asked = {
        ask.options(scheduling_strategy=strategy(node_id=node, soft=False)).remote(paths): node
        for node in nodes
    }
    answered, _ = ray.wait(list(asked), num_returns=len(asked), timeout=seconds)
    if not answered:
        raise RayUnreachableError(
            f"The Ray cluster at {address} accepted this process, but none of its {len(nodes)} "
            f"nodes started a worker within {seconds:g} s. Their logs say why."
        )
    found = []
    for answer in answered:
        try:
            facts = ray.get(answer)
        except ray.exceptions.RayError:
            continue  # the node went away meanwhile, which is Ray's to notice
        node = nodes[asked[answer]]
        host = node["NodeManagerHostname"]
        check_version(facts, host, address)
        missing = frozenset(facts["missing"])
        found.append(NodeFacts(host=host, resources=node["Resources"], missing=missing))
    return found


def check_version(facts: Mapping[str, Any], host: str, address: str) -> None:
    """Raises RayVersionError if a node's Trainwright is another than this one."""
    theirs = facts["trainwright"]
    if theirs == __version__:
        return
    has = f"has Trainwright {theirs}" if theirs else f"has no Trainwright ({facts['python']})"
    raise RayVersionError(
        f"{host}, a node of the Ray cluster at {address}, {has}, and this process has "
        f"{__version__}: what one of them writes, the other may misread. Install trainwright=="
        f"{__version__} on all machines of the cluster, for the Python that Ray runs there."
    )


def _question() -> Callable[[Sequence[str]], dict[str, Any]]:
    """A function within a function, which Ray sends as code: a node may have no Trainwright."""

    def describe_node(paths: Sequence[str]) -> dict[str, Any]:
        import os
        import sys

        try:
            from trainwright import _version

            version = _version.__version__
        except ImportError:
            version = None
        missing = [path for path in paths if not os.path.exists(path)]
        return {"trainwright": version, "python": sys.executable, "missing": missing}

    return describe_node
