"""TFX's executor of an ExampleDiff, which says that examples are not compared one by one here."""

from __future__ import annotations

from trainwright.components.unsupported import UnsupportedExecutor

# TFX's names for the files of a pair of splits.
STATS_FILE_NAME = "skew_stats"
MATCH_STATS_FILE_NAME = "match_stats"
CONFUSION_FILE_NAME = "confusion"


class Executor(UnsupportedExecutor):
    """Says what to use instead."""

    CANNOT_RUN = (
        "this version declares an ExampleDiff and does not run it. Compare distributions with "
        "DistributionValidator, or join the examples in a component of your own (@component)."
    )
