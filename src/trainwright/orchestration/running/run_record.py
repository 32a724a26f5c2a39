"""Record of a run: how it is remembered in the store, and told of when it begins and ends."""

from __future__ import annotations

import contextlib

from trainwright.metadata import contexts
from trainwright.metadata.connection import hide_password, is_sqlite, sqlite_path
from trainwright.metadata.internal_properties import HEARTBEAT_AT
from trainwright.metadata.leases import current_lease
from trainwright.metadata.records import Lease
from trainwright.metadata.run_history import list_runs
from trainwright.metadata.store import MetadataError, MetadataStore
from trainwright.orchestration import last_store
from trainwright.orchestration.cleanup.recovery import recover
from trainwright.orchestration.events import RunEvent, RunEventKind, RunObserver
from trainwright.orchestration.pipeline_check import find_warnings
from trainwright.orchestration.planning.planner import uses_cache
from trainwright.orchestration.publishing.publisher import Publisher
from trainwright.orchestration.run_result import RunResult
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
) -> None:
    """Notes that the run goes on, and tells what it is about to do.

    Without a lease the run is this process'. It may have been noted before, by another command.
    """
    _note_run(store, run_id, job, lease or current_lease())
    last_store.remember(job.store.url)
    observer(_started(run_id, job))
    for node_id, message in find_warnings(job.pipeline, job.selection.run):
        kind = RunEventKind.NODE_WARNING
        observer(RunEvent(kind=kind, node=node_id, data={"message": message}))


def break_off(store: MetadataStore, run_id: str) -> None:
    """Notes that the run itself broke."""
    with contextlib.suppress(MetadataError):  # which may be what broke the run
        store.put_context(contexts.run_context(run_id), {"state": "failed"})


def finish(store: MetadataStore, run_id: str, result: RunResult, observer: RunObserver) -> None:
    """Notes what the run has come to, and tells it."""
    note_state(store, run_id, result.state)
    tell_finished(result, observer)


def note_state(store: MetadataStore, run_id: str, state: str) -> None:
    """Notes what the run has come to."""
    store.put_context(contexts.run_context(run_id), {"state": state})


def tell_finished(result: RunResult, observer: RunObserver) -> None:
    """Tells what the run has come to."""
    observer(
        RunEvent(
            kind=RunEventKind.RUN_FINISHED,
            data={
                "state": result.state,
                "seconds": result.seconds,
                "summary": result.describe_failures(),
                "notes": result.notes,
                "pages": dict(result.pages),
                "warnings": list(result.warnings),
                "skipped": dict(result.skipped),
                "states": {node: value.value for node, value in result.states.items()},
            },
        )
    )


def _started(run_id: str, job: RunJob) -> RunEvent:
    return RunEvent(
        kind=RunEventKind.RUN_STARTED,
        data={
            "pipeline": job.pipeline.pipeline_name,
            "run_id": run_id,
            "root": job.root,
            "store": _shown(job.store.url),
            "enable_cache": job.pipeline.enable_cache,
            "nodes": [node.id for node in job.nodes],
        },
    )


def _shown(url: str) -> str:
    """The store as people see it: the path of the file, or the address without a password."""
    return sqlite_path(url) if is_sqlite(url) else hide_password(url)


def _note_run(store: MetadataStore, run_id: str, job: RunJob, lease: Lease) -> None:
    components = job.pipeline.components
    upstream = {node.id: [other.id for other in node.upstream_nodes] for node in components}
    store.put_context(
        contexts.run_context(run_id),
        {
            "pipeline": job.pipeline.pipeline_name,
            "root": job.root,
            "state": "running",
            "nodes": [node.id for node in components],
            "upstream": upstream,
            "host": lease.host,
            "pid": lease.pid,
            "process_started_at": lease.process_started_at,
            HEARTBEAT_AT: store.now(),
        },
    )


def clear_up(publisher: Publisher, job: RunJob, run_id: str, observer: RunObserver) -> None:
    """Ends what dead runs left, and says which other runs go on."""
    name = job.pipeline.pipeline_name
    for recovered in recover(publisher, name):
        observer(
            RunEvent(
                kind=RunEventKind.EXECUTION_RECOVERED,
                data={
                    "execution_id": recovered.execution_id,
                    "of_node": recovered.node_id,
                    "is_published": recovered.is_published,
                    "is_ended": recovered.is_ended,
                    "problem": recovered.problem,
                },
            )
        )
    if all(uses_cache(node, job.pipeline) for node in job.nodes):
        return  # a node whose work another run is doing waits for it and says so
    for run in list_runs(publisher.store, pipeline=name, limit=_RUNS_TO_LOOK_AT):
        if run.state == "running" and run.run_id != run_id:
            observer(RunEvent(kind=RunEventKind.RUN_BESIDE, data={"run_id": run.run_id}))
