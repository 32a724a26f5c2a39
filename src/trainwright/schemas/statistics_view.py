"""Statistics as schemas ask them: presence, valency, values, and nesting of features."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tensorflow_metadata.proto.v0 import schema_pb2, statistics_pb2

from trainwright.schemas.feature_paths import Path

# The slice that holds all examples, when statistics were computed over slices.
ALL_EXAMPLES = "All Examples"

_Statistics = statistics_pb2.FeatureNameStatistics

_FEATURE_TYPES = {
    _Statistics.INT: schema_pb2.INT,
    _Statistics.FLOAT: schema_pb2.FLOAT,
    _Statistics.STRING: schema_pb2.BYTES,
    _Statistics.BYTES: schema_pb2.BYTES,
    _Statistics.STRUCT: schema_pb2.STRUCT,
}


def all_examples(
    statistics: statistics_pb2.DatasetFeatureStatisticsList, role: str = "statistics"
) -> statistics_pb2.DatasetFeatureStatistics:
    """The statistics over all examples: the only ones, or those of the slice of all examples."""
    if not isinstance(statistics, statistics_pb2.DatasetFeatureStatisticsList):
        raise TypeError(
            f"{role} is of type {type(statistics).__name__}, should be "
            "a DatasetFeatureStatisticsList proto."
        )
    if len(statistics.datasets) == 1:
        return statistics.datasets[0]
    for dataset in statistics.datasets:
        if dataset.name == ALL_EXAMPLES:
            return dataset
    names = [dataset.name for dataset in statistics.datasets]
    raise ValueError(
        f"{role} holds {len(names)} datasets, {names}, none of which is {ALL_EXAMPLES!r}. "
        "Expected one dataset, or slices together with the one over all examples."
    )


class FeatureView:
    """The statistics of one feature; numbers are weighted if the dataset's are."""

    def __init__(self, dataset: DatasetView, path: Path, statistics: Any) -> None:
        self.dataset = dataset
        self.path = path
        self.statistics = statistics
        self.children: list[FeatureView] = []

    @property
    def type(self) -> int:
        """A value of `FeatureNameStatistics.Type`."""
        kind: int = self.statistics.type
        return kind

    @property
    def feature_type(self) -> int:
        """The type that a schema gives to such a feature."""
        kind: int = _FEATURE_TYPES.get(self.type, schema_pb2.TYPE_UNKNOWN)
        return kind

    @property
    def has_common_statistics(self) -> bool:
        """False for sparse and weighted features, of which only custom statistics are known."""
        return self.statistics.WhichOneof("stats") is not None

    @property
    def common(self) -> Any:
        kind = self.statistics.WhichOneof("stats")
        if kind is None:
            return statistics_pb2.CommonStatistics()
        return getattr(self.statistics, kind).common_stats

    @property
    def num_present(self) -> float:
        return float(self._weighable.num_non_missing)

    @property
    def num_missing(self) -> float:
        return float(self._weighable.num_missing)

    @property
    def _weighable(self) -> Any:
        return self.common.weighted_common_stats if self.dataset.by_weight else self.common

    @property
    def fraction_present(self) -> float | None:
        if self.dataset.num_examples <= 0:
            return None
        # Weights are sums of floats: nothing missing must be exactly 1.
        return 1.0 if self.num_missing == 0 else self.num_present / self.dataset.num_examples

    @property
    def missing_by_level(self) -> list[float]:
        """How often values are missing, on each level of nesting."""
        common = self.common
        levels = (
            common.weighted_presence_and_valency_stats
            if self.dataset.by_weight
            else common.presence_and_valency_stats
        )
        return [float(level.num_missing) for level in levels] or [self.num_missing]

    @property
    def valency_by_level(self) -> list[tuple[int, int]]:
        """The smallest and the largest number of values, on each level of nesting."""
        common = self.common
        levels = common.presence_and_valency_stats or [common]
        return [(int(level.min_num_values), int(level.max_num_values)) for level in levels]

    @property
    def total_values(self) -> float:
        if self.dataset.by_weight:
            return float(self.common.weighted_common_stats.tot_num_values)
        common = self.common
        # Old statistics do not have the total.
        return float(common.tot_num_values or common.num_non_missing * common.avg_num_values)

    @property
    def value_counts(self) -> dict[str, float]:
        """How often each of the counted values occurs, in the order of the values."""
        strings = self.statistics.string_stats
        histogram = (
            strings.weighted_string_stats.rank_histogram
            if self.dataset.by_weight
            else strings.rank_histogram
        )
        counts: dict[str, float] = {}
        for bucket in histogram.buckets:
            counts.setdefault(bucket.label, bucket.sample_count)
        return dict(sorted(counts.items()))

    @property
    def has_invalid_utf8(self) -> bool:
        return bool(self.statistics.string_stats.invalid_utf8_count > 0)

    @property
    def num_unique(self) -> int | None:
        """How many different values there are, if they were counted."""
        if not self.statistics.HasField("string_stats"):
            return None
        return int(self.statistics.string_stats.unique)

    def histogram(self, kind: int) -> Any | None:
        """The first numeric histogram of a kind, or None."""
        numeric = self.statistics.num_stats
        histograms = (
            numeric.weighted_numeric_stats.histograms
            if self.dataset.by_weight
            else numeric.histograms
        )
        return next((histogram for histogram in histograms if histogram.type == kind), None)

    def custom_statistic(self, name: str) -> Any | None:
        return next((found for found in self.statistics.custom_stats if found.name == name), None)


class DatasetView:
    """The statistics of a dataset, by feature.

    Args:
        statistics: The statistics over all examples.
        by_weight: Whether to look at weighted numbers; by default if all features have them.
    """

    def __init__(
        self,
        statistics: statistics_pb2.DatasetFeatureStatistics,
        *,
        by_weight: bool | None = None,
    ) -> None:
        self._statistics = statistics
        known = [feature for feature in statistics.features if not _is_empty(feature)]
        self.by_weight = _is_weighted(statistics, known) if by_weight is None else by_weight
        self.features = {
            path: FeatureView(self, path, feature) for path, feature in _with_paths(known)
        }
        self.roots: list[FeatureView] = []
        for path, view in self.features.items():
            parent = self.features.get(path[:-1]) if len(path) > 1 else None
            (self.roots if parent is None else parent.children).append(view)
        for view in self.features.values():
            view.children.sort(key=lambda child: child.path)

    @property
    def num_examples(self) -> float:
        if self.by_weight:
            return float(self._statistics.weighted_num_examples)
        return float(self._statistics.num_examples)


def _is_empty(feature: Any) -> bool:
    return feature.WhichOneof("stats") is None and not feature.custom_stats


def _is_weighted(statistics: Any, features: Sequence[Any]) -> bool:
    if not statistics.weighted_num_examples:
        return False
    return all(_has_weights(feature) for feature in features)


def _has_weights(feature: Any) -> bool:
    kind = feature.WhichOneof("stats")
    if kind is None:
        return False
    common = getattr(feature, kind).common_stats
    levels, weighted = common.presence_and_valency_stats, common.weighted_presence_and_valency_stats
    return common.HasField("weighted_common_stats") and len(levels) == len(weighted)


def _with_paths(features: Sequence[Any]) -> Iterator[tuple[Path, Any]]:
    """Features with their paths. Old statistics have names, in which a dot may mean nesting."""
    if all(feature.HasField("path") for feature in features):
        return ((tuple(feature.path.step), feature) for feature in features)
    if any(feature.HasField("path") for feature in features):
        raise ValueError(
            "Some features of the statistics have a name and some have a path. Expected one or the "
            "other throughout: compute the statistics again with one version of the software."
        )
    return iter(_paths_from_names(features))


def _paths_from_names(features: Sequence[Any]) -> list[tuple[Path, Any]]:
    paths: dict[str, Path] = {}
    structs: list[str] = []
    for feature in sorted(features, key=lambda feature: feature.name):
        name = feature.name
        # In the order of the names, a struct comes just before what is inside it.
        while structs and not (name.startswith(structs[-1]) and name != structs[-1]):
            structs.pop()
        inside = structs[-1] if structs else None
        paths[name] = (name,) if inside is None else (*paths[inside], name[len(inside) + 1 :])
        if feature.type == _Statistics.STRUCT:
            structs.append(name)
    return [(paths[feature.name], feature) for feature in features]
