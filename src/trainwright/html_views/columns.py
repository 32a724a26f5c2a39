"""Columns side by side: the splits of an artifact, and the slices in each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainwright.html_views.text import cut

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import statistics_pb2

# Beside each other, more are not compared but searched for.
MOST_COLUMNS = 6

_LONGEST_NAME = 40
# What TFDV calls the dataset that is not a slice, once there are slices.
_WHOLE = ("", "All Examples")


@dataclass(frozen=True, kw_only=True)
class Column:
    """The statistics of one split, or of a slice of it.

    Args:
        name: What it is called on the page, for example "train".
        dataset: Its statistics.
        is_slice: Whether it is only a part of a split; slices differ on purpose.
    """

    name: str
    dataset: statistics_pb2.DatasetFeatureStatistics
    is_slice: bool

    @property
    def num_examples(self) -> int:
        return int(self.dataset.num_examples)


def all_columns(splits: Mapping[str, statistics_pb2.DatasetFeatureStatisticsList]) -> list[Column]:
    """The columns of all splits: first each split as a whole, train first, then its slices.

    Those without any features are last, and `with_features` leaves them out.

    Example: `[column.name for column in all_columns({"eval": ..., "train": ...})]` is
    `["train", "eval"]`.
    """
    columns = [
        column for split in sorted(splits, key=split_order) for column in _of(split, splits[split])
    ]
    return sorted(columns, key=lambda column: (not column.dataset.features, column.is_slice))


def with_features(columns: Sequence[Column]) -> list[Column]:
    """The columns in which there is something to compare, in the same places.

    Example: `with_features(all_columns(splits))`
    """
    return [column for column in columns if column.dataset.features]


def split_order(split: str) -> tuple[bool, bool, str]:
    """Sorts splits as they are used: train, eval, then the others by name.

    >>> sorted(["test", "eval", "train"], key=split_order)
    ['train', 'eval', 'test']
    """
    return split != "train", split != "eval", split


def _of(split: str, statistics: statistics_pb2.DatasetFeatureStatisticsList) -> Iterator[Column]:
    is_alone = len(statistics.datasets) == 1
    for dataset in statistics.datasets:
        is_whole = is_alone or dataset.name in _WHOLE
        name = split if is_whole else f"{split} · {dataset.name}"
        yield Column(name=cut(name, _LONGEST_NAME), dataset=dataset, is_slice=not is_whole)
