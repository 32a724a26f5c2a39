"""`trainwright logs`: what a node's executor has written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from trainwright.cli import exit_codes
from trainwright.cli.completions import complete_node, complete_run
from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.log_source import LogSource, find_log, follow_log, wait_for_log
from trainwright.cli.output import json_option, print_json
from trainwright.cli.store_option import open_existing_store, store_option

if TYPE_CHECKING:
    from trainwright.metadata.store import MetadataStore


@click.command()
@click.argument("node", required=False, shell_complete=complete_node)
@click.argument("run", default="latest", shell_complete=complete_run)
@click.option("-f", "--follow", is_flag=True, help="Go on until the node is done.")
@click.option(
    "--execution",
    "execution_id",
    metavar="ID",
    type=click.IntRange(min=1),
    help="The log of this execution, whichever run it belongs to.",
)
@store_option
@json_option
def logs(
    node: str | None,
    run: str,
    follow: bool,
    execution_id: int | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Print the log of NODE in RUN (by default the latest run).

    A reused node has no log of its own: then it is the log of the execution that made its outputs.
    With --follow, a node that has not started yet is waited for. --json is one document with all
    lines; with --follow, one document per line.

    \b
    trainwright logs Trainer
    trainwright logs Trainer -f
    trainwright logs --execution 7

    Exit code: 0, 1 if the node failed, 2 if there is no log.
    """
    if node is None and execution_id is None:
        raise click.UsageError("Name the NODE, or an execution with --execution ID.")
    with open_existing_store(store) as opened:
        find = wait_for_log if follow else find_log
        source = find(opened, node, run, execution_id)
        if source.note:
            click.echo(source.note, err=True)
        if not os.path.exists(source.path) and not follow:
            raise WrongQuestionError(_why_missing(source))
        state = _print_log(opened, source, follow=follow, as_json=as_json)
    if state in ("failed", "canceled"):
        click.get_current_context().exit(exit_codes.FAILED)


def _print_log(store: MetadataStore, source: LogSource, *, follow: bool, as_json: bool) -> str:
    """Prints the log; returns the state of the node in the end."""
    if follow:
        _print_pieces(follow_log(store, source), as_json=as_json)
        state = store.get_execution(source.execution_id).state.value.lower()
        if not os.path.exists(source.path):
            raise WrongQuestionError(_why_missing(source))
        return state
    if as_json:
        with open(source.path, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
        print_json({**source.to_json(), "lines": lines})
    else:
        _print_pieces(_pieces(source.path), as_json=False)
    return source.state


def _pieces(path: str) -> Iterator[str]:
    """The file in pieces: a log may be larger than memory."""
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        while piece := file.read(1 << 16):
            yield piece


def _print_pieces(pieces: Iterable[str], *, as_json: bool) -> None:
    if not as_json:
        for piece in pieces:
            click.echo(piece, nl=False)
        return
    unfinished = ""
    for piece in pieces:
        *lines, unfinished = (unfinished + piece).split("\n")
        for line in lines:
            click.echo(json.dumps({"line": line}))
    if unfinished:
        click.echo(json.dumps({"line": unfinished}))


def _why_missing(source: LogSource) -> str:
    if source.state == "running":
        return (
            f"{source.node_id} (execution {source.execution_id}) has not begun to write its log "
            f"{source.path} yet. Follow it with -f."
        )
    if source.is_refused:
        return (
            f"{source.node_id} (execution {source.execution_id}) has no log: it failed before its "
            f"executor was started. {source.error}"
        )
    return (
        f"The log of {source.node_id} (execution {source.execution_id}) is not there any more: "
        f"{source.path} was removed, or is on another machine."
    )
