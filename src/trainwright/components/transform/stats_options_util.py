"""StatsOptions for a user's `stats_options_updater_fn(stats_type, stats_options)`."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any

from trainwright._suggest import did_you_mean
from trainwright.statistics.stats_options import StatsOptions


class StatsType(enum.Enum):
    """Which statistics the options are for: those of raw examples, or of transformed ones."""

    UNKNOWN = 0
    PRE_TRANSFORM = 1
    POST_TRANSFORM = 2


class AssignableStatsOptions(StatsOptions):
    """Options whose fields can be assigned, as functions written for TFDV's do.

    >>> options = AssignableStatsOptions()
    >>> options.num_top_values = 5
    >>> options.num_top_values
    5
    """

    def __setattr__(self, name: str, value: Any) -> None:
        known = [field.name for field in dataclasses.fields(self)]
        if name not in known:
            raise AttributeError(f"StatsOptions has no field {name!r}{did_you_mean(name, known)}")
        # Made anew, so that a value is checked as if it had been given at once.
        checked = dataclasses.replace(self, **{name: value})
        object.__setattr__(self, name, getattr(checked, name))
