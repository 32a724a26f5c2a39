"""The runs in a store, as people ask for them: which there were and what became of their nodes."""

from __future__ import annotations

from dataclasses import dataclass, field

from trainwright.metadata import contexts
from trainwright.metadata.internal_properties import (
    DELETED_AT,
    ERROR,
    HEARTBEAT_AT,
    NODE_ID,
    SKIPPED,
)
from trainwright.metadata.leases import is_alive
from trainwright.metadata.records import (
    ArtifactRecord,
    ContextRecord,
    EventType,
    ExecutionRecord,
    ExecutionState,
    Lease,
)
from trainwright.metadata.store import DamagedRecordError, MetadataStore, OnDamaged

# How many runs a message names.
_SHOWN = 5

# What a run notes in its context, as far as it is read here.
_RUN_STATES = ("running", "complete", "failed", "canceled", "unknown")
_OF_RUNNING = ("host", "pid", "process_started_at")
RUN_PROPERTIES: dict[str, tuple[type, ...]] = {
    "pipeline": (str,),
    "root": (str,),
    "state": (str,),
    "nodes": (list,),
    "upstream": (dict,),
    "host": (str,),
    "pid": (int,),
    "process_started_at": (int, float),
    HEARTBEAT_AT: (int, float),
    SKIPPED: (dict,),
}


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
    nodes: tuple[NodeHistory, ...]
    upstream: dict[str, list[str]] = field(default_factory=dict)


def list_runs(
    store: MetadataStore,
    *,
    pipeline: str | None = None,
    limit: int | None = None,
    on_damaged: OnDamaged | None = None,
) -> list[RunHistory]:
    """The runs, newest first, without the outputs of their nodes.

    `on_damaged` is told of runs that are left out because a row of theirs is damaged.
    """
    records = _newest_runs(store, limit=limit, pipeline=pipeline, on_damaged=on_damaged)
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
    return _history(store, find_run_context(store, wanted), store.now(), with_outputs=True)


def find_run_context(store: MetadataStore, wanted: str) -> ContextRecord:
    """The context of a run; `wanted` and what is raised are as in `find_run`."""

    if wanted == "latest":
        matches = _newest_runs(store, limit=1)
    else:
        exact = store.get_context(contexts.run_context(wanted))
        if exact is not None and not is_deleted(exact):
            return exact
        matches = _newest_runs(store, limit=_SHOWN, beginning=wanted)
    if len(matches) == 1:
        return matches[0]
    known = ", ".join(record.name for record in matches or _newest_runs(store, limit=_SHOWN))
    if not known:
        raise LookupError("The store holds no runs yet.")
    problem = "matches several runs" if matches else "matches no run"
    raise LookupError(f"{wanted!r} {problem}. Some are: {known}. Or say `latest`.")


def delete_run(store: MetadataStore, run_id: str) -> None:
    """Leaves a run out of the history from now on.

    Its executions stay, and with them the cache and the lineage of what it made; `gc` no longer
    keeps anything on its account. Raises LookupError if there is no such run.
    """
    key = contexts.run_context(run_id)
    if store.get_context(key) is None:
        raise LookupError(f"There is no run {run_id!r}.")
    store.put_context(key, {DELETED_AT: store.now()})


def is_deleted(record: ContextRecord) -> bool:
    """Whether a run was deleted from the history."""
    return DELETED_AT in record.custom_properties


def _newest_runs(
    store: MetadataStore,
    *,
    limit: int | None,
    pipeline: str | None = None,
    beginning: str | None = None,
    on_damaged: OnDamaged | None = None,
) -> list[ContextRecord]:
    """The runs that were not deleted, newest first."""
    asked = limit
    while True:
        damaged: list[DamagedRecordError] = []
        records = store.get_contexts(
            type_name=contexts.PIPELINE_RUN,
            name_prefix=beginning,
            custom_properties=None if pipeline is None else {"pipeline": pipeline},
            limit=asked,
            on_damaged=None if on_damaged is None else damaged.append,
        )
        found = [record for record in records if not is_deleted(record)]
        is_enough = len(found) == limit or len(found) == len(records)
        # The store cannot be asked for what a context lacks, so it is asked for more of them.
        if limit is None or asked is None or is_enough or len(records) + len(damaged) < asked:
            for error in damaged:
                if on_damaged is not None:
                    on_damaged(error)
            return found[:limit]
        asked *= 8


def _history(
    store: MetadataStore, record: ContextRecord, now: float, *, with_outputs: bool
) -> RunHistory:
    check_run(record)
    properties = record.custom_properties
    executions = {
        _node_id(execution): execution
        for execution in reversed(store.get_executions(context=record.key))
    }
    outputs = _outputs(store, list(executions.values())) if with_outputs else {}
    state = run_state(record, now)
    skipped = properties.get(SKIPPED, {})
    nodes = tuple(
        NodeHistory(node_id=node_id, state="skipped", skip_reason=skipped[node_id])
        if node_id in skipped
        else _node_history(node_id, executions.get(node_id), outputs, state, now)
        for node_id in properties.get("nodes", executions)
    )
    return RunHistory(
        run_id=record.name,
        pipeline=properties.get("pipeline", ""),
        state=state,
        root=properties.get("root", ""),
        started_at=record.created_at,
        nodes=nodes,
        upstream=properties.get("upstream", {}),
    )


def check_run(record: ContextRecord) -> None:
    """Refuses a run whose properties are not what a run notes.

    Raises:
        DamagedRecordError: naming the run and the property.
    """
    named = f"run {record.name!r} (context {record.id})"
    properties = record.custom_properties
    is_running = properties.get("state") == "running"
    for name, expected in RUN_PROPERTIES.items():
        if name not in properties and not (is_running and name in _OF_RUNNING):
            continue
        if not isinstance(properties.get(name), expected):
            kinds = " or ".join(kind.__name__ for kind in expected)
            raise DamagedRecordError(named, name, properties.get(name), kinds)
    nodes = properties.get("nodes", [])
    if not all(isinstance(node, str) for node in nodes):
        raise DamagedRecordError(named, "nodes", nodes, "a list of str")
    state = properties.get("state", "unknown")
    if state not in _RUN_STATES:
        raise DamagedRecordError(named, "state", state, f"one of {', '.join(_RUN_STATES)}")


def _node_id(execution: ExecutionRecord) -> str:
    node_id = execution.custom_properties.get(NODE_ID, "")
    if not isinstance(node_id, str):
        raise DamagedRecordError(f"execution {execution.id}", NODE_ID, node_id, "str")
    return node_id


def _node_history(
    node_id: str,
    execution: ExecutionRecord | None,
    outputs: dict[int, dict[str, list[ArtifactRecord]]],
    run_state: str,
    now: float,
) -> NodeHistory:
    if execution is None:
        return NodeHistory(
            node_id=node_id, state="waiting" if run_state == "running" else "not run"
        )
    return NodeHistory(
        node_id=node_id,
        state=execution.state.value.lower(),
        execution_id=execution.id,
        seconds=_last_moment(execution, run_state, now) - execution.created_at,
        error=execution.custom_properties.get(ERROR),
        outputs=outputs.get(execution.id, {}),
    )


def _last_moment(execution: ExecutionRecord, run_state: str, now: float) -> float:
    """When the execution ended, or was last known to run."""
    if execution.state is not ExecutionState.RUNNING or execution.lease is None:
        return execution.updated_at
    return now if run_state == "running" else execution.lease.heartbeat_at


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


def run_state(record: ContextRecord, now: float) -> str:
    """What became of a run; one that says it is running but whose process is gone has died."""
    properties = record.custom_properties
    state: str = properties.get("state", "unknown")
    if state != "running":
        return state
    lease = Lease(
        host=properties["host"],
        pid=properties["pid"],
        process_started_at=properties["process_started_at"],
        heartbeat_at=properties.get(HEARTBEAT_AT, 0.0),
    )
    return "running" if is_alive(lease, now) else "died"
