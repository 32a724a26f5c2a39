"""Fields shown for features of each kind: numbers, strings, and those with counts alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trainwright._markup import Markup, html
from trainwright.html_views.feature_table import Field, TableKind, number_cell
from trainwright.html_views.features import Entry, Feature, Kind
from trainwright.html_views.histogram_chart import FULL, SMALL, histogram_charts
from trainwright.html_views.numbers import NOTHING, number, percent
from trainwright.html_views.text import value
from trainwright.html_views.value_chart import FEW_VALUES, MOST_VALUES, value_charts

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import statistics_pb2

_NO_NUMBER = html('<td class="n z">{}</td>', NOTHING)


def table_kind(kind: Kind, features: Sequence[Feature]) -> TableKind:
    """How to show these features; what is the same for all of them gets no column.

    Example: `[field.heading for field in table_kind("numeric", features).fields]`
    """
    entries = [entry for feature in features for entry in feature.present]
    fields = [_COUNT, _MISSING]
    if any(entry.common.max_num_values > 1 for entry in entries):
        fields.append(_VALUES)
    return TableKind(kind=kind, fields=fields + _OWN_FIELDS[kind], charts=_CHARTS[kind])


def _count(entry: Entry) -> Markup:
    return _counted(entry.num_examples - entry.missing)


def _missing(entry: Entry) -> Markup:
    if entry.may_miss_more:
        return number_cell(number(entry.missing), note="or more")
    return _part(entry.missing, entry.num_examples)


def _values(entry: Entry) -> Markup:
    common = entry.common
    if common.min_num_values == common.max_num_values:
        return number_cell(number(common.max_num_values))
    ends = f"{number(common.min_num_values)} to {number(common.max_num_values)}"
    return number_cell(ends, note=f"mean {number(common.avg_num_values)}")


def _part(count: int, whole: int) -> Markup:
    note = percent(count / whole) if count and whole else ""
    return number_cell(number(count), is_zero=not count, note=note)


def _counted(count: float) -> Markup:
    return number_cell(number(count), is_zero=not count)


def _zeros(entry: Entry) -> Markup:
    return _part(int(entry.statistics.num_stats.num_zeros), entry.num_values)


def _numeric_field(heading: str, name: str) -> Field:
    def cell(entry: Entry) -> Markup:
        numbers = entry.statistics.num_stats
        if not entry.num_values:
            return _NO_NUMBER
        weighted = numbers.weighted_numeric_stats
        is_weighted = numbers.HasField("weighted_numeric_stats") and hasattr(weighted, name)
        note = f"weighted {number(getattr(weighted, name))}" if is_weighted else ""
        return number_cell(number(getattr(numbers, name)), note=note)

    return Field(heading=heading, cell=cell)


def _unique(entry: Entry) -> Markup:
    which = entry.statistics.WhichOneof("stats")
    return _counted(getattr(entry.statistics, which).unique) if which else _NO_NUMBER


def _top_value(entry: Entry) -> Markup:
    top = _most_frequent(entry)
    return html('<td class="top">{}</td>', value(top.value, 32) if top else NOTHING)


def _frequency(entry: Entry) -> Markup:
    top = _most_frequent(entry)
    return _part(int(top.frequency), entry.num_values) if top else _NO_NUMBER


def _most_frequent(entry: Entry) -> statistics_pb2.StringStatistics.FreqAndValue | None:
    return next(iter(entry.statistics.string_stats.top_values), None)


def _average_length(entry: Entry) -> Markup:
    if not entry.num_values:
        return _NO_NUMBER
    if entry.statistics.WhichOneof("stats") == "bytes_stats":
        data = entry.statistics.bytes_stats
        ends = f"{number(data.min_num_bytes)} to {number(data.max_num_bytes)} bytes"
        return number_cell(number(data.avg_num_bytes), note=ends)
    return number_cell(number(entry.statistics.string_stats.avg_length))


_COUNT = Field(heading="count", cell=_count, hint="Examples that have a value")
_MISSING = Field(heading="missing", cell=_missing, hint="Examples that have no value")
_VALUES = Field(heading="values", cell=_values, hint="Values in one example")

_OWN_FIELDS: dict[Kind, list[Field]] = {
    "numeric": [
        _numeric_field("mean", "mean"),
        _numeric_field("std dev", "std_dev"),
        Field(heading="zeros", cell=_zeros),
        _numeric_field("min", "min"),
        _numeric_field("median", "median"),
        _numeric_field("max", "max"),
    ],
    "text": [
        Field(heading="unique", cell=_unique, hint="Different values"),
        Field(heading="top value", cell=_top_value, hint="The most frequent value", is_text=True),
        Field(heading="frequency", cell=_frequency, hint="How often the top value occurs"),
        Field(heading="average length", cell=_average_length),
    ],
    "other": [],
}

_CHARTS = {
    "numeric": lambda feature, is_full: histogram_charts(feature, FULL if is_full else SMALL),
    "text": lambda feature, is_full: value_charts(feature, MOST_VALUES if is_full else FEW_VALUES),
    "other": None,
}
