"""Recovery: what runs that died left behind is finished, or cleared away, by the next run."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass

from trainwright._paths import is_remote
from trainwright.metadata import contexts
from trainwright.metadata.internal_properties import FOREIGN_MARKS, NODE_ID, RUN_ID
from trainwright.metadata.leases import run_state
from trainwright.metadata.records import (
    ArtifactState,
    EventType,
    ExecutionRecord,
    ExecutionState,
    TypeRecord,
)
from trainwright.metadata.store import (
    ExecutionNotRunningError,
    MetadataStore,
    StoreUnavailableError,
)
from trainwright.orchestration.active_runs import is_worked_on
from trainwright.orchestration.publishing import layout, places
from trainwright.orchestration.publishing.claims import read_tokens
from trainwright.orchestration.publishing.publisher import (
    Publisher,
    describe_stray,
    discard_state,
)
from trainwright.orchestration.publishing.result_file import read_result
from trainwright.orchestration.publishing.work_files import (
    discard_work,
    find_left_work,
    save_remains,
)
from trainwright.storage.errors import StorageError

# The processes of a run that was killed end with it, which takes a moment.
_SECONDS_TO_END = 5.0
_UNFINISHED = "The process that ran the pipeline ended before this node was finished."


@dataclass(frozen=True, kw_only=True)
class RecoveredExecution:
    """An execution of a dead run.

    Args:
        execution_id: Which.
        node_id: The node that it was of.
        is_published: Whether the node had finished; its outputs can be used now.
        is_ended: False if the store still says that it runs: the next run tries again.
        problem: What kept it from being published, if it left something to publish, or from being
            ended.
    """

    execution_id: int
    node_id: str
    is_published: bool
    is_ended: bool = True
    problem: str = ""


def recover(publisher: Publisher, pipeline_name: str) -> list[RecoveredExecution]:
    """Ends the executions of the pipeline whose run is dead and removes what they were making.

    Each by itself: one that cannot be ended does not keep the others, or this run, from going on.
    """
    running = publisher.store.get_executions(
        context=contexts.pipeline_context(pipeline_name), states=[ExecutionState.RUNNING]
    )
    now = publisher.store.now() if running else 0.0
    dead = [execution for execution in running if not is_worked_on(execution, now)]
    dead = _without_foreign(publisher, dead)
    recovered = [_end_or_complain(publisher, execution) for execution in dead]
    # What an object store that is away does not let go of, the next run removes.
    with contextlib.suppress(StorageError):
        _sweep_leftovers(publisher)
        _discard_left_work(publisher)
    return [one for one in recovered if one is not None]


def _without_foreign(
    publisher: Publisher, executions: list[ExecutionRecord]
) -> list[ExecutionRecord]:
    """Without those that another program has written, and will end."""
    tokens = read_tokens(publisher.store, [execution.id for execution in executions])
    return [one for one in executions if tokens.get(one.id) not in FOREIGN_MARKS]


def _end_or_complain(publisher: Publisher, execution: ExecutionRecord) -> RecoveredExecution | None:
    try:
        return end_dead_execution(publisher, execution)
    except StoreUnavailableError:
        raise
    except Exception as error:
        return RecoveredExecution(
            execution_id=execution.id,
            node_id=_node_id(execution),
            is_published=False,
            is_ended=False,
            problem=f"{type(error).__name__}: {error}",
        )


def end_dead_execution(
    publisher: Publisher, execution: ExecutionRecord
) -> RecoveredExecution | None:
    """Publishes what a dead run had finished, else fails it; None if another was faster."""
    node_id = _node_id(execution)
    with contextlib.suppress(ExecutionNotRunningError):
        problem = _publish_result(publisher, execution)
        if problem is not None:
            _save_remains(publisher, execution)
            publisher.fail_dead(node_id, execution.id, problem, ExecutionState.FAILED)
        directory = publisher.directory_of(node_id, execution.id)
        if directory is not None:
            discard_work(directory, _SECONDS_TO_END)
        return RecoveredExecution(
            execution_id=execution.id,
            node_id=node_id,
            is_published=problem is None,
            problem="" if problem in (None, _UNFINISHED) else str(problem),
        )
    return None


def _publish_result(publisher: Publisher, execution: ExecutionRecord) -> str | None:
    """Publishes what an execution had finished; returns why it cannot be, if it cannot."""
    directory = publisher.directory_of(_node_id(execution), execution.id)
    if directory is None:
        return _UNFINISHED
    path = layout.result_path(directory)
    result = read_result(path)
    if result is None:
        if not places.exists(path):
            return _UNFINISHED
        return f"{_UNFINISHED} What it left in {path} is not a result, or its outputs are damaged."
    try:
        stray = publisher.find_stray_output(execution, result)
        if stray is not None:
            return f"{_UNFINISHED} {describe_stray(path, stray)}"
        publisher.publish(execution.id, _output_types(publisher.store, execution.id), result)
    except (ExecutionNotRunningError, StoreUnavailableError):
        raise
    except Exception as error:  # whatever a file that anybody could have written can cause
        return f"{_UNFINISHED} Its result in {path} cannot be published: {error}"
    discard_state(directory)
    return None


def _save_remains(publisher: Publisher, execution: ExecutionRecord) -> None:
    """Uploads what the dead worker of a run on this machine has left, before it is failed."""
    directory = publisher.directory_of(_node_id(execution), execution.id)
    if directory is not None and is_remote(directory):
        save_remains(directory, publisher.kept_places(execution))


def _node_id(execution: ExecutionRecord) -> str:
    return str(execution.custom_properties.get(NODE_ID, ""))


def _output_types(store: MetadataStore, execution_id: int) -> dict[str, TypeRecord]:
    events = [
        event
        for event in store.get_events(execution_ids=[execution_id])
        if event.type in (EventType.OUTPUT, EventType.PENDING_OUTPUT)
    ]
    types = {
        record.id: record.type
        for record in store.get_artifacts(ids={event.artifact_id for event in events})
    }
    return {event.key: types[event.artifact_id] for event in events}


def _discard_left_work(publisher: Publisher) -> None:
    """Discards what executions have left on this machine whose run ended them and died then."""
    if not is_remote(publisher.root):
        return
    store, now = publisher.store, publisher.store.now()
    for directory in find_left_work(publisher.root):
        found = layout.execution_of(publisher.root, directory)
        if found is None:
            continue  # it is a run's
        try:
            execution = store.get_execution(found[1])
        except LookupError:
            continue  # it is another store's, as far as this one knows
        if publisher.directory_of(*found) != directory:
            continue
        run = store.get_run(str(execution.custom_properties.get(RUN_ID, "")))
        if execution.state.is_final and (run is None or run_state(run, now) != "running"):
            discard_work(directory)


def _sweep_leftovers(publisher: Publisher) -> None:
    """Removes outputs whose execution was ended by a process that died before it removed them."""
    # A first look, which spares the sweep those of other roots.
    below_root = publisher.root.rstrip(os.sep) + os.sep
    publisher.sweep_lost(
        record
        for record in publisher.store.get_artifacts(states=[ArtifactState.ABANDONED])
        if record.uri.startswith(below_root)
    )
