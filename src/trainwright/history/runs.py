"""The runs in a store as objects: `runs("penguin").latest["Trainer"].outputs.model.uri`.

An object is what the store said when it was asked for; ask again to see how a run goes on. What few
ask for is imported when it is: listing runs stays as quick as it is.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainwright._suggest import did_you_mean
from trainwright.history.run_history import NodeHistory, RunHistory, find_run, list_runs
from trainwright.history.store_choice import find_store
from trainwright.metadata import contexts
from trainwright.metadata.connection import ConnectionConfig, as_connection_config, open_store
from trainwright.metadata.leases import RUN_STATES
from trainwright.metadata.records import ArtifactRecord, EventType
from trainwright.metadata.store import MetadataStore, StoreNotFoundError

if TYPE_CHECKING:
    from trainwright.history.run_differences import NodeComparison
    from trainwright.metadata.lineage import Lineage
    from trainwright.orchestration.events import RunEvent

    StoreAddress = MetadataStore | ConnectionConfig | str | os.PathLike[str]


def runs(pipeline: str | None = None, *, store: StoreAddress | None = None) -> Runs:
    """The runs of a pipeline, or of all pipelines, newest first.

    Args:
        pipeline: The name of the pipeline.
        store: The metadata store: a path, a URL, a connection config or an open store. Without it
            the store is found as commands find it: TRAINWRIGHT_STORE, `trainwright.toml`, the
            store of the working directory, or that of the last run.

    Raises:
        LookupError: if there is no store, or no such pipeline in it; it names those that there are.

    Example:
        >>> model = runs("penguin").latest["Trainer"].outputs.model  # doctest: +SKIP
        >>> model.uri  # doctest: +SKIP
        '/tmp/penguin/Trainer/model/6'
    """
    found = Runs(_as_opener(store), pipeline)
    if pipeline is not None:
        found._check_pipeline(pipeline)
    return found


class Runs:
    """The runs of a store, newest first. `runs` makes one.

    Iterating gives every run; `latest` the newest; `found["2026-11-18"]` a run by its id, the
    beginning of it, or "latest".
    """

    def __init__(self, opener: _Opener, pipeline: str | None) -> None:
        self._opener = opener
        self._pipeline = pipeline

    def __repr__(self) -> str:
        of_pipeline = f" of {self._pipeline}" if self._pipeline else ""
        return f"<runs{of_pipeline} in {self._opener.location}>"

    def __iter__(self) -> Iterator[Run]:
        return iter(self.newest(None))

    @property
    def latest(self) -> Run:
        """The newest run, whatever became of it; raises LookupError if there is none."""
        found = self.newest(1)
        if not found:
            raise LookupError(f"{self._opener.location} holds no runs{self._of_pipeline} yet.")
        return found[0]

    @property
    def latest_complete(self) -> Run:
        """The newest run that is complete; raises LookupError if there is none."""
        for run in self.newest(1, state="complete"):
            return run
        raise LookupError(f"{self._opener.location} holds no complete run{self._of_pipeline} yet.")

    @property
    def _of_pipeline(self) -> str:
        return f" of {self._pipeline!r}" if self._pipeline is not None else ""

    def newest(self, limit: int | None, *, state: str | None = None) -> list[Run]:
        """Up to `limit` runs, newest first; all of them if it is None.

        Args:
            limit: Up to this many.
            state: Only runs in this state: running, complete, failed, canceled, died or unknown.

        Raises:
            ValueError: if there is no such state.
        """
        if state is not None and state not in RUN_STATES:
            raise ValueError(
                f"Expected a run's state, got {state!r}{did_you_mean(str(state), RUN_STATES)}"
            )
        with self._opener.open() as store:
            found = list_runs(store, pipeline=self._pipeline, state=state, limit=limit)
        return [Run(self._opener, run) for run in found]

    def lineage(
        self, artifact: ArtifactRecord | int, *, down: bool = False, depth: int | None = None
    ) -> Lineage:
        """What an artifact was made of, or with `down` what was made of it.

        Args:
            artifact: The artifact, or its id.
            down: Which way to go.
            depth: How many executions to follow; all if None.

        Raises:
            NotInHistoryError: a LookupError, if the store has no such artifact.

        Example: `runs("penguin").lineage(run["Trainer"].outputs.model).artifacts.values()`
        """
        from trainwright.history.artifacts import trace_lineage

        artifact_id = artifact if isinstance(artifact, int) else artifact.id
        if artifact_id is None:
            raise ValueError("The artifact has no id: it is not one of a store.")
        with self._opener.open() as store:
            found, _ = trace_lineage(store, artifact_id=artifact_id, down=down, depth=depth)
        return found

    def __getitem__(self, run_id: str) -> Run:
        if not isinstance(run_id, str):
            raise TypeError(
                f"A run is found by its id or the beginning of it, a str; got {run_id!r}. The "
                "newest runs: runs(...).newest(5)"
            )
        if run_id == "latest":
            return self.latest
        with self._opener.open() as store:
            found = find_run(store, run_id)
        if self._pipeline is not None and found.pipeline != self._pipeline:
            raise LookupError(
                f"Run {found.run_id} is of pipeline {found.pipeline!r}, not of {self._pipeline!r}."
            )
        return Run(self._opener, found)

    def _check_pipeline(self, wanted: str) -> None:
        with self._opener.open() as store:
            if store.get_context(contexts.pipeline_context(wanted)) is not None:
                return
            # A run that failed before its first node has no pipeline context.
            if list_runs(store, pipeline=wanted, limit=1):
                return
            known = [record.name for record in store.get_contexts(type_name=contexts.PIPELINE)]
        raise LookupError(
            f"{self._opener.location} has no runs of a pipeline {wanted!r}"
            f"{did_you_mean(wanted, known)}"
        )


class Run(Mapping[str, "Node"]):
    """One run: a mapping of its nodes by their ids, in the order of the pipeline.

    Attributes:
        run_id: Its id, the time of its start.
        pipeline: The name of its pipeline.
        state: running, complete, failed, canceled, died or unknown.
        root: The pipeline root.
        started_at: When it began, in seconds since the epoch.
        ended_at: When it ended; None if it goes on or died, or nobody has noted it.
    """

    def __init__(self, opener: _Opener, history: RunHistory) -> None:
        self._opener = opener
        self._nodes = {node.node_id: node for node in history.nodes}
        self.run_id = history.run_id
        self.pipeline = history.pipeline
        self.state = history.state
        self.root = history.root
        self.started_at = history.started_at
        self.ended_at = history.ended_at

    def __repr__(self) -> str:
        return f"<run {self.run_id} of {self.pipeline}: {self.state}>"

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[str]:
        return iter(self._nodes)

    def __getitem__(self, node_id: str) -> Node:
        if node_id not in self._nodes:
            raise KeyError(
                f"Run {self.run_id} has no node {node_id!r}{did_you_mean(node_id, self._nodes)}"
            )
        return Node(self._opener, self.run_id, self._nodes[node_id])

    def follow(self) -> Iterator[RunEvent]:
        """What has happened in the run and what happens next, until it is over or has died; also of
        a run that another process started.

        Raises:
            NotInHistoryError: a LookupError, if the run has no event log here.

        Example: `for event in run.follow(): print(event.kind, event.node)`
        """
        from trainwright.history.logs import follow_run

        with self._opener.open() as store:
            _, events = follow_run(store, self.run_id)
            for event in events:
                if event is not None:
                    yield event

    def compare(self, other: Run) -> list[NodeComparison]:
        """What differs between this run and another, node by node; each value is a pair."""
        from trainwright.history.run_differences import compare_runs, read_facts
        from trainwright.history.run_view import find_run_view

        facts = []
        for run in (self, other):
            with run._opener.open() as store:
                facts.append(read_facts(store, find_run_view(store, run.run_id)))
        return compare_runs(*facts)


class Node:
    """One node in one run.

    Attributes:
        node_id: Its id in the pipeline.
        state: complete, cached, failed, canceled, died, running, waiting, skipped or "not run".
        seconds: How long it took, or has taken until now; None without an execution.
        error: What went wrong, of a failed node.
        skip_reason: Why a condition kept it from running.
        execution_id: The execution in the store; None if there is none.
    """

    def __init__(self, opener: _Opener, run_id: str, history: NodeHistory) -> None:
        self._opener = opener
        self._run_id = run_id
        self.node_id = history.node_id
        self.state = history.state
        self.seconds = history.seconds
        self.error = history.error
        self.skip_reason = history.skip_reason
        self.execution_id = history.execution_id

    def __repr__(self) -> str:
        return f"<node {self.node_id}: {self.state}>"

    @property
    def outputs(self) -> Artifacts:
        """What the node has made, or taken from an earlier run."""
        return self._artifacts(EventType.OUTPUT, "output")

    @property
    def inputs(self) -> Artifacts:
        """What the node has used."""
        return self._artifacts(EventType.INPUT, "input")

    @property
    def properties(self) -> dict[str, Any]:
        """The execution properties, as the store has them; empty without an execution."""
        if self.execution_id is None:
            return {}
        with self._opener.open() as store:
            stored = store.get_execution(self.execution_id).custom_properties
        return {name: value for name, value in stored.items() if not name.startswith("__")}

    @property
    def reason(self) -> str:
        """Why the node ran, was reused or was skipped."""
        from trainwright.history.run_view import find_node, find_run_view

        with self._opener.open() as store:
            view = find_run_view(store, self._run_id)
            return view.reason(find_node(view, self.node_id))

    @property
    def measured(self) -> dict[str, Any]:
        """What its executor reported last, such as rows, steps and loss, and the metrics of an
        evaluation."""
        from trainwright.history.measurements import read_measurements
        from trainwright.history.run_view import find_node, find_run_view

        with self._opener.open() as store:
            view = find_run_view(store, self._run_id)
            return read_measurements(store, view, find_node(view, self.node_id))

    @property
    def log(self) -> str:
        """The path of its log; of a reused node that of the execution that made its outputs.

        Raises NotInHistoryError, a LookupError that says why there is none.
        """
        from trainwright.history.logs import find_log

        with self._opener.open() as store:
            return find_log(store, self.node_id, self._run_id, None).path

    def _artifacts(self, kind: EventType, noun: str) -> Artifacts:
        by_key: dict[str, list[ArtifactRecord]] = {}
        if self.execution_id is not None:
            with self._opener.open() as store:
                events = [
                    event
                    for event in store.get_events(execution_ids=[self.execution_id])
                    if event.type is kind
                ]
                ids = {event.artifact_id for event in events}
                records = {record.id: record for record in store.get_artifacts(ids=ids)}
            for event in events:
                by_key.setdefault(event.key, []).append(records[event.artifact_id])
        return Artifacts(by_key, f"{noun} of {self!r}")


class Artifacts(Mapping[str, list[ArtifactRecord]]):
    """The inputs or outputs of a node: a mapping of lists, and the only one of a key as attribute.

    Example: `node.outputs.model.uri`, `[artifact.uri for artifact in node.outputs["model"]]`
    """

    def __init__(self, by_key: Mapping[str, list[ArtifactRecord]], noun: str) -> None:
        self._by_key = dict(by_key)
        self._noun = noun

    def __repr__(self) -> str:
        listed = {key: [one.uri for one in group] for key, group in self._by_key.items()}
        return f"Artifacts({listed})"

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._by_key]

    def __len__(self) -> int:
        return len(self._by_key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_key)

    def __getitem__(self, key: str) -> list[ArtifactRecord]:
        if key not in self._by_key:
            raise KeyError(f"There is no {self._noun} {key!r}{did_you_mean(key, self._by_key)}")
        return self._by_key[key]

    def __getattr__(self, key: str) -> ArtifactRecord:
        if key.startswith("_"):  # asked by copy, pickle and displays
            raise AttributeError(key)
        try:
            found = self[key]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None
        if len(found) != 1:
            raise AttributeError(
                f"There are {len(found)} artifacts of {key!r}, so that it has no single one. All "
                f"of them: ...[{key!r}]"
            )
        return found[0]


@dataclass(frozen=True)
class _Opener:
    """A store that is opened for each question, or an open one that is its owner's to close."""

    address: ConnectionConfig | str
    location: str
    opened: MetadataStore | None = None

    @contextlib.contextmanager
    def open(self) -> Iterator[MetadataStore]:
        if self.opened is not None:
            yield self.opened
            return
        try:
            store = open_store(self.address, create=False)
        except StoreNotFoundError as error:
            raise LookupError(f"{error} Run a pipeline first, or give another store.") from error
        with store:
            yield store


def _as_opener(given: StoreAddress | None) -> _Opener:
    if isinstance(given, MetadataStore):
        return _Opener("", given.location, given)
    if given is not None and not isinstance(given, (str, os.PathLike)):
        given = as_connection_config(given).url
    chosen = find_store(None if given is None else os.fspath(given), source="store")
    if chosen is None:
        raise LookupError(
            "No run has been remembered yet, so there is no store to look into. Run a pipeline, or "
            "name its store: runs(..., store=PATH), TRAINWRIGHT_STORE or trainwright.toml."
        )
    return _Opener(chosen.url, chosen.shown)
