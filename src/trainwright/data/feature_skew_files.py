"""The files of a feature skew, as TFDV writes them: one of each kind for a pair of splits."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import DecodeError

from trainwright.data.tfrecord import TFRecordError, read_records
from trainwright.data.tfrecord_frames import frame
from trainwright.proto.tfdv import feature_skew_results_pb2 as messages

# TFX's names for the files, each followed by the numbers of its shards.
STATS_FILE_NAME = "skew_stats"
MATCH_STATS_FILE_NAME = "match_stats"
CONFUSION_FILE_NAME = "confusion"
SAMPLE_FILE_NAME = "sample_pairs"

PAIR_PREFIX = "SplitPair-"
_ONLY_SHARD = "-00000-of-00001"


@dataclass(frozen=True, kw_only=True)
class FeatureSkewFiles:
    """What is known of a pair of splits.

    Args:
        features: How often each feature is the same, by its name.
        match: How well examples could be paired.
        sample: Some pairs that differ.
        confusion: Which values of features meet which; None if that was not asked for.
    """

    features: Sequence[messages.FeatureSkew]
    match: messages.MatchStats
    sample: Sequence[messages.SkewPair] = ()
    confusion: Sequence[messages.ConfusionCount] | None = None

    def write(self, directory: str) -> None:
        """Writes a file of each kind; none of confusion if that was not asked for."""
        os.makedirs(directory, exist_ok=True)
        _write(directory, STATS_FILE_NAME, self.features)
        _write(directory, SAMPLE_FILE_NAME, self.sample)
        _write(directory, MATCH_STATS_FILE_NAME, [self.match])
        if self.confusion is not None:
            _write(directory, CONFUSION_FILE_NAME, self.confusion)

    @classmethod
    def read(cls, directory: str) -> FeatureSkewFiles:
        """Reads what `write`, or TFX, has written.

        Raises:
            ValueError: if the files of a kind are not there, or damaged.
        """
        match = messages.MatchStats()
        for part in _read(directory, MATCH_STATS_FILE_NAME, messages.MatchStats):
            match.MergeFrom(part)
        has_confusion = bool(_paths(directory, CONFUSION_FILE_NAME))
        return cls(
            features=_read(directory, STATS_FILE_NAME, messages.FeatureSkew),
            match=match,
            sample=_read(directory, SAMPLE_FILE_NAME, messages.SkewPair),
            confusion=_read(directory, CONFUSION_FILE_NAME, messages.ConfusionCount)
            if has_confusion
            else None,
        )


def read_feature_skew(uri: str) -> dict[str, FeatureSkewFiles]:
    """What is known of each pair of splits of an ExamplesDiff, by the name of the pair.

    Raises:
        ValueError: if there are no pairs, or their files are damaged.
    """
    directories = sorted(glob.glob(os.path.join(glob.escape(uri), PAIR_PREFIX + "*")))
    if not directories:
        raise ValueError(f"{uri} has no {PAIR_PREFIX}... directory, as an ExamplesDiff has.")
    return {
        os.path.basename(directory).removeprefix(PAIR_PREFIX): FeatureSkewFiles.read(directory)
        for directory in directories
    }


def _write(directory: str, name: str, records: Iterable[Any]) -> None:
    path = os.path.join(directory, name + _ONLY_SHARD)
    with open(f"{path}.unfinished", "wb") as file:
        file.write(frame([one.SerializeToString(deterministic=True) for one in records]))
    os.replace(f"{path}.unfinished", path)


def _read(directory: str, name: str, message: type[Any]) -> list[Any]:
    paths = _paths(directory, name)
    if not paths:
        raise ValueError(f"{directory} has no {name}-*-of-*: expected one of each pair of splits.")
    try:
        return [message.FromString(record) for path in paths for record in read_records(path)]
    except (DecodeError, TFRecordError) as error:
        raise ValueError(
            f"{name} in {directory} is damaged: {error}. Let the component run again."
        ) from error


def _paths(directory: str, name: str) -> list[str]:
    return sorted(glob.glob(os.path.join(glob.escape(directory), f"{name}-*-of-*")))
