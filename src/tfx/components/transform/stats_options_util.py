"""`trainwright.components.transform.stats_options_util` under TFX's path."""

from trainwright.components.transform.stats_options_util import StatsType as StatsType
