"""Views of statistics: slices, features and what is known of each."""

from __future__ import annotations

from collections.abc import Iterable, KeysView
from functools import cached_property
from typing import Any

from tensorflow_metadata.proto.v0 import statistics_pb2

from trainwright._suggest import did_you_mean
from trainwright.compat.tfdv.feature_path import FeaturePath

# The name of the dataset with all examples, where there are slices, too.
DEFAULT_SLICE_KEY = "All Examples"

FeatureId = str | FeaturePath | Iterable[str]


class FeatureView:
    """The statistics of one feature; what it does not have is None."""

    def __init__(self, stats_proto: statistics_pb2.FeatureNameStatistics) -> None:
        self._proto = stats_proto

    def proto(self) -> statistics_pb2.FeatureNameStatistics:
        return self._proto

    def custom_statistic(self, name: str) -> statistics_pb2.CustomStatistic | None:
        found = [one for one in self._proto.custom_stats if one.name == name]
        if len(found) > 1:
            raise ValueError(f"Duplicate custom_stats for name {name}")
        return found[0] if found else None

    def numeric_statistics(self) -> statistics_pb2.NumericStatistics | None:
        return self._proto.num_stats if self._proto.HasField("num_stats") else None

    def string_statistics(self) -> statistics_pb2.StringStatistics | None:
        return self._proto.string_stats if self._proto.HasField("string_stats") else None

    def bytes_statistics(self) -> statistics_pb2.BytesStatistics | None:
        return self._proto.bytes_stats if self._proto.HasField("bytes_stats") else None

    def struct_statistics(self) -> statistics_pb2.StructStatistics | None:
        return self._proto.struct_stats if self._proto.HasField("struct_stats") else None

    def common_statistics(self) -> statistics_pb2.CommonStatistics | None:
        """How many examples have the feature, and how many values."""
        kind = self._proto.WhichOneof("stats")
        return getattr(self._proto, kind).common_stats if kind else None


class CrossFeatureView:
    """The statistics of two features together."""

    def __init__(self, stats_proto: statistics_pb2.CrossFeatureStatistics) -> None:
        self._proto = stats_proto

    def proto(self) -> statistics_pb2.CrossFeatureStatistics:
        return self._proto


class DatasetView:
    """The statistics of one dataset, or of one slice."""

    def __init__(self, stats_proto: statistics_pb2.DatasetFeatureStatistics) -> None:
        self._proto = stats_proto

    def proto(self) -> statistics_pb2.DatasetFeatureStatistics:
        return self._proto

    def get_feature(self, feature_id: FeatureId) -> FeatureView | None:
        return self._features.get(FeaturePath.of(feature_id))

    def list_features(self) -> KeysView[FeaturePath]:
        return self._features.keys()

    def get_cross_feature(self, x_path: FeatureId, y_path: FeatureId) -> CrossFeatureView | None:
        return self._cross_features.get((FeaturePath.of(x_path), FeaturePath.of(y_path)))

    def list_cross_features(self) -> KeysView[tuple[FeaturePath, FeaturePath]]:
        return self._cross_features.keys()

    @cached_property
    def _features(self) -> dict[FeaturePath, FeatureView]:
        features: dict[FeaturePath, FeatureView] = {}
        for feature in self._proto.features:
            path = feature_path(feature)
            if path in features:
                raise ValueError(f"Duplicate feature {path}")
            features[path] = FeatureView(feature)
        return features

    @cached_property
    def _cross_features(self) -> dict[tuple[FeaturePath, FeaturePath], CrossFeatureView]:
        return {
            (FeaturePath.from_proto(one.path_x), FeaturePath.from_proto(one.path_y)): (
                CrossFeatureView(one)
            )
            for one in self._proto.cross_features
        }


class DatasetListView:
    """The statistics of a dataset and of its slices.

    Example: `DatasetListView(statistics).get_default_slice().get_feature("fare")`
    """

    def __init__(self, stats_proto: statistics_pb2.DatasetFeatureStatisticsList) -> None:
        self._proto = stats_proto

    def proto(self) -> statistics_pb2.DatasetFeatureStatisticsList:
        return self._proto

    def get_slice(self, slice_key: str) -> DatasetView | None:
        return self._slices.get(slice_key)

    def get_default_slice(self) -> DatasetView | None:
        """All examples: the only dataset, or the one of that name."""
        if len(self._slices) == 1:
            return next(iter(self._slices.values()))
        return self._slices.get(DEFAULT_SLICE_KEY)

    def get_default_slice_or_die(self) -> DatasetView:
        found = self.get_default_slice()
        if found is None:
            raise ValueError(f"Missing default slice. There are {list(self._slices)}.")
        return found

    def list_slices(self) -> KeysView[str]:
        return self._slices.keys()

    @cached_property
    def _slices(self) -> dict[str, DatasetView]:
        slices: dict[str, DatasetView] = {}
        for dataset in self._proto.datasets:
            if dataset.name in slices:
                raise ValueError(f"Duplicate slice name {dataset.name}")
            slices[dataset.name] = DatasetView(dataset)
        return slices


def feature_path(feature: statistics_pb2.FeatureNameStatistics) -> FeaturePath:
    """The path of a feature, which statistics of old versions give as a name."""
    return FeaturePath.of(feature.name) if feature.name else FeaturePath.from_proto(feature.path)


def get_feature_stats(
    stats: statistics_pb2.DatasetFeatureStatistics, feature_path: FeatureId
) -> statistics_pb2.FeatureNameStatistics:
    """The statistics of one feature of a dataset; ValueError if it has none."""
    if not isinstance(stats, statistics_pb2.DatasetFeatureStatistics):
        raise TypeError(
            f"statistics is of type {type(stats).__name__}, should be a DatasetFeatureStatistics "
            "proto."
        )
    found = DatasetView(stats).get_feature(feature_path)
    if found is None:
        raise ValueError(f"Feature {feature_path} not found in the dataset statistics.")
    return found.proto()


def get_slice_stats(
    stats: statistics_pb2.DatasetFeatureStatisticsList, slice_key: str
) -> statistics_pb2.DatasetFeatureStatisticsList:
    """The statistics of one slice alone; ValueError if there is no such slice."""
    found = DatasetListView(stats).get_slice(slice_key)
    if found is None:
        raise ValueError(
            f"Invalid slice key. Got {slice_key!r}; the statistics have "
            f"{[one.name for one in stats.datasets]}."
        )
    return statistics_pb2.DatasetFeatureStatisticsList(datasets=[found.proto()])


def get_custom_stats(
    feature_stats: statistics_pb2.FeatureNameStatistics, custom_stats_name: str
) -> Any:
    """The value of a custom statistic of a feature; ValueError if it has none of this name."""
    for one in feature_stats.custom_stats:
        if one.name == custom_stats_name:
            return getattr(one, one.WhichOneof("val") or "num")
    names = [one.name for one in feature_stats.custom_stats]
    raise ValueError(
        f"Custom statistics {custom_stats_name} not found in the feature statistics"
        f"{did_you_mean(custom_stats_name, names)}"
    )
