"""A run's outcome as notebooks show it. Everything that is not ours is escaped."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from trainwright._printable import printable

if TYPE_CHECKING:
    from trainwright.metadata.records import ArtifactRecord
    from trainwright.orchestration.run_result import RunResult

_CELL = 'style="text-align: left; vertical-align: top"'


def to_html(result: RunResult) -> str:
    """A heading, a table of the nodes, and what failed."""
    rows = "".join(_row(result, node_id) for node_id in result.states)
    headings = "".join(f"<th {_CELL}>{name}</th>" for name in ("node", "state", "made", "pages"))
    highlights = "".join(f"<li>{_text(line)}</li>" for line in result.highlights)
    failures = f"<pre>{_text(result.describe_failures())}</pre>" if result.failures else ""
    return (
        f"<p>Run <code>{_text(result.run_id)}</code>: <b>{result.state}</b> in "
        f"{result.seconds:.1f} s ({result.counts}). Artifacts are in "
        f"<code>{_text(result.root)}</code>.</p>"
        f"<table><thead><tr>{headings}</tr></thead><tbody>{rows}</tbody></table>"
        f"{f'<ul>{highlights}</ul>' if highlights else ''}{failures}"
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
    named = f"{key}: {artifact.type.name} {artifact.id}"
    return f'<span title="{_text(artifact.uri)}">{_text(named)}</span>'


def _link(path: str) -> str:
    return f'<a href="{escape(Path(path).as_uri())}">{_text(Path(path).name)}</a>'


def _text(text: str) -> str:
    return escape(printable(text))
