"""Recovery: what runs that died left behind is finished, or cleared away, by the next run."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass

from trainwright.metadata import contexts
from trainwright.metadata.internal_properties import NODE_ID
from trainwright.metadata.records import (
    ArtifactState,
    EventType,
    ExecutionRecord,
    ExecutionState,
    TypeRecord,
)
from trainwright.metadata.store import ExecutionNotRunningError, MetadataStore
from trainwright.orchestration import layout
from trainwright.orchestration.active_runs import is_worked_on
from trainwright.orchestration.publisher import Publisher
from trainwright.orchestration.result_file import read_result


@dataclass(frozen=True, kw_only=True)
class RecoveredExecution:
    """An execution of a dead run; `is_published` if its node had finished."""

    execution_id: int
    node_id: str
    is_published: bool


def recover(publisher: Publisher, pipeline_name: str) -> list[RecoveredExecution]:
    """Ends the executions of the pipeline whose run is dead and removes what they were making."""
    running = publisher.store.get_executions(
        context=contexts.pipeline_context(pipeline_name), states=[ExecutionState.RUNNING]
    )
    now = publisher.store.now() if running else 0.0
    recovered = [
        ended
        for execution in running
        if not is_worked_on(execution, now)
        and (ended := end_dead_execution(publisher, execution)) is not None
    ]
    _sweep_leftovers(publisher)
    return recovered


def end_dead_execution(
    publisher: Publisher, execution: ExecutionRecord
) -> RecoveredExecution | None:
    """Publishes what a dead run had finished, else fails it; None if another was faster."""
    node_id = execution.custom_properties.get(NODE_ID, "")
    result = read_result(layout.result_path(publisher.root, node_id, execution.id))
    with contextlib.suppress(ExecutionNotRunningError):
        if result is not None:
            types = _output_types(publisher.store, execution.id)
            publisher.publish(execution.id, types, result)
        else:
            publisher.fail_dead(
                node_id,
                execution.id,
                "The process that ran the pipeline ended before this node was finished.",
                ExecutionState.FAILED,
            )
        return RecoveredExecution(
            execution_id=execution.id, node_id=node_id, is_published=result is not None
        )
    return None


def _output_types(store: MetadataStore, execution_id: int) -> dict[str, TypeRecord]:
    events = [
        event
        for event in store.get_events(execution_ids=[execution_id])
        if event.type is not EventType.INPUT
    ]
    types = {
        record.id: record.type
        for record in store.get_artifacts(ids={event.artifact_id for event in events})
    }
    return {event.key: types[event.artifact_id] for event in events}


def _sweep_leftovers(publisher: Publisher) -> None:
    """Removes outputs whose execution was ended by a process that died before it removed them."""
    # A first look, which spares the sweep those of other roots.
    below_root = publisher.root.rstrip(os.sep) + os.sep
    publisher.sweep(
        record
        for record in publisher.store.get_artifacts(states=[ArtifactState.ABANDONED])
        if record.uri.startswith(below_root)
    )
