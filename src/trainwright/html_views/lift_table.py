"""The table of lift: which values of features raise or lower how often a label is seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from trainwright._markup import Markup, html, join
from trainwright.html_views.columns import Column
from trainwright.html_views.numbers import counted, number
from trainwright.html_views.page import plain_table
from trainwright.html_views.text import markup, value

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import statistics_pb2

MOST_ROWS = 200
_MOST_VALUES = 3

_ABOUT = html(
    '<p class="muted">Lift: how many times as often a label is seen beside a value '
    "as among all examples. At 1, the value tells nothing about the label.</p>"
)


def lift_section(columns: Sequence[Column]) -> Iterator[Markup]:
    """The markup of the lift in these statistics, if there is any.

    Example: `join(lift_section(columns))`
    """
    rows = [row for column in columns for row in _rows(column)]
    if not rows:
        return
    yield html("<section><h2>Lift <small>{}</small></h2>{}", number(len(rows)), _ABOUT)
    headings = ["feature", "split", "label", "examples", "highest lift", "lowest lift"]
    yield plain_table(headings, rows[:MOST_ROWS], name="Lift")
    if len(rows) > MOST_ROWS:
        yield html(
            '<p class="muted">{} more are not shown.</p>', counted(len(rows) - MOST_ROWS, "row")
        )
    yield html("</section>")


def _rows(column: Column) -> Iterator[list[str]]:
    for cross in column.dataset.cross_features:
        name = value(".".join(cross.path_x.step))
        label = ".".join(cross.path_y.step)
        for series in cross.categorical_cross_stats.lift.lift_series:
            # Series with weights repeat the labels; the counts are easier to read.
            if series.lift_values and not series.HasField("weighted_y_count"):
                ordered = sorted(series.lift_values, key=lambda one: -one.lift)
                shown = html("{} = {}", value(label), value(_text(series, "y")))
                high = ordered[:_MOST_VALUES]
                low = ordered[_MOST_VALUES:][-_MOST_VALUES:][::-1]
                yield [
                    name,
                    markup(column.name),
                    shown,
                    number(series.y_count),
                    *map(_cell, (high, low)),
                ]


def _cell(values: Sequence[statistics_pb2.LiftSeries.LiftValue]) -> Markup:
    return join(
        (html("{} <b>{}</b>", value(_text(one, "x")), number(one.lift)) for one in values),
        html("<br>"),
    )


def _text(message: Any, name: str) -> str:
    kind = message.WhichOneof(f"{name}_value")
    if kind == "y_bucket":
        return f"{number(message.y_bucket.low_value)} to {number(message.y_bucket.high_value)}"
    return "" if kind is None else str(getattr(message, kind))
