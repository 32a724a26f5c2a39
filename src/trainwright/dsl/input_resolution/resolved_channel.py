"""ResolvedChannel: what a resolver function chooses, as the input of a component."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainwright.dsl.input_resolution.resolver_op import Node, get_input_nodes
from trainwright.types.artifact import Artifact
from trainwright.types.channel import BaseChannel, OutputChannel


@dataclass(frozen=True)
class Invocation:
    """The call that a channel comes from."""

    function: Any
    args: Sequence[Any]
    kwargs: Mapping[str, Any]


class ResolvedChannel(BaseChannel):
    """The artifacts that a graph of operators gives, or those of one key of it.

    Args:
        artifact_type: Their type.
        output_node: The graph's last node.
        output_key: The key, if that node gives a dict.
        invocation: The call of the resolver function that made the graph.
        for_each_context: The loop that the channel is the variable of.
    """

    def __init__(
        self,
        artifact_type: type[Artifact],
        output_node: Node,
        output_key: str | None = None,
        invocation: Invocation | None = None,
        for_each_context: Any = None,
    ) -> None:
        super().__init__(artifact_type)
        self._output_node = output_node
        self._output_key = output_key
        self._invocation = invocation
        self._for_each_context = for_each_context

    @property
    def output_node(self) -> Node:
        return self._output_node

    @property
    def output_key(self) -> str | None:
        return self._output_key

    @property
    def invocation(self) -> Invocation | None:
        return self._invocation

    @property
    def for_each_context(self) -> Any:
        return self._for_each_context

    @property
    def wrapped(self) -> list[BaseChannel]:
        """The channels that are chosen from."""
        return [node.wrapped for node in get_input_nodes(self.output_node)]

    def producers(self) -> Iterable[OutputChannel]:
        """The outputs that are chosen from."""
        return tuple(output for channel in self.wrapped for output in channel.producers())

    def get_data_dependent_node_ids(self) -> set[str]:
        """The ids of the nodes whose outputs are chosen from."""
        return set().union(*(one.get_data_dependent_node_ids() for one in self.wrapped))

    def __repr__(self) -> str:
        graph = str(self.output_node)
        if self.for_each_context is not None:
            graph = f"ForEach({graph})"
        key = f'["{self.output_key}"]' if self.output_key is not None else ""
        return f"ResolvedChannel(artifact_type={self.type_name}, {graph}{key})"
