"""Feature skew as TFDV's programs read it: the files that an ExampleDiff writes, and as tables."""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from trainwright.data.tfrecord import read_records
from trainwright.proto.tfdv import feature_skew_results_pb2 as messages

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "CONFUSION_KEY",
    "MATCH_STATS_KEY",
    "SKEW_PAIRS_KEY",
    "SKEW_RESULTS_KEY",
    "confusion_count_iterator",
    "get_confusion_count_dataframes",
    "get_match_stats_dataframe",
    "get_skew_result_dataframe",
    "match_stats_iterator",
    "skew_pair_iterator",
    "skew_results_iterator",
]

# TFDV's keys of the results.
SKEW_RESULTS_KEY = "skew_results"
SKEW_PAIRS_KEY = "skew_pairs"
CONFUSION_KEY = "confusion_pairs"
MATCH_STATS_KEY = "match_stats"


def skew_results_iterator(input_pattern_prefix: str) -> Iterator[messages.FeatureSkew]:
    """Yields how often each feature is the same.

    Args:
        input_pattern_prefix: What the paths of the files begin with, as `.../skew_stats`.
    """
    return _read(input_pattern_prefix, messages.FeatureSkew)


def skew_pair_iterator(input_pattern_prefix: str) -> Iterator[messages.SkewPair]:
    """Yields pairs of examples that differ, of files such as `.../sample_pairs`."""
    return _read(input_pattern_prefix, messages.SkewPair)


def match_stats_iterator(input_pattern_prefix: str) -> Iterator[messages.MatchStats]:
    """Yields how well examples could be paired, of files such as `.../match_stats`."""
    return _read(input_pattern_prefix, messages.MatchStats)


def confusion_count_iterator(input_pattern_prefix: str) -> Iterator[messages.ConfusionCount]:
    """Yields which values met, of files such as `.../confusion`."""
    return _read(input_pattern_prefix, messages.ConfusionCount)


def _read(prefix: str, message: type[Any]) -> Iterator[Any]:
    for path in sorted(glob.glob(f"{prefix}*-of-*")):
        for record in read_records(path):
            yield message.FromString(record)


def get_skew_result_dataframe(skew_results: Iterable[messages.FeatureSkew]) -> pd.DataFrame:
    """A row for each feature, in the order of their names."""
    import pandas as pd

    columns = list(messages.FeatureSkew.DESCRIPTOR.fields_by_name)
    rows = [[getattr(one, name) for name in columns] for one in skew_results]
    return pd.DataFrame(rows, columns=columns).sort_values("feature_name").reset_index(drop=True)


def get_match_stats_dataframe(match_stats: messages.MatchStats) -> pd.DataFrame:
    """One row: how well examples could be paired."""
    import pandas as pd

    return pd.DataFrame(
        {
            name: [getattr(match_stats, name)]
            for name in (
                "base_with_id_count",
                "test_with_id_count",
                "identifiers_count",
                "ids_missing_in_base_count",
                "ids_missing_in_test_count",
                "matching_pairs_count",
                "base_missing_id_count",
                "test_missing_id_count",
                "duplicate_id_count",
            )
        }
    )


def get_confusion_count_dataframes(
    confusion: Iterable[messages.ConfusionCount],
) -> dict[str, pd.DataFrame]:
    """By feature, the values that met others than themselves, and how often."""
    by_feature: dict[str, list[messages.ConfusionCount]] = {}
    for one in confusion:
        by_feature.setdefault(one.feature_name, []).append(one)
    return {name: _confusion_table(counts) for name, counts in by_feature.items()}


def _confusion_table(counts: Iterable[messages.ConfusionCount]) -> pd.DataFrame:
    import pandas as pd

    base: Counter[bytes] = Counter()
    test: Counter[bytes] = Counter()
    rows = []
    for one in counts:
        values = (one.base.bytes_value, one.test.bytes_value)
        base[values[0]] += one.count
        test[values[1]] += one.count
        rows.append((*values, one.count))
    table = pd.DataFrame(
        [
            (ours, theirs, count, base[ours], test[theirs], count / base[ours])
            for ours, theirs, count in rows
            if ours != theirs
        ],
        columns=[
            "Base value",
            "Test value",
            "Pair count",
            "Base count",
            "Test count",
            "Fraction of base",
        ],
    )
    return table.sort_values(["Base value", "Fraction of base"]).reset_index(drop=True)
