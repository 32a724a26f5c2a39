"""StringStats and BytesStats: how long values are, and whether they are text."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from tensorflow_metadata.proto.v0 import statistics_pb2

from trainwright._imports import require
from trainwright.data.arrow_arrays import to_numpy
from trainwright.statistics.feature_arrays import ArrowArray, is_binary


@dataclass
class StringStats:
    """The lengths of strings, and of the digits of categorical numbers, together. Exact."""

    total_length: int = 0
    invalid_utf8: int = 0

    def add(self, values: ArrowArray) -> None:
        if is_binary(values.type):
            arrays = require("tfx_bsl.arrow.array_util", extra="transform")
            self.total_length += int(arrays.GetBinaryArrayTotalByteSize(values))
            self.invalid_utf8 += int(arrays.CountInvalidUTF8(values))
        else:
            counted = values.value_counts()
            lengths = [len(str(value)) for value in to_numpy(counted.field("values"))]
            self.total_length += int(np.dot(lengths, to_numpy(counted.field("counts"))))

    def merge(self, other: StringStats) -> None:
        self.total_length += other.total_length
        self.invalid_utf8 += other.invalid_utf8

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def to_proto(self, total: int) -> statistics_pb2.StringStatistics:
        """The statistics of `total` values."""
        return statistics_pb2.StringStatistics(
            avg_length=self.total_length / total if total else 0,
            invalid_utf8_count=self.invalid_utf8,
        )


@dataclass
class BytesStats:
    """The sizes of values that a schema says are images. Exact."""

    total_bytes: int = 0
    smallest: int | None = None
    largest: int = 0

    def add(self, values: ArrowArray) -> None:
        if not len(values):
            return
        arrays = require("tfx_bsl.arrow.array_util", extra="transform")
        sizes = to_numpy(arrays.GetElementLengths(values))
        self.merge(BytesStats(int(sizes.sum()), int(sizes.min()), int(sizes.max())))

    def merge(self, other: BytesStats) -> None:
        self.total_bytes += other.total_bytes
        self.largest = max(self.largest, other.largest)
        if other.smallest is not None:
            self.smallest = (
                other.smallest if self.smallest is None else min(self.smallest, other.smallest)
            )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def to_proto(self, total: int) -> statistics_pb2.BytesStatistics:
        """The statistics of `total` values."""
        if not total:
            return statistics_pb2.BytesStatistics()
        return statistics_pb2.BytesStatistics(
            avg_num_bytes=self.total_bytes / total,
            min_num_bytes=self.smallest,
            max_num_bytes=self.largest,
            max_num_bytes_int=self.largest,
        )
