"""`trainwright.components.evaluator.executor` under TFX's path."""

from trainwright.components.evaluator.executor import Executor as Executor
