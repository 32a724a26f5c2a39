"""Events: under which key and at which place an execution read or wrote an artifact."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, TypeVar

from trainwright.proto.mlmd.metadata_store_pb2 import Event

_OUTPUTS = frozenset({Event.OUTPUT, Event.INTERNAL_OUTPUT, Event.DECLARED_OUTPUT})
_INPUTS = frozenset({Event.INPUT, Event.INTERNAL_INPUT, Event.DECLARED_INPUT})

# An artifact of either kind: ML Metadata's message, or the object that executors get.
_Artifact = TypeVar("_Artifact", bound=Any)


def places_of(event: Event) -> list[tuple[str, int]]:
    """The keys and indexes of an event's path; raises ValueError if it is not made of these."""
    steps = event.path.steps
    if len(steps) % 2:
        raise ValueError(f"len(event.path.steps) should be even number but got: {steps}.")
    for place, step in enumerate(steps):
        wanted = "index" if place % 2 else "key"
        if step.WhichOneof("value") != wanted:
            raise ValueError(f'steps[{place}] should have "{wanted}" but got {steps}.')
    return [(key.key, index.index) for key, index in zip(steps[::2], steps[1::2], strict=True)]


def reconstruct_artifact_id_multimap(events: Sequence[Event]) -> dict[str, tuple[int, ...]]:
    """The ids of the artifacts under each key, in the order of their indexes."""
    places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for event in events:
        for key, index in places_of(event):
            places[key].append((index, event.artifact_id))
    for key, found in places.items():
        if [index for index, _ in sorted(found)] != list(range(len(found))):
            raise ValueError(
                f'Index values for key "{key}" are not consecutive. Maybe some events are missing?'
            )
    return {key: tuple(one for _, one in sorted(found)) for key, found in places.items()}


def reconstruct_artifact_multimap(
    artifacts: Sequence[_Artifact], events: Sequence[Event]
) -> dict[str, list[_Artifact]]:
    """The artifacts under each key of one execution's inputs, or of its outputs."""
    _check_one_execution(events)
    by_id = {artifact.id: artifact for artifact in artifacts}
    event_types = {event.artifact_id: event.type for event in events}
    result = {
        key: [by_id[artifact_id] for artifact_id in ids]
        for key, ids in reconstruct_artifact_id_multimap(events).items()
    }
    for key, found in result.items():
        _check_alike(f'Artifact type of key "{key}"', {one.type_id for one in found})
        _check_alike(f'Event type of key "{key}"', {event_types[one.id] for one in found})
    return result


def reconstruct_inputs_and_outputs(
    artifacts: Sequence[_Artifact], events: Sequence[Event]
) -> tuple[dict[str, list[_Artifact]], dict[str, list[_Artifact]]]:
    """The inputs and the outputs of one execution."""
    _check_one_execution(events)
    inputs, outputs = (
        reconstruct_artifact_multimap(artifacts, [one for one in events if one.type in types])
        for types in (_INPUTS, _OUTPUTS)
    )
    return inputs, outputs


def _check_one_execution(events: Sequence[Event]) -> None:
    executions = {event.execution_id for event in events}
    if len(executions) > 1:
        raise ValueError(f"All events should be from the same execution but got: {executions}.")


def _check_alike(what: str, found: set[Any]) -> None:
    if len(found) != 1:
        raise ValueError(f"{what} is heterogeneous: {found}")


def is_valid_output_event(event: Event, expected_output_key: str | None = None) -> bool:
    """Whether an event is about an output that is finished, under the key if one is given."""
    return event.type in _OUTPUTS and _has_key(event, expected_output_key)


def is_valid_input_event(event: Event, expected_input_key: str | None = None) -> bool:
    """Whether an event is about an input, under the key if one is given."""
    return event.type in _INPUTS and _has_key(event, expected_input_key)


def is_pending_output_event(event: Event) -> bool:
    """Whether an event is about an output that is not finished yet."""
    return event.type == Event.PENDING_OUTPUT


def _has_key(event: Event, key: str | None) -> bool:
    return not key or contains_key(event, key)


def contains_key(event: Event, key: str) -> bool:
    """Whether an artifact was used under this key; a path that makes no sense has no keys."""
    with contextlib.suppress(ValueError):
        return any(found == key for found, _ in places_of(event))
    return False


def add_event_path(event: Event, key: str, index: int) -> None:
    """Adds a place of the artifact to the event."""
    event.path.steps.add(key=key)
    event.path.steps.add(index=index)


def generate_event(
    event_type: Event.Type,
    key: str,
    index: int,
    artifact_id: int | None = None,
    execution_id: int | None = None,
) -> Event:
    """A new event of an artifact at one place; the ids may be filled in later."""
    event = Event(type=event_type)
    add_event_path(event, key, index)
    if artifact_id:
        event.artifact_id = artifact_id
    if execution_id:
        event.execution_id = execution_id
    return event
