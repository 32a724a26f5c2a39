"""Walks along the events of ML Metadata: which artifacts were made from which."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from trainwright.compat.mlmd.events import is_valid_input_event, is_valid_output_event
from trainwright.proto.mlmd import metadata_store_pb2
from trainwright.types import artifact_utils
from trainwright.types.artifact import Artifact

Event = metadata_store_pb2.Event
LIVE = metadata_store_pb2.Artifact.LIVE


def related_artifact_ids(
    store: Any,
    start: int,
    *,
    upstream: bool,
    max_hops: int,
    follow: Callable[[Event], bool] = lambda event: True,
) -> set[int]:
    """The artifact itself, and those that it was made from, or that were made from it.

    Args:
        store: ML Metadata's interface.
        start: The artifact's id.
        upstream: Towards what it was made from.
        max_hops: How far; from an artifact to an execution is one hop.
        follow: Whether to go along an event.
    """
    leaves: Callable[[Event], bool] = is_valid_output_event if upstream else is_valid_input_event
    enters: Callable[[Event], bool] = is_valid_input_event if upstream else is_valid_output_event
    seen = {start}
    frontier = {start}
    for _ in range(max_hops // 2):
        executions = {
            event.execution_id
            for event in store.get_events_by_artifact_ids(sorted(frontier))
            if leaves(event) and follow(event)
        }
        if not executions:
            break
        frontier = {
            event.artifact_id
            for event in store.get_events_by_execution_ids(sorted(executions))
            if enters(event) and follow(event)
        } - seen
        if not frontier:
            break
        seen |= frontier
    return seen


def read_messages(store: Any, artifact_ids: Iterable[int]) -> list[metadata_store_pb2.Artifact]:
    """The messages of artifacts."""
    ids = sorted(artifact_ids)
    return list(store.get_artifacts_by_id(ids)) if ids else []


def as_artifacts(store: Any, messages: Collection[metadata_store_pb2.Artifact]) -> list[Artifact]:
    """The artifacts of messages, each of its own class."""
    type_ids = sorted({message.type_id for message in messages})
    types = {type.id: type for type in store.get_artifact_types_by_id(type_ids)} if type_ids else {}
    return [
        artifact_utils.deserialize_artifact(types[message.type_id], message) for message in messages
    ]
