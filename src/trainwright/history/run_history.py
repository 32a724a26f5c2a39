"""The runs in a store, as people ask for them: which there were and what became of their nodes."""

from __future__ import annotations

from dataclasses import dataclass, field

from trainwright.metadata import contexts
from trainwright.metadata.internal_properties import ERROR, NODE_ID
from trainwright.metadata.leases import is_alive, run_state
from trainwright.metadata.records import (
    ArtifactRecord,
    EventType,
    ExecutionRecord,
    ExecutionState,
    RunNode,
    RunRecord,
)
from trainwright.metadata.run_lookup import find_run_record
from trainwright.metadata.store import DamagedRecordError, MetadataStore, OnDamaged


@dataclass(frozen=True, kw_only=True)
class NodeHistory:
    """One node in one run; without an execution it was not reached, or skipped for a reason."""

    node_id: str
    state: str
    execution_id: int | None = None
    seconds: float | None = None
    error: str | None = None
    skip_reason: str | None = None
    outputs: dict[str, list[ArtifactRecord]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class RunHistory:
    """One run. `upstream` has the nodes that each node waits for."""

    run_id: str
    pipeline: str
    state: str
    root: str
    started_at: float
    ended_at: float | None = None
    nodes: tuple[NodeHistory, ...] = ()
    upstream: dict[str, list[str]] = field(default_factory=dict)


def list_runs(
    store: MetadataStore,
    *,
    pipeline: str | None = None,
    state: str | None = None,
    limit: int | None = None,
    on_damaged: OnDamaged | None = None,
) -> list[RunHistory]:
    """The runs, newest first, without the outputs of their nodes.

    Args:
        store: The metadata store.
        pipeline: Only runs of this pipeline.
        state: Only runs in this state; "died" is one, too.
        limit: Up to this many.
        on_damaged: Is told of runs that are left out because a row of theirs is damaged.
    """
    if state is None:
        return _newest(store, pipeline, limit, on_damaged)
    looked_at = limit
    while True:
        listed = _newest(store, pipeline, looked_at, on_damaged)
        found = [run for run in listed if run.state == state]
        # Whether a run has died is not in the store, so it cannot be asked for.
        if limit is None or looked_at is None or len(found) >= limit or len(listed) < looked_at:
            return found[:limit]
        looked_at *= 8


def _newest(
    store: MetadataStore, pipeline: str | None, limit: int | None, on_damaged: OnDamaged | None
) -> list[RunHistory]:
    records = store.get_runs(pipeline=pipeline, limit=limit, on_damaged=on_damaged)
    now = store.now()
    runs = []
    for record in records:
        try:
            runs.append(_history(store, record, now, with_outputs=False))
        except DamagedRecordError as error:
            if on_damaged is None:
                raise
            on_damaged(error)
    return runs


def find_run(store: MetadataStore, wanted: str) -> RunHistory:
    """A run by its id, the beginning of it, or "latest"; raises LookupError with advice."""
    return _history(store, find_run_record(store, wanted), store.now(), with_outputs=True)


def delete_run(store: MetadataStore, run_id: str) -> None:
    """Leaves a run out of the history from now on.

    Its executions stay, and with them the cache and the lineage of what it made; `gc` no longer
    keeps anything on its account. Raises LookupError if there is no such run.
    """
    try:
        store.update_run(run_id, delete=True)
    except KeyError:
        raise LookupError(f"There is no run {run_id!r}.") from None


def _history(
    store: MetadataStore, record: RunRecord, now: float, *, with_outputs: bool
) -> RunHistory:
    executions = {
        _node_id(execution): execution
        for execution in reversed(store.get_executions(context=contexts.run_context(record.run_id)))
    }
    outputs = _outputs(store, list(executions.values())) if with_outputs else {}
    state = run_state(record, now)
    # A run of another program has not said which nodes it has.
    nodes = record.nodes or [RunNode(node_id=node_id) for node_id in executions if node_id]
    return RunHistory(
        run_id=record.run_id,
        pipeline=record.pipeline,
        state=state,
        root=record.root,
        started_at=record.started_at,
        ended_at=record.ended_at,
        nodes=tuple(
            _node_history(node, executions.get(node.node_id), outputs, state, now) for node in nodes
        ),
        upstream={node.node_id: list(node.upstream) for node in nodes if node.upstream is not None},
    )


def _node_id(execution: ExecutionRecord) -> str:
    node_id = execution.custom_properties.get(NODE_ID, "")
    if not isinstance(node_id, str):
        raise DamagedRecordError(f"execution {execution.id}", NODE_ID, node_id, "str")
    return node_id


def _node_history(
    node: RunNode,
    execution: ExecutionRecord | None,
    outputs: dict[int, dict[str, list[ArtifactRecord]]],
    run_state: str,
    now: float,
) -> NodeHistory:
    node_id = node.node_id
    if node.skip_reason is not None:
        return NodeHistory(node_id=node_id, state="skipped", skip_reason=node.skip_reason)
    if execution is None:
        return NodeHistory(
            node_id=node_id, state="waiting" if run_state == "running" else "not run"
        )
    state = _node_state(execution, run_state, now)
    return NodeHistory(
        node_id=node_id,
        state=state,
        execution_id=execution.id,
        seconds=_last_moment(execution, state, now) - execution.created_at,
        error=execution.custom_properties.get(ERROR),
        outputs=outputs.get(execution.id, {}),
    )


def _node_state(execution: ExecutionRecord, run_state: str, now: float) -> str:
    """The state of a node: what a dead run, or a dead command of one that goes on, has left behind
    does not run any more."""
    if execution.state is not ExecutionState.RUNNING or execution.lease is None:
        return execution.state.value.lower()
    goes_on = run_state in ("running", "unknown") and is_alive(execution.lease, now)
    return "running" if goes_on else "died"


def _last_moment(execution: ExecutionRecord, state: str, now: float) -> float:
    """When the execution ended, or was last known to run."""
    if execution.state is not ExecutionState.RUNNING or execution.lease is None:
        return execution.updated_at
    return now if state == "running" else execution.lease.heartbeat_at


def _outputs(
    store: MetadataStore, executions: list[ExecutionRecord]
) -> dict[int, dict[str, list[ArtifactRecord]]]:
    events = [
        event
        for event in store.get_events(execution_ids=[execution.id for execution in executions])
        if event.type is EventType.OUTPUT
    ]
    artifacts = {
        artifact.id: artifact
        for artifact in store.get_artifacts(ids={event.artifact_id for event in events})
    }
    outputs: dict[int, dict[str, list[ArtifactRecord]]] = {}
    for event in events:
        of_execution = outputs.setdefault(event.execution_id, {})
        of_execution.setdefault(event.key, []).append(artifacts[event.artifact_id])
    return outputs
