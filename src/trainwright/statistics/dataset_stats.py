"""DatasetStats: the statistics of all features of the examples of a slice."""

from __future__ import annotations

import pyarrow as pa
from tensorflow_metadata.proto.v0 import statistics_pb2

from trainwright.engine.packing import pack, unpack
from trainwright.statistics.feature_arrays import Path, Weights, read_weights, walk_features
from trainwright.statistics.feature_stats import FeatureStats
from trainwright.statistics.lift import LiftCounts, LiftFeatures
from trainwright.statistics.schema_hints import SchemaHints
from trainwright.statistics.stats_options import StatsOptions


class DatasetStats:
    """The statistics so far.

    Args:
        options: What to compute.
        hints: What the schema says.
        lift: For which features lift is computed, if it is.
    """

    def __init__(
        self, options: StatsOptions, hints: SchemaHints, lift: LiftFeatures | None = None
    ) -> None:
        self.examples = 0
        self._weighted_examples = 0.0
        self._features: dict[Path, FeatureStats] = {}
        self._options, self._hints = options, hints
        has_weights = options.weight_feature is not None
        self._lift = None if lift is None else LiftCounts(lift, has_weights)

    def add(self, batch: pa.RecordBatch, examples: int, source: str) -> None:
        """Adds the examples of a batch, which was read from the file `source`.

        Args:
            batch: The features.
            examples: How many examples it is of: a batch without a feature does not know.
            source: What an error names.
        """
        self.examples += examples
        weights: Weights | None = None
        if self._options.weight_feature is not None and examples:
            weights = read_weights(batch, self._options.weight_feature)
            self._weighted_examples += float(weights.sum())
        chosen = self._chosen(batch)
        if self._lift is not None and examples:
            self._lift.add(batch, weights, chosen.schema.names)
        for path, array, array_weights in walk_features(chosen, weights):
            feature = self._features.get(path)
            if feature is None:
                feature = self._features[path] = FeatureStats(path, self._options, self._hints)
            feature.add(array, array_weights, source)

    def _chosen(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        allowed, denied = self._options.feature_allowlist, self._options.feature_denylist
        if not allowed and not denied:
            return batch
        names = batch.schema.names
        return batch.select(
            [
                name
                for name in names
                if (not allowed or name in allowed) and name not in (denied or ())
            ]
        )

    def merge(self, other: DatasetStats) -> None:
        self.examples += other.examples
        self._weighted_examples += other._weighted_examples
        if self._lift is not None and other._lift is not None:
            self._lift.merge(other._lift)
        for path, feature in other._features.items():
            if path in self._features:
                self._features[path].merge(feature)
            else:
                self._features[path] = feature

    def serialize(self) -> bytes:
        return pack(
            [self.examples, self._weighted_examples],
            [
                b"" if self._lift is None else self._lift.serialize(),
                *(feature.serialize() for feature in self._features.values()),
            ],
        )

    @classmethod
    def deserialize(
        cls, data: bytes, options: StatsOptions, hints: SchemaHints, lift: LiftFeatures | None
    ) -> DatasetStats:
        stats = cls(options, hints, lift)
        (stats.examples, stats._weighted_examples), (lift_blob, *blobs) = unpack(data)
        if stats._lift is not None:
            stats._lift.deserialize(lift_blob)
        for blob in blobs:
            feature = FeatureStats.deserialize(blob, options, hints)
            stats._features[feature.path] = feature
        return stats

    def to_proto(self, name: str) -> statistics_pb2.DatasetFeatureStatistics:
        """The statistics, features in the order of their paths."""
        result = statistics_pb2.DatasetFeatureStatistics(
            name=name,
            num_examples=self.examples,
            weighted_num_examples=self._weighted_examples,
        )
        for path in sorted(self._features):
            parents: int = self.examples
            weighted: float | None = None
            if self._options.weight_feature is not None:
                weighted = self._weighted_examples
            if len(path) > 1:
                parent = self._features[path[:-1]].common.levels[-1]
                parents = parent.total
                weighted = None if weighted is None else parent.weighted_total
            result.features.append(self._features[path].to_proto(parents, weighted))
        if self._lift is not None:
            self._lift.add_to_proto(result, self.examples)
        return result
