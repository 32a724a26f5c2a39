"""The live table of a run in a notebook cell: a row per node, drawn again while the run goes on."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from html import escape
from typing import Any

from trainwright.orchestration.events import RunEvent, RunEventKind, RunObserver
from trainwright.orchestration.reports.live_report import LiveReport, Row, elapsed

# How often the table is drawn at most: a notebook keeps up with it, and so does a slow network.
_SECONDS_BETWEEN_DRAWINGS = 0.25
_COLORS = {
    "running": "#1a73e8",
    "complete": "#188038",
    "cached": "#12858d",
    "failed": "#c5221f",
    "skipped": "#b06000",
    "canceled": "#b06000",
}
_CELL = 'style="text-align: left; padding: 1px 12px 1px 0"'


@contextlib.contextmanager
def notebook_report() -> Iterator[tuple[RunObserver, Callable[[str], None]]]:
    """Shows the table in the current cell; what remains is its last state.

    Beside the observer there is a function that prints a line below the table.
    """
    from IPython.display import HTML, DisplayHandle

    handle = DisplayHandle()  # type: ignore[no-untyped-call]
    handle.display(HTML(""))  # type: ignore[no-untyped-call]
    report = NotebookReport(lambda page: handle.update(HTML(page)))  # type: ignore[no-untyped-call]
    yield report, print
    for line in report.closing_lines[1:]:
        print(line)


class NotebookReport(LiveReport):
    """Keeps a row per node, told by events, and draws them as HTML.

    Args:
        draw: Is called with the whole table, at most a few times a second.
    """

    def __init__(self, draw: Callable[[str], Any]) -> None:
        super().__init__()
        self._draw = draw
        self._next_drawing = 0.0

    def __call__(self, event: RunEvent) -> None:
        super().__call__(event)
        is_progress = event.kind is RunEventKind.NODE_PROGRESS
        if is_progress and time.monotonic() < self._next_drawing:
            return
        self._next_drawing = time.monotonic() + _SECONDS_BETWEEN_DRAWINGS
        self._draw(self.to_html())

    def to_html(self) -> str:
        """The table now. What comes from user code is escaped."""
        rows = "".join(_html_row(node, row) for node, row in self.rows.items())
        notices = "".join(f"<div>{escape(notice)}</div>" for notice in self.notices)
        ending = "".join(f"<div>{escape(line)}</div>" for line in self.closing_lines[:1])
        return f"<div><b>{escape(self.title)}</b></div>{notices}<table>{rows}</table>{ending}"


def _html_row(node: str, row: Row) -> str:
    state = f'<span style="color: {_COLORS.get(row.state, "inherit")}">{row.state}</span>'
    cells = (state, f"<b>{escape(node)}</b>", elapsed(row), escape(row.detail))
    return f"<tr>{''.join(f'<td {_CELL}>{cell}</td>' for cell in cells)}</tr>"
