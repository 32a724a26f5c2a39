"""`trainwright logs`: what a node's executor has written, or a whole run as it goes on."""

from __future__ import annotations

import codecs
import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TextIO, cast

import click

from trainwright.cli import exit_codes
from trainwright.cli.completions import complete_run_or_node
from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.output import echo, json_option
from trainwright.cli.run_arguments import is_run, order_run_and_node, refuse_run_alone
from trainwright.cli.store_option import open_existing_store, store_option
from trainwright.history.run_view import FAILED_STATES

if TYPE_CHECKING:
    from trainwright.history.logs import LogSource
    from trainwright.metadata.store import MetadataStore
    from trainwright.orchestration.events import RunEvent

# A form of a log: text, bytes as they are, or JSON. It takes the log in pieces and prints a piece
# before it asks for the next: neither a log nor a line of it has to fit into memory.
_PrintLog = Callable[[Iterable[bytes]], None]


@click.command()
@click.argument("node", required=False, shell_complete=complete_run_or_node)
@click.argument("run", required=False, shell_complete=complete_run_or_node)
@click.option("-f", "--follow", is_flag=True, help="Go on until the node, or the run, is done.")
@click.option(
    "--execution",
    "execution_id",
    metavar="ID",
    type=click.IntRange(min=1),
    help="The log of this execution, whichever run it belongs to.",
)
@click.option(
    "--raw", is_flag=True, help="Print it byte by byte, with escape sequences for the terminal."
)
@store_option
@json_option
def logs(
    node: str | None,
    run: str | None,
    follow: bool,
    execution_id: int | None,
    raw: bool,
    store: str | None,
    as_json: bool,
) -> None:
    """Print the log of NODE in RUN (by default the latest run); they may come in either order.

    A reused node has no log of its own: then it is the log of the execution that made its outputs.
    With --follow, a node that has not started yet is waited for. --json is one document with all
    lines; with --follow, one document per line. Control characters are shown escaped, as they do
    not belong on a terminal; --raw passes them on.

    With --follow and no NODE it is all of a run, whoever started it: what happens, and what its
    nodes print meanwhile; with --json, one document per event, as `trainwright run --json` prints
    them.

    \b
    trainwright logs Trainer
    trainwright logs Trainer -f
    trainwright logs -f latest
    trainwright logs --execution 7

    Exit code: 0, 1 if the node (or the run) failed, 2 if there is no log.
    """
    if node is None and execution_id is None and not follow:
        raise click.UsageError("Name the NODE, or an execution with --execution ID.")
    if raw and as_json:
        raise click.UsageError("--raw and --json are two forms of a log: give one of them.")
    from trainwright.history.logs import find_log, wait_for_log

    with open_existing_store(store) as opened:
        if follow and execution_id is None and run is None:
            wanted = node or "latest"
            if node is None or is_run(opened, wanted):
                if raw:
                    raise click.UsageError("--raw is for the log of a node: name the NODE, too.")
                state = _follow_run(opened, wanted, as_json)
                _exit_with(state)
                return
        if node is not None and run is not None:
            run, node = order_run_and_node(opened, node, run)
        elif node is not None and execution_id is None:
            refuse_run_alone(opened, node)
        if follow:
            source = wait_for_log(opened, node, run or "latest", execution_id, _tell)
        else:
            source = find_log(opened, node, run or "latest", execution_id)
        if source.note:
            _tell(source.note)
        if not source.is_there and not follow:
            raise WrongQuestionError(_why_missing(source))
        state = _print_log(opened, source, follow=follow, form=_form(raw, as_json))
    _exit_with(state)


def _exit_with(state: str) -> None:
    if state in FAILED_STATES:
        click.get_current_context().exit(exit_codes.FAILED)


def _tell(sentence: str) -> None:
    echo(sentence, err=True)


def _follow_run(store: MetadataStore, wanted: str, as_json: bool) -> str:
    """Prints a run as it goes on; returns what became of it."""
    from trainwright.history.logs import follow_run, state_of_run
    from trainwright.orchestration.reports.node_output import NodeOutput
    from trainwright.orchestration.reports.reports import LineReport, printably

    run, events = follow_run(store, wanted)
    output = NodeOutput(echo)
    report = printably(LineReport(cast(TextIO, _EchoStream())))
    observe = _print_event if as_json else output.around(report)
    for event in events:
        if event is not None:
            observe(event)
        elif not as_json:
            output.look()
    output.finish_all()
    state = state_of_run(store, run)
    if state == "died":
        _tell(f"Run {run.run_id} has died: its process is gone.")
    return state


def _print_event(event: RunEvent) -> None:
    echo(json.dumps(event.to_json()))


class _EchoStream(io.TextIOBase):
    """Standard output, as commands write to it."""

    def write(self, text: str) -> int:
        echo(text, nl=False)
        return len(text)


def _form(raw: bool, as_json: bool) -> _PrintLog:
    return print_raw if raw else print_lines_as_json if as_json else print_text


def _print_log(store: MetadataStore, source: LogSource, *, follow: bool, form: _PrintLog) -> str:
    """Prints the log; returns the state of the node in the end."""
    from trainwright.history.logs import follow_log, read_log

    if follow:
        form(follow_log(store, source, _tell))
        state = store.get_execution(source.execution_id).state.value.lower()
        if not source.is_there:
            raise WrongQuestionError(_why_missing(source))
        return state
    if form is print_lines_as_json:
        print_document(source.to_json(), read_log(source.path))
    else:
        form(read_log(source.path))
    return source.state


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


def print_text(pieces: Iterable[bytes]) -> None:
    """Prints text with its control characters escaped; a carriage return ends a line."""
    for text in _decoded(pieces):
        echo(text, nl=False)


def print_raw(pieces: Iterable[bytes]) -> None:
    """Prints the bytes as they are."""
    for piece in pieces:
        sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()


def print_lines_as_json(pieces: Iterable[bytes]) -> None:
    """Prints a document `{"line": ...}` for each line."""
    for text in _json_strings(pieces, before='{"line": ', after="}\n"):
        echo(text, nl=False)


def print_document(head: Mapping[str, Any], pieces: Iterable[bytes]) -> None:
    """Prints one document: the head, and the lines under the key `lines`."""
    echo(json.dumps({**head, "lines": []}, indent=2).removesuffix("]\n}"), nl=False)
    is_empty = True
    for text in _json_strings(pieces, before=",\n    ", after=""):
        echo(text.removeprefix(",") if is_empty else text, nl=False)
        is_empty = is_empty and not text
    echo("]\n}" if is_empty else "\n  ]\n}")


def _json_strings(pieces: Iterable[bytes], *, before: str, after: str) -> Iterator[str]:
    """The lines as JSON strings, each between two texts; what there is of them, piece by piece."""
    is_open = False  # whether the last line goes on in the next piece
    for text in _decoded(pieces):
        parts = []
        *ended, rest = text.split("\n")
        for line in ended:
            opening = "" if is_open else f'{before}"'
            parts.append(f'{opening}{_quoted(line)}"{after}')
            is_open = False
        if rest:
            parts.append(("" if is_open else f'{before}"') + _quoted(rest))
            is_open = True
        yield "".join(parts)
    if is_open:
        yield f'"{after}'


def _quoted(text: str) -> str:
    return json.dumps(text)[1:-1]


def _decoded(pieces: Iterable[bytes]) -> Iterator[str]:
    """The pieces as text; a character or a line break may lie across two of them."""
    decode = io.IncrementalNewlineDecoder(
        codecs.getincrementaldecoder("utf-8")(errors="replace"), translate=True
    ).decode
    for piece in pieces:
        yield decode(piece)
    yield decode(b"", final=True)
