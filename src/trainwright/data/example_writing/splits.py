"""Assigns rows to splits by hash bucket, exactly as TFX does.

A row's key is hashed with SHA-256; the hash, modulo the total number of buckets, is the row's
bucket; consecutive ranges of buckets are the splits. So a row stays in its split when other rows
come and go, on any machine and in any order.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from trainwright._suggest import did_you_mean
from trainwright.data.arrow_arrays import to_numpy
from trainwright.data.example_codec import encode_features
from trainwright.data.example_writing.column_types import ColumnType
from trainwright.types.splits import check_split_name


@dataclass(frozen=True, kw_only=True)
class HashSplits:
    """Output splits in proportion to their hash buckets: train 2, eval 1 gives two thirds to train.

    Args:
      buckets: the number of hash buckets of each split, in order. The order matters: it decides
        which buckets are whose.
      partition_feature: rows with the same value of this feature stay together, in one split.
        Without it every row is assigned by its whole content.
    """

    buckets: tuple[tuple[str, int], ...]
    partition_feature: str | None = None

    def __post_init__(self) -> None:
        check_split_names([name for name, _ in self.buckets])
        for name, count in self.buckets:
            if count < 1:
                raise ValueError(
                    f"Split {name!r} has {count} hash buckets: expected 1 or more. Leave the split "
                    "out if it should get no rows."
                )

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.buckets)

    def check_columns(self, column_types: Mapping[str, ColumnType]) -> None:
        """Raises a ValueError if the columns cannot be partitioned by the partition feature."""
        if self.partition_feature is not None:
            _check_partition_feature(self.partition_feature, column_types)

    def assign(
        self, examples: Sequence[bytes], batch: pa.RecordBatch
    ) -> npt.NDArray[np.integer[Any]]:
        """The position in `names` of each row's split.

        Args:
          examples: the rows as deterministically serialized tf.Examples.
          batch: the same rows as columns.
        """
        if len(self.buckets) == 1:
            return np.zeros(len(examples), np.int64)
        if self.partition_feature is None:
            return self.assign_keys(examples)
        column: Any = batch.column(self.partition_feature)
        if pa.types.is_list(column.type):
            features: list[Any] = encode_features(column).to_pylist()
            return self.assign_keys(features)
        # A value that occurs in many rows is hashed once.
        distinct = column.dictionary_encode(null_encoding="encode")
        keys: list[Any] = encode_features(distinct.dictionary).to_pylist()
        assigned = self.assign_keys(keys)
        splits: npt.NDArray[np.integer[Any]] = assigned[to_numpy(distinct.indices)]
        return splits

    def assign_keys(self, keys: Iterable[bytes]) -> npt.NDArray[np.integer[Any]]:
        """The position in `names` of the split that each key belongs to."""
        ends = list(itertools.accumulate(count for _, count in self.buckets))
        digests = b"".join(hashlib.sha256(key).digest() for key in keys)
        return np.searchsorted(ends, _modulo(digests, ends[-1]), side="right")


def check_split_names(names: Sequence[str]) -> None:
    """Raises a ValueError unless the names are distinct and each can name a folder."""
    if not names:
        raise ValueError("There are no splits: expected at least one.")
    for name in names:
        if not name:
            raise ValueError("A split has no name: expected one, for example 'train'.")
        check_split_name(name)
    repeated = [repr(name) for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise ValueError(
            f"The split name {', '.join(repeated)} is used more than once. Names must differ."
        )


def _check_partition_feature(feature: str, column_types: Mapping[str, ColumnType]) -> None:
    if feature not in column_types:
        raise ValueError(
            f"There is no column {feature!r} to partition by{did_you_mean(feature, column_types)}"
        )
    column_type = column_types[feature]
    if column_type is ColumnType.UNKNOWN:
        raise ValueError(
            f"The partition feature {feature!r} does not contain any value: all its cells are "
            "empty. Partition by a column that has values."
        )
    if column_type is ColumnType.FLOAT:
        raise ValueError(
            f"The partition feature {feature!r} is a float column: only bytes and int64 features "
            "can partition rows. Partition by such a column, or by none."
        )


def _modulo(digests: bytes, divisor: int) -> npt.NDArray[np.uint64]:
    """Each 256-bit big-endian number modulo `divisor`, by long division in 16-bit digits.

    Sixteen bits keep the intermediate values within 64 bits for any divisor below 2 ** 48.
    """
    digits = np.frombuffer(digests, ">u2").reshape(-1, 16)
    remainder = np.zeros(len(digits), np.uint64)
    for position in range(16):
        remainder = (remainder << np.uint64(16) | digits[:, position]) % np.uint64(divisor)
    return remainder
