"""A run's outcome as notebooks show it. Everything that is not ours is escaped."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from trainwright._printable import printable
from trainwright.orchestration.run_result import describe_decision

if TYPE_CHECKING:
    from trainwright.metadata.records import ArtifactRecord
    from trainwright.orchestration.run_result import RunResult

_CELL = 'style="text-align: left; vertical-align: top"'


def to_html(result: RunResult) -> str:
    """A heading, a table of the nodes, and what failed."""
    rows = "".join(_row(result, node_id) for node_id in result.states)
    headings = "".join(f"<th {_CELL}>{name}</th>" for name in ("node", "state", "made", "pages"))
    failures = f"<pre>{_text(result.describe_failures())}</pre>" if result.failures else ""
    return (
        f"<p>Run <code>{_text(result.run_id)}</code>: <b>{result.state}</b> in "
        f"{result.seconds:.1f} s ({result.counts}). Artifacts are in "
        f"<code>{_text(result.root)}</code>.</p>"
        f"<table><thead><tr>{headings}</tr></thead><tbody>{rows}</tbody></table>"
        f"{failures}"
    )


def _row(result: RunResult, node_id: str) -> str:
    outputs = result.outputs.get(node_id, {})
    made = "<br>".join(_artifact(key, one) for key, group in outputs.items() for one in group)
    pages = "<br>".join(map(_link, result.pages.get(node_id, ())))
    state = result.states[node_id].value
    why = result.skipped.get(node_id, "")
    cells = (_text(node_id), f"{state}{f': {_text(why)}' if why else ''}", made, pages)
    return f"<tr>{''.join(f'<td {_CELL}>{cell}</td>' for cell in cells)}</tr>"


def _artifact(key: str, artifact: ArtifactRecord) -> str:
    named = _text(f"{key}: {artifact.type.name} {artifact.id}")
    decision = describe_decision(artifact)
    decided = f": <b>{_text(decision)}</b>" if decision else ""
    return f'<span title="{_text(artifact.uri)}">{named}</span>{decided}'


def _link(path: str) -> str:
    """The path, as a link: a browser follows no file: link from a page that came over http, as a
    notebook does, so what lies below the notebook's directory is named from there."""
    below = os.path.relpath(path)
    is_below = not below.startswith(os.pardir)
    address = quote(below) if is_below else Path(path).as_uri()
    shown = below if is_below else path
    return f'<a href="{escape(address)}" target="_blank">{_text(shown)}</a>'


def _text(text: str) -> str:
    return escape(printable(text))
