"""The events of an ml-metadata file as rows of a Trainwright store."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from trainwright.compat.ml_metadata.sqlite.event_places import CORE_EVENT_TYPES, places_of
from trainwright.compat.mlmd_import.source_file import MlmdFile

# The events whose both ends are there, each with the steps of its path in their order.
_EVENTS = """
SELECT e.execution_id, e.id, e.artifact_id, e.type, e.milliseconds_since_epoch,
       p.is_index_step, p.step_index, p.step_key
FROM Event AS e
JOIN Artifact AS a ON a.id = e.artifact_id
JOIN Execution AS x ON x.id = e.execution_id
LEFT JOIN EventPath AS p ON p.event_id = e.id
ORDER BY e.execution_id, e.id, p.rowid
"""
_MOST_INDEX = 2**31 - 1


def read_events(file: MlmdFile) -> Iterator[dict[str, Any]]:
    """The rows for the table of events; one event may be at several places.

    An event without a place of its own (no path, or one that another has already) gets the next
    index that is free. Events of no known type are left out, as are those of missing records.
    """
    rows = file.rows(_EVENTS)
    for execution_id, of_execution in itertools.groupby(rows, key=lambda row: row[0]):
        indexes = _Indexes()
        for _, steps in itertools.groupby(of_execution, key=lambda row: row[1]):
            listed = list(steps)
            _, _, artifact_id, number, milliseconds = listed[0][:5]
            event_type = CORE_EVENT_TYPES.get(number)
            if event_type is None:
                continue
            for key, index in places_of(row[5:] for row in listed):
                yield {
                    "execution_id": execution_id,
                    "type": event_type.value,
                    "key": key,
                    "index": indexes.take(event_type.value, key, index),
                    "artifact_id": artifact_id,
                    "at": seconds(milliseconds),
                }


def seconds(milliseconds: object) -> float:
    """A time of ml-metadata as the store keeps it; 0 for what is not a time."""
    return milliseconds / 1000 if isinstance(milliseconds, (int, float)) else 0.0


class _Indexes:
    """The indexes of one execution's events; no two events have the same place."""

    def __init__(self) -> None:
        self._taken: set[tuple[str, str, int]] = set()
        self._lowest_free: dict[tuple[str, str], int] = {}

    def take(self, event_type: str, key: str, wanted: object) -> int:
        """The wanted index, or else the lowest that is free."""
        index = wanted if isinstance(wanted, int) and 0 <= wanted <= _MOST_INDEX else None
        if index is None or (event_type, key, index) in self._taken:
            index = self._lowest_free.get((event_type, key), 0)
            while (event_type, key, index) in self._taken:
                index += 1
            self._lowest_free[event_type, key] = index + 1
        self._taken.add((event_type, key, index))
        return index
