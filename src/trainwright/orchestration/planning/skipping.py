"""Skip check: a node's condition does not hold, or what it needs was skipped."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from trainwright.dsl.base_node import BaseNode
from trainwright.orchestration.planning.channel_contents import (
    known_values,
    records_in,
)
from trainwright.orchestration.publishing.published_outputs import Records
from trainwright.types.channel import BaseChannel
from trainwright.types.placeholders.placeholder import Placeholder, Predicate


def why_skipped(
    node: BaseNode,
    needed_inputs: Mapping[str, BaseChannel],
    made: Mapping[str, Records],
    skipped: Collection[str],
    pending: Collection[str] = (),
) -> str | None:
    """Why a node is not run, in words; None if it is.

    Args:
        node: The node.
        needed_inputs: The inputs without which it cannot run.
        made: The outputs of the nodes that are done, by node id.
        skipped: The nodes that were skipped.
        pending: The nodes that are still to run; what depends on them is left open.

    Raises ValueError if a condition cannot be decided.
    """
    for condition in node.conditions:
        if asks_about(condition, pending):
            continue
        gone = _gone(condition.channels(), made, skipped)
        if gone is not None:
            return f"it depends on {condition}, and {gone}"
        reason = _evaluate(node, condition, made)
        if reason is not None:
            return reason
    for name, placeholder in node.placeholders.items():
        if asks_about(placeholder, pending):
            continue
        gone = _gone(placeholder.channels(), made, skipped)
        if gone is not None:
            return f"its property {name} is {placeholder}, and {gone}"
    for key, channel in needed_inputs.items():
        if any(output.producer_id in pending for output in channel.producers()):
            continue
        gone = _gone([channel], made, skipped)
        if gone is not None:
            return f"its input {key} is {channel.path}, and {gone}"
    return None


def asks_about(placeholder: Placeholder, node_ids: Collection[str]) -> bool:
    """Whether a placeholder, or a condition, looks at an output of one of these nodes."""
    return any(
        output.producer_id in node_ids
        for channel in placeholder.channels()
        for output in channel.producers()
    )


def _gone(
    channels: Iterable[BaseChannel], made: Mapping[str, Records], skipped: Collection[str]
) -> str | None:
    """Which skipped nodes have left one of the channels empty, in words."""
    gone = {
        output.producer_id
        for channel in channels
        if not records_in(channel, made)
        for output in channel.producers()
        if output.producer_id in skipped
    }
    if not gone:
        return None
    return f"{' and '.join(sorted(gone))} {'was' if len(gone) == 1 else 'were'} skipped"


def _evaluate(node: BaseNode, condition: Predicate, made: Mapping[str, Records]) -> str | None:
    try:
        result = condition.evaluate(known_values(node, made))
    except ValueError as error:
        raise ValueError(
            f"{node.id}: the condition {condition} cannot be decided: {error}"
        ) from error
    return None if result.holds else condition.describe_failure(result)
