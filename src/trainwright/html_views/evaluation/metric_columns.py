"""Columns of metrics: grouped by model, output and classes, numbers before others."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trainwright.evaluation.metric_keys import MetricKey, SubKey
from trainwright.html_views.evaluation.found import Found, FoundSlice

_AVERAGES = {
    "micro_average": "micro average",
    "macro_average": "macro average",
    "weighted_macro_average": "weighted macro average",
}
# It has a column of its own.
_COUNTED = "example_count"


@dataclass(frozen=True)
class MetricColumn:
    """A metric of a candidate; the baseline's value and the change stand in the same cells.

    Args:
        key: The metric.
        group: What it is about, for a heading over several columns; "" for the whole prediction.
        name: Its name, for the heading of the column.
    """

    key: MetricKey
    group: str
    name: str


def metric_columns(found: Found, slices: Sequence[FoundSlice]) -> list[MetricColumn]:
    """The columns of a table of these slices, those of a group beside each other.

    Example: `[column.name for column in metric_columns(found, found.slices)]`
    """
    stored = dict.fromkeys(key for one in slices for key in one.items if not key.is_diff)
    below = _below_candidates(found, stored)
    keys = [key for key in stored if key.name != _COUNTED and key not in below]
    with_model = len({key.model_name for key in keys}) > 1
    # The same name twice in a group: one of them weights examples, or was compiled into the model.
    names = Counter(dataclasses.replace(key, example_weighted=None) for key in keys)
    columns = [
        MetricColumn(
            key=key,
            group=group_words(key, with_model=with_model),
            name=_name(key, names[dataclasses.replace(key, example_weighted=None)] > 1),
        )
        for key in keys
    ]
    # Metrics stay in the order of the config within their group.
    return sorted(
        columns,
        key=lambda column: (column.key.model_name, column.key.output_name, group_order(column.key)),
    )


def group_words(key: MetricKey, *, with_model: bool = False) -> str:
    """What a metric or plot is about, beside its name.

    >>> group_words(MetricKey("auc", output_name="head", sub_key=SubKey(class_id=2)))
    'head · class 2'
    """
    parts = [
        (key.model_name or "no name") if with_model else "",
        key.output_name,
        *_sub_key_words(key.sub_key),
        _AVERAGES.get(key.aggregation_type or "", ""),
    ]
    return " · ".join(part for part in parts if part)


def metric_words(key: MetricKey) -> str:
    """The name of a metric with what it is about.

    >>> metric_words(MetricKey("recall", sub_key=SubKey(top_k=2), is_diff=True))
    'recall (top 2)'
    """
    group = group_words(key)
    return f"{key.name} ({group})" if group else key.name


def group_order(key: MetricKey) -> tuple[object, ...]:
    """Sorts what metrics and plots are about: the whole prediction, averages, class by class."""
    sub_key = key.sub_key or SubKey()
    numbers = (sub_key.class_id, sub_key.k, sub_key.top_k)
    return (
        any(number is not None for number in numbers),
        key.aggregation_type or "",
        tuple(math.inf if number is None else number for number in numbers),
    )


def _below_candidates(found: Found, stored: Iterable[MetricKey]) -> set[MetricKey]:
    """The baseline's metrics, which stand below those of candidates."""
    if found.baseline is None:
        return set()
    return {key.of_model(found.baseline) for key in stored if not found.is_baseline(key.model_name)}


def _name(key: MetricKey, is_ambiguous: bool) -> str:
    if not is_ambiguous or key.example_weighted is False:
        return key.name
    return f"{key.name} ({'weighted' if key.example_weighted else 'compiled'})"


def _sub_key_words(sub_key: SubKey | None) -> list[str]:
    if sub_key is None:
        return []
    parts = (("class", sub_key.class_id), ("k =", sub_key.k), ("top", sub_key.top_k))
    return [f"{word} {number}" for word, number in parts if number is not None]
