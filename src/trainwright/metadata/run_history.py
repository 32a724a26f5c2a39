"""The runs in a store, as people ask for them: which there were and what became of their nodes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from trainwright.metadata import contexts
from trainwright.metadata.leases import is_alive
from trainwright.metadata.records import (
    ArtifactRecord,
    ContextRecord,
    EventType,
    ExecutionRecord,
    Lease,
)
from trainwright.metadata.store import MetadataStore


@dataclass(frozen=True, kw_only=True)
class NodeHistory:
    """One node in one run; without an execution it was not reached."""

    node_id: str
    state: str
    execution_id: int | None = None
    seconds: float | None = None
    error: str | None = None
    outputs: dict[str, list[ArtifactRecord]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class RunHistory:
    """One run."""

    run_id: str
    pipeline: str
    state: str
    root: str
    started_at: float
    nodes: tuple[NodeHistory, ...]


def list_runs(
    store: MetadataStore, *, pipeline: str | None = None, limit: int | None = None
) -> list[RunHistory]:
    """The runs, newest first, without the outputs of their nodes."""
    records = store.get_contexts(type_name=contexts.PIPELINE_RUN)
    chosen = [
        record
        for record in records
        if pipeline is None or record.custom_properties.get("pipeline") == pipeline
    ]
    return [_history(store, record, with_outputs=False) for record in chosen[:limit]]


def find_run(store: MetadataStore, wanted: str) -> RunHistory:
    """A run by its id, the beginning of it, or "latest"; raises LookupError with advice."""
    records = store.get_contexts(type_name=contexts.PIPELINE_RUN)
    if not records:
        raise LookupError("The store holds no runs yet.")
    if wanted == "latest":
        return _history(store, records[0], with_outputs=True)
    matches = [record for record in records if record.name.startswith(wanted)]
    if len(matches) != 1:
        known = ", ".join(record.name for record in (matches or records)[:5])
        problem = "matches several runs" if matches else "matches no run"
        raise LookupError(f"{wanted!r} {problem}. Some are: {known}. Or say `latest`.")
    return _history(store, matches[0], with_outputs=True)


def _history(store: MetadataStore, record: ContextRecord, *, with_outputs: bool) -> RunHistory:
    properties = record.custom_properties
    executions = {
        execution.custom_properties.get("__node_id__"): execution
        for execution in reversed(store.get_executions(context=record.key))
    }
    outputs = _outputs(store, list(executions.values())) if with_outputs else {}
    state = _state(properties)
    nodes = tuple(
        _node_history(node_id, executions.get(node_id), outputs, state)
        for node_id in properties.get("nodes", executions)
    )
    return RunHistory(
        run_id=record.name,
        pipeline=properties.get("pipeline", ""),
        state=state,
        root=properties.get("root", ""),
        started_at=record.created_at,
        nodes=nodes,
    )


def _node_history(
    node_id: str,
    execution: ExecutionRecord | None,
    outputs: dict[int, dict[str, list[ArtifactRecord]]],
    run_state: str,
) -> NodeHistory:
    if execution is None:
        return NodeHistory(
            node_id=node_id, state="waiting" if run_state == "running" else "not run"
        )
    return NodeHistory(
        node_id=node_id,
        state=execution.state.value.lower(),
        execution_id=execution.id,
        seconds=execution.updated_at - execution.created_at,
        error=execution.custom_properties.get("__error__"),
        outputs=outputs.get(execution.id, {}),
    )


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


def _state(properties: dict[str, Any]) -> str:
    """A run that says it is running but whose process is gone has died."""
    state: str = properties.get("state", "unknown")
    if state != "running":
        return state
    lease = Lease(
        host=properties["host"],
        pid=properties["pid"],
        process_started_at=properties["process_started_at"],
        heartbeat_at=0.0,
    )
    return "running" if is_alive(lease) else "died"
