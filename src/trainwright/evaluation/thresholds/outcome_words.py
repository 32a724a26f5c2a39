"""The outcome of an evaluation in words: the same in the log, a run's summary and the page."""

from __future__ import annotations

NO_THRESHOLD = "the eval config has no threshold"
NOTHING_DECIDES = f"{NO_THRESHOLD}, so nothing says what is good enough"

_HEADLINES = {
    True: "blessed",
    False: "not blessed",
    None: "neither blessed nor refused",
}


def headline(is_blessed: bool | None) -> str:
    """What became of the model; None stands for an evaluation in which nothing decides.

    >>> headline(None)
    'neither blessed nor refused'
    """
    return _HEADLINES[is_blessed]


def counts(total: int, *, failed: int, undecided: int) -> str:
    """How many thresholds were met; each counts once for each slice that it is held against.

    Args:
        total: All of them.
        failed: Those that were not met.
        undecided: Those of which a confidence interval leaves open whether they are met.

    >>> counts(3, failed=0, undecided=0)
    '3 thresholds met'
    >>> counts(3, failed=1, undecided=1)
    '1 of 3 thresholds not met, 1 undecided'
    """
    thresholds = f"{total:,} threshold{'' if total == 1 else 's'}"
    parts = []
    if failed:
        parts.append(f"{failed:,} of {thresholds} not met")
    if undecided:
        parts.append(f"{undecided:,} {'' if failed else f'of {thresholds} '}undecided")
    return ", ".join(parts) or f"{thresholds} met"
