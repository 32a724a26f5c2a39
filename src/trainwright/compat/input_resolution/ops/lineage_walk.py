"""Walks along the events of ML Metadata: which artifacts were made from which."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from trainwright.proto.mlmd import metadata_store_pb2
from trainwright.types import artifact_utils
from trainwright.types.artifact import Artifact

Event = metadata_store_pb2.Event
LIVE = metadata_store_pb2.Artifact.LIVE

_INPUTS = (Event.INPUT, Event.INTERNAL_INPUT, Event.DECLARED_INPUT)
_OUTPUTS = (Event.OUTPUT, Event.INTERNAL_OUTPUT, Event.DECLARED_OUTPUT)


def event_keys(event: Event) -> list[str]:
    """The keys under which an execution has the event's artifact."""
    return [step.key for step in event.path.steps if step.HasField("key")]


def is_input(event: Event, key: str | None = None) -> bool:
    return event.type in _INPUTS and (key is None or key in event_keys(event))


def is_output(event: Event, key: str | None = None) -> bool:
    """Whether the event's execution has made the artifact; pending outputs do not count."""
    return event.type in _OUTPUTS and (key is None or key in event_keys(event))


def related_artifact_ids(
    store: Any,
    start: int,
    *,
    upstream: bool,
    max_hops: int,
    follow: Callable[[Event], bool] = lambda event: True,
) -> set[int]:
    """The artifacts that an artifact was made from, or that were made from it.

    Args:
        store: ML Metadata's interface.
        start: The artifact's id.
        upstream: Towards what it was made from.
        max_hops: How far; from an artifact to an execution is one hop.
        follow: Whether to go along an event.
    """
    leaves, enters = (is_output, is_input) if upstream else (is_input, is_output)
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
    return seen - {start}


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
