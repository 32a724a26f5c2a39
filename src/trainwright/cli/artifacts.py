"""`trainwright artifacts`: what is in a store, and one artifact with all its details."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from trainwright._suggest import did_you_mean
from trainwright.cli.completions import complete_node, complete_pipeline
from trainwright.cli.damage import DamageReport
from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.execution_facts import ExecutionFacts, read_execution_facts
from trainwright.cli.output import (
    echo,
    json_option,
    print_facts,
    print_heading,
    print_json,
    print_table,
    to_plain,
)
from trainwright.cli.phrases import describe_age, describe_size, describe_time
from trainwright.cli.run_view import artifact_size
from trainwright.cli.store_option import open_existing_store, store_option

if TYPE_CHECKING:
    from trainwright.metadata.records import ArtifactRecord
    from trainwright.metadata.store import MetadataStore

STATES = ("pending", "live", "marked_for_deletion", "deleted", "abandoned")


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Which artifacts are listed; None is any."""

    type_name: str | None
    pipeline: str | None
    node: str | None
    state: str | None
    limit: int


@click.command()
@click.argument("artifact_id", metavar="[ID]", type=click.IntRange(min=1), required=False)
@click.option("--type", "type_name", help="Only artifacts of this type, for example Model.")
@click.option("--pipeline", shell_complete=complete_pipeline, help="Only those of this pipeline.")
@click.option("--node", shell_complete=complete_node, help="Only those that this node made.")
@click.option("--state", type=click.Choice(STATES), help="Only artifacts in this state.")
@click.option(
    "--limit", default=20, show_default=True, type=click.IntRange(min=1), help="How many."
)
@store_option
@json_option
def artifacts(
    artifact_id: int | None,
    type_name: str | None,
    pipeline: str | None,
    node: str | None,
    state: str | None,
    limit: int,
    store: str | None,
    as_json: bool,
) -> None:
    """List artifacts, newest first, or show the one with this ID.

    \b
    trainwright artifacts --type Model --state live
    trainwright artifacts 3
    """
    selection = Selection(
        type_name=type_name, pipeline=pipeline, node=node, state=state, limit=limit
    )
    with open_existing_store(store) as opened:
        if artifact_id is not None:
            _show_artifact(opened, find_artifact(opened, artifact_id), as_json)
        else:
            with DamageReport(as_json) as damage:
                _list_artifacts(opened, selection, damage, as_json)


def find_artifact(store: MetadataStore, artifact_id: int) -> ArtifactRecord:
    """The artifact with that id, or an error that says which ids there are."""
    try:
        return store.get_artifacts(ids=[artifact_id])[0]
    except KeyError:
        newest = store.get_artifacts(limit=1)
        known = f"the newest is {newest[0].id}" if newest else "it holds none yet"
        raise WrongQuestionError(
            f"There is no artifact {artifact_id} in the store: {known}. `trainwright artifacts` "
            "lists them."
        ) from None


def _list_artifacts(
    store: MetadataStore, selection: Selection, damage: DamageReport, as_json: bool
) -> None:
    found = _select(store, selection, damage)
    makers = _read_makers(store, [artifact.id for artifact in found if artifact.id is not None])
    if as_json:
        print_json([_document(artifact, makers.get(artifact.id or 0)) for artifact in found])
        return
    if not found:
        echo("No artifacts" + (" like that." if _is_narrow(selection) else " yet."))
        return
    now = store.now()
    rows = [_row(artifact, makers.get(artifact.id or 0), now) for artifact in found]
    print_table(("ID", "TYPE", "STATE", "MADE BY", "RUN", "WHEN", "URI"), rows)


def _is_narrow(selection: Selection) -> bool:
    chosen = (selection.type_name, selection.pipeline, selection.node, selection.state)
    return any(value is not None for value in chosen)


def _select(
    store: MetadataStore, selection: Selection, damage: DamageReport
) -> list[ArtifactRecord]:
    from trainwright.metadata import contexts
    from trainwright.metadata.records import ArtifactState

    states = [ArtifactState(selection.state.upper())] if selection.state else None
    if selection.node is not None:
        made = _made_by_node(store, selection)
        return store.get_artifacts(
            ids=made,
            type_name=selection.type_name,
            states=states,
            limit=selection.limit,
            on_damaged=damage.note,
        )
    context = contexts.pipeline_context(selection.pipeline) if selection.pipeline else None
    return store.get_artifacts(
        context=context,
        type_name=selection.type_name,
        states=states,
        limit=selection.limit,
        on_damaged=damage.note,
    )


def _made_by_node(store: MetadataStore, selection: Selection) -> set[int]:
    """What the executions of a node made; its context holds what it read as well."""
    from trainwright.metadata import contexts
    from trainwright.metadata.records import EventType, ExecutionState

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
    from trainwright.metadata import contexts

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
        raise WrongQuestionError(f"No node {node!r} has run yet{did_you_mean(node, known)}")
    return found


def _read_makers(store: MetadataStore, artifact_ids: list[int]) -> dict[int, ExecutionFacts]:
    from trainwright.metadata.lineage import find_makers

    makers = find_makers(store, artifact_ids)
    facts = {
        execution_id: read_execution_facts(store, store.get_execution(execution_id))
        for execution_id in set(makers.values())
    }
    return {artifact_id: facts[execution_id] for artifact_id, execution_id in makers.items()}


def _row(artifact: ArtifactRecord, maker: ExecutionFacts | None, now: float) -> tuple[str, ...]:
    return (
        str(artifact.id),
        artifact.type.name,
        artifact.state.value.lower(),
        maker.name if maker else "",
        maker.run_id if maker else "",
        describe_age(artifact.created_at, now),
        artifact.uri,
    )


def _document(artifact: ArtifactRecord, maker: ExecutionFacts | None) -> dict[str, Any]:
    return {**to_plain(artifact), "made_by": to_plain(maker)}


def _show_artifact(store: MetadataStore, artifact: ArtifactRecord, as_json: bool) -> None:
    from trainwright.metadata.lineage import trace_downstream

    artifact_id = artifact.id or 0
    maker = _read_makers(store, [artifact_id]).get(artifact_id)
    below = trace_downstream(store, artifact_ids=[artifact_id], depth=1)
    readers = [
        (edge.key, read_execution_facts(store, below.executions[edge.execution_id]))
        for edge in below.readers(artifact_id)
    ]
    if as_json:
        document = _document(artifact, maker)
        document["size"] = artifact_size(artifact)
        document["read_by"] = [{"key": key, **to_plain(reader)} for key, reader in readers]
        print_json(document)
        return
    _print_artifact(artifact, maker, readers)


def _print_artifact(
    artifact: ArtifactRecord,
    maker: ExecutionFacts | None,
    readers: list[tuple[str, ExecutionFacts]],
) -> None:
    facts = [
        ("artifact", f"{artifact.type.name} {artifact.id}"),
        ("name", artifact.name or ""),
        ("state", artifact.state.value.lower()),
        ("uri", artifact.uri),
        ("size", describe_size(artifact_size(artifact)) or "not on this disk"),
        ("made", describe_time(artifact.created_at)),
        ("made by", maker.name if maker else "no execution in this store"),
        ("run", maker.run_id if maker else ""),
        ("pipeline", maker.pipeline if maker else ""),
    ]
    print_facts((name, value) for name, value in facts if value)
    for heading, properties in (
        ("PROPERTIES", artifact.properties),
        ("CUSTOM PROPERTIES", artifact.custom_properties),
    ):
        if properties:
            print_heading(heading)
            print_facts((name, str(value)) for name, value in properties.items())
    print_heading("READ BY")
    if not readers:
        echo("nothing yet")
    for key, reader in readers:
        echo(f"{reader.name} as {key}, {reader.state}, run {reader.run_id}")
