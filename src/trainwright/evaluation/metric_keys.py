"""Metric keys: the metric, model, output, class and average that name a number."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal

AggregationType = Literal["micro_average", "macro_average", "weighted_macro_average"]

# The columns and values that a slice is made of; all examples are the empty tuple.
SliceValue = int | float | str
SliceKey = tuple[tuple[str, SliceValue], ...]

ALL_EXAMPLES: SliceKey = ()


@dataclass(frozen=True, order=True)
class SubKey:
    """Which part of a multi-class prediction a metric is about.

    Args:
        class_id: The class with this number against the others.
        k: The class with the k-th highest prediction.
        top_k: The k classes with the highest predictions.
    """

    class_id: int | None = None
    k: int | None = None
    top_k: int | None = None

    def __str__(self) -> str:
        given = dataclasses.asdict(self).items()
        return ", ".join(f"{name}={value}" for name, value in given if value is not None)


@dataclass(frozen=True)
class MetricKey:
    """The full name of a metric or plot of one slice.

    >>> str(MetricKey("auc", sub_key=SubKey(class_id=2), is_diff=True))
    'auc (class_id=2), change'
    """

    name: str
    model_name: str = ""
    output_name: str = ""
    sub_key: SubKey | None = None
    aggregation_type: AggregationType | None = None
    example_weighted: bool | None = None
    is_diff: bool = False

    def of_model(self, model_name: str) -> MetricKey:
        return dataclasses.replace(self, model_name=model_name, is_diff=False)

    def diff(self) -> MetricKey:
        """The key of the change from the baseline's value to this one."""
        return dataclasses.replace(self, is_diff=True)

    def __str__(self) -> str:
        details = [str(self.sub_key or ""), self.aggregation_type or "", self.output_name]
        inside = ", ".join(detail for detail in details if detail)
        return f"{self.name}{f' ({inside})' if inside else ''}{', change' if self.is_diff else ''}"
