"""The listed order: what programs that were written for TFX's one-by-one runner may rely on.

A component of the user's own may have side effects that no channel shows: it writes a file that the
next one reads by its path. Standard components have none, so they may still run side by side.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.executor_spec import ExecutorClassSpec

_OUR_PACKAGE = __name__.partition(".")[0]


def listed_order(nodes: Iterable[BaseNode]) -> dict[str, list[str]]:
    """The nodes that each node waits for, whatever it reads: by node id.

    A component of the user's own waits for every node before it and holds back every node after
    it. Only the edges to the last such component and to what came since are listed: the others
    follow from them.

    Args:
        nodes: The nodes of a run, as listed, but each after what it depends on.
    """
    waits_for: dict[str, list[str]] = {}
    last_own: list[str] = []
    since: list[str] = []
    for node in nodes:
        if is_users_own(node):
            waits_for[node.id] = last_own + since
            last_own, since = [node.id], []
        else:
            waits_for[node.id] = last_own
            since.append(node.id)
    return waits_for


def nodes_after_own(nodes: Iterable[BaseNode]) -> frozenset[str]:
    """The nodes, by id, that wait for a component of the user's own: it may make what they read.

    Args:
        nodes: As for `listed_order`.
    """
    first_own_on = itertools.dropwhile(lambda node: not is_users_own(node), nodes)
    return frozenset(node.id for node in itertools.islice(first_own_on, 1, None))


def is_users_own(node: BaseNode) -> bool:
    """Whether a node is not a standard one: its class, or the executor that it was given."""
    if not _is_ours(type(node)):
        return True
    if not isinstance(node, BaseComponent):
        return False
    spec = node.executor_spec
    if spec.is_same_executor(type(node).EXECUTOR_SPEC):
        return False
    return not (isinstance(spec, ExecutorClassSpec) and _is_ours(spec.executor_class))


def _is_ours(class_: type) -> bool:
    return class_.__module__.partition(".")[0] == _OUR_PACKAGE
