"""The page of statistics: what is in the splits, feature by feature, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trainwright._markup import EMPTY, Markup, html, join
from trainwright.html_views.columns import MOST_COLUMNS, Column, all_columns, with_features
from trainwright.html_views.feature_fields import table_kind
from trainwright.html_views.feature_table import MOST_OPEN, WarnedFeature, feature_tables
from trainwright.html_views.feature_warnings import feature_warnings
from trainwright.html_views.features import Kind, all_features
from trainwright.html_views.numbers import counted, number
from trainwright.html_views.page import filter_controls, page, plain_table
from trainwright.html_views.text import markup, value

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import statistics_pb2

_HEADINGS: dict[Kind, str] = {
    "numeric": "Numbers",
    "text": "Strings and bytes",
    "other": "Structures",
}
_CHOICE = html(
    '<p class="choice">Histograms: <label><input type="radio" name="histogram" '
    'id="standard" checked> equal widths</label><label title="Each box holds the '
    'same number of values"><input type="radio" name="histogram" id="quantiles"> '
    "quantiles</label></p>"
)

_MOST_LIFT_ROWS = 200
_MOST_LIFT_VALUES = 3

_ABOUT_LIFT = html(
    '<p class="muted">Lift: how many times as often a label is seen beside a value '
    "as among all examples. At 1, the value tells nothing about the label.</p>"
)


def statistics_page(
    splits: Mapping[str, statistics_pb2.DatasetFeatureStatisticsList],
    *,
    title: str = "Statistics",
    subtitle: str = "",
) -> Markup:
    """One HTML file that compares the splits.

    Args:
        splits: The statistics of each split, by its name.
        title: The heading of the page, as text.
        subtitle: A line below it, for example where the statistics are.

    Example: `Path("statistics.html").write_text(statistics_page({"train": statistics}))`
    """
    columns = all_columns(splits)
    shown = columns[:MOST_COLUMNS]
    features = [
        WarnedFeature(feature, feature_warnings(feature))
        for feature in all_features(with_features(shown))
    ]
    parts = [
        _overview(shown, features),
        _left_out(columns),
        _about_missing(features),
        *_controls(features),
        *_sections(features),
        *_lift_section(shown),
    ]
    return page(title, subtitle, parts)


def _overview(columns: Sequence[Column], features: Sequence[WarnedFeature]) -> Markup:
    if not columns:
        return html("<p>There are no statistics here: no split has any.</p>")
    rows = [_overview_row(column, index, features) for index, column in enumerate(columns)]
    headings = ["split", "examples", "features", "numbers", "strings"]
    if any(warned.feature.kind == "other" for warned in features):
        headings.append("structures")
    cells = [row[: len(headings)] for row in rows]
    count = sum(bool(warned.warnings) for warned in features)
    words = f"{counted(count, 'feature has', 'features have')} warnings." if count else ""
    return html(
        '<div class="facts">{}</div><p>{}</p>', plain_table(headings, cells, name="Overview"), words
    )


def _overview_row(column: Column, index: int, features: Sequence[WarnedFeature]) -> list[str]:
    # A split without features is not in the table of features.
    entries = [entry for warned in features for entry in warned.feature.entries[index : index + 1]]
    present = [entry for entry in entries if entry is not None]
    counts = [sum(entry.kind == kind for entry in present) for kind in _HEADINGS]
    examples = number(column.num_examples)
    if not column.num_examples:
        examples = html('<span class="mark warn">▲ {}</span>', examples)
    name = html('<span class="s{} split"><span>{}</span></span>', index, markup(column.name))
    return [name, examples, *map(number, [len(present), *counts])]


def _left_out(columns: Sequence[Column]) -> Markup:
    if len(columns) <= MOST_COLUMNS:
        return EMPTY
    names = join((markup(column.name) for column in columns[MOST_COLUMNS:]), ", ")
    return html(
        '<p>{} more would not fit side by side: <span class="muted">{}</span></p>',
        counted(len(columns) - MOST_COLUMNS, "split or slice", "splits and slices"),
        names,
    )


def _about_missing(features: Sequence[WarnedFeature]) -> Markup:
    if not any(warned.feature.absent_fraction for warned in features):
        return EMPTY
    return html(
        '<p class="muted">Missing: the example has no value, because it does not have '
        "the feature or has it without a value, as for an empty cell of a CSV file. An "
        "empty string is a value.</p>"
    )


def _controls(features: Sequence[WarnedFeature]) -> Iterator[Markup]:
    if len(features) > 1:
        yield filter_controls(with_warnings=True, with_order=len(features) <= MOST_OPEN)


def _sections(features: Sequence[WarnedFeature]) -> Iterator[Markup]:
    for kind, heading in _HEADINGS.items():
        chosen = [warned for warned in features if warned.feature.kind == kind]
        if chosen:
            yield html("<section><h2>{} <small>{}</small></h2>", heading, number(len(chosen)))
            if kind == "numeric":
                yield _CHOICE
            table = table_kind(kind, [warned.feature for warned in chosen])
            yield from feature_tables(table, chosen)
            yield html("</section>")


def _lift_section(columns: Sequence[Column]) -> Iterator[Markup]:
    """Which values of features raise or lower how often a label is seen, if that is known."""
    rows = [row for column in columns for row in _lift_rows(column)]
    if not rows:
        return
    yield html("<section><h2>Lift <small>{}</small></h2>{}", number(len(rows)), _ABOUT_LIFT)
    headings = ["feature", "split", "label", "examples", "highest lift", "lowest lift"]
    yield plain_table(headings, rows[:_MOST_LIFT_ROWS], name="Lift")
    if len(rows) > _MOST_LIFT_ROWS:
        yield html(
            '<p class="muted">{} more are not shown.</p>',
            counted(len(rows) - _MOST_LIFT_ROWS, "row"),
        )
    yield html("</section>")


def _lift_rows(column: Column) -> Iterator[list[str]]:
    for cross in column.dataset.cross_features:
        name = value(".".join(cross.path_x.step))
        label = ".".join(cross.path_y.step)
        for series in cross.categorical_cross_stats.lift.lift_series:
            # Series with weights repeat the labels; the counts are easier to read.
            if series.lift_values and not series.HasField("weighted_y_count"):
                ordered = sorted(series.lift_values, key=lambda one: -one.lift)
                shown = html("{} = {}", value(label), value(_lift_text(series, "y")))
                high = ordered[:_MOST_LIFT_VALUES]
                low = ordered[_MOST_LIFT_VALUES:][-_MOST_LIFT_VALUES:][::-1]
                yield [
                    name,
                    markup(column.name),
                    shown,
                    number(series.y_count),
                    *map(_lift_cell, (high, low)),
                ]


def _lift_cell(values: Sequence[statistics_pb2.LiftSeries.LiftValue]) -> Markup:
    return join(
        (html("{} <b>{}</b>", value(_lift_text(one, "x")), number(one.lift)) for one in values),
        html("<br>"),
    )


def _lift_text(message: Any, name: str) -> str:
    kind = message.WhichOneof(f"{name}_value")
    if kind == "y_bucket":
        return f"{number(message.y_bucket.low_value)} to {number(message.y_bucket.high_value)}"
    return "" if kind is None else str(getattr(message, kind))
