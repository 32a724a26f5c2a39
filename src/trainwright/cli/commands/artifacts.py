"""`trainwright artifacts`: what is in a store, and one artifact with all its details."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import click

from trainwright.cli.artifact_sizes import describe_artifact_size
from trainwright.cli.completions import complete_node, complete_pipeline
from trainwright.cli.damage import DamageReport
from trainwright.cli.output import (
    echo,
    json_option,
    print_facts,
    print_heading,
    print_json,
    print_table,
    to_plain,
)
from trainwright.cli.phrases import describe_age, describe_time
from trainwright.cli.store_option import open_existing_store, store_option
from trainwright.history.artifacts import (
    Selection,
    find_artifact,
    read_makers,
    read_readers,
    select_artifacts,
)
from trainwright.history.execution_facts import ExecutionFacts
from trainwright.history.run_view import artifact_size
from trainwright.storage.errors import StorageError

if TYPE_CHECKING:
    from trainwright.metadata.records import ArtifactRecord
    from trainwright.metadata.store import MetadataStore

STATES = ("pending", "live", "marked_for_deletion", "deleted", "abandoned")


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


def _list_artifacts(
    store: MetadataStore, selection: Selection, damage: DamageReport, as_json: bool
) -> None:
    found = select_artifacts(store, selection, damage.note)
    makers = read_makers(store, [artifact.id for artifact in found if artifact.id is not None])
    if as_json:
        print_json([_document(artifact, makers.get(artifact.id or 0)) for artifact in found])
        return
    if not found:
        echo("No artifacts" + (" like that." if selection.is_narrow else " yet."))
        return
    now = store.now()
    rows = [_row(artifact, makers.get(artifact.id or 0), now) for artifact in found]
    print_table(("ID", "TYPE", "STATE", "MADE BY", "RUN", "WHEN", "URI"), rows)


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
    artifact_id = artifact.id or 0
    maker = read_makers(store, [artifact_id]).get(artifact_id)
    readers = read_readers(store, artifact_id)
    if as_json:
        document = _document(artifact, maker)
        document["size"] = None
        with contextlib.suppress(StorageError):  # it cannot be asked
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
        ("size", describe_artifact_size(artifact)),
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
