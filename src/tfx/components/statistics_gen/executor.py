"""`trainwright.components.statistics_gen.executor` under TFX's path."""

from trainwright.components.statistics_gen.executor import Executor as Executor
