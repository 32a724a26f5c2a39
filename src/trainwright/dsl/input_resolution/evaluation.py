"""Evaluates a graph of operators on the artifacts of its channels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from trainwright.dsl.input_resolution.exceptions import (
    FailedPreconditionError,
    InputResolutionError,
)
from trainwright.dsl.input_resolution.resolved_channel import ResolvedChannel
from trainwright.dsl.input_resolution.resolver_op import (
    Context,
    DictNode,
    InputNode,
    Node,
    OpNode,
    ResolverOp,
)
from trainwright.dsl.resolver_strategy import ResolverStrategy
from trainwright.types.artifact import Artifact
from trainwright.types.channel import BaseChannel
from trainwright.types.type_hints import is_artifact_multimap

FindArtifacts = Callable[[BaseChannel], Sequence[Artifact]]


def evaluate_channel(
    channel: ResolvedChannel, find: FindArtifacts, store: Any
) -> Sequence[Artifact]:
    """The artifacts that a resolver function has chosen.

    Args:
        channel: The channel that the function gave.
        find: Finds the artifacts in the channels that the function was given.
        store: ML Metadata's interface, for operators that ask it.

    Raises:
        InputResolutionError: They cannot be chosen.
        SkipSignal: The node that reads the channel is to be skipped.
    """
    chosen = _evaluate(channel.output_node, find, Context(store=store), {})
    if channel.output_key is None:
        return list(chosen)
    return list(chosen.get(channel.output_key, ()))


def _evaluate(node: Node, find: FindArtifacts, context: Context, known: dict[int, Any]) -> Any:
    if id(node) not in known:
        known[id(node)] = _evaluate_new(node, find, context, known)
    return known[id(node)]


def _evaluate_new(node: Node, find: FindArtifacts, context: Context, known: dict[int, Any]) -> Any:
    if isinstance(node, InputNode):
        return list(find(node.wrapped))
    if isinstance(node, DictNode):
        return {key: _evaluate(one, find, context, known) for key, one in node.nodes.items()}
    assert isinstance(node, OpNode), "a resolver function makes no other nodes"
    args = [_evaluate(arg, find, context, known) for arg in node.args]
    return call_operator(node.op_type, args, node.kwargs, context)


def call_operator(op_type: Any, args: Sequence[Any], kwargs: Any, context: Context) -> Any:
    """What an operator gives, or a strategy that stands in its place."""
    if issubclass(op_type, ResolverOp):
        operator = op_type.create(**kwargs)
        operator.set_context(context)
        return operator.apply(*args)
    assert issubclass(op_type, ResolverStrategy)
    name = op_type.__name__
    if len(args) != 1:
        raise FailedPreconditionError(f"Invalid number of {name} arguments: {args!r}")
    if not is_artifact_multimap(args[0]):
        raise FailedPreconditionError(f"Invalid {name} argument: {args[0]!r}")
    strategy: ResolverStrategy = op_type(**kwargs)
    chosen = strategy.resolve_artifacts(context.store, dict(args[0]))  # type: ignore[arg-type]
    if chosen is None:
        raise InputResolutionError(f"{strategy} returned None.")
    return chosen
