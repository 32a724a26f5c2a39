"""Reports of a run for people: one line per event in a log, a live table on a terminal."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TextIO, cast

from trainwright._ipython import is_in_notebook
from trainwright._printable import printable
from trainwright.orchestration.events import RunEvent, RunEventKind, RunObserver
from trainwright.orchestration.reports.node_output import with_node_output


@contextlib.contextmanager
def default_report(
    stream: TextIO | None = None, *, show_output: bool | None = None
) -> Iterator[RunObserver]:
    """The report that fits: a live table on a terminal and in a notebook, else lines.

    It is told of events whose text is made printable: here, so that no report has to think of it.

    Args:
        stream: Where it goes; if None, the cell of a notebook, else standard error.
        show_output: Whether what the nodes print and log is shown, beside the table or between the
            lines; if None, it is except on a terminal.
    """
    with contextlib.ExitStack() as stack:
        if stream is None and is_in_notebook():
            from trainwright.orchestration.reports.notebook_report import notebook_report

            observer, show = stack.enter_context(notebook_report())
            shows_output = show_output is not False
        else:
            stream = cast(TextIO, _UnbreakableStream(stream or sys.stderr))
            is_live = stream.isatty()
            shows_output = bool(show_output) or (show_output is None and not is_live)
            observer, show = stack.enter_context(_stream_report(stream, is_live, shows_output))
        observer = printably(observer)
        if shows_output:
            observer = stack.enter_context(with_node_output(observer, show))
        yield observer


@contextlib.contextmanager
def _stream_report(
    stream: TextIO, is_live: bool, shows_output: bool
) -> Iterator[tuple[RunObserver, Callable[[str], None]]]:
    if is_live:
        from trainwright.orchestration.reports.live_report import live_report

        with live_report(stream, shows_output=shows_output) as report:
            yield report
    else:
        lines = LineReport(stream)
        yield lines, lines.show


class _UnbreakableStream:
    """A stream whose reader may go away (a closed terminal, a pipe): that is not a reason for a run
    to end, nor may it keep one from being stopped in order."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def printably(observer: RunObserver) -> RunObserver:
    """The observer, told of events whose text is made printable."""
    return lambda event: observer(
        RunEvent.of(event.kind, printable(event.node), _printable_value(event.data), at=event.at)
    )


def _printable_value(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        return {_printable_value(name): _printable_value(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_printable_value(item) for item in value]
    return value


class LineReport:
    """Writes one line per event, each with its time; progress stays out of a log."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._pipeline = ""
        self._enable_cache = False

    def show(self, line: str) -> None:
        """Writes a line, whole: another thread may write at the same time."""
        self._stream.write(f"{line}\n")
        self._stream.flush()

    def __call__(self, event: RunEvent) -> None:
        if event.kind is RunEventKind.RUN_STARTED:
            self._pipeline = event.data["pipeline"]
            self._enable_cache = event.data["enable_cache"]
        text = describe_event(event, self._pipeline)
        if text:
            clock = time.strftime("%H:%M:%S", time.localtime(event.at))
            self.show(f"{clock} {text}")
        if event.kind is RunEventKind.RUN_FINISHED:
            for line in closing_lines(event.data, self._enable_cache):
                self.show(line)
            for words, path in pages(event.data):
                self.show(f"{words}{path}")


def describe_event(event: RunEvent, pipeline: str) -> str:
    """An event in words; empty for what a log need not hold."""
    data, kind = event.data, event.kind
    if kind is RunEventKind.RUN_STARTED:
        count = len(data["nodes"])
        return (
            f"{pipeline}: run {data['run_id']} of {count} {'node' if count == 1 else 'nodes'}, "
            f"artifacts in {data['root']}, remembered in {data['store']}"
        )
    if kind is RunEventKind.RUN_BESIDE:
        return (
            f"{pipeline}: run {data['run_id']} goes on at the same time; what is not cached is "
            "done by both"
        )
    if kind is RunEventKind.EXECUTION_RECOVERED:
        return f"{pipeline}: {describe_recovery(data)}"
    if kind is RunEventKind.INPUT_CHANGED:
        return f"{pipeline}: {data['warning']}"
    if kind is RunEventKind.STORE_LOST:
        return f"{pipeline}: {data['error']} Trying again."
    if kind is RunEventKind.NODE_WARNING:
        return f"{event.node}: WARNING: {data['message']}"
    if kind is RunEventKind.NODE_WAITING:
        return f"{event.node}: {describe_waiting(data)}"
    if kind is RunEventKind.NODE_STARTED:
        return f"{event.node}: started (execution {data['execution_id']}): {data['reason']}"
    if kind is RunEventKind.NODE_CACHED:
        return f"{event.node}: cached, reuses execution {data['reused_execution_id']}"
    if kind is RunEventKind.NODE_RETRYING:
        return f"{event.node}: {describe_retry(data)}"
    if kind is RunEventKind.NODE_COMPLETED:
        found = f": {data['reason']}" if "reason" in data else ""
        return f"{event.node}: done in {data['seconds']:.1f} s{found}"
    if kind is RunEventKind.NODE_FAILED:
        return f"{event.node}: FAILED with {data['headline']}"
    if kind is RunEventKind.NODE_SKIPPED:
        return f"{event.node}: skipped{describe_skip(data)}"
    if kind is RunEventKind.NODE_CANCELED:
        return f"{event.node}: stopped" + "".join(f", kept {path}" for path in data["kept"])
    if kind is RunEventKind.RUN_STOPPING:
        return f"{pipeline}: stopping; once more to stop at once"
    if kind is RunEventKind.RUN_FINISHED:
        return f"{pipeline}: {data['state']} in {data['seconds']:.1f} s ({count_states(data)})"
    return ""


def describe_recovery(data: Mapping[str, Any]) -> str:
    """What became of an execution that a dead run left."""
    if data["is_published"]:
        became = "its result is published now"
    elif data["is_ended"]:
        became = "it counts as failed"
    else:
        became = "it could not be ended, and stays as it is"
    problem = f". {data['problem']}" if data["problem"] else ""
    return (
        f"execution {data['execution_id']} of {data['of_node']} was left behind by a run that "
        f"died; {became}{problem}"
    )


def describe_waiting(data: Mapping[str, Any]) -> str:
    return f"waits for execution {data['execution_id']} on {data['host']}, which does the same work"


def describe_skip(data: Mapping[str, Any]) -> str:
    """What follows the word "skipped"."""
    if "reason" in data:
        return f": {data['reason']}"
    because_of = data.get("because_of")
    return f" because of {', '.join(because_of)}" if because_of else ""


def describe_retry(data: Mapping[str, Any]) -> str:
    return (
        f"failed with {data['headline']}; retry {data['retry']} of {data['max_retries']} "
        f"in {data['wait_seconds']:g} s"
    )


def count_states(data: Mapping[str, Any]) -> str:
    """For example "2 complete, 1 cached"."""
    counts: dict[str, int] = {}
    for state in data["states"].values():
        counts[state] = counts.get(state, 0) + 1
    return ", ".join(f"{count} {state}" for state, count in counts.items())


def closing_lines(data: Mapping[str, Any], enable_cache: bool) -> list[str]:
    """What follows the end of a run: what its nodes want to be read, and how to go on."""
    lines = [f"Warning: {warning}" for warning in data["warnings"]]
    lines += data["notes"]
    if data["state"] == "canceled":
        lines.append(how_to_go_on(enable_cache))
    return lines


def pages(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Where the pages of a finished run are: for each node the words before the path, and the
    path, which is that of the directory of several pages; `trainwright show` names each."""
    return [
        (f"{node}: a page at ", found[0])
        if len(found) == 1
        else (f"{node}: {len(found)} pages in ", os.path.dirname(found[0]))
        for node, found in data["pages"].items()
    ]


def where_output_is(data: Mapping[str, Any]) -> str:
    """How to see what nodes printed in a run that did not show it; empty if none ran. A failure
    names its log itself."""
    has_run = data["state"] == "complete" and "complete" in data["states"].values()
    return "What nodes printed: trainwright logs NODE" if has_run else ""


def how_to_go_on(enable_cache: bool) -> str:
    if enable_cache:
        return "Run the same command again to go on: finished nodes are reused."
    return (
        "Run the same command again to start over. With Pipeline(enable_cache=True) finished "
        "nodes would be reused."
    )
