"""The frame of every page: one document with its style and script inside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trainwright._assets import read_asset
from trainwright._markup import EMPTY, Markup, html, join
from trainwright.html_views.text import markup

# Nothing is loaded from anywhere, even if markup slipped through.
_POLICY = html("default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'")


def page(
    title: str,
    subtitle: str,
    parts: Iterable[Markup],
    *,
    style: str = "",
    script: str | None = None,
) -> Markup:
    """A whole page; the title and the subtitle are text, the parts are markup.

    Args:
        title: The heading.
        subtitle: A line below it.
        parts: What follows.
        style: Rules beside those of every page.
        script: What the page can do; filtering features if nothing else is said.

    >>> page("Schema 3", "penguins", [html("<p>11 features</p>")]).startswith("<!DOCTYPE html>")
    True
    """
    common_style = read_asset("trainwright.html_views", "page.css")
    own_script = read_asset("trainwright.html_views", "page.js") if script is None else script
    lines = [
        html("<!DOCTYPE html>"),
        html('<html lang="en"><head><meta charset="utf-8">'),
        html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        html('<meta http-equiv="Content-Security-Policy" content="{}">', _POLICY),
        html("<title>{}</title>", markup(title)),
        # What stands in these two elements is taken as it is: entities would not be decoded there.
        html("<style>{}{}</style></head>", Markup(common_style), Markup(style)),
        html("<body><main><h1>{}</h1>", markup(title)),
        html('<p class="muted">{}</p>', markup(subtitle)) if subtitle else EMPTY,
        *parts,
        html("</main><script>{}</script></body></html>", Markup(own_script)),
    ]
    return join(filter(None, lines), "\n") + html("\n")


def plain_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], *, name: str = ""
) -> Markup:
    """A table of text or markup; the first cells are the headings of their rows, numbers follow.

    >>> print(plain_table(["split", "examples"], [["train", "203"]]))
    <table class="plain"><thead><tr><th scope="col">split</th><th scope="col" \
class="n">examples</th></tr></thead>
    <tbody><tr><th scope="row">train</th><td class="n">203</td></tr></tbody></table>
    """
    first, *others = headings
    heads = join(html('<th scope="col" class="n">{}</th>', heading) for heading in others)
    body = join(
        (
            html('<tr><th scope="row">{}</th>', cells[0])
            + join(html('<td class="n">{}</td>', cell) for cell in cells[1:])
            + html("</tr>")
            for cells in rows
        ),
        "\n",
    )
    label = html(' aria-label="{}"', markup(name)) if name else ""
    return html(
        '<table class="plain"{}><thead><tr><th scope="col">{}</th>{}</tr></thead>'
        "\n<tbody>{}</tbody></table>",
        label,
        first,
        heads,
        body,
    )


def filter_controls(*, with_warnings: bool, with_order: bool) -> Markup:
    """A box to filter features by name, which the script brings to life.

    Example: `filter_controls(with_warnings=True, with_order=False)`
    """
    parts = [
        html('<div class="controls" hidden>'),
        html(
            '<input type="search" id="filter" placeholder="Filter features" '
            'aria-label="Filter features by name">'
        ),
    ]
    if with_warnings:
        parts.append(html('<label><input type="checkbox" id="warned"> only with warnings</label>'))
    if with_order:
        parts.append(
            html(
                '<label>Order <select id="order"><option value="interest">most missing</option>'
                '<option value="warnings">warnings first</option><option value="name">'
                "name</option></select></label>"
            )
        )
    return join([*parts, html('<span id="found" class="muted" aria-live="polite"></span></div>')])
