"""The frame of every page: one document with its style and script inside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trainwright._assets import read_asset
from trainwright.html_views.text import markup

# Nothing is loaded from anywhere, even if markup slipped through.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def page(
    title: str,
    subtitle: str,
    parts: Iterable[str],
    *,
    style: str = "",
    script: str | None = None,
) -> str:
    """A whole page; the title and the subtitle are text, the parts are markup.

    Args:
        title: The heading.
        subtitle: A line below it.
        parts: What follows.
        style: Rules beside those of every page.
        script: What the page can do; filtering features if nothing else is said.

    >>> page("Schema 3", "penguins", ["<p>11 features</p>"]).startswith("<!DOCTYPE html>")
    True
    """
    common_style = read_asset("trainwright.html_views", "page.css")
    if script is None:
        script = read_asset("trainwright.html_views", "page.js")
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        f"<title>{markup(title)}</title>",
        f"<style>{common_style}{style}</style></head>",
        f"<body><main><h1>{markup(title)}</h1>",
        f'<p class="muted">{markup(subtitle)}</p>' if subtitle else "",
        *parts,
        f"</main><script>{script}</script></body></html>",
    ]
    return "\n".join(line for line in lines if line) + "\n"


def plain_table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, name: str = "") -> str:
    """A table of markup whose first cells are the headings of their rows; numbers follow.

    >>> print(plain_table(["split", "examples"], [["train", "203"]]))
    <table class="plain"><thead><tr><th scope="col">split</th><th scope="col" \
class="n">examples</th></tr></thead>
    <tbody><tr><th scope="row">train</th><td class="n">203</td></tr></tbody></table>
    """
    first, *others = headings
    heads = "".join(f'<th scope="col" class="n">{heading}</th>' for heading in others)
    body = "\n".join(
        f'<tr><th scope="row">{cells[0]}</th>'
        + "".join(f'<td class="n">{cell}</td>' for cell in cells[1:])
        + "</tr>"
        for cells in rows
    )
    label = f' aria-label="{markup(name)}"' if name else ""
    return (
        f'<table class="plain"{label}><thead><tr><th scope="col">{first}</th>{heads}</tr></thead>\n'
        f"<tbody>{body}</tbody></table>"
    )


def filter_controls(*, with_warnings: bool, with_order: bool) -> str:
    """A box to filter features by name, which the script brings to life.

    Example: `filter_controls(with_warnings=True, with_order=False)`
    """
    parts = [
        '<div class="controls" hidden>',
        '<input type="search" id="filter" placeholder="Filter features" '
        'aria-label="Filter features by name">',
    ]
    if with_warnings:
        parts.append('<label><input type="checkbox" id="warned"> only with warnings</label>')
    if with_order:
        parts.append(
            '<label>Order <select id="order"><option value="interest">most missing</option>'
            '<option value="warnings">warnings first</option>'
            '<option value="name">name</option></select></label>'
        )
    return "".join([*parts, '<span id="found" class="muted" aria-live="polite"></span></div>'])
