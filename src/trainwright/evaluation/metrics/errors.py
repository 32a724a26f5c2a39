"""Errors for a metric of an EvalConfig."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from trainwright._errors import TrainwrightError

_NEAREST = 4


class UnknownMetricError(TrainwrightError, ValueError):
    """No metric has this class name, or none that Trainwright computes."""


def unknown_metric(class_name: str, known: Iterable[str]) -> UnknownMetricError:
    """The error for a name that is not a metric's, with the nearest that are.

    >>> print(unknown_metric("Acuracy", ["AUC", "Accuracy", "BinaryAccuracy"]))
    There is no metric 'Acuracy'. Near it are Accuracy, BinaryAccuracy; docs/metrics.md lists all \
of them. A metric of your own needs its module.
    """
    names = sorted(known)
    by_folded = {name.casefold(): name for name in names}
    near = difflib.get_close_matches(class_name.casefold(), by_folded, n=_NEAREST, cutoff=0.5)
    nearest = ", ".join(by_folded[name] for name in near)
    return UnknownMetricError(
        f"There is no metric {class_name!r}. "
        f"{f'Near it are {nearest}; docs' if nearest else 'docs'}/metrics.md lists all of them. A "
        "metric of your own needs its module."
    )
