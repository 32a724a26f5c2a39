"""Artifacts: which there are, who made and read them, and their lineage."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from trainwright._suggest import did_you_mean
from trainwright.history.errors import NotInHistoryError
from trainwright.history.execution_facts import ExecutionFacts, read_execution_facts
from trainwright.metadata import contexts
from trainwright.metadata.lineage import Lineage, find_makers, trace_downstream, trace_upstream
from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    EventType,
    ExecutionState,
)
from trainwright.metadata.store import MetadataStore, OnDamaged


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Which artifacts are asked for, None being any: of a type, of a pipeline, made by a node, in a
    state (a name of `ArtifactState`, also in small letters); up to a limit."""

    type_name: str | None = None
    pipeline: str | None = None
    node: str | None = None
    state: str | None = None
    limit: int | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether there may be artifacts that it leaves out, other than by its limit."""
        chosen = (self.type_name, self.pipeline, self.node, self.state)
        return any(value is not None for value in chosen)


def find_artifact(store: MetadataStore, artifact_id: int) -> ArtifactRecord:
    """The artifact with that id; raises NotInHistoryError that says which ids there are."""
    try:
        return store.get_artifacts(ids=[artifact_id])[0]
    except KeyError:
        newest = store.get_artifacts(limit=1)
        known = f"the newest is {newest[0].id}" if newest else "it holds none yet"
        raise NotInHistoryError(
            f"There is no artifact {artifact_id} in the store: {known}. `trainwright artifacts` "
            "lists them."
        ) from None


def select_artifacts(
    store: MetadataStore, selection: Selection, on_damaged: OnDamaged | None = None
) -> list[ArtifactRecord]:
    """The artifacts that are asked for, newest first; raises NotInHistoryError if no such node has
    run. `on_damaged` is told of those that are left out because their row is damaged."""
    states = [ArtifactState(selection.state.upper())] if selection.state else None
    if selection.node is not None:
        made = _made_by_node(store, selection)
        return store.get_artifacts(
            ids=made,
            type_name=selection.type_name,
            states=states,
            limit=selection.limit,
            on_damaged=on_damaged,
        )
    context = contexts.pipeline_context(selection.pipeline) if selection.pipeline else None
    return store.get_artifacts(
        context=context,
        type_name=selection.type_name,
        states=states,
        limit=selection.limit,
        on_damaged=on_damaged,
    )


def _made_by_node(store: MetadataStore, selection: Selection) -> set[int]:
    """What the executions of a node made; its context holds what it read as well."""
    # Reused results were made by an earlier execution.
    states = [state for state in ExecutionState if state is not ExecutionState.CACHED]
    is_filtered = selection.type_name is not None or selection.state is not None
    executions = [
        execution.id
        for pipeline in _pipelines_with_node(store, selection)
        for execution in store.get_executions(
            context=contexts.node_context(pipeline, selection.node or ""),
            states=states,
            limit=None if is_filtered else selection.limit,
        )
    ]
    events = store.get_events(execution_ids=executions) if executions else []
    return {event.artifact_id for event in events if event.type is not EventType.INPUT}


def _pipelines_with_node(store: MetadataStore, selection: Selection) -> list[str]:
    pipelines = (
        [selection.pipeline]
        if selection.pipeline
        else [record.name for record in store.get_contexts(type_name=contexts.PIPELINE)]
    )
    node = selection.node or ""
    found = [
        pipeline
        for pipeline in pipelines
        if store.get_context(contexts.node_context(pipeline, node)) is not None
    ]
    if not found:
        prefixes = tuple(f"{pipeline}." for pipeline in pipelines)
        known = {
            record.name[len(prefix) :]
            for record in store.get_contexts(type_name=contexts.NODE)
            for prefix in prefixes
            if record.name.startswith(prefix)
        }
        raise NotInHistoryError(f"No node {node!r} has run yet{did_you_mean(node, known)}")
    return found


def read_makers(store: MetadataStore, artifact_ids: Iterable[int]) -> dict[int, ExecutionFacts]:
    """Who made each of the artifacts, by artifact id; one that nobody made here is left out."""
    makers = find_makers(store, artifact_ids)
    facts = {
        execution_id: read_execution_facts(store, store.get_execution(execution_id))
        for execution_id in set(makers.values())
    }
    return {artifact_id: facts[execution_id] for artifact_id, execution_id in makers.items()}


def read_readers(store: MetadataStore, artifact_id: int) -> list[tuple[str, ExecutionFacts]]:
    """Who has read an artifact, each with the key under which it did."""
    below = trace_downstream(store, artifact_ids=[artifact_id], depth=1)
    return [
        (edge.key, read_execution_facts(store, below.executions[edge.execution_id]))
        for edge in below.readers(artifact_id)
    ]


def trace_lineage(
    store: MetadataStore,
    *,
    artifact_id: int | None = None,
    execution_id: int | None = None,
    down: bool = False,
    depth: int | None = None,
) -> tuple[Lineage, dict[int, ExecutionFacts]]:
    """What an artifact or an execution was made of, or what was made of it.

    Args:
        store: The metadata store.
        artifact_id: Where to start; or
        execution_id: where to start.
        down: What was made of it, instead of what it was made of.
        depth: How many executions to follow; all if None.

    Returns:
        The lineage, and what is known of each of its executions, by execution id.

    Raises:
        NotInHistoryError: if there is no such artifact or execution.
    """
    trace = trace_downstream if down else trace_upstream
    if artifact_id is not None:
        find_artifact(store, artifact_id)
        found = trace(store, artifact_ids=[artifact_id], depth=depth)
    elif execution_id is not None:
        try:
            found = trace(store, execution_ids=[execution_id], depth=depth)
        except KeyError:
            raise NotInHistoryError(
                f"There is no execution {execution_id} in the store. `trainwright show` lists the "
                "executions of a run."
            ) from None
    else:
        raise ValueError("Lineage starts at an artifact or at an execution: give the id of one.")
    facts = {
        number: read_execution_facts(store, record) for number, record in found.executions.items()
    }
    return found, facts
