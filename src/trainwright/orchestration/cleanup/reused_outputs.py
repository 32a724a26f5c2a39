"""Reused outputs: what the inputs of partial runs were made of.

A node that a run leaves out is remembered with its outputs alone. These may hold links into the
inputs that they were made of, so garbage collection has to know those too. They are followed within
the run that did the work and no further: by a warm start, a model comes from all earlier ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trainwright.metadata import contexts
from trainwright.metadata.internal_properties import REUSED_EXECUTION, RUN_ID
from trainwright.metadata.records import ContextKey, EventRecord, EventType, ExecutionRecord
from trainwright.metadata.store import DamagedRecordError, MetadataStore


def find_lent_inputs(store: MetadataStore, events: list[EventRecord]) -> set[int]:
    """The artifacts that were used to make what executions, given by their events, took over.

    What these have used themselves is not followed. Of a damaged row, only its events are known.
    """
    seen = {event.execution_id for event in events}
    pending = _find_reused(store, events)
    lineages: dict[str, _RunLineage] = {}
    found: set[int] = set()
    while pending:
        execution_id = pending.pop()
        if execution_id in seen:
            continue
        seen.add(execution_id)
        execution = _read_execution(store, execution_id)
        if execution is None:
            found |= {event.artifact_id for event in store.get_events(execution_ids=[execution_id])}
            continue
        run_id = execution.custom_properties.get(RUN_ID, "")
        if run_id not in lineages:
            lineages[run_id] = _RunLineage.read(store, contexts.run_context(run_id))
        found |= lineages[run_id].inputs.get(execution_id, set())
        pending += lineages[run_id].before(execution)
    return found


def _find_reused(store: MetadataStore, events: list[EventRecord]) -> list[int]:
    """The executions whose outputs others have, of those that say nothing of their inputs."""
    has_inputs = {event.execution_id for event in events if event.type is EventType.INPUT}
    outputs = [event for event in events if event.execution_id not in has_inputs]
    first: dict[int, int] = {}
    for event in store.get_events(artifact_ids={event.artifact_id for event in outputs}):
        if event.type is EventType.OUTPUT:  # the oldest execution comes first
            first.setdefault(event.artifact_id, event.execution_id)
    found: dict[int, int] = {}
    for event in outputs:
        maker = first.get(event.artifact_id, event.execution_id)
        if maker != event.execution_id and event.execution_id not in found:
            execution = _read_execution(store, event.execution_id)
            noted = execution.custom_properties.get(REUSED_EXECUTION) if execution else None
            found[event.execution_id] = maker if noted is None else noted
    return list(found.values())


def _read_execution(store: MetadataStore, execution_id: int) -> ExecutionRecord | None:
    """An execution; None if its row is damaged, or if a damaged one names one that never was."""
    try:
        return store.get_execution(execution_id)
    except (DamagedRecordError, LookupError):
        return None


@dataclass(frozen=True, kw_only=True)
class _RunLineage:
    """What the executions of one run have used, and which of them made what."""

    inputs: Mapping[int, set[int]]
    makers: Mapping[int, int]

    @classmethod
    def read(cls, store: MetadataStore, run: ContextKey) -> _RunLineage:
        inputs: dict[int, set[int]] = {}
        makers = {}
        for event in store.get_events(execution_ids=store.get_execution_ids(run)):
            if event.type is EventType.INPUT:
                inputs.setdefault(event.execution_id, set()).add(event.artifact_id)
            else:
                makers[event.artifact_id] = event.execution_id
        return cls(inputs=inputs, makers=makers)

    def before(self, execution: ExecutionRecord) -> list[int]:
        """The executions of the run that made what one has used, or the one that it stands for."""
        inputs = self.inputs.get(execution.id)
        if inputs is None:
            reused = execution.custom_properties.get(REUSED_EXECUTION)
            return [] if reused is None else [reused]
        return [self.makers[artifact] for artifact in inputs if artifact in self.makers]
