"""Records that the tests of a metadata store write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from trainwright.metadata.records import (
    ArtifactRecord,
    ContextKey,
    ContextRecord,
    EventRecord,
    EventType,
    ExecutionRecord,
    Lease,
    RunRecord,
    TypeRecord,
)
from trainwright.metadata.store import NO_ATTACHMENTS, Attachments, MetadataStore

TRAINER = TypeRecord(name="trainwright.components.Trainer", base_type="Train")
EXAMPLES = TypeRecord(
    name="Examples", base_type="Dataset", properties={"span": "INT", "split_names": "STRING"}
)
MODEL = TypeRecord(name="Model", base_type="Model")
LEASE = Lease(host="worker-0", pid=4711, process_started_at=1000.5)

PIPELINE = ContextKey("pipeline", "penguin")
RUN = ContextKey("pipeline_run", "2024-01-01T00:00:00")
NODE = ContextKey("node", "penguin.Trainer")

Outputs = Mapping[str, Sequence[ArtifactRecord]]


def model(uri: str = "/root/Trainer/model/1", **fields: Any) -> ArtifactRecord:
    return ArtifactRecord(**{"type": MODEL, "uri": uri, **fields})


def one_model(execution_id: int) -> Outputs:
    return {"model": [model(f"/root/Trainer/model/{execution_id}")]}


def no_outputs(execution_id: int) -> Outputs:
    return {}


def register(
    store: MetadataStore,
    *,
    execution_type: TypeRecord = TRAINER,
    contexts: Iterable[ContextKey] = (PIPELINE, RUN, NODE),
    inputs: Mapping[str, Sequence[int]] | None = None,
    pending_outputs: Callable[[int], Outputs] = one_model,
    custom_properties: dict[str, Any] | None = None,
    lease: Lease = LEASE,
    attachments: Attachments = NO_ATTACHMENTS,
    last_seen: tuple[ContextKey, int] | None = None,
) -> tuple[ExecutionRecord, dict[str, list[ArtifactRecord]]]:
    """`register_execution` of an execution with one model as its output, unless told otherwise."""
    return store.register_execution(
        execution_type,
        contexts=contexts,
        inputs=inputs or {},
        pending_outputs=pending_outputs,
        custom_properties=custom_properties or {},
        lease=lease,
        attachments=attachments,
        last_seen=last_seen,
    )


def complete(
    store: MetadataStore,
    *,
    contexts: Iterable[ContextKey] = (PIPELINE, RUN, NODE),
    inputs: Mapping[str, Sequence[int]] | None = None,
    pending_outputs: Callable[[int], Outputs] = one_model,
) -> tuple[int, list[int]]:
    """Registers and publishes an execution; returns its id and the ids of its outputs."""
    execution, pending = register(
        store, contexts=contexts, inputs=inputs, pending_outputs=pending_outputs
    )
    outputs = store.publish_execution(execution.id, outputs=pending, custom_properties={})
    return execution.id, [record.id or 0 for records in outputs.values() for record in records]


Content = tuple[
    list[ExecutionRecord],
    list[ArtifactRecord],
    list[EventRecord],
    list[ContextRecord],
    list[RunRecord],
]


def content(store: MetadataStore) -> Content:
    """Everything in the store that can be read, to tell whether something changed."""
    return (
        store.get_executions(),
        store.get_artifacts(),
        store.get_events(),
        store.get_contexts(),
        store.get_runs(with_deleted=True),
    )


def place(event: EventRecord) -> tuple[int, EventType, str, int, int]:
    return (event.execution_id, event.type, event.key, event.index, event.artifact_id)


def ids(records: Iterable[Any]) -> list[int]:
    return [record.id for record in records]
