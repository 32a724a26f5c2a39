"""The table that compares features: a line per split, aligned, and their charts side by side.

The first features of a table have full charts. The others follow in groups that are closed at
first, with small charts: a page of ten thousand features is still opened at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from trainwright._markup import EMPTY, Markup, html, join
from trainwright.html_views.columns import Column
from trainwright.html_views.features import Entry, Feature
from trainwright.html_views.numbers import counted
from trainwright.html_views.text import hint, markup, value, visible

MOST_OPEN = 200
GROUP_SIZE = 200

_LONGEST_NAME = 80
_NUMBERS = html(' class="n"')


@dataclass(frozen=True, kw_only=True)
class Field:
    """A column of the table: a heading and what stands below it for a feature in a split.

    Args:
        heading: Its name.
        cell: The markup of the whole cell.
        hint: What it means, if the heading does not say it.
        is_text: Whether cells hold text, which is not aligned as numbers are.
    """

    heading: str
    cell: Callable[[Entry], Markup]
    hint: str = ""
    is_text: bool = False


@dataclass(frozen=True, kw_only=True)
class TableKind:
    """How features of one kind are shown.

    Args:
        kind: Which kind it is, for example "numeric".
        fields: What is shown of each.
        charts: Draws a feature: a picture for each split, full or small. None if there is nothing
            to draw.
    """

    kind: str
    fields: Sequence[Field]
    charts: Callable[[Feature, bool], list[Markup]] | None


class WarnedFeature(NamedTuple):
    """A feature and what is worth a second look in it."""

    feature: Feature
    warnings: Sequence[str]


def feature_tables(table: TableKind, features: Sequence[WarnedFeature]) -> Iterator[Markup]:
    """The markup of a table, and of groups with what is too much for it.

    Example: `join(feature_tables(table_kind("numeric", features), warned_features))`
    """
    yield _table(table, features[:MOST_OPEN], is_full=True)
    for start in range(MOST_OPEN, len(features), GROUP_SIZE):
        group = features[start : start + GROUP_SIZE]
        names = dict.fromkeys([group[0].feature.name, group[-1].feature.name])
        yield html(
            '<details class="group"><summary>{}: {}</summary>',
            counted(len(group), "more feature"),
            join(map(value, names), " to "),
        )
        yield _table(table, group, is_full=False)
        yield html("</details>")


def number_cell(shown: str, *, is_zero: bool = False, note: str = "") -> Markup:
    """A cell with a number; zeros stand back, notes are small.

    >>> number_cell("45", note="6.9%")
    '<td class="n">45 <small>6.9%</small></td>'
    """
    look = "n z" if is_zero else "n"
    return html(
        '<td class="{}">{}{}</td>', look, shown, html(" <small>{}</small>", note) if note else ""
    )


def _table(table: TableKind, features: Sequence[WarnedFeature], *, is_full: bool) -> Markup:
    columns = features[0].feature.columns
    rows = join((_feature(table, warned, is_full) for warned in features), "\n")
    return html(
        '<table class="features {}">{}\n{}</table>', table.kind, _head(table, columns), rows
    )


def _head(table: TableKind, columns: Sequence[Column]) -> Markup:
    headings = [
        html(
            '<th scope="col"{}{}>{}</th>',
            "" if field.is_text else _NUMBERS,
            _title(field.hint),
            field.heading,
        )
        for field in table.fields
    ]
    charts = [
        html('<th scope="col" class="s{} split"><span>{}</span></th>', index, markup(column.name))
        for index, column in enumerate(columns if table.charts else [])
    ]
    return html(
        '<thead><tr><th scope="col" class="name">feature</th><th scope="col">split</th>'
        "{}{}</tr></thead>",
        join(headings),
        join(charts),
    )


def _feature(table: TableKind, warned: WarnedFeature, is_full: bool) -> Markup:
    look = "feature warned" if warned.warnings else "feature"
    rows = join(_rows(table, warned.feature, warned.warnings, is_full))
    return html('<tbody class="{}">{}</tbody>', look, rows)


def _rows(
    table: TableKind, feature: Feature, warnings: Sequence[str], is_full: bool
) -> Iterator[Markup]:
    height = len(feature.columns)
    span = html(' rowspan="{}"', height) if height > 1 else ""
    drawn = table.charts(feature, is_full) if table.charts else []
    charts = join(html("<td{}>{}</td>", span, chart) for chart in drawn)
    for index, entry in enumerate(feature.entries):
        name = _name_cell(feature, warnings, span) if index == 0 else ""
        yield html(
            "<tr>{}{}{}{}</tr>",
            name,
            _split_cell(feature.columns[index], index),
            _cells(table, feature, entry),
            charts if index == 0 else "",
        )


def _name_cell(feature: Feature, warnings: Sequence[str], span: str) -> Markup:
    name = feature.name or "(no name)"
    is_long = len(name) > _LONGEST_NAME
    shown = markup(visible(name[:_LONGEST_NAME]) + ("…" if is_long else ""))
    title = html(' title="{}"', markup(hint(name))) if is_long else ""
    words = join(html('<span class="warning">{}</span>', markup(warning)) for warning in warnings)
    types = ", ".join(feature.type_names)
    return html(
        '<th scope="rowgroup" class="name"{}><b{}>{}</b><small>{}</small>{}</th>',
        span,
        title,
        shown,
        types,
        words,
    )


def _split_cell(column: Column, index: int) -> Markup:
    return html(
        '<th scope="row" class="s{} split"><span>{}</span></th>', index, markup(column.name)
    )


def _cells(table: TableKind, feature: Feature, entry: Entry | None) -> Markup:
    if entry is not None and entry.kind == feature.kind:
        return join(field.cell(entry) for field in table.fields)
    words = "not in this split" if entry is None else f"{entry.type_name} in this split"
    return html('<td class="muted" colspan="{}">{}</td>', len(table.fields), words)


def _title(text: str) -> Markup:
    return html(' title="{}"', markup(text)) if text else EMPTY
