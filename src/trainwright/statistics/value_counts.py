"""ValueCounts: how often each value occurs, exactly as long as that is affordable."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from tensorflow_metadata.proto.v0 import statistics_pb2

from trainwright.engine.packing import pack, unpack
from trainwright.statistics.counted_values import CountedValues
from trainwright.statistics.feature_arrays import ArrowArray, Weights
from trainwright.statistics.stats_options import StatsOptions
from trainwright.statistics.value_sketches import ValueSketches

_logger = logging.getLogger(__name__)

# Up to this many different values of one feature, and bytes of them, counts are exact.
EXACT_VALUES = 100_000
EXACT_BYTES = 16 << 20
# Tables are joined when this many rows have come together, or as many as the last join left.
_JOIN_ROWS = 20_000

# What TFDV puts in the place of values that are not text.
NOT_TEXT = "__BYTES_VALUE__"


@dataclass(frozen=True)
class _Totals:
    """The different values, and the most frequent of them by count and by weight."""

    unique: int
    by_count: list[tuple[Any, float]]
    by_weight: list[tuple[Any, float]]


class ValueCounts:
    """Counts of the values of a string or categorical feature.

    They are exact, as TFDV's are, up to 100 000 different values or 16 MB of them in one feature.
    Beyond that, or if the options ask for it, `ValueSketches` take over what was counted; their
    docstring names the error.

    Args:
        options: Where `use_sketch_based_topk_uniques` is set, the sketches count from the start.
        has_weights: Whether values will come with weights.
    """

    def __init__(self, options: StatsOptions, has_weights: bool) -> None:
        self._has_weights = has_weights
        self._buckets = max(options.num_top_values, options.num_rank_histogram_buckets)
        self._tables: list[CountedValues] = []
        self._rows = self._rows_joined = 0
        self._sketches = (
            ValueSketches(self._buckets) if options.use_sketch_based_topk_uniques else None
        )

    @property
    def is_exact(self) -> bool:
        return self._sketches is None

    def add(self, values: ArrowArray, weights: Weights | None) -> None:
        if not len(values):
            return
        if self._sketches is not None:
            self._sketches.add(values, weights)
        else:
            self._append(CountedValues.count(values, weights))

    def _append(self, table: CountedValues) -> None:
        self._tables.append(table)
        self._rows += len(table)
        if self._rows >= max(_JOIN_ROWS, 2 * self._rows_joined):
            self._join()

    def _join(self) -> CountedValues | None:
        """One table with a row for each value; None once the sketches have taken over."""
        if self._sketches is not None or not self._tables:
            return None
        joined = CountedValues.join(self._tables)
        self._tables = [joined]
        self._rows = self._rows_joined = len(joined)
        if len(joined) > EXACT_VALUES or joined.nbytes > EXACT_BYTES:
            self._start_sketches()
            return None
        return joined

    def _start_sketches(self) -> ValueSketches:
        if self._sketches is None:
            self._sketches = ValueSketches(self._buckets)
            for table in self._tables:
                self._sketches.add_counted(table)
            _logger.info("More than %d values in a feature: estimating from here.", self._rows)
            self._tables = []
        return self._sketches

    def merge(self, other: ValueCounts) -> None:
        if self._sketches is None and other._sketches is None:
            for table in other._tables:
                self._append(table)
        else:
            self._start_sketches().merge(other._start_sketches())

    def serialize(self) -> bytes:
        joined = self._join()
        header = {"has_weights": self._has_weights, "buckets": self._buckets}
        if self._sketches is not None:
            return pack({**header, "kind": "sketches"}, self._sketches.serialize())
        return pack({**header, "kind": "table"}, [] if joined is None else [joined.to_bytes()])

    @classmethod
    def deserialize(cls, data: bytes) -> ValueCounts:
        header, blobs = unpack(data)
        counts = cls.__new__(cls)
        counts._has_weights, counts._buckets = header["has_weights"], header["buckets"]
        counts._rows = counts._rows_joined = 0
        counts._sketches, counts._tables = None, []
        if header["kind"] == "sketches":
            counts._sketches = ValueSketches.deserialize(blobs)
        elif blobs:
            counts._append(CountedValues.from_bytes(blobs[0]))
        return counts

    def add_to_proto(self, result: statistics_pb2.StringStatistics, options: StatsOptions) -> None:
        """Sets what is said of frequent and of different values, if there are any."""
        totals = self._totals()
        if not totals.unique:
            return
        result.unique = totals.unique
        _add_frequent(result, totals.by_count, options.frequency_threshold, options)
        if self._has_weights and totals.by_weight:
            _add_frequent(
                result.weighted_string_stats,
                totals.by_weight,
                options.weighted_frequency_threshold,
                options,
            )

    def _totals(self) -> _Totals:
        joined = self._join()
        if self._sketches is not None:
            return _Totals(*self._sketches.estimate(self._has_weights))
        if joined is None:
            return _Totals(0, [], [])
        return _Totals(
            len(joined),
            joined.most(self._buckets, by_weight=False),
            joined.most(self._buckets, by_weight=True) if self._has_weights else [],
        )


def _add_frequent(
    result: Any, values: list[tuple[Any, float]], threshold: float, options: StatsOptions
) -> None:
    for rank, (value, count) in enumerate(values):
        if count < threshold:
            break
        label = to_text(value)
        if rank < options.num_top_values:
            result.top_values.add(value=label, frequency=count)
        if rank < options.num_rank_histogram_buckets:
            result.rank_histogram.buckets.add(
                low_rank=rank, high_rank=rank, label=label, sample_count=count
            )


def to_text(value: Any) -> str:
    """A value as statistics name it."""
    if not isinstance(value, bytes):
        return str(value)
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return NOT_TEXT
