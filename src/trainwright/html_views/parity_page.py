"""The page of a RewriteReport: do rewritten models say what their source says, and their cost."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trainwright.evaluation.models.parity import PARITY_FILE
from trainwright.html_views.page import page, plain_table
from trainwright.html_views.text import markup

_STYLE = (
    "main{width:auto}table+table{margin-top:18px}"
    ".passed{color:var(--good)}.refused{color:var(--bad)}p{overflow-wrap:anywhere}"
)


def parity_page(uri: str, *, title: str = "Rewritten models") -> str:
    """One HTML file: a row for each target, then a section for each.

    Args:
        uri: The directory of a RewriteReport.
        title: The heading.

    Raises:
        ValueError: if there is no report, or it is damaged.
    """
    path = os.path.join(uri, PARITY_FILE)
    try:
        with open(path, encoding="utf-8") as file:
            written = json.load(file)
        targets = written["targets"]
        parts = [part for name, one in targets.items() for part in _section(name, one)]
        if len(targets) > 1:
            parts.insert(0, _summary(targets))
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ValueError(f"{path} is not a report of a Rewriter: {error}") from error
    return page(title, uri, parts, style=_STYLE)


def _summary(targets: Mapping[str, Mapping[str, Any]]) -> str:
    rows = []
    for name, written in targets.items():
        row = [markup(name), _verdict(written), "", "", "", ""]
        if written.get("outputs"):
            agreements = [one["agreement"] for one in written["outputs"]]
            shares = [one for one in agreements if one is not None]
            source, rewritten = written["source"], written["rewritten"]
            row[2:] = [
                f"{_largest([one['largest_absolute'] for one in written['outputs']]):.3g}",
                f"{min(shares):.1%}" if shares else "",
                _row("", source["size"], rewritten["size"], ",.0f")[3],
                _row("", source["milliseconds"], rewritten["milliseconds"], ".2f")[3],
            ]
        rows.append(row)
    headings = ["target", "", "largest difference", "same class", "size ratio", "time ratio"]
    return plain_table(headings, rows, name="all targets")


def _largest(values: Sequence[float]) -> float:
    """The largest, and what is not a number before any."""
    return max(values, key=lambda value: (value != value, value))


def _verdict(written: Mapping[str, Any]) -> str:
    if not written.get("outputs"):
        return "Not compared"
    if written["problems"]:
        return "<strong class='refused'>Refused</strong>"
    return "<strong class='passed'>Passed</strong>"


def _section(name: str, written: Mapping[str, Any]) -> Iterator[str]:
    yield f"<h2>{markup(name)}</h2>"
    if not written.get("outputs"):
        yield f"<p>{markup(written['remark'])}</p>"
        return
    problems: Sequence[str] = written["problems"]
    verdict = "; ".join(problems) if problems else "within its tolerance"
    yield f"<p>{_verdict(written)}: {markup(verdict)}.</p>"
    tolerance = written["tolerance"]
    yield (
        f"<p class='muted'>{written['examples']:,} examples. A difference of up to "
        f"{tolerance['difference']:g}, in parts of the largest value or of 1, is allowed, and "
        f"{tolerance['agreement']:.1%} must name the same class.</p>"
    )
    yield plain_table(
        ["output", "largest difference", "relative", "largest value", "same class"],
        [
            [
                markup(output["name"]),
                f"{output['largest_absolute']:.3g}",
                f"{output['largest_relative']:.3g}",
                f"{output['largest_value']:.3g}",
                "" if output["agreement"] is None else f"{output['agreement']:.1%}",
            ]
            for output in written["outputs"]
        ],
        name=f"{name} outputs",
    )
    source, rewritten = written["source"], written["rewritten"]
    yield plain_table(
        ["", "before", "after", "ratio"],
        [
            _row("bytes", source["size"], rewritten["size"], ",.0f"),
            _row("ms for one example", source["milliseconds"], rewritten["milliseconds"], ".2f"),
        ],
        name=f"{name} cost",
    )


def _row(what: str, before: float, after: float, form: str) -> list[str]:
    ratio = f"{after / before:.2f}" if before else ""
    return [what, format(before, form), format(after, form), ratio]
