"""What the outputs were made of that partial runs have taken over.

A node that a run leaves out is remembered with its outputs alone. These may hold links into the
inputs that they were made of, so garbage collection has to know those too. They are followed within
the run that did the work and no further: by a warm start, a model comes from all earlier ones.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from trainwright.metadata import contexts
from trainwright.metadata.internal_properties import REUSED_EXECUTION, RUN_ID
from trainwright.metadata.records import (
    ContextKey,
    EventRecord,
    EventType,
    ExecutionRecord,
    ExecutionState,
)
from trainwright.metadata.store import MetadataStore


def find_lent_inputs(
    store: MetadataStore, runs: Iterable[ContextKey], events: Iterable[EventRecord]
) -> set[int]:
    """The artifacts that were used to make what the runs have taken over.

    `events` are those of all the runs' executions: what these used is not followed again.
    """
    seen = {event.execution_id for event in events}
    has_inputs = {event.execution_id for event in events if event.type is EventType.INPUT}
    pending = [
        execution.custom_properties[REUSED_EXECUTION]
        for run in runs
        for execution in store.get_executions(context=run, states=[ExecutionState.CACHED])
        if execution.id not in has_inputs and REUSED_EXECUTION in execution.custom_properties
    ]
    lineages: dict[str, _RunLineage] = {}
    found: set[int] = set()
    while pending:
        execution_id = pending.pop()
        if execution_id in seen:
            continue
        seen.add(execution_id)
        with contextlib.suppress(LookupError):  # a forged row can name one that never was
            execution = store.get_execution(execution_id)
            run_id = execution.custom_properties.get(RUN_ID, "")
            if run_id not in lineages:
                lineages[run_id] = _RunLineage.read(store, contexts.run_context(run_id))
            found |= lineages[run_id].inputs.get(execution_id, set())
            pending += lineages[run_id].before(execution)
    return found


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
