"""Garbage collection: deletes what no run that is kept has used or made.

An artifact is marked in the store before its files go, and only if nothing has begun to use it
since the plan was made; whoever wants to reuse it afterwards finds it marked. A collection that
was interrupted is finished by the next one.

Only directories that were reserved for an artifact go, and none that a living artifact lies in, or
that lies in one (`reserved_directories.py`), and none that another store has made (`claims.py`).
The mark that says so lies beside the log: it goes when all that it speaks for is gone.

A store may hold hundreds of thousands of executions: what is asked about all of them is asked at
once and in few columns.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from trainwright._checks import check_integer
from trainwright._paths import is_remote
from trainwright.metadata import contexts
from trainwright.metadata.leases import run_state
from trainwright.metadata.records import (
    ArtifactState,
    EventType,
    ExecutionState,
    MadeArtifact,
    RunRecord,
)
from trainwright.metadata.store import MetadataStore
from trainwright.orchestration.cleanup.reused_outputs import find_lent_inputs
from trainwright.orchestration.event_log import find_run_directories
from trainwright.orchestration.publishing import layout, places
from trainwright.orchestration.publishing.claims import Claims, run_token
from trainwright.orchestration.publishing.manifest import size_of
from trainwright.orchestration.publishing.reserved_directories import (
    OccupiedPaths,
    ReservedDirectories,
    remove_directory,
)

_LIVING = (ArtifactState.LIVE, ArtifactState.PENDING)
_UNFINISHED = [state for state in ExecutionState if not state.is_final]


@dataclass(frozen=True, kw_only=True)
class GarbageArtifact:
    """An artifact that can go, with its directory, how many bytes that takes, and whether there is
    nothing at its place any more: somebody else has deleted or moved it.

    The directory with the log of its execution also says whose it is.
    """

    id: int
    type_name: str
    uri: str
    directory: str
    log_directory: str
    size: int
    is_gone: bool


@dataclass(frozen=True, kw_only=True)
class LeftDirectory:
    """A directory that no kept run of this store needs, and why it is not removed all the same."""

    directory: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class GarbagePlan:
    """What a collection would delete.

    Args:
        kept_runs: The runs whose artifacts stay.
        dropped_runs: The others; they are still remembered.
        artifacts: What goes.
        occupied: What no kept run needs, but stays: a living artifact lies in its directory or
            around it, or is reached through a link in it.
        behind_links: What no kept run needs, but stays: its directory lies behind a link.
        left: What stays because it is, or may be, another store's.
        log_directories: The logs of executions that nothing kept comes from.
        event_logs: The directories with the event logs of runs that are not kept.
        last_execution_id: The newest execution when the plan was made.
    """

    kept_runs: list[str]
    dropped_runs: list[str]
    artifacts: list[GarbageArtifact]
    occupied: list[GarbageArtifact]
    behind_links: list[GarbageArtifact]
    left: list[LeftDirectory]
    log_directories: list[str]
    event_logs: list[str]
    last_execution_id: int

    @property
    def size(self) -> int:
        """How many bytes the artifacts take."""
        return sum(artifact.size for artifact in self.artifacts)

    @property
    def is_empty(self) -> bool:
        return not self.artifacts and not self.log_directories and not self.event_logs


def plan_collection(store: MetadataStore, pipeline: str, keep: int) -> GarbagePlan:
    """What nothing needs of a pipeline of which the newest runs are kept; deleted runs never are.

    Beside the `keep` newest runs, whatever became of them, the newest complete run is kept, and
    every run that goes on. So it is with the runs of other pipelines, which may use the same
    artifacts.
    """
    return CollectionPlanner(store, keep).plan(pipeline)


class CollectionPlanner:
    """Plans the collections of several pipelines; what concerns all of them is asked once."""

    def __init__(self, store: MetadataStore, keep: int) -> None:
        self._store = store
        self._keep = check_integer("The number of runs to keep", keep, least=0)

    @functools.cached_property
    def _needs(self) -> _Needs:
        return _Needs.find(self._store, self._keep)

    def plan(self, pipeline: str) -> GarbagePlan:
        """What `plan_collection` says."""
        store, needs = self._store, self._needs
        # Asked for the complaint: of an execution in an unknown state nobody can say what it needs.
        store.get_execution_ids(contexts.pipeline_context(pipeline), states=_UNFINISHED)
        kept = needs.kept.get(pipeline, [])
        kept_ids = {run.id for run in kept}
        runs = needs.runs.get(pipeline, [])
        dropped = [run for run in runs if run.id not in kept_ids]
        places = _Places(store, pipeline, dict.fromkeys(run.root for run in runs))
        garbage, behind_links, left = places.find_all(
            _unneeded_artifacts(store, pipeline, needs.artifacts)
        )
        free, occupied = _divide_by_place(store, garbage)
        logs, left_logs = _unneeded_logs(store, pipeline, dropped, needs)
        event_logs, left_event_logs = _event_logs(store, dropped)
        spoken_for = {artifact.log_directory for artifact in occupied + behind_links}
        return GarbagePlan(
            kept_runs=[run.run_id for run in kept],
            dropped_runs=[run.run_id for run in dropped],
            artifacts=free,
            occupied=occupied,
            behind_links=behind_links,
            left=left + left_logs + left_event_logs,
            log_directories=[one for one in logs if one not in spoken_for],
            event_logs=event_logs,
            last_execution_id=needs.last_execution_id,
        )


def collect(store: MetadataStore, plan: GarbagePlan) -> list[GarbageArtifact]:
    """Deletes what the plan says and nothing has begun to use since; returns what was deleted."""
    marked = store.mark_for_deletion(
        [artifact.id for artifact in plan.artifacts], last_execution_id=plan.last_execution_id
    )
    # Asked again, for what was published since the plan was made.
    living = OccupiedPaths(store.get_artifact_uris(states=_LIVING).values())
    deleted = []
    for artifact in plan.artifacts:
        if artifact.id not in marked or living.touch(artifact.directory):
            continue
        if artifact.is_gone and places.exists(artifact.directory):
            continue  # somebody has put something there since
        if remove_directory(artifact.directory):
            store.set_artifact_state([artifact.id], ArtifactState.DELETED)
            deleted.append(artifact)
    gone = {artifact.id for artifact in deleted}
    spoken_for = {one.log_directory for one in plan.artifacts if one.id not in gone}
    for directory in plan.log_directories:
        if directory not in spoken_for:
            remove_directory(directory)
    for directory in plan.event_logs:
        remove_directory(directory)
    return deleted


@dataclass(frozen=True, kw_only=True)
class _Needs:
    """What the runs of all pipelines need.

    Args:
        runs: The runs by pipeline, the newest first.
        kept: Those that are kept.
        executions: The executions that are at work, are of a kept run, or made what one needs.
        artifacts: What these have used or made, and what the outputs were made of that they have
            taken over from runs that are not kept.
        last_execution_id: The newest execution before anything else was asked: whatever begins to
            use an artifact from then on is newer.
    """

    runs: Mapping[str, list[RunRecord]]
    kept: Mapping[str, list[RunRecord]]
    executions: set[int]
    artifacts: set[int]
    last_execution_id: int

    @classmethod
    def find(cls, store: MetadataStore, keep: int) -> _Needs:
        newest = store.get_executions(limit=1)
        now = store.now()
        runs: dict[str, list[RunRecord]] = {}
        for run in store.get_runs(with_deleted=True):
            runs.setdefault(run.pipeline, []).append(run)
        kept = {name: _choose_kept(of_pipeline, keep, now) for name, of_pipeline in runs.items()}
        executions = {execution.id for execution in store.get_executions(states=_UNFINISHED)}
        for run in itertools.chain(*kept.values()):
            executions |= store.get_execution_ids(contexts.run_context(run.run_id))
        events = store.get_events(execution_ids=executions)
        artifacts = {event.artifact_id for event in events}
        artifacts |= find_lent_inputs(store, events)
        return cls(
            runs=runs,
            kept=kept,
            executions=executions | _makers(store, artifacts),
            artifacts=artifacts,
            last_execution_id=newest[0].id if newest else 0,
        )


def _choose_kept(runs: list[RunRecord], keep: int, now: float) -> list[RunRecord]:
    candidates = [run for run in runs if run.deleted_at is None]
    states = {run.id: run_state(run, now) for run in candidates}
    last_complete = next((run.id for run in candidates if states[run.id] == "complete"), None)
    return [
        run
        for position, run in enumerate(candidates)
        if position < keep or states[run.id] == "running" or run.id == last_complete
    ]


def _makers(store: MetadataStore, artifact_ids: Iterable[int]) -> set[int]:
    return {
        event.execution_id
        for event in store.get_events(artifact_ids=artifact_ids)
        if event.type is EventType.OUTPUT
    }


def _unneeded_artifacts(
    store: MetadataStore, pipeline: str, needed: set[int]
) -> Iterator[MadeArtifact]:
    """What the pipeline has made and no kept run needs."""
    found = store.get_made_artifacts(
        context=contexts.pipeline_context(pipeline),
        states=[ArtifactState.LIVE, ArtifactState.ABANDONED, ArtifactState.MARKED_FOR_DELETION],
    )
    for made in found:
        if made.id not in needed and not made.custom_properties.get("is_external"):
            yield made


class _Place(NamedTuple):
    """The directory that was reserved for an artifact, and by which node below which root; by its
    real path unless a link leads there."""

    directory: str
    is_linked: bool
    root: str
    node_id: str

    @property
    def leaf(self) -> str:
        return os.path.basename(self.directory)

    @property
    def log_directory(self) -> str:
        return layout.execution_directory(places.real_path(self.root), self.node_id, self.leaf)


class _Places:
    """Where the outputs of a pipeline's executions were to lie."""

    def __init__(self, store: MetadataStore, pipeline: str, roots: Iterable[str]) -> None:
        self._store = store
        self._pipeline = pipeline
        self._roots = list(roots)
        self._reserved = ReservedDirectories()
        self._claims = Claims(store, self._reserved)
        self._of_node: dict[str, set[int]] = {}

    def find_all(
        self, artifacts: Iterable[MadeArtifact]
    ) -> tuple[list[GarbageArtifact], list[GarbageArtifact], list[LeftDirectory]]:
        """Those that lie where they were to lie, others are not ours to remove; apart from them
        those that lie there behind a link, and what another store has made, or may have made."""
        found = [(made, place) for made in artifacts if (place := self._find(made)) is not None]
        self._claims.look_up(made.execution_id for made, _ in found)
        ours: list[GarbageArtifact] = []
        behind_links: list[GarbageArtifact] = []
        left: list[LeftDirectory] = []
        for made, place in found:
            artifact = _garbage_artifact(made, place)
            if artifact.is_gone and self._claims.is_foreign(made.execution_id):
                continue  # it may come back, on a disk that is not mounted now
            if place.is_linked:
                behind_links += [] if artifact.is_gone else [artifact]
                continue
            reason = None if artifact.is_gone else self._why_left(made, place)
            if reason is None:
                ours.append(artifact)
            else:
                left.append(LeftDirectory(directory=place.directory, reason=reason))
        return ours, behind_links, left

    def _why_left(self, made: MadeArtifact, place: _Place) -> str | None:
        return self._claims.why_not_ours(place.root, place.node_id, place.leaf, made.execution_id)

    def _find(self, made: MadeArtifact) -> _Place | None:
        """The directory that was reserved for the artifact; None if it lies elsewhere."""
        for root in self._roots:
            if not made.uri.startswith(root.rstrip(os.sep) + os.sep):
                continue
            place = self._find_below(root, made)
            if place is not None:
                return place
        return None

    def _find_below(self, root: str, made: MadeArtifact) -> _Place | None:
        node_id = made.uri[len(root.rstrip(os.sep)) + 1 :].partition(os.sep)[0]
        key, execution_id = made.key, made.execution_id
        directory = self._reserved.find(
            made.uri, root=root, node_id=node_id, key=key, execution_id=execution_id
        )
        found = directory or self._reserved.find_linked(
            made.uri, root=root, node_id=node_id, key=key, execution_id=execution_id
        )
        if found is None or execution_id not in self._executions_of(node_id):
            return None
        return _Place(found, directory is None, root, node_id)

    def _executions_of(self, node_id: str) -> set[int]:
        if node_id not in self._of_node:
            context = contexts.node_context(self._pipeline, node_id)
            self._of_node[node_id] = self._store.get_execution_ids(context)
        return self._of_node[node_id]


def _garbage_artifact(made: MadeArtifact, place: _Place) -> GarbageArtifact:
    size = _size(place.directory)
    return GarbageArtifact(
        id=made.id,
        type_name=made.type_name,
        uri=made.uri,
        directory=place.directory,
        log_directory=place.log_directory,
        size=size or 0,
        is_gone=size is None,
    )


def _size(directory: str) -> int | None:
    """How many bytes a directory takes; None if it is gone."""
    if is_remote(directory):
        found = list(places.files_below(directory))
        return sum(facts.size for _, facts in found) if found else None
    try:
        status = os.lstat(directory)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return 0
    with contextlib.suppress(OSError):  # its files may go in this moment
        return size_of(directory) if stat.S_ISDIR(status.st_mode) else 0
    return 0


def _divide_by_place(
    store: MetadataStore, garbage: list[GarbageArtifact]
) -> tuple[list[GarbageArtifact], list[GarbageArtifact]]:
    """What can go, and what cannot because a living artifact lies in or around its directory."""
    if not garbage:
        return [], []
    going = {artifact.id for artifact in garbage}
    uris = store.get_artifact_uris(states=_LIVING)
    living = OccupiedPaths(uri for id_, uri in uris.items() if id_ not in going)
    free: list[GarbageArtifact] = []
    occupied: list[GarbageArtifact] = []
    for artifact in garbage:
        (occupied if living.touch(artifact.directory) else free).append(artifact)
    return free, occupied


def _unneeded_logs(
    store: MetadataStore, pipeline: str, dropped: Iterable[RunRecord], needs: _Needs
) -> tuple[list[str], list[LeftDirectory]]:
    """The directories with the logs of executions that made nothing that is still needed, and
    those of them that stay because they are another store's, too.

    The disk is asked first: of most executions in a large store nothing is left there.
    """
    reserved = ReservedDirectories()
    claims = Claims(store, reserved)
    found: list[str] = []
    left: list[LeftDirectory] = []
    for node_id, roots in _nodes(dropped).items():
        logged = {
            (root, leaf, number)
            for root in roots
            for leaf, number in _logged_executions(root, node_id).items()
            if number not in needs.executions and number <= needs.last_execution_id
        }
        if not logged:
            continue
        of_node = store.get_execution_ids(contexts.node_context(pipeline, node_id))
        claims.look_up(of_node & {number for _, _, number in logged})
        for root, leaf, number in sorted(logged):
            directory = reserved.below(root, layout.execution_steps(node_id), leaf)
            if directory is None or number not in of_node or not claims.names(number, directory):
                continue
            reason = claims.why_not_ours(root, node_id, leaf, number)
            if reason is None:
                found.append(directory)
            else:
                left.append(LeftDirectory(directory=directory, reason=reason))
    return found, left


def _event_logs(
    store: MetadataStore, dropped: Iterable[RunRecord]
) -> tuple[list[str], list[LeftDirectory]]:
    """The directories with the event logs of runs, and those that stay because they are another
    store's, too."""
    reserved = ReservedDirectories()
    claims = Claims(store, reserved)
    found: list[str] = []
    left: list[LeftDirectory] = []
    for run, directory in find_run_directories(dropped, reserved):
        original = claims.find_original_of_run(directory, run.run_id, run_token(run))
        if original is None:
            found.append(directory)
        else:
            reason = f"it is also that of the store {original}, of which this one is a copy"
            left.append(LeftDirectory(directory=directory, reason=reason))
    return found, left


def _nodes(runs: Iterable[RunRecord]) -> Mapping[str, set[str]]:
    """The nodes of the runs, and the roots that they worked in."""
    roots: dict[str, set[str]] = {}
    for run in runs:
        for node in run.nodes:
            roots.setdefault(node.node_id, set()).add(run.root)
    return roots


def _logged_executions(root: str, node_id: str) -> dict[str, int]:
    """The names of the directories that executions of a node have left, with their numbers."""
    names = places.names_in(os.path.join(root, *layout.execution_steps(node_id)))
    numbers = {name: layout.numbered(name) for name in names}
    return {name: number for name, number in numbers.items() if number is not None}
