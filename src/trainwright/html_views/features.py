"""Features as they are compared: one name, and its statistics in every column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from trainwright.html_views.columns import Column

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import statistics_pb2

Kind = Literal["numeric", "text", "other"]

_KINDS: dict[str, Kind] = {
    "num_stats": "numeric",
    "string_stats": "text",
    "bytes_stats": "text",
    "struct_stats": "other",
}
_TYPES = ("int", "float", "string", "bytes", "struct")


@dataclass(frozen=True)
class Entry:
    """One feature in one column."""

    column: Column
    statistics: statistics_pb2.FeatureNameStatistics

    @cached_property
    def kind(self) -> Kind:
        # Statistics without content, as of a column that nobody has filled, go by their type.
        by_type: Kind = "numeric" if self.type_name in ("int", "float") else "text"
        return _KINDS.get(self.statistics.WhichOneof("stats") or "", by_type)

    @property
    def type_name(self) -> str:
        number = self.statistics.type
        return _TYPES[number] if number < len(_TYPES) else f"type {number}"

    @cached_property
    def common(self) -> statistics_pb2.CommonStatistics:
        from tensorflow_metadata.proto.v0 import statistics_pb2

        which = self.statistics.WhichOneof("stats")
        if which is None:
            return statistics_pb2.CommonStatistics()
        return getattr(self.statistics, which).common_stats

    @property
    def _empty(self) -> int | None:
        """In how many examples it is there without a value.

        None if there are some, but the statistics do not tell how many.
        """
        common = self.common
        if common.min_num_values > 0 or not common.num_non_missing:
            return 0
        if common.max_num_values <= 1:
            return max(int(common.num_non_missing - common.tot_num_values), 0)
        return None

    @property
    def num_examples(self) -> int:
        return int(self.common.num_missing + self.common.num_non_missing)

    @property
    def missing(self) -> int:
        """In how many examples there is no value, whether or not the feature is there.

        An empty cell in CSV is a feature without a value. If the statistics do not tell how many of
        these there are, only those that do not have the feature count.
        """
        return int(self.common.num_missing) + (self._empty or 0)

    @property
    def may_miss_more(self) -> bool:
        return self._empty is None

    @cached_property
    def absent_fraction(self) -> float:
        """The part of the examples that give no value."""
        return self.missing / self.num_examples if self.num_examples else 0.0

    @property
    def num_values(self) -> int:
        """How many values there are; older statistics have only the mean per example."""
        common = self.common
        return int(common.tot_num_values or round(common.avg_num_values * common.num_non_missing))


@dataclass(frozen=True)
class Feature:
    """A feature in all columns; None stands for a column that does not have it."""

    path: tuple[str, ...]
    columns: Sequence[Column]
    entries: Sequence[Entry | None]

    @property
    def name(self) -> str:
        """Its path with dots; the same path in a schema or an anomaly has the same name."""
        return ".".join(self.path)

    @cached_property
    def present(self) -> list[Entry]:
        return [entry for entry in self.entries if entry is not None]

    @property
    def kind(self) -> Kind:
        return self.present[0].kind

    @property
    def type_names(self) -> list[str]:
        """Its types in the order of the columns; more than one is worth a word."""
        return list(dict.fromkeys(entry.type_name for entry in self.present))

    @property
    def absent_fraction(self) -> float:
        return max(entry.absent_fraction for entry in self.present)


def all_features(columns: Sequence[Column]) -> list[Feature]:
    """Every feature of any column; those with the most missing values first, then by name.

    Example: `[feature.name for feature in all_features(columns)]`
    """
    # By path, because a name with dots may be a path of several steps or one of a single step.
    entries: dict[tuple[str, ...], list[Entry | None]] = {}
    for index, column in enumerate(columns):
        for statistics in column.dataset.features:
            path = tuple(statistics.path.step) or (statistics.name,)
            row = entries.setdefault(path, [None] * len(columns))
            row[index] = Entry(column, statistics)
    features = [Feature(path, columns, row) for path, row in entries.items()]
    return sorted(features, key=lambda feature: (-feature.absent_fraction, feature.name))
