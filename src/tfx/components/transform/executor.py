"""`trainwright.components.transform.executor` under TFX's path."""

from trainwright.components.transform.executor import Executor as Executor
