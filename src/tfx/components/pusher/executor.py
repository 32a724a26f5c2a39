"""`trainwright.components.pusher.executor` under TFX's path."""

from trainwright.components.pusher.executor import Executor as Executor
