"""StatsOptions as programs for TFDV use them: their fields can be assigned."""

from trainwright.components.transform.stats_options_util import (
    AssignableStatsOptions as StatsOptions,
)

__all__ = ["StatsOptions"]
