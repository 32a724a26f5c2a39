"""Garbage collection: deletes what no run that is kept has used or made.

An artifact is marked in the store before its files go, and only if nothing has begun to use it
since the plan was made; whoever wants to reuse it afterwards finds it marked. A collection that
was interrupted is finished by the next one.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass

from trainwright.metadata import contexts
from trainwright.metadata.internal_properties import NODE_ID
from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    EventType,
    ExecutionRecord,
    ExecutionState,
)
from trainwright.metadata.run_history import RunHistory, list_runs
from trainwright.metadata.store import MetadataStore
from trainwright.orchestration import layout
from trainwright.orchestration.manifest import size_of


@dataclass(frozen=True, kw_only=True)
class GarbageArtifact:
    """An artifact that can go."""

    id: int
    type_name: str
    uri: str
    size: int


@dataclass(frozen=True, kw_only=True)
class GarbagePlan:
    """What a collection would delete.

    Args:
        kept_runs: The runs whose artifacts stay.
        dropped_runs: The others; they are still remembered.
        artifacts: What goes.
        log_directories: The logs of executions that nothing kept comes from.
        last_execution_id: The newest execution when the plan was made.
    """

    kept_runs: list[str]
    dropped_runs: list[str]
    artifacts: list[GarbageArtifact]
    log_directories: list[str]
    last_execution_id: int

    @property
    def size(self) -> int:
        """How many bytes the artifacts take."""
        return sum(artifact.size for artifact in self.artifacts)

    @property
    def is_empty(self) -> bool:
        return not self.artifacts and not self.log_directories


def plan_collection(store: MetadataStore, pipeline: str, keep: int) -> GarbagePlan:
    """What nothing needs of a pipeline of which the newest runs are kept.

    Beside the `keep` newest runs, whatever became of them, the newest complete run is kept, and
    every run that goes on.
    """
    if keep < 0:
        raise ValueError(f"The number of runs to keep must be 0 or more, got {keep}.")
    # Asked first: whatever begins to use an artifact from now on is newer.
    newest = store.get_executions(limit=1)
    runs = list_runs(store, pipeline=pipeline)
    kept, dropped = _divide(runs, keep)
    needed_executions = _executions_of(store, kept)
    needed_executions += store.get_executions(states=[ExecutionState.RUNNING])
    needed = _touched(store, needed_executions)
    garbage = _unneeded_artifacts(store, pipeline, needed, {run.root for run in runs})
    return GarbagePlan(
        kept_runs=[run.run_id for run in kept],
        dropped_runs=[run.run_id for run in dropped],
        artifacts=garbage,
        log_directories=_unneeded_logs(store, dropped, needed),
        last_execution_id=newest[0].id if newest else 0,
    )


def collect(store: MetadataStore, plan: GarbagePlan) -> list[GarbageArtifact]:
    """Deletes what the plan says and nothing has begun to use since; returns what was deleted."""
    marked = store.mark_for_deletion(
        [artifact.id for artifact in plan.artifacts], last_execution_id=plan.last_execution_id
    )
    deleted = []
    for artifact in plan.artifacts:
        if artifact.id not in marked:
            continue
        directory = layout.output_directory(artifact.uri)
        shutil.rmtree(directory, ignore_errors=True)
        if not os.path.lexists(directory):
            store.set_artifact_state([artifact.id], ArtifactState.DELETED)
            deleted.append(artifact)
    for directory in plan.log_directories:
        shutil.rmtree(directory, ignore_errors=True)
    return deleted


def _divide(runs: list[RunHistory], keep: int) -> tuple[list[RunHistory], list[RunHistory]]:
    """Runs that are kept and runs that are not; `runs` has the newest first."""
    last_complete = next((run.run_id for run in runs if run.state == "complete"), None)
    kept = [
        run
        for position, run in enumerate(runs)
        if position < keep or run.state == "running" or run.run_id == last_complete
    ]
    return kept, [run for run in runs if run not in kept]


def _executions_of(store: MetadataStore, runs: Iterable[RunHistory]) -> list[ExecutionRecord]:
    return [
        execution
        for run in runs
        for execution in store.get_executions(context=contexts.run_context(run.run_id))
    ]


def _touched(store: MetadataStore, executions: Iterable[ExecutionRecord]) -> set[int]:
    """The artifacts that these executions read or made."""
    ids = {execution.id for execution in executions}
    return {event.artifact_id for event in store.get_events(execution_ids=ids)}


def _unneeded_artifacts(
    store: MetadataStore, pipeline: str, needed: set[int], roots: set[str]
) -> list[GarbageArtifact]:
    found = store.get_artifacts(
        context=contexts.pipeline_context(pipeline),
        states=[ArtifactState.LIVE, ArtifactState.ABANDONED, ArtifactState.MARKED_FOR_DELETION],
    )
    return [
        _garbage(record, record.id)
        for record in found
        if record.id is not None and record.id not in needed
        if _is_below(record.uri, roots) and not record.custom_properties.get("is_external")
    ]


def _garbage(record: ArtifactRecord, artifact_id: int) -> GarbageArtifact:
    size = 0
    with contextlib.suppress(OSError):  # its files may be gone already
        size = size_of(record.uri)
    return GarbageArtifact(id=artifact_id, type_name=record.type.name, uri=record.uri, size=size)


def _is_below(uri: str, roots: Iterable[str]) -> bool:
    """Whether an artifact lies in a pipeline's root; what lies elsewhere is not ours."""
    return any(uri.startswith(root.rstrip(os.sep) + os.sep) for root in roots if root)


def _unneeded_logs(
    store: MetadataStore, dropped: Iterable[RunHistory], needed: set[int]
) -> list[str]:
    """The directories with the logs of executions that made nothing that is still needed."""
    directories = []
    for run in dropped:
        executions = _executions_of(store, [run])
        makers = {
            event.execution_id
            for event in store.get_events(execution_ids={one.id for one in executions})
            if event.type is EventType.OUTPUT and event.artifact_id in needed
        }
        directories += [
            directory
            for execution in executions
            if execution.state.is_final and execution.id not in makers
            if os.path.isdir(directory := _log_directory(run, execution))
        ]
    return directories


def _log_directory(run: RunHistory, execution: ExecutionRecord) -> str:
    node_id = execution.custom_properties.get(NODE_ID, "")
    return layout.execution_directory(run.root, node_id, execution.id)
