"""Topological sorting into layers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

NodeT = TypeVar("NodeT")

_log = logging.getLogger(__name__)


class InvalidDAGError(Exception):
    """The nodes do not form a directed graph without cycles."""


def topsorted_layers(
    nodes: Sequence[NodeT],
    get_node_id_fn: Callable[[NodeT], str],
    get_parent_nodes: Callable[[NodeT], list[NodeT]],
    get_child_nodes: Callable[[NodeT], list[NodeT]],
) -> list[list[NodeT]]:
    """Sorts nodes into layers, so that a node's parents are all in layers before its own.

    Nodes need not be hashable: their ids are what is compared. Parents and children that are not
    among `nodes`, or come twice, are passed over with a warning in the log.

    Args:
        nodes: What to sort.
        get_node_id_fn: Gives the unique name of a node.
        get_parent_nodes: Gives the nodes that must come before a node.
        get_child_nodes: Gives the nodes that must come after it.

    Returns:
        The layers, each sorted by the nodes' ids.

    Raises:
        ValueError: Two nodes have the same id.
        InvalidDAGError: There is a cycle.
    """
    by_id = {get_node_id_fn(node): node for node in nodes}
    if len(by_id) != len(nodes):
        raise ValueError("Nodes must have unique ids.")

    def known_ids(relatives: Iterable[NodeT], of: str) -> list[str]:
        return _known_ids(map(get_node_id_fn, relatives), by_id, of)

    waiting_for = {
        node_id: set(known_ids(get_parent_nodes(node), node_id)) for node_id, node in by_id.items()
    }
    layer = sorted(node_id for node_id, parents in waiting_for.items() if not parents)
    layers = []
    while layer:
        layers.append([by_id[node_id] for node_id in layer])
        next_layer = set()
        for node_id in layer:
            for child_id in known_ids(get_child_nodes(by_id[node_id]), node_id):
                waiting_for[child_id].discard(node_id)
                if not waiting_for[child_id]:
                    next_layer.add(child_id)
        layer = sorted(next_layer)

    if sum(map(len, layers)) != len(nodes):
        stuck = sorted(node_id for node_id, parents in waiting_for.items() if parents)
        raise InvalidDAGError(f"Cycle detected. It involves some of: {', '.join(stuck)}.")
    return layers


def _known_ids(ids: Iterable[str], known: Iterable[str], of: str) -> list[str]:
    found: list[str] = []
    for node_id in ids:
        if node_id in found:
            _log.warning("%s is named twice beside node %s.", node_id, of)
        elif node_id not in known:
            _log.warning("%s, beside node %s, is not among the nodes to sort.", node_id, of)
        else:
            found.append(node_id)
    return found
