"""The table that compares features: a line per split, aligned, and their charts side by side.

The first features of a table have full charts. The others follow in groups that are closed at
first, with small charts: a page of ten thousand features is still opened at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from trainwright.html_views.columns import Column
from trainwright.html_views.features import Entry, Feature
from trainwright.html_views.numbers import counted
from trainwright.html_views.text import hint, markup, value, visible

MOST_OPEN = 200
GROUP_SIZE = 200

_LONGEST_NAME = 80
_NUMBERS = ' class="n"'


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
    cell: Callable[[Entry], str]
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
    charts: Callable[[Feature, bool], list[str]] | None


class WarnedFeature(NamedTuple):
    """A feature and what is worth a second look in it."""

    feature: Feature
    warnings: Sequence[str]


def feature_tables(table: TableKind, features: Sequence[WarnedFeature]) -> Iterator[str]:
    """The markup of a table, and of groups with what is too much for it.

    Example: `"".join(feature_tables(table_kind("numeric", features), warned_features))`
    """
    yield _table(table, features[:MOST_OPEN], is_full=True)
    for start in range(MOST_OPEN, len(features), GROUP_SIZE):
        group = features[start : start + GROUP_SIZE]
        names = dict.fromkeys([group[0].feature.name, group[-1].feature.name])
        yield (
            f'<details class="group"><summary>{counted(len(group), "more feature")}: '
            f"{' to '.join(map(value, names))}</summary>"
        )
        yield _table(table, group, is_full=False)
        yield "</details>"


def number_cell(shown: str, *, is_zero: bool = False, note: str = "") -> str:
    """A cell with a number; zeros stand back, notes are small.

    >>> number_cell("45", note="6.9%")
    '<td class="n">45 <small>6.9%</small></td>'
    """
    look = "n z" if is_zero else "n"
    return f'<td class="{look}">{shown}{f" <small>{note}</small>" if note else ""}</td>'


def _table(table: TableKind, features: Sequence[WarnedFeature], *, is_full: bool) -> str:
    columns = features[0].feature.columns
    rows = "\n".join(_feature(table, warned, is_full) for warned in features)
    return f'<table class="features {table.kind}">{_head(table, columns)}\n{rows}</table>'


def _head(table: TableKind, columns: Sequence[Column]) -> str:
    headings = [
        f'<th scope="col"{"" if field.is_text else _NUMBERS}{_title(field.hint)}>'
        f"{field.heading}</th>"
        for field in table.fields
    ]
    charts = [
        f'<th scope="col" class="s{index} split"><span>{markup(column.name)}</span></th>'
        for index, column in enumerate(columns if table.charts else [])
    ]
    return (
        '<thead><tr><th scope="col" class="name">feature</th><th scope="col">split</th>'
        f"{''.join(headings)}{''.join(charts)}</tr></thead>"
    )


def _feature(table: TableKind, warned: WarnedFeature, is_full: bool) -> str:
    look = "feature warned" if warned.warnings else "feature"
    rows = "".join(_rows(table, warned.feature, warned.warnings, is_full))
    return f'<tbody class="{look}">{rows}</tbody>'


def _rows(
    table: TableKind, feature: Feature, warnings: Sequence[str], is_full: bool
) -> Iterator[str]:
    height = len(feature.columns)
    span = f' rowspan="{height}"' if height > 1 else ""
    drawn = table.charts(feature, is_full) if table.charts else []
    charts = "".join(f"<td{span}>{chart}</td>" for chart in drawn)
    for index, entry in enumerate(feature.entries):
        name = _name_cell(feature, warnings, span) if index == 0 else ""
        yield (
            f"<tr>{name}{_split_cell(feature.columns[index], index)}"
            f"{_cells(table, feature, entry)}{charts if index == 0 else ''}</tr>"
        )


def _name_cell(feature: Feature, warnings: Sequence[str], span: str) -> str:
    name = feature.name or "(no name)"
    is_long = len(name) > _LONGEST_NAME
    shown = markup(visible(name[:_LONGEST_NAME])) + ("…" if is_long else "")
    title = f' title="{markup(hint(name))}"' if is_long else ""
    words = "".join(f'<span class="warning">{markup(warning)}</span>' for warning in warnings)
    types = ", ".join(feature.type_names)
    return (
        f'<th scope="rowgroup" class="name"{span}><b{title}>{shown}</b>'
        f"<small>{types}</small>{words}</th>"
    )


def _split_cell(column: Column, index: int) -> str:
    return f'<th scope="row" class="s{index} split"><span>{markup(column.name)}</span></th>'


def _cells(table: TableKind, feature: Feature, entry: Entry | None) -> str:
    if entry is not None and entry.kind == feature.kind:
        return "".join(field.cell(entry) for field in table.fields)
    words = "not in this split" if entry is None else f"{entry.type_name} in this split"
    return f'<td class="muted" colspan="{len(table.fields)}">{words}</td>'


def _title(text: str) -> str:
    return f' title="{markup(text)}"' if text else ""
