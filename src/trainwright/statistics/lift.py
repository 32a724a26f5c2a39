"""LiftCounts: how much more often each label is seen beside a value than among all examples.

The lift of a value x and a label y is P(y | x) / P(y): 1 if x tells nothing about y. A feature with
several values in an example counts as the set of them.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from tensorflow_metadata.proto.v0 import schema_pb2, statistics_pb2

from trainwright._suggest import did_you_mean
from trainwright.data.arrow_arrays import from_numpy, to_numpy, valid_cells
from trainwright.engine.packing import pack, unpack
from trainwright.statistics.feature_arrays import (
    FLOAT,
    INT,
    STRUCT,
    ArrowArray,
    Path,
    Weights,
    feature_type,
    flatten,
    format_path,
    is_binary,
    walk_features,
)
from trainwright.statistics.schema_hints import SchemaHints, schema_leaves
from trainwright.statistics.stats_options import StatsOptions
from trainwright.statistics.value_counts import to_text

_logger = logging.getLogger(__name__)

# A feature whose different values times the labels are more than this has no lift statistics: a
# series has a bucket for each pair.
MOST_PAIRS = 1_000_000

_Value: TypeAlias = bytes | int
# The examples that have a value, and the sum of their weights.
_Amounts: TypeAlias = dict[Any, tuple[int, float]]


@dataclass(frozen=True)
class LiftFeatures:
    """Which features are looked at.

    Args:
        label: The feature whose values are y.
        paths: The features whose values are x.
    """

    label: Path
    paths: frozenset[Path]

    @classmethod
    def find(cls, options: StatsOptions, hints: SchemaHints) -> LiftFeatures | None:
        """The label and the categorical features of the schema; None without either, as in TFDV.

        Raises:
            ValueError: unless the label is a categorical feature of the schema.
        """
        if options.label_feature is None:
            return None
        if options.schema is None:
            _logger.warning(
                "label_feature is %r and there is no schema, which says what features are "
                "categories: lift statistics are not computed. Give StatsOptions a schema.",
                options.label_feature,
            )
            return None
        label = (options.label_feature,)
        features = dict(schema_leaves((), options.schema.feature))
        if label not in features:
            known = [".".join(path) for path in features]
            raise ValueError(
                f"label_feature is {options.label_feature!r}, which the schema does not have"
                f"{did_you_mean(options.label_feature, known)}"
            )
        categorical = {path for path, one in features.items() if one.type == schema_pb2.BYTES}
        categorical |= {path for path, kind in hints.categorical if kind == INT}
        if label not in categorical:
            kind = schema_pb2.FeatureType.Name(features[label].type)
            raise ValueError(
                f"label_feature is {options.label_feature!r}, which is {kind} and not categorical "
                "in the schema: expected BYTES, or INT with a bool_domain or with an int_domain "
                "whose is_categorical is true."
            )
        return cls(label, frozenset(categorical - {label} - hints.images))


@dataclass
class _FeatureCounts:
    """How many examples have each value of a feature, and each value beside each label.

    Args:
        values: By value.
        pairs: By value and label.
        is_dropped: Whether there were too many to keep.
    """

    values: _Amounts = field(default_factory=dict)
    pairs: _Amounts = field(default_factory=dict)
    is_dropped: bool = False

    def drop_if_many(self, labels: int = 1) -> None:
        if max(len(self.values) * labels, len(self.pairs)) > MOST_PAIRS:
            self.values, self.pairs, self.is_dropped = {}, {}, True


class LiftCounts:
    """The counts so far, of the examples of a slice.

    Args:
        features: What to look at.
        has_weights: Whether lift is computed with weights, too.
    """

    def __init__(self, features: LiftFeatures, has_weights: bool) -> None:
        self._chosen, self._has_weights = features, has_weights
        self._labels: _Amounts = {}
        self._features: dict[Path, _FeatureCounts] = {}

    def add(self, batch: pa.RecordBatch, weights: Weights | None, allowed: Iterable[str]) -> None:
        """Adds examples; of `batch`, only the columns that are allowed, and the label."""
        allowed = {*allowed}
        rows = np.arange(batch.num_rows, dtype=np.float64)
        present = {
            path: _Presence.read(array, array_rows)
            for path, array, array_rows in walk_features(batch, rows)
            if path == self._chosen.label or (path in self._chosen.paths and path[0] in allowed)
            if feature_type(path, array.type) not in (None, FLOAT, STRUCT)
        }
        labels = present.pop(self._chosen.label, None)
        if labels is not None:
            _add_up(self._labels, labels.amounts(weights))
        for path, values in present.items():
            counts = self._features.setdefault(path, _FeatureCounts())
            if counts.is_dropped:
                continue
            _add_up(counts.values, values.amounts(weights))
            if labels is not None:
                _add_up(counts.pairs, values.beside(labels).amounts(weights))
            counts.drop_if_many()

    def merge(self, other: LiftCounts) -> None:
        _add_up(self._labels, other._labels.items())
        for path, theirs in other._features.items():
            ours = self._features.setdefault(path, _FeatureCounts())
            if ours.is_dropped or theirs.is_dropped:
                self._features[path] = _FeatureCounts(is_dropped=True)
                continue
            _add_up(ours.values, theirs.values.items())
            _add_up(ours.pairs, theirs.pairs.items())
            ours.drop_if_many()

    def serialize(self) -> bytes:
        features = [
            [path, one.is_dropped, _to_json(one.values), _to_json(one.pairs)]
            for path, one in self._features.items()
        ]
        return pack([_to_json(self._labels), features])

    def deserialize(self, data: bytes) -> LiftCounts:
        """The counts of `serialize`, into these, which are empty."""
        (labels, features), _ = unpack(data)
        self._labels = _from_json(labels)
        for path, is_dropped, values, pairs in features:
            counts = _FeatureCounts(_from_json(values), _from_json(pairs), is_dropped)
            self._features[tuple(path)] = counts
        return self

    def add_to_proto(self, result: statistics_pb2.DatasetFeatureStatistics, examples: int) -> None:
        """Adds lift between each feature and the label, and TFDV's histograms of it."""
        if examples and not self._labels:
            label = self._chosen.label[0]
            _logger.warning("No example has the label_feature %r: there is no lift.", label)
        by_path = {tuple(one.path.step): one for one in result.features}
        for path, counts in sorted(self._features.items()):
            counts.drop_if_many(len(self._labels))
            if counts.is_dropped:
                _logger.warning(
                    "Feature %s has too many different values for lift statistics: more than %d "
                    "pairs with labels.",
                    format_path(path),
                    MOST_PAIRS,
                )
                continue
            series = list(self._series(counts, examples, is_weighted=False))
            if self._has_weights:
                series += self._series(counts, examples, is_weighted=True)
            if not series:
                continue
            cross = result.cross_features.add()
            cross.path_x.step.extend(path)
            cross.path_y.step.extend(self._chosen.label)
            cross.categorical_cross_stats.lift.lift_series.extend(series)
            by_path[path].custom_stats.extend(map(_histogram, series))

    def _series(
        self, counts: _FeatureCounts, examples: int, *, is_weighted: bool
    ) -> Iterator[statistics_pb2.LiftSeries]:
        for label, label_amounts in sorted(self._labels.items()):
            label_amount = label_amounts[is_weighted]
            lifts = []
            for value, value_amounts in counts.values.items():
                both = counts.pairs.get((value, label), (0, 0.0))[is_weighted]
                amount = value_amounts[is_weighted]
                if amount and label_amount:  # of a weight of 0, nothing can be said
                    # TFDV divides by the number of examples with weights as well.
                    lift = (both / amount) / (label_amount / examples)
                    lifts.append((-lift, value, amount, both))
            if lifts:
                yield _make_series(label, label_amount, sorted(lifts), is_weighted)


@dataclass(frozen=True)
class _Presence:
    """Which examples have which values, each value once in an example.

    Args:
        rows: The examples, in ascending order.
        codes: For each of them, a place in `values`.
        values: The different values.
    """

    rows: npt.NDArray[np.int64]
    codes: npt.NDArray[np.int64]
    values: list[Any]

    @classmethod
    def read(cls, array: ArrowArray, rows: Weights | None) -> _Presence:
        values, owners = flatten(array, rows)
        assert owners is not None
        if values.null_count:
            valid = valid_cells(values)
            values, owners = values.filter(from_numpy(valid)), owners[valid]
        if is_binary(values.type):
            values = values.cast(pa.large_binary())
        encoded = values.dictionary_encode()
        known = encoded.dictionary.to_pylist()
        return cls._once(owners.astype(np.int64), to_numpy(encoded.indices), known)

    @classmethod
    def _once(cls, rows: npt.NDArray[Any], codes: npt.NDArray[Any], values: list[Any]) -> _Presence:
        width = max(len(values), 1)
        keys = np.unique(rows * width + codes)
        return cls(keys // width, keys % width, values)

    def beside(self, other: _Presence) -> _Presence:
        """Which examples have which pairs of a value and one of the other's."""
        first = np.searchsorted(other.rows, self.rows)
        number = np.searchsorted(other.rows, self.rows, side="right") - first
        mine = np.repeat(np.arange(len(self.rows)), number)
        theirs = np.arange(len(mine)) - np.repeat(np.cumsum(number) - number - first, number)
        codes = self.codes[mine] * max(len(other.values), 1) + other.codes[theirs]
        found, places = np.unique(codes, return_inverse=True)
        pairs = [
            (self.values[code // len(other.values)], other.values[code % len(other.values)])
            for code in found.tolist()
        ]
        return _Presence(self.rows[mine], places.reshape(-1), pairs)

    def amounts(self, weights: Weights | None) -> Iterator[tuple[Any, tuple[int, float]]]:
        """Each value with the number of examples that have it, and their weight."""
        counts = np.bincount(self.codes, minlength=len(self.values)).tolist()
        sums = [0.0] * len(self.values)
        if weights is not None:
            sums = np.bincount(self.codes, weights[self.rows], len(self.values)).tolist()
        return zip(self.values, zip(counts, sums, strict=True), strict=True)


def _add_up(total: _Amounts, more: Iterable[tuple[Any, tuple[int, float]]]) -> None:
    for key, (count, weight) in more:
        old_count, old_weight = total.get(key, (0, 0.0))
        total[key] = (old_count + count, old_weight + weight)


def _to_json(amounts: _Amounts) -> list[Any]:
    return [[_key_to_json(key), count, weight] for key, (count, weight) in amounts.items()]


def _from_json(rows: list[Any]) -> _Amounts:
    return {_key_from_json(key): (count, weight) for key, count, weight in rows}


def _key_to_json(key: Any) -> Any:
    if isinstance(key, tuple):
        return [_key_to_json(one) for one in key]
    return key.decode("latin-1") if isinstance(key, bytes) else key


def _key_from_json(key: Any) -> Any:
    if isinstance(key, list):
        return tuple(_key_from_json(one) for one in key)
    return key.encode("latin-1") if isinstance(key, str) else key


def _make_series(
    label: _Value, label_amount: float, lifts: list[Any], is_weighted: bool
) -> statistics_pb2.LiftSeries:
    series = statistics_pb2.LiftSeries()
    _set_value(series, "y", label)
    setattr(series, "weighted_y_count" if is_weighted else "y_count", label_amount)
    prefix = "weighted_" if is_weighted else ""
    for negative_lift, value, amount, both in lifts:
        one = series.lift_values.add(lift=-negative_lift)
        _set_value(one, "x", value)
        setattr(one, f"{prefix}x_count", amount)
        setattr(one, f"{prefix}x_and_y_count", both)
    return series


def _set_value(message: Any, name: str, value: _Value) -> None:
    if isinstance(value, bytes):
        setattr(message, f"{name}_string", to_text(value))
    else:
        setattr(message, f"{name}_int", value)


def _histogram(series: statistics_pb2.LiftSeries) -> statistics_pb2.CustomStatistic:
    label = getattr(series, series.WhichOneof("y_value") or "y_string")
    result = statistics_pb2.CustomStatistic(name=f"Lift (Y={label})")
    for one in series.lift_values:
        value = getattr(one, one.WhichOneof("x_value") or "x_string")
        result.rank_histogram.buckets.add(label=str(value), sample_count=one.lift)
    return result
