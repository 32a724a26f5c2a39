"""The page of a RewriteReport: do rewritten models say what their source says, and their cost."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trainwright.evaluation.models.parity import PARITY_FILE
from trainwright.html_views.page import page, plain_table
from trainwright.html_views.text import markup


def parity_page(uri: str, *, title: str = "Rewritten models") -> str:
    """One HTML file with a section for each target.

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
        parts = [part for name, one in written["targets"].items() for part in _section(name, one)]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ValueError(f"{path} is not a report of a Rewriter: {error}") from error
    return page(title, uri, parts)


def _section(name: str, written: Mapping[str, Any]) -> Iterator[str]:
    yield f"<h2>{markup(name)}</h2>"
    if not written.get("outputs"):
        yield f"<p>{markup(written['remark'])}</p>"
        return
    problems: Sequence[str] = written["problems"]
    heading = "Refused" if problems else "Passed"
    verdict = "; ".join(problems) if problems else "within its tolerance"
    yield f"<p><strong>{heading}</strong>: {markup(verdict)}.</p>"
    tolerance = written["tolerance"]
    yield (
        f"<p class='muted'>{written['examples']:,} examples; allowed are a difference of "
        f"{tolerance['difference']:g} and {tolerance['agreement']:.1%} of equal classes.</p>"
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
