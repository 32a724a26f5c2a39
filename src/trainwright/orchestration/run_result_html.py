"""A run's outcome as notebooks show it. Everything that is not ours is escaped."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from trainwright._markup import Markup, html, join
from trainwright._printable import printable
from trainwright.orchestration.run_result import describe_decision

if TYPE_CHECKING:
    from trainwright.metadata.records import ArtifactRecord
    from trainwright.orchestration.run_result import RunResult

_CELL = html('style="text-align: left; vertical-align: top"')


def to_html(result: RunResult) -> Markup:
    """A heading, a table of the nodes, and what failed."""
    rows = join(_row(result, node_id) for node_id in result.states)
    headings = join(
        html("<th {}>{}</th>", _CELL, name) for name in ("node", "state", "made", "pages")
    )
    failures = (
        html("<pre>{}</pre>", printable(result.describe_failures())) if result.failures else ""
    )
    return html(
        "<p>Run <code>{}</code>: <b>{}</b> in {} s ({}). Artifacts are in <code>"
        "{}</code>.</p><table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>{}",
        printable(result.run_id),
        result.state,
        format(result.seconds, ".1f"),
        result.counts,
        printable(result.root),
        headings,
        rows,
        failures,
    )


def _row(result: RunResult, node_id: str) -> Markup:
    outputs = result.outputs.get(node_id, {})
    made = join(
        (_artifact(key, one) for key, group in outputs.items() for one in group), html("<br>")
    )
    pages = join(map(_link, result.pages.get(node_id, ())), html("<br>"))
    state = result.states[node_id].value
    why = result.skipped.get(node_id, "")
    cells = (printable(node_id), f"{state}{f': {printable(why)}' if why else ''}", made, pages)
    return html("<tr>{}</tr>", join(html("<td {}>{}</td>", _CELL, cell) for cell in cells))


def _artifact(key: str, artifact: ArtifactRecord) -> Markup:
    named = printable(f"{key}: {artifact.type.name} {artifact.id}")
    decision = describe_decision(artifact)
    decided = html(": <b>{}</b>", printable(decision)) if decision else ""
    return html('<span title="{}">{}</span>{}', printable(artifact.uri), named, decided)


def _link(path: str) -> Markup:
    """The path, as a link: a browser follows no file: link from a page that came over http, as a
    notebook does, so what lies below the notebook's directory is named from there."""
    below = os.path.relpath(path)
    is_below = not below.startswith(os.pardir)
    address = quote(below) if is_below else Path(path).as_uri()
    shown = below if is_below else path
    return html('<a href="{}" target="_blank">{}</a>', address, printable(shown))
