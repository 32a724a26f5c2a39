"""ML Metadata's events as those of a Trainwright store: a type, and places by key and index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from trainwright.metadata.records import EventType
from trainwright.proto.mlmd import metadata_store_pb2 as mlmd

CORE_EVENT_TYPES: dict[int, EventType] = {
    mlmd.Event.DECLARED_OUTPUT: EventType.OUTPUT,
    mlmd.Event.DECLARED_INPUT: EventType.INPUT,
    mlmd.Event.INPUT: EventType.INPUT,
    mlmd.Event.OUTPUT: EventType.OUTPUT,
    mlmd.Event.INTERNAL_INPUT: EventType.INPUT,
    mlmd.Event.INTERNAL_OUTPUT: EventType.INTERNAL_OUTPUT,
    mlmd.Event.PENDING_OUTPUT: EventType.PENDING_OUTPUT,
}

Place = tuple[str, int | None]


def places_of(steps: Iterable[tuple[Any, Any, Any]]) -> list[Place]:
    """The places that a path names, as TFX writes them: a key and an index each.

    Args:
        steps: For each step of the path whether it is an index, its index and its key.

    >>> places_of([(0, None, "model"), (1, 0, None)])
    [('model', 0)]
    """
    places: list[Place] = []
    for is_index, index, key in steps:
        if is_index is None:  # there is no path
            continue
        if not is_index:
            places.append((str(key), None))
        elif places and places[-1][1] is None:
            places[-1] = (places[-1][0], index)
        else:
            places.append((places[-1][0] if places else "", index))
    return places or [("", None)]
