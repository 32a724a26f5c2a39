"""Blocks of a pipeline's definition: which nodes are made in which `with` block.

A `DslContextManager` such as `Cond` opens a `DslContext`; every node registers itself when it is
made, and so belongs to the contexts that are open then. A pipeline takes the nodes that it is made
of, and the contexts that were closed before it, out of the registry that they were made in.
"""

from __future__ import annotations

import abc
import contextlib
import contextvars
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Generic, TypeVar

HandleT = TypeVar("HandleT")


class DslContext:
    """One entering of a block; subclasses hold what the block means."""

    # The block around this one; set when it is entered.
    parent: DslContext | None = None

    def validate(self, containing_nodes: Sequence[Any]) -> None:
        """Refuses nodes that cannot be in the block; called when it is left."""

    def replace_node(self, node_from: Any, node_to: Any) -> None:
        """Hears that another node has taken the place of one in the block."""

    def on_context_exit(self, containing_nodes: Sequence[Any]) -> None:
        """Called when the block is left."""

    @property
    def ancestors(self) -> Iterable[DslContext]:
        """The blocks around this one, the outermost first."""
        if self.parent is not None:
            yield from self.parent.ancestors
            yield self.parent

    def __str__(self) -> str:
        return type(self).__qualname__


class DslContextRegistry:
    """The nodes that were made, in order, and the blocks that they were made in."""

    def __init__(self) -> None:
        self._active: list[DslContext] = []
        self._contexts: list[DslContext] = []
        self._nodes: list[Any] = []
        self._nodes_of: dict[DslContext, list[Any]] = {}
        self._is_finalized = False

    def __copy__(self) -> DslContextRegistry:
        copied = DslContextRegistry()
        copied._active = list(self._active)
        copied._contexts = list(self._contexts)
        copied._nodes = list(self._nodes)
        copied._nodes_of = {context: list(nodes) for context, nodes in self._nodes_of.items()}
        return copied

    @property
    def all_contexts(self) -> list[DslContext]:
        """All blocks, in the order in which they were entered."""
        return list(self._contexts)

    @property
    def active_contexts(self) -> list[DslContext]:
        """The blocks that the program is in, the outermost first."""
        return list(self._active)

    @property
    def all_nodes(self) -> list[Any]:
        """All nodes, in the order in which they were made."""
        return self._nodes

    def finalize(self) -> None:
        """Nothing can be added from here on."""
        self._is_finalized = True

    @contextlib.contextmanager
    def temporary_mutable(self) -> Iterator[None]:
        """Things can be added within the block, even to a registry that is final."""
        was_finalized, self._is_finalized = self._is_finalized, False
        try:
            yield
        finally:
            self._is_finalized = was_finalized

    def push_context(self, context: DslContext) -> None:
        """Enters a block."""
        self._check_mutable()
        assert context not in self._active, f"{context} is entered twice"
        self._active.append(context)
        self._contexts.append(context)
        self._nodes_of[context] = []

    def pop_context(self) -> DslContext:
        """Leaves the innermost block."""
        self._check_mutable()
        assert self._active, "no block is open"
        return self._active.pop()

    def peek_context(self) -> DslContext | None:
        """The innermost block."""
        return self._active[-1] if self._active else None

    def put_node(self, node: Any) -> None:
        """Remembers a node and the blocks that the program is in."""
        self._check_mutable()
        self._nodes.append(node)
        for context in self._active:
            self._nodes_of[context].append(node)

    def remove_nodes(self, node_ids: Iterable[str]) -> None:
        """Forgets nodes."""
        self._check_mutable()
        gone = set(node_ids)
        self._nodes = [node for node in self._nodes if node.id not in gone]
        for nodes in self._nodes_of.values():
            nodes[:] = [node for node in nodes if node.id not in gone]

    def replace_node(self, node_from: Any, node_to: Any) -> None:
        """Puts one node in the place of another."""
        self._check_mutable()
        if node_from not in self._nodes:
            known = [node.id for node in self._nodes]
            raise ValueError(f"{node_from.id} does not exist in pipeline registry. Valid: {known}")
        self._nodes[self._nodes.index(node_from)] = node_to
        for context, nodes in self._nodes_of.items():
            if node_from in nodes:
                nodes[nodes.index(node_from)] = node_to
                context.replace_node(node_from, node_to)
                context.validate(nodes)

    def get_nodes(self, context: DslContext) -> list[Any]:
        """The nodes that were made in a block."""
        if context not in self._nodes_of:
            raise ValueError(f"Context {context} does not exist in the registry.")
        return list(self._nodes_of[context])

    def get_contexts(self, node: Any) -> list[DslContext]:
        """The blocks that a node was made in, the outermost first."""
        if node not in self._nodes:
            known = [node.id for node in self._nodes]
            raise ValueError(f"Node {node.id} does not exist in the registry. Valid: {known}")
        return [context for context in self._contexts if node in self._nodes_of[context]]

    def extract_for_pipeline(self, nodes: Iterable[Any]) -> DslContextRegistry:
        """Moves a pipeline's nodes to a registry of its own.

        Blocks that are closed go with their nodes. Those that are still open stay here: they are
        around the pipeline, not in it.
        """
        extracted = DslContextRegistry()
        wanted = set(nodes)
        if not wanted:
            return extracted
        self._check_mutable()
        extracted._nodes = [node for node in self._nodes if node in wanted]
        self._nodes = [node for node in self._nodes if node not in wanted]
        for context in self.all_contexts:
            moved = [node for node in self._nodes_of[context] if node in wanted]
            if context in self._active:
                self._nodes_of[context] = [
                    node for node in self._nodes_of[context] if node not in wanted
                ]
            elif moved:
                extracted._nodes_of[context] = moved
                extracted._contexts.append(context)
                if all(node in wanted for node in self._nodes_of[context]):
                    self._contexts.remove(context)
                    del self._nodes_of[context]
        for context in extracted._contexts:
            if context.parent not in extracted._contexts:
                context.parent = None
        extracted.finalize()
        return extracted

    def _check_mutable(self) -> None:
        if self._is_finalized:
            raise RuntimeError("Cannot mutate DslContextRegistry after finalized.")


_current: contextvars.ContextVar[DslContextRegistry | None] = contextvars.ContextVar(
    "registry", default=None
)


def get() -> DslContextRegistry:
    """The registry that nodes and blocks of this thread are put in."""
    registry = _current.get()
    if registry is None:
        registry = DslContextRegistry()
        _current.set(registry)
    return registry


@contextlib.contextmanager
def use_registry(registry: DslContextRegistry) -> Iterator[DslContextRegistry]:
    """Makes nodes and blocks go to a registry."""
    token = _current.set(registry)
    try:
        with registry.temporary_mutable():
            yield registry
    finally:
        _current.reset(token)


@contextlib.contextmanager
def new_registry() -> Iterator[DslContextRegistry]:
    """Makes nodes and blocks go to a registry of their own."""
    with use_registry(DslContextRegistry()) as registry:
        yield registry


class DslContextManager(abc.ABC, Generic[HandleT]):
    """Opens a block of a pipeline's definition; it can be used again, but not within itself."""

    def __init__(self) -> None:
        self._entered: DslContext | None = None

    @abc.abstractmethod
    def create_context(self) -> DslContext:
        """A new context for a block that is entered."""

    @abc.abstractmethod
    def enter(self, context: DslContext) -> HandleT:
        """What `with ... as` gives."""

    def __enter__(self) -> HandleT:
        if self._entered is not None:
            raise RuntimeError(f"{self} is already in use.")
        registry = get()
        context = self.create_context()
        context.parent = registry.peek_context()
        registry.push_context(context)
        try:
            handle = self.enter(context)
        except BaseException:
            registry.pop_context()
            raise
        self._entered = context
        return handle

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        registry = get()
        context = registry.pop_context()
        assert context is self._entered, "blocks are left in the order of their nesting"
        self._entered = None
        if error is None:
            nodes = registry.get_nodes(context)
            context.validate(nodes)
            context.on_context_exit(nodes)
