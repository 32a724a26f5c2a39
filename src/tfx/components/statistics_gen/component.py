"""`trainwright.components.statistics_gen.component` under TFX's path."""

from trainwright.components.statistics_gen.component import StatisticsGen as StatisticsGen
