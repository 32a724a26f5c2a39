"""Record of a run: how it is remembered in the store, and told of when it begins and ends."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Mapping

from trainwright._paths import is_remote
from trainwright.metadata.connection import hide_password, is_sqlite, sqlite_path
from trainwright.metadata.leases import current_lease, run_state
from trainwright.metadata.records import Lease, RunNode, RunRecord, RunState
from trainwright.metadata.store import MetadataError, MetadataStore
from trainwright.orchestration import last_store
from trainwright.orchestration.cleanup.recovery import recover
from trainwright.orchestration.event_log import EventLog, clear_up_event_logs
from trainwright.orchestration.events import (
    ExecutionRecovered,
    NodeWarning,
    Observers,
    RunBeside,
    RunEvent,
    RunFinished,
    RunObserver,
    RunStarted,
)
from trainwright.orchestration.pipeline_check import find_warnings
from trainwright.orchestration.planning.planner import uses_cache
from trainwright.orchestration.publishing.publisher import Publisher
from trainwright.orchestration.run_result import NodeState, RunResult
from trainwright.orchestration.running.run_job import RunJob

# How many of the newest runs are looked at for one that goes on at the same time.
_RUNS_TO_LOOK_AT = 5


def begin(
    store: MetadataStore,
    run_id: str,
    job: RunJob,
    observer: RunObserver,
    *,
    lease: Lease | None = None,
) -> RunObserver:
    """Notes that the run goes on, and tells what it is about to do.

    Without a lease the run is this process' own. With one it is shared: another command may have
    noted it before. Returns who is to be told of the rest: the observer, and the run's event log.
    """
    run = _note_run(store, run_id, job) if lease is None else _join_run(store, run_id, job, lease)
    observer = _with_event_log(observer, run, store)
    last_store.remember(job.store.url)
    observer(_started(run_id, job))
    for node_id, message in find_warnings(job.pipeline, job.selection.run):
        observer(NodeWarning(node=node_id, message=message))
    return observer


def break_off(store: MetadataStore, run_id: str) -> None:
    """Notes that the run itself broke."""
    with contextlib.suppress(MetadataError):  # which may be what broke the run
        store.update_run(run_id, state=RunState.FAILED)


def finish(store: MetadataStore, run_id: str, result: RunResult, observer: RunObserver) -> None:
    """Notes what the run has come to, and tells it."""
    note_state(store, run_id, result.state)
    tell_finished(result, observer)


def note_state(store: MetadataStore, run_id: str, state: str) -> None:
    """Notes what the run has come to."""
    store.update_run(run_id, state=RunState(state))


def finish_shared(
    store: MetadataStore,
    run_id: str,
    state: str,
    states: Mapping[str, NodeState],
    skipped: Mapping[str, str],
) -> None:
    """Notes what a run of several commands has come to, and tells it in the run's event log, which
    is all that they have in common; not again if it was noted before."""
    before = store.get_run(run_id)
    if before is None or before.state is RunState(state):
        return
    note_state(store, run_id, state)
    event_log = EventLog.find(before)
    if event_log is None:
        return
    finished = RunFinished(
        state=state,
        seconds=max(store.now() - before.started_at, 0.0),
        summary="",
        notes=[],
        pages={},
        warnings=[],
        skipped=dict(skipped),
        states={node: value.value for node, value in states.items()},
    )
    Observers([event_log])(finished)


def tell_finished(result: RunResult, observer: RunObserver) -> None:
    """Tells what the run has come to."""
    observer(
        RunFinished(
            state=result.state,
            seconds=result.seconds,
            summary=result.describe_failures(),
            notes=list(result.notes),
            pages={node: list(pages) for node, pages in result.pages.items()},
            warnings=list(result.warnings),
            skipped=dict(result.skipped),
            states={node: value.value for node, value in result.states.items()},
        )
    )


def _started(run_id: str, job: RunJob) -> RunEvent:
    return RunStarted(
        pipeline=job.pipeline.pipeline_name,
        run_id=run_id,
        root=job.root,
        store=_shown(job.store.url),
        enable_cache=job.pipeline.enable_cache,
        nodes=[node.id for node in job.nodes],
    )


def _shown(url: str) -> str:
    """The store as people see it: the path of the file, or the address without a password."""
    return sqlite_path(url) if is_sqlite(url) else hide_password(url)


def _join_run(store: MetadataStore, run_id: str, job: RunJob, lease: Lease) -> RunRecord:
    """Notes the run, unless another command was faster."""
    if store.get_run(run_id) is None:
        with contextlib.suppress(ValueError):  # in this moment
            return _note_run(store, run_id, job, lease)
    return store.update_run(run_id, state=RunState.RUNNING, is_alive=True)


def _note_run(
    store: MetadataStore, run_id: str, job: RunJob, lease: Lease | None = None
) -> RunRecord:
    nodes = [
        RunNode(node_id=node.id, upstream=tuple(other.id for other in node.upstream_nodes))
        for node in job.pipeline.components
    ]
    return store.register_run(
        run_id,
        pipeline=job.pipeline.pipeline_name,
        root=job.root,
        nodes=nodes,
        lease=lease or current_lease(),
    )


def _with_event_log(observer: RunObserver, run: RunRecord, store: MetadataStore) -> RunObserver:
    """The observer and the run's event log; a run that cannot have one does without it."""
    try:
        event_log = EventLog.of(run, store.location)
    except OSError as error:
        warnings.warn(
            f"Nobody can follow run {run.run_id} by its events: they cannot be written below "
            f"{run.root} ({error}).",
            RuntimeWarning,
            stacklevel=2,
        )
        return Observers([observer])
    return Observers([observer, event_log])


def clear_up(publisher: Publisher, job: RunJob, run_id: str, observer: RunObserver) -> None:
    """Ends what dead runs left, and says which other runs go on."""
    name = job.pipeline.pipeline_name
    if is_remote(job.root):
        clear_up_event_logs(job.root)
    for recovered in recover(publisher, name):
        observer(
            ExecutionRecovered(
                execution_id=recovered.execution_id,
                of_node=recovered.node_id,
                is_published=recovered.is_published,
                is_ended=recovered.is_ended,
                problem=recovered.problem,
            )
        )
    if all(uses_cache(node, job.pipeline) for node in job.nodes):
        return  # a node whose work another run is doing waits for it and says so
    now = publisher.store.now()
    for run in publisher.store.get_runs(pipeline=name, limit=_RUNS_TO_LOOK_AT):
        if run_state(run, now) == "running" and run.run_id != run_id:
            observer(RunBeside(run_id=run.run_id))
