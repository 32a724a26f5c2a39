"""`trainwright show`: one run, its nodes and what they made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from trainwright._printable import printable_line
from trainwright.cli import exit_codes
from trainwright.cli.artifact_sizes import describe_artifact_size
from trainwright.cli.completions import complete_node, complete_run
from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.html import html_options, show_html
from trainwright.cli.output import (
    Link,
    echo,
    json_option,
    print_facts,
    print_heading,
    print_json,
    print_table,
)
from trainwright.cli.phrases import (
    describe_age,
    describe_duration,
    describe_number,
    describe_time,
)
from trainwright.cli.run_arguments import (
    node_document,
    order_run_and_node,
    run_document,
    split_run_and_node,
)
from trainwright.cli.store_option import open_existing_store, store_option
from trainwright.dsl.base_executor import SUMMARY_KEY
from trainwright.history.artifacts import find_artifact
from trainwright.history.errors import NotInHistoryError
from trainwright.history.measurements import read_measurements
from trainwright.history.run_view import (
    FAILED_STATES,
    RunView,
    find_node,
    find_run_view,
)

if TYPE_CHECKING:
    from trainwright.history.run_history import NodeHistory
    from trainwright.metadata.records import ArtifactRecord
    from trainwright.metadata.store import MetadataStore

_LONGEST_LINE = 72
_DIGITS_OF_A_YEAR = 4

Artifacts = Mapping[str, Sequence["ArtifactRecord"]]


@click.command()
@click.argument("run", metavar="[RUN|ARTIFACT]", default="latest", shell_complete=complete_run)
@click.argument("node_name", metavar="[NODE]", required=False, shell_complete=complete_node)
@click.option("--node", shell_complete=complete_node, help="Show one node with all its details.")
@html_options
@store_option
@json_option
def show(
    run: str,
    node_name: str | None,
    node: str | None,
    html: str | None,
    type_name: str | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Show RUN: an id from `trainwright runs`, its beginning, or `latest`; with NODE, one node of
    it with all its details.

    With --html, write a page about ARTIFACT: an id from `trainwright artifacts`, a directory, or
    its address in an object store.

    \b
    trainwright show
    trainwright show latest Trainer
    trainwright show 12 --html

    Exit code: 0 if all is well or the run goes on, 1 if the run (or the node) failed, died or was
    canceled.
    """
    if node is not None and node_name is not None:
        raise click.UsageError(f"Name one node: {node_name}, or --node {node}.")
    _check_options(node or node_name, html, type_name)
    if html is not None:
        show_html(run, html, type_name=type_name, store=store, as_json=as_json)
        return
    with open_existing_store(store) as opened:
        if node_name is not None:
            run, node = order_run_and_node(opened, run, node_name)
        elif node is None:
            run, node = split_run_and_node(opened, run)
        _refuse_artifact(opened, run)
        view = find_run_view(opened, run)
        chosen = find_node(view, node) if node is not None else None
        details = _read_details(opened, view, chosen) if chosen is not None else None
    if chosen is None or details is None:
        _show_run(view, as_json)
    else:
        _show_node(view, chosen, details, as_json)
    state = view.run.state if chosen is None else chosen.state
    if state in FAILED_STATES:
        click.get_current_context().exit(exit_codes.FAILED)


@dataclass(frozen=True, kw_only=True)
class NodeDetails:
    """What the store knows of one node beside its run's history."""

    inputs: Artifacts
    measured: Mapping[str, Any]


def _read_details(store: MetadataStore, view: RunView, node: NodeHistory) -> NodeDetails:
    return NodeDetails(inputs=_inputs(store, node), measured=read_measurements(store, view, node))


def _check_options(node: str | None, html: str | None, type_name: str | None) -> None:
    if type_name is not None and html is None:
        raise WrongQuestionError(
            f"--type {type_name} chooses what --html shows; --html is missing. `trainwright "
            f"artifacts --type {type_name}` lists artifacts."
        )
    if node is not None and html is not None:
        raise WrongQuestionError(
            f"--html shows an artifact; --node {node} shows a node of a run. Use one of them: "
            "`trainwright show ARTIFACT --html`."
        )


def _refuse_artifact(store: MetadataStore, wanted: str) -> None:
    """Tells who gives an artifact's id how to see it.

    Runs begin with the year in which they were started: up to three digits are an artifact's id,
    and more are one if no run begins with them.
    """
    if not wanted.isdecimal() or store.get_run(wanted) is not None:
        return
    is_year = len(wanted) >= _DIGITS_OF_A_YEAR
    if is_year and store.get_runs(id_prefix=wanted, with_deleted=True, limit=1):
        return
    try:
        record = find_artifact(store, int(wanted))
    except NotInHistoryError:
        return
    raise WrongQuestionError(
        f"{wanted} is an artifact ({record.type.name}), not a run. Use `trainwright artifacts "
        f"{wanted}`, or `trainwright show {wanted} --html` for statistics, a schema, anomalies or "
        "an evaluation."
    )


def _show_run(view: RunView, as_json: bool) -> None:
    if as_json:
        print_json(run_document(view))
    else:
        _print_run(view)


def _show_node(view: RunView, node: NodeHistory, details: NodeDetails, as_json: bool) -> None:
    if as_json:
        print_json(_node_document(view, node, details))
    else:
        _print_node(view, node, details)


def _print_run(view: RunView) -> None:
    run = view.run
    is_known = run.state != "running" and view.seconds is not None
    took = f", took {describe_duration(view.seconds)}" if is_known else ""
    # Names that were imported from ml-metadata may have line breaks.
    echo(printable_line(f"{run.pipeline}  run {run.run_id}  {run.state}"))
    echo(f"started {describe_age(run.started_at, view.now)}{took}")
    if run.root:
        echo(printable_line(f"artifacts in {run.root}"))
    echo()
    has_reasons = any(view.reason(node) for node in run.nodes)
    columns = ("NODE", "STATE", "TIME", "EXECUTION", *(["WHY"] if has_reasons else []))
    rows = [_node_row(view, node)[: len(columns)] for node in run.nodes]
    print_table(columns, rows, wrap_last=has_reasons)
    for node in run.nodes:
        for key, artifacts in node.outputs.items():
            for artifact in artifacts:
                echo()
                _print_artifact(f"{node.node_id}.{key}", artifact)
    _print_pages({node.node_id: view.pages(node) for node in run.nodes})
    for node in run.nodes:
        if node.error:
            echo(f"\n{node.node_id}: {node.error}", fg="red")
            log = view.log_path(node)
            if log:
                echo(f"  Log: {log}")


def _print_pages(pages: Mapping[str, Sequence[str]]) -> None:
    if any(pages.values()):
        print_heading("PAGES")
    width = max(map(len, pages), default=0) + 2
    for node_id, paths in pages.items():
        for path in paths:
            echo(node_id.ljust(width), Link(path))


def _node_row(view: RunView, node: NodeHistory) -> tuple[str, ...]:
    return (
        node.node_id,
        node.state,
        describe_duration(view.node_seconds(node)),
        str(node.execution_id or ""),
        view.reason(node),
    )


def _print_artifact(name: str, artifact: ArtifactRecord) -> None:
    size = describe_artifact_size(artifact)
    pushed = artifact.custom_properties.get("pushed_destination")
    suffix = f"  pushed to {pushed}" if pushed else ""
    echo(printable_line(f"{name}  {artifact.type.name} {artifact.id}  {size}{suffix}"))
    echo(printable_line(f"  {artifact.uri}"))


def _inputs(store: MetadataStore, node: NodeHistory) -> Artifacts:
    """The artifacts that a node read, by key."""
    from trainwright.metadata.records import EventType

    if node.execution_id is None:
        return {}
    events = [
        event
        for event in store.get_events(execution_ids=[node.execution_id])
        if event.type is EventType.INPUT
    ]
    records = store.get_artifacts(ids={event.artifact_id for event in events})
    by_id = {record.id: record for record in records}
    inputs: dict[str, list[ArtifactRecord]] = {}
    for event in events:
        inputs.setdefault(event.key, []).append(by_id[event.artifact_id])
    return inputs


def _node_document(view: RunView, node: NodeHistory, details: NodeDetails) -> dict[str, Any]:
    return {
        "run_id": view.run.run_id,
        "pipeline": view.run.pipeline,
        **node_document(view, node),
        "properties": view.properties(node),
        "measured": details.measured,
        "inputs": details.inputs,
    }


def _print_node(view: RunView, node: NodeHistory, details: NodeDetails) -> None:
    print_facts(_facts(view, node))
    properties = view.properties(node)
    if properties:
        print_heading("PROPERTIES")
        print_facts((name, _as_text(value)) for name, value in properties.items())
    if details.measured:
        print_heading("MEASURED")
        print_facts((name, describe_number(value)) for name, value in details.measured.items())
    _print_pages({node.node_id: view.pages(node)})
    for heading, artifacts in (("INPUTS", details.inputs), ("OUTPUTS", node.outputs)):
        if artifacts:
            print_heading(heading)
            for key, group in artifacts.items():
                for artifact in group:
                    _print_artifact(key, artifact)
                    if heading == "OUTPUTS":
                        _print_summary(artifact)


def _print_summary(artifact: ArtifactRecord) -> None:
    """What the node said of an output at the end of its run: a decision, a table of results."""
    for line in str(artifact.custom_properties.get(SUMMARY_KEY) or "").splitlines():
        echo(printable_line(f"  {line}"))


def _facts(view: RunView, node: NodeHistory) -> list[tuple[str, str]]:
    execution = view.executions.get(node.node_id)
    facts = [("node", node.node_id), ("run", view.run.run_id), ("state", node.state)]
    if execution is None:
        return [*facts, ("why", view.reason(node))] if view.reason(node) else facts
    facts += [
        ("component", execution.type.name),
        ("execution", str(execution.id)),
        ("started", describe_time(execution.created_at)),
        ("time", describe_duration(view.node_seconds(node))),
        ("why", view.reason(node)),
        ("reuses", _reused(view, node)),
        ("error", node.error or ""),
        ("log", view.log_path(node) or ""),
    ]
    return [(name, value) for name, value in facts if value]


def _reused(view: RunView, node: NodeHistory) -> str:
    reused = view.reused_execution(node)
    return f"execution {reused}" if reused is not None else ""


def _as_text(value: Any) -> str:
    """A property in its own lines; JSON in text, as protos are stored, is laid out."""
    if isinstance(value, str):
        try:
            decoded = json.loads(value)
        except ValueError:
            return value
        value = decoded if isinstance(decoded, (dict, list)) else value
    if isinstance(value, str):
        return value
    in_one_line = json.dumps(value)
    return in_one_line if len(in_one_line) <= _LONGEST_LINE else json.dumps(value, indent=2)
