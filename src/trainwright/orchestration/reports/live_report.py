"""The live table of a run on a terminal: a row per node with its state, time and progress."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.style import Style
from rich.table import Table
from rich.text import Text

from trainwright.orchestration.events import RunEvent, RunEventKind, RunObserver
from trainwright.orchestration.reports.reports import (
    closing_lines,
    count_states,
    describe_event,
    describe_retry,
    describe_skip,
    describe_waiting,
    pages,
    where_output_is,
)

# What is counted, and under which name the report has the number of all.
_COUNTED = {"trial": "trials", "epoch": "epochs", "step": "steps"}

_STYLES = {
    "waiting": ("·", "dim"),
    "complete": ("✓", "green"),
    "cached": ("=", "cyan"),
    "failed": ("✗", "bold red"),
    "skipped": ("-", "yellow"),
    "canceled": ("■", "yellow"),
}
_STATE_AFTER = {
    RunEventKind.NODE_WAITING: "waiting",
    RunEventKind.NODE_RETRYING: "waiting",
    RunEventKind.NODE_STARTED: "running",
    RunEventKind.NODE_CACHED: "cached",
    RunEventKind.NODE_COMPLETED: "complete",
    RunEventKind.NODE_FAILED: "failed",
    RunEventKind.NODE_SKIPPED: "skipped",
    RunEventKind.NODE_CANCELED: "canceled",
}


@dataclass
class Row:
    """What is shown of a node."""

    state: str = "waiting"
    began: float | None = None
    seconds: float | None = None
    detail: str = ""


@contextlib.contextmanager
def live_report(
    stream: TextIO, *, shows_output: bool = False
) -> Iterator[tuple[RunObserver, Callable[[str], None]]]:
    """Shows the table while the run goes on; what remains is its last state.

    Beside the observer there is a function that shows a line above the table. If it does not show
    what the nodes print (`shows_output`), the last line says where that is.
    """
    console = Console(file=stream)
    report = LiveReport()

    def show(line: str) -> None:
        console.print(line, markup=False, emoji=False, highlight=False, soft_wrap=True)

    try:
        with Live(console=console, refresh_per_second=8, get_renderable=report.render):
            yield report, show
    finally:
        for line in report.closing_lines:
            show(line)
        for words, path in report.pages:
            link = Style(link=Path(path).as_uri())
            console.print(Text.assemble(words, (path, link)), soft_wrap=True)
        if report.where_output_is and not shows_output:
            console.print(Text(report.where_output_is, style="dim"), soft_wrap=True)


class LiveReport:
    """Keeps a row per node, told by events."""

    def __init__(self) -> None:
        self.title = ""
        self._pipeline = ""
        self._notice = ""
        self._warnings: list[str] = []
        self._enable_cache = False
        self.rows: dict[str, Row] = {}
        self._spinner = Spinner("dots")
        self.closing_lines: list[str] = []
        self.pages: list[tuple[str, str]] = []
        self.where_output_is = ""

    def __call__(self, event: RunEvent) -> None:
        if event.kind is RunEventKind.RUN_STARTED:
            self._pipeline = event.data["pipeline"]
            self.title = f"{event.data['pipeline']}  run {event.data['run_id']}"
            self._enable_cache = event.data["enable_cache"]
            self.rows = {node: Row() for node in event.data["nodes"]}
        elif event.kind is RunEventKind.RUN_FINISHED:
            self._finish(event.data)
        elif event.kind is RunEventKind.NODE_WARNING:
            self._warnings.append(describe_event(event, self._pipeline))
        elif event.node:
            self._update(self.rows[event.node], event)
        else:
            self._notice = describe_event(event, self._pipeline)

    def _update(self, row: Row, event: RunEvent) -> None:
        if event.kind is RunEventKind.NODE_PROGRESS:
            row.detail = describe_progress(event.data)
            return
        row.state = _STATE_AFTER[event.kind]
        if row.state == "running":
            row.began = event.at
        elif row.began is not None:
            row.seconds = event.at - row.began
        if event.kind is RunEventKind.NODE_STARTED:
            row.detail = f"because {event.data['reason']}"
        elif event.kind is RunEventKind.NODE_WAITING:
            row.detail = describe_waiting(event.data)
        elif event.kind is RunEventKind.NODE_RETRYING:
            row.detail = describe_retry(event.data)
        elif event.kind is RunEventKind.NODE_CACHED:
            row.detail = f"reuses execution {event.data['reused_execution_id']}"
        elif event.kind is RunEventKind.NODE_COMPLETED and "reason" in event.data:
            row.detail = event.data["reason"]
        elif event.kind is RunEventKind.NODE_FAILED:
            row.detail = event.data["headline"]
        elif event.kind is RunEventKind.NODE_SKIPPED:
            row.detail = f"skipped{describe_skip(event.data)}"

    def _finish(self, data: Mapping[str, Any]) -> None:
        for node, state in data["states"].items():
            self.rows[node].state = state
        self.closing_lines.append(
            f"{data['state']} in {data['seconds']:.1f} s ({count_states(data)})"
        )
        # In the table there may be no room for all of it.
        self.closing_lines += [f"{n}  skipped: {why}" for n, why in data["skipped"].items()]
        self.closing_lines += closing_lines(data, self._enable_cache)
        self.pages = pages(data)
        self.where_output_is = where_output_is(data)

    @property
    def notices(self) -> list[str]:
        """What is said of the run as a whole: warnings, and the last thing that happened."""
        return [*self._warnings, *filter(None, [self._notice])]

    def render(self) -> RenderableType:
        table = Table(box=None, show_header=False, pad_edge=False, expand=True)
        table.add_column(width=1)
        table.add_column(no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        # Where there is little room, it is the details that are cut.
        table.add_column(overflow="ellipsis", no_wrap=True, style="dim", ratio=1)
        for node, row in self.rows.items():
            table.add_row(self._glyph(row), Text(node), elapsed(row), Text(row.detail))
        shown = [Text(notice, style="yellow") for notice in self.notices]
        return Group(Text(self.title, style="bold"), *shown, table)

    def _glyph(self, row: Row) -> RenderableType:
        if row.state == "running":
            return self._spinner
        glyph, style = _STYLES[row.state]
        return Text(glyph, style=style)


def elapsed(row: Row) -> str:
    """How long a node has run, or ran; empty if it has not."""
    if row.began is None:
        return ""
    seconds = row.seconds if row.seconds is not None else time.time() - row.began
    return f"{seconds:.1f} s"


def describe_progress(progress: Mapping[str, Any]) -> str:
    """For example "trial 3/10  step 120/500  35 steps/s  loss 0.412"."""
    parts = []
    for name, value in progress.items():
        if name in _COUNTED:
            total = progress.get(_COUNTED[name])
            parts.append(f"{name} {value}/{total}" if total else f"{name} {value}")
        elif name == "steps_per_second" and isinstance(value, int | float):
            parts.append(f"{value:.0f} steps/s")
        elif name not in _COUNTED.values():
            parts.append(f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}")
    return "  ".join(parts)
