"""FeatureStats: all that is known of one feature."""

from __future__ import annotations

from typing import Any

from tensorflow_metadata.proto.v0 import statistics_pb2

from trainwright._errors import TrainwrightError
from trainwright.data.arrow_arrays import to_numpy
from trainwright.engine.packing import pack, unpack
from trainwright.statistics.common_stats import CommonStats
from trainwright.statistics.feature_arrays import (
    BYTES,
    FLOAT,
    INT,
    STRING,
    STRUCT,
    ArrowArray,
    Path,
    Weights,
    feature_type,
    flatten,
    format_path,
    format_type,
    nest_level,
)
from trainwright.statistics.numeric_stats import NumericStats
from trainwright.statistics.schema_hints import SchemaHints
from trainwright.statistics.stats_options import StatsOptions
from trainwright.statistics.string_stats import BytesStats, StringStats
from trainwright.statistics.value_counts import ValueCounts


class FeatureTypeError(TrainwrightError, ValueError):
    """A feature has values of different types, in one file or in several."""


class FeatureStats:
    """The statistics of one feature so far.

    What is collected depends on the type of the values that come, not on what a schema says; a
    schema only turns strings into images and numbers into categories. Before the first value the
    type is unknown.

    Args:
        path: The feature's path.
        options: What to compute.
        hints: What the schema says.
    """

    def __init__(self, path: Path, options: StatsOptions, hints: SchemaHints) -> None:
        self.path = path
        self.common = CommonStats(1)
        self._options, self._hints = options, hints
        self._kind: int | None = None
        self._source = ""
        self._numeric: NumericStats | None = None
        self._strings: StringStats | None = None
        self._bytes: BytesStats | None = None
        self._values: ValueCounts | None = None

    def add(self, array: ArrowArray, weights: Weights | None, source: str) -> None:
        """Adds the values of a batch, which was read from the file `source`."""
        kind = feature_type(self.path, array.type)
        if kind is None:
            return
        levels = nest_level(array.type)
        if self._kind is None:
            self._become(kind, levels, source)
        elif (kind, levels) != (self._kind, len(self.common.levels)):
            raise self._conflict(kind, levels, source)
        self.common.add(array, weights)
        if kind != STRUCT:
            self._add_values(*flatten(array, weights))

    def _become(self, kind: int, levels: int, source: str) -> None:
        self._kind, self._source = kind, source
        self.common = CommonStats(levels)
        has_weights = self._options.weight_feature is not None
        if kind == STRING and self.path in self._hints.images:
            self._bytes = BytesStats()
        elif kind == STRING or self._hints.is_categorical(self.path, kind):
            self._strings = StringStats()
            if kind != FLOAT:  # as TFDV: floats are hardly ever equal
                self._values = ValueCounts(self._options, has_weights)
        elif kind in (INT, FLOAT):
            self._numeric = NumericStats(self._options.epsilon, has_weights)

    def _add_values(self, values: ArrowArray, weights: Weights | None) -> None:
        if not len(values):
            return
        if self._numeric is not None:
            self._numeric.add(to_numpy(values), weights)
        if self._strings is not None:
            self._strings.add(values)
        if self._bytes is not None:
            self._bytes.add(values)
        if self._values is not None:
            self._values.add(values, weights)

    def _conflict(self, kind: int, levels: int, source: str) -> FeatureTypeError:
        def describe(kind: int | None, levels: int) -> str:
            return format_type(kind) + (f" in lists of {levels} levels" if levels > 1 else "")

        ours = describe(self._kind, len(self.common.levels))
        where = f"in {source}" if source == self._source else f"in {self._source} and {source}"
        return FeatureTypeError(
            f"Feature {format_path(self.path)} is {ours} and {describe(kind, levels)} {where}: "
            "expected one type in all examples. Convert the feature where the examples are made."
        )

    def merge(self, other: FeatureStats) -> None:
        if other._kind is None:
            return
        if self._kind is None:
            vars(self).update(vars(other))
            return
        levels = len(other.common.levels)
        if (other._kind, levels) != (self._kind, len(self.common.levels)):
            raise self._conflict(other._kind, levels, other._source)
        self.common.merge(other.common)
        for name in ("_numeric", "_strings", "_bytes", "_values"):
            mine = getattr(self, name)
            if mine is not None:
                mine.merge(getattr(other, name))

    def serialize(self) -> bytes:
        header: dict[str, Any] = {
            "path": self.path,
            "kind": self._kind,
            "source": self._source,
            "common": self.common.to_json(),
            "strings": self._strings.to_json() if self._strings else None,
            "bytes": self._bytes.to_json() if self._bytes else None,
            "numeric": None,
        }
        blobs: list[bytes] = []
        if self._numeric is not None:
            header["numeric"], blobs = self._numeric.to_json()
        elif self._values is not None:
            blobs = [self._values.serialize()]
        return pack(header, blobs)

    @classmethod
    def deserialize(cls, data: bytes, options: StatsOptions, hints: SchemaHints) -> FeatureStats:
        header, blobs = unpack(data)
        stats = cls(tuple(header["path"]), options, hints)
        stats._kind, stats._source = header["kind"], header["source"]
        stats.common = CommonStats.from_json(header["common"])
        if header["numeric"] is not None:
            stats._numeric = NumericStats.from_json(header["numeric"], blobs)
        elif blobs:
            stats._values = ValueCounts.deserialize(blobs[0])
        if header["strings"] is not None:
            stats._strings = StringStats(**header["strings"])
        if header["bytes"] is not None:
            stats._bytes = BytesStats(**header["bytes"])
        return stats

    def to_proto(
        self, parents: int, weighted_parents: float | None
    ) -> statistics_pb2.FeatureNameStatistics:
        """The statistics of a feature of `parents` examples, or structs."""
        result = statistics_pb2.FeatureNameStatistics()
        result.path.step.extend(self.path)
        is_image = self.path in self._hints.images
        kind = STRING if self._kind is None else self._kind
        result.type = BYTES if is_image and kind == STRING else kind
        common = self.common.to_proto(parents, weighted_parents, self._options)
        total = self.common.total
        if result.type == BYTES:
            result.bytes_stats.CopyFrom((self._bytes or BytesStats()).to_proto(total))
            result.bytes_stats.common_stats.CopyFrom(common)
        elif kind == STRUCT:
            result.struct_stats.common_stats.CopyFrom(common)
        elif self._numeric is not None:
            result.num_stats.CopyFrom(self._numeric.to_proto(total, self._options))
            result.num_stats.common_stats.CopyFrom(common)
        else:
            result.string_stats.CopyFrom((self._strings or StringStats()).to_proto(total))
            result.string_stats.common_stats.CopyFrom(common)
            if self._values is not None:
                self._values.add_to_proto(result.string_stats, self._options)
        if self._kind is not None:
            result.custom_stats.extend(self.common.inner_histograms(self._options))
        return result
